"""Second step: a teacher, which learns to mark (a GPU; five minutes for 18 at once).

    python teach_network.py DATA_DIR MINILM_DIR GLOSSES.txt SNLI.jsonl OUT_DIR KIND FOLD

KIND `kept` starts from `kept.pt`, `entailed` from `entailed.pt`; `both` starts there too and goes on learning what follows
from what. FOLD 0 to 4 trains without that fifth of the questions, -1 with all of them. Writes `KIND.FOLD.pt`.
"""

import random
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

from answers import Examples, sentence_pairs, trained_without
from learning import DEVICE, Keeper, begin, entailment_loss, learn

KINDS = ["kept", "entailed", "both"]
EPOCHS, BATCH, RATE, PAIRS, PAIRS_SHARE = 4, 64, 3e-5, 96, 0.33


def main(data, minilm, glosses, snli, out, kind, fold):
    fold, start = int(fold), "kept.pt" if kind == "kept" else "entailed.pt"
    weights, texts, network = begin(minilm, fold + 10, Path(out) / start)
    train, _ = trained_without(data, fold)
    keeper = Keeper.of_answers(weights, texts, train, open(glosses, encoding="utf8").read().splitlines())
    pairs, examples = list(sentence_pairs(snli)) if kind == "both" else [], Examples(train)

    def loss():
        drawn = [examples.changed(row) for row in examples.draw(BATCH)]
        y = torch.tensor([one[3] for one in drawn], device=DEVICE, dtype=torch.float32)
        dataset = torch.tensor([one[4] for one in drawn], device=DEVICE)
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            z, _ = network(*texts.triples(drawn)[0])
        # Each dataset has its own severity; the score itself must not learn it.
        logit = z.float() * torch.exp(network.scale[dataset]) + network.bias[dataset]
        told = F.binary_cross_entropy_with_logits(logit, y) + 1e-2 * (network.scale**2).mean() + keeper.loss(network)
        return told + PAIRS_SHARE * entailment_loss(network, texts, random.sample(pairs, PAIRS)) if pairs else told

    learn(network, int(EPOCHS * len(train) / BATCH), loss, rate=RATE, averaged=0.6)
    torch.save(network.state_dict(), Path(out) / f"{kind}.{fold}.pt")


if __name__ == "__main__":
    main(*sys.argv[1:8])
