"""Fits how likely a mark by points is right: the odds of crates/marker/src/builtin/trust.rs.

    tickmark eval scripts EXAMS POINTS --predictions answers.jsonl
    python fit_trust.py answers.jsonl

Prints, with every paper left out in turn, how well what is said agrees with what was right and what flags catch, then
the weights over all papers. The first measurement is what `trust.rs` says of each point, whatever its odds.
"""

import json
import math
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

UNWEIGHED = {"instruction", "example", "choice"}
NAMES = ["doubt", "marks", "key words", "full", "written", "undecided"]


def undecided(point):
    """How far the judge of meaning is from deciding, in nats: nothing where it was not asked."""
    if not point["behind"]["judge"]:
        return 0.0
    made = min(max(point["behind"]["judge"][0], 0.001), 0.999)
    return -made * math.log(made) - (1 - made) * math.log(1 - made)


def measured(answer):
    truth, points = answer["truth"], answer["points"]
    own = [point for point in points if point["rule"] not in UNWEIGHED]
    given = [point for point in own if point["given"] > 0]
    still_open = math.ceil(max(0, truth["max"] - answer["given"]))
    refused = sorted((point for point in own if point["given"] == 0), key=lambda point: point["confidence"])
    weighed = given + refused[:still_open]
    words = [len(point["text"].split()) for point in own]
    return [
        sum(1 - point["confidence"] for point in weighed) / max(len(weighed), 1),
        math.log(max(truth["max"], 1)),
        math.log(1 + sum(words) / max(len(words), 1)),
        float(answer["given"] >= truth["max"]),
        math.log(1 + len(truth["answer"].split()) / max(truth["max"], 1)),
        sum(undecided(point) for point in own) / max(truth["max"], 1),
    ]


def main(path):
    answers = [json.loads(line) for line in open(path)]
    answers = [answer for answer in answers if answer["is_read"] and answer["points"]]
    x = np.array([measured(answer) for answer in answers])
    right = np.array([abs(answer["given"] - answer["truth"]["mark"]) < 0.25 for answer in answers]).astype(int)
    papers = np.array([answer["exam"] for answer in answers])
    fresh = lambda: make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=3000))
    said = np.zeros(len(right))
    for paper in set(papers):
        rest = papers != paper
        said[~rest] = fresh().fit(x[rest], right[rest]).predict_proba(x[~rest])[:, 1]
    print(f"{len(right)} answers, {right.mean():.3f} right; papers left out: AUC {roc_auc_score(right, said):.3f}")
    for low in np.arange(0, 1, 0.1):
        inside = (said >= low) & (said < low + 0.1)
        if inside.any():
            print(f"  said {low:.1f} to {low + 0.1:.1f}: {right[inside].mean():.2f} of {inside.sum()} right")
    order = np.argsort(said)
    for share in (0.3, 0.4, 0.5):
        kept = order[int(share * len(order)) :]
        print(f"  {share:.1f} flagged (below {said[kept[0]]:.2f}): {(1 - right[kept]).sum() / len(right):.3f} wrong and not flagged")
    scale, model = fresh().fit(x, right).steps
    weights = model[1].coef_[0] / scale[1].scale_
    print("even", round(float(model[1].intercept_[0] - (weights * scale[1].mean_).sum()), 3))
    for name, weight in zip(NAMES, weights):
        print(name, round(float(weight), 3))


main(sys.argv[1])
