"""Third step: one network learns what three teachers say together (a GPU; six minutes for six at once).

    python distil_network.py DATA_DIR MINILM_DIR GLOSSES.txt SNLI.jsonl OUT_DIR FOLD

It hears the teachers on answers held against the key, against a classmate's answer and against another question's key,
and on sentences that follow from one another or not; marks it never sees. Writes `scores.FOLD.json`, the measurements of
the questions that neither it nor its teachers were trained on; with FOLD -1 also `network.npz` for export_network.py.
Join the six score files into one list for train_marker.py.
"""

import json
import random
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from answers import Examples, closest, sentence_pairs, trained_without
from learning import DEVICE, Keeper, begin, in_state, learn, measurements
from teach_network import KINDS

STEPS, BATCH, KEPT, SCALING = 1400, 96, 64, 1152
# Of a hundred pairs: as the teachers had them, classmates' answers, another question's key; the others are sentences.
MARKED, CLASSMATES, ELSEWHERE = 0.5, 0.3, 0.07


def drawn(examples, pairs):
    """Pairs with their question on which the teachers are asked."""
    for row in examples.draw(BATCH):
        dice = random.random()
        if dice < MARKED:
            yield examples.changed(row)[:3]
        elif dice < MARKED + CLASSMATES:
            yield random.choice(examples.classmates(row))["answer"], row["answer"], row["question"]
        elif dice < MARKED + CLASSMATES + ELSEWHERE:
            other = random.choice(examples.train)
            yield closest(other), row["answer"], other["question"]
        else:
            _, given, follows = random.choice(pairs)
            yield follows, given, ""


@torch.no_grad()
def said(teachers, triple):
    with torch.autocast(DEVICE, dtype=torch.bfloat16):
        return torch.stack([teacher(*triple)[0].float() for teacher in teachers])


def main(data, minilm, glosses, snli, out, fold):
    fold, out = int(fold), Path(out)
    weights, texts, network = begin(minilm, fold + 70, out / "entailed.pt")
    teachers = [in_state(weights, out / f"{kind}.{fold}.pt").eval() for kind in KINDS]
    train, held = trained_without(data, fold)
    keeper = Keeper.of_answers(weights, texts, train, open(glosses, encoding="utf8").read().splitlines())
    pairs, examples = list(sentence_pairs(snli)), Examples(train)
    plain = [(closest(row), row["answer"], row["question"]) for row in examples.draw(SCALING)]
    heard = torch.cat([said(teachers, texts.triples(plain[at : at + BATCH])[0]) for at in range(0, SCALING, BATCH)], 1)
    mean, scale = heard.mean(1, keepdim=True), heard.std(1, keepdim=True)

    def loss():
        triple, _ = texts.triples(list(drawn(examples, pairs)))
        wanted = ((said(teachers, triple) - mean) / scale).mean(0)
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            z, _ = network(*triple)
        return 2 * F.smooth_l1_loss(z.float(), wanted, beta=0.5) + keeper.loss(network, KEPT)

    learn(network, STEPS, loss, averaged=0.75)
    (out / f"scores.{fold}.json").write_text(json.dumps(measurements(network, texts, held)))
    if fold < 0:
        left_out = ("encoder.word", "scale", "bias", "entails")
        state = {n: v.float().cpu().numpy() for n, v in network.state_dict().items() if not n.startswith(left_out)}
        np.savez(out / "network.npz", **{n: v.astype(np.float16) if v.ndim == 2 else v for n, v in state.items()})


if __name__ == "__main__":
    main(*sys.argv[1:7])
