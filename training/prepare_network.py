"""First step of the network, without any marked answer (a GPU; four minutes).

    python prepare_network.py MINILM_DIR GLOSSES.txt SNLI.jsonl OUT_DIR

Four of the six layers of all-MiniLM-L6-v2 learn to say of every piece what all six say of it, on definitions of WordNet
and on sentences (`kept.pt`). Then they also learn what follows from what (`entailed.pt`).
"""

import random
import sys
from pathlib import Path

import torch

from answers import sentence_pairs
from learning import GLOSS, Keeper, begin, entailment_loss, learn

KEEP_STEPS, KEEP_RATE, KEEP_BATCH = 4500, 3e-4, 160
EPOCHS, BATCH = 3, 256


def main(minilm, glosses, snli, out):
    weights, texts, network = begin(minilm, seed=7)
    glosses, pairs = open(glosses, encoding="utf8").read().splitlines(), list(sentence_pairs(snli))
    given = sorted({given for _, given, _ in pairs})
    keeper = Keeper(weights, texts, [(text, GLOSS) for text in glosses + given], glosses)
    learn(network, KEEP_STEPS, lambda: keeper.loss(network, KEEP_BATCH), rate=KEEP_RATE, lowest=0.02)
    torch.save(network.state_dict(), Path(out) / "kept.pt")
    both = lambda: entailment_loss(network, texts, random.sample(pairs, BATCH)) + keeper.loss(network)
    learn(network, int(EPOCHS * len(pairs) / BATCH), both, lowest=0.02)
    torch.save(network.state_dict(), Path(out) / "entailed.pt")


if __name__ == "__main__":
    main(*sys.argv[1:5])
