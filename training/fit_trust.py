"""Fits how likely a mark by points is right: the odds of crates/marker/src/builtin/trust.rs.

    tickmark eval scripts EXAMS POINTS --predictions answers.jsonl
    python fit_trust.py answers.jsonl

Prints, with every paper left out in turn, how well what is said agrees with what was right and what flags catch, then
the weights over all papers. The first measurement is what `trust.rs` says of each point, whatever its odds; the
surprise beside the rest of the script is that of `crates/marker/src/rest.rs`.
"""

import json
import math
import sys

import numpy as np
from sklearn.metrics import roc_auc_score

UNWEIGHED = {"instruction", "example", "choice"}
MIDDLING = 6.0
LEAST = 0.02
# The scripts that this is learned from are of one piece: good, middling, weak or wrong all through.
BELIEVED = 0.7
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


def share(answer):
    return min(answer["given"] / max(answer["truth"]["max"], 1), 1.0)


def surprise(answer, script):
    """How far a mark is from what the rest of its script leads one to expect, against one about which it says nothing."""
    rest = [share(other) for other in script if other is not answer and other["truth"]["answer"].strip()]
    expected = (sum(rest) + MIDDLING / 2) / (len(rest) + MIDDLING)
    own = share(answer)
    said = own * math.log(max(expected, LEAST)) + (1 - own) * math.log(max(1 - expected, LEAST))
    return -said - math.log(2)


def fitted(x, right, known):
    """The weights of a logistic regression, the even odds last; `known` are odds that are not to be learned."""
    scale, mean = x.std(0), x.mean(0)
    z = np.hstack([(x - mean) / scale, np.ones((len(x), 1))])
    ridge = np.diag([10.0] * x.shape[1] + [0.0])
    weights = np.zeros(z.shape[1])
    for _ in range(30):
        said = 1 / (1 + np.exp(-(z @ weights + known)))
        slope = z.T @ (right - said) - ridge @ weights
        weights += np.linalg.solve(z.T @ (z * (said * (1 - said))[:, None]) + ridge, slope)
    plain = weights[:-1] / scale
    return np.append(plain, weights[-1] - plain @ mean)


def learned(x, surprised, right):
    """The weights, and that of the surprise, of which only a part is believed."""
    free = fitted(np.hstack([x, surprised[:, None]]), right, np.zeros(len(x)))
    believed = BELIEVED * free[-2]
    return fitted(x, right, believed * surprised), believed


def main(path):
    answers = [json.loads(line) for line in open(path)]
    answers = [answer for answer in answers if answer["is_read"]]
    scripts = {}
    for answer in answers:
        scripts.setdefault((answer["exam"], answer["student"]), []).append(answer)
    answers = [answer for answer in answers if answer["points"]]
    x = np.array([measured(answer) for answer in answers])
    surprised = np.array([surprise(answer, scripts[answer["exam"], answer["student"]]) for answer in answers])
    right = np.array([abs(answer["given"] - answer["truth"]["mark"]) < 0.25 for answer in answers]).astype(int)
    papers = np.array([answer["exam"] for answer in answers])
    said = np.zeros(len(right))
    for paper in set(papers):
        rest = papers != paper
        weights, believed = learned(x[rest], surprised[rest], right[rest])
        odds = x[~rest] @ weights[:-1] + weights[-1] + believed * surprised[~rest]
        said[~rest] = 1 / (1 + np.exp(-odds))
    print(f"{len(right)} answers, {right.mean():.3f} right; papers left out: AUC {roc_auc_score(right, said):.3f}")
    for low in np.arange(0, 1, 0.1):
        inside = (said >= low) & (said < low + 0.1)
        if inside.any():
            print(f"  said {low:.1f} to {low + 0.1:.1f}: {right[inside].mean():.2f} of {inside.sum()} right")
    order = np.argsort(said)
    for flagged in (0.3, 0.4, 0.5):
        kept = order[int(flagged * len(order)) :]
        wrong = (1 - right[kept]).sum() / len(right)
        print(f"  {flagged:.1f} flagged (below {said[kept[0]]:.2f}): {wrong:.3f} wrong and not flagged")
    weights, believed = learned(x, surprised, right)
    for name, weight in zip([*NAMES, "even", "surprise"], [*weights, believed]):
        print(name, round(float(weight), 3))


main(sys.argv[1])
