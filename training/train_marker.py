"""Trains what turns measurements into marks: a linear and a boosted-tree model, and one for the error.

Both learn from the differences between answers to the same question: how hard a question was marked says nothing
about a question never seen. What a key alone does to the measurements (a long key is never met as fully as a short
one) is learned apart, from the key, and taken off.

    python train_marker.py FEATURES.jsonl NETWORK_SCORES.json OUT_DIR

FEATURES is what `cargo run -p marker --example dump_features` writes for the datasets. NETWORK_SCORES is what
distil_network.py leaves: the network's measurements of every answer by a network that never saw its question.
Only openly licensed datasets train; the others are printed for comparison.
"""

import json
import sys
import zlib
from pathlib import Path

import lightgbm as lgb
import numpy as np

TRAINED = ["semeval2013_scientsbank", "semeval2013_beetle", "saf_english", "saf_german", "digiklausur_nn", "ads_zh"]
NETWORK = ["net_score", "net_recall", "net_precision", "net_missing", "net_reference_answer",
           "net_reference_question", "net_answer_question", "net_length", "net_weight",
           "sense_recall", "sense_precision", "sense_recall_plain", "sense_missing", "sense_least", "sense_met",
           "sense_square", "sentences_mean", "sentences_least", "sentences_best", "sentences_met", "sentences_count",
           "sense_reference_answer", "sense_answer_question", "sense_reference_question", "whole_sentences_mean",
           "whole_sentences_least"]
# The linear model leaves out what only makes sense in combination.
NOT_LINEAR = {"is_rubric_only", "is_foreign", "sentences_count", "net_weight", "asked_share", "distinct_share", "points_least", "numbers_wanted",
              "negation_differs", "references_count", "points_count"}
FOLDS, RIDGE, MARKS_LOG_MAX = 5, 100.0, float(np.log1p(3.0))
# What is known of a key before any answer is seen; how much of its effect is taken off (ridge finds less than there is).
KEY_INPUTS = ["reference_terms", "sentences_count", "references_count", "net_reference_question"]
KEY_RIDGE, KEY_SHARE, SEVERITY_PRIOR = 3.0, 1.2, 5.0
TREES = dict(n_estimators=250, learning_rate=0.03, num_leaves=20, min_child_samples=70, subsample=0.6,
             subsample_freq=1, colsample_bytree=0.4, reg_lambda=30, verbose=-1, n_jobs=1, random_state=1,
             deterministic=True)


def load(features, network):
    lines = open(features)
    # The shipped network has seen these questions: only the words' measurements are taken from the marker.
    words = [name for name in json.loads(next(lines)) if name not in NETWORK]
    names = words + NETWORK
    rows = [row for row in map(json.loads, lines) if not row["blank"]]
    scores = {(d, i, k): [z, *rest] for d, i, k, z, rest in json.load(open(network))}
    missing = [np.nan] * len(NETWORK)
    for row in rows:
        read = scores.get((row["dataset"], row["index"], row["closest"]), missing)
        row["values"] = row["values"][: len(words)] + read
    x = np.array([row["values"] for row in rows], np.float64)
    marks = names.index("marks")
    x[:, marks] = np.minimum(x[:, marks], MARKS_LOG_MAX)
    question = np.array([row["dataset"] + "|" + row["question"] for row in rows])
    return dict(names=names, x=x, y=np.array([row["mark"] for row in rows]), question=question,
                dataset=np.array([row["dataset"] for row in rows]), marks=np.array([row["marks"] for row in rows]),
                rubric=np.array([row["rubric"] for row in rows]),
                counted=np.array([np.nan if row["counted"] is None else row["counted"] for row in rows]),
                fold=np.array([zlib.crc32(q.encode()) % FOLDS for q in question]))


def severity_removed(y, question, dataset, rows):
    """The marks, less what the question's own severity added; few answers say little about it."""
    cleaned = y.copy()
    for name in np.unique(dataset[rows]):
        level = y[rows & (dataset == name)].mean()
        for one in np.unique(question[rows & (dataset == name)]):
            same = rows & (question == one)
            cleaned[same] -= same.sum() / (same.sum() + SEVERITY_PRIOR) * (y[same].mean() - level)
    return cleaned


class Linear:
    """A ridge regression on the differences between answers to the same question."""

    def __init__(self, data, rows, weight, y):
        self.use = np.array([name not in NOT_LINEAR for name in data["names"]])
        x = data["x"][rows]
        self.mean = np.nanmean(x, 0)
        x = np.where(np.isnan(x), self.mean, x)
        self.scale = np.maximum(x.std(0), 1e-6)
        z = ((x - self.mean) / self.scale) * self.use
        w, within = weight[rows], z.copy()
        for one in np.unique(data["question"][rows]):
            same = data["question"][rows] == one
            within[same] -= z[same].mean(0)
        normal = within.T @ (w[:, None] * within) + RIDGE * np.eye(z.shape[1])
        self.coefficients = np.linalg.solve(normal, within.T @ (w * (y[rows] - y[rows].mean())))
        self.base = float(np.average(y[rows], weights=w) - np.average(z @ self.coefficients, weights=w))

    def predict(self, x):
        z = (np.where(np.isnan(x), self.mean, x) - self.mean) / self.scale * self.use
        return z @ self.coefficients + self.base

    def exported(self):
        return dict(mean=self.mean.round(6).tolist(), scale=self.scale.round(6).tolist(),
                    coefficients=self.coefficients.round(6).tolist(), base=round(self.base, 6))


class Offset:
    """What a key alone does to the marks of its answers, as far as it is taken off; nothing where the network did not
    read it."""

    def __init__(self, data, rows, marks):
        self.use, self.score = [data["names"].index(name) for name in KEY_INPUTS], data["names"].index("net_score")
        questions = [rows & (data["question"] == one) for one in np.unique(data["question"][rows])]
        x = np.where(np.isnan(data["x"]), np.nanmean(data["x"][rows], 0), data["x"])[:, self.use]
        x = np.array([np.append(x[same].mean(0), marks[same].mean()) for same in questions])
        weight = np.sqrt([same.sum() for same in questions])
        self.mean, self.scale = x[:, :-1].mean(0), x[:, :-1].std(0) + 1e-6
        z = (x[:, :-1] - self.mean) / self.scale
        weight /= weight.mean()
        difference = x[:, -1] - np.average(x[:, -1], weights=weight)
        normal = z.T @ (weight[:, None] * z) + KEY_RIDGE * np.eye(z.shape[1])
        self.coefficients = KEY_SHARE * np.linalg.solve(normal, z.T @ (weight * difference))

    def predict(self, x):
        z = (x[:, self.use] - self.mean) / self.scale
        read = ~np.isnan(x[:, self.score])
        return read * (np.where(np.isnan(z), 0.0, z) @ self.coefficients)

    def exported(self):
        return dict(inputs=KEY_INPUTS, mean=self.mean.round(6).tolist(), scale=self.scale.round(6).tolist(),
                    coefficients=self.coefficients.round(6).tolist())


class Forest:
    """The mean of trees that split at the best place and trees that split at a place by chance."""

    def __init__(self, x, y, weight):
        fit = lambda **options: lgb.LGBMRegressor(**TREES, **options).fit(x, y, sample_weight=weight)
        self.models = [fit(), fit(extra_trees=True)]

    def predict(self, x):
        return np.mean([model.predict(x) for model in self.models], axis=0)

    def exported(self):
        return [tree for model in self.models for tree in trees(model, 1 / len(self.models))]


class Both:
    """The mean of the linear model and the trees, less what the key alone does to it."""

    def __init__(self, data, rows, weight):
        y = severity_removed(data["y"], data["question"], data["dataset"], rows)
        self.linear = Linear(data, rows, weight, y)
        self.trees = Forest(data["x"][rows], y[rows], weight[rows])
        self.offset = Offset(data, rows, self.together(data["x"]))

    def together(self, x):
        return (self.linear.predict(x) + self.trees.predict(x)) / 2

    def say(self, x, rows, said):
        for part, model in (("linear", self.linear), ("trees", self.trees), ("offset", self.offset)):
            said[part][rows] = model.predict(x[rows])


def level(raw, y, rows, weight, kind):
    """The line that turns raw marks of questions never seen into marks; every dataset counts the same. Most of what
    right-or-wrong questions are marked harder by is taken off them. One dataset with long keys, one in another language
    and one in another script say little about others like them, so only half of what they are marked softer by is given."""
    slope, base = np.polyfit(raw[rows], y[rows], 1, w=weight[rows])
    bases = np.full(KINDS, base)
    for one, share in ((SHORT, 0.7), (LONG, 0.5), (FOREIGN, 0.5), (UNREAD, 0.5)):
        same = rows & (kind == one)
        bases[one] += share * np.average((y - base - slope * raw)[same], weights=weight[same] ** 2)
    return dict(slope=round(float(slope), 6), bases=bases.round(6).tolist())


def shared_out(data, line, raw, kind):
    """Raw marks as shares of the marks, by the rules that the marker has too (`semantic.rs`)."""
    mark = np.clip(np.array(line["bases"])[kind] + line["slope"] * raw, 0, 1)
    many = np.isin(kind, [MANY_MARKS, VERY_MANY_MARKS])
    mark = np.where(many & ~data["rubric"], LIFT + (1 - LIFT) * mark, mark)
    inputs = (data["x"][:, data["names"].index(name)] for name in ("answer_terms", "letters_recall", "sense_recall"))
    terms, letters, sense = inputs
    sense = np.where(np.isnan(sense), 0, sense - 0.28)
    by_rubric = np.clip(0.5 + 0.15 * (terms - 3.0) + 0.5 * (np.sqrt(letters) - 0.35) + 0.3 * sense, 0, 1)
    mark = np.where(kind == RUBRIC, by_rubric, mark)
    met = data["x"][:, data["names"].index("sentences_met")]
    found = np.where(np.isnan(met), data["counted"], (data["counted"] + met) / 2)
    counted = found * np.minimum(COUNTED_KEPT + COUNTED_BY_MARK * mark, 1)
    return np.where(np.isnan(counted), mark, counted)


def trees(model, share=1.0):
    """Flat trees: each node is [feature, threshold, left, right, missing goes left], each leaf [value]."""
    def flatten(node, nodes):
        place = len(nodes)
        nodes.append(None)
        if "leaf_value" in node:
            nodes[place] = [round(node["leaf_value"] * share, 7)]
        else:
            assert node["decision_type"] == "<=" and node["missing_type"] in ("NaN", "None")
            left = flatten(node["left_child"], nodes)
            right = flatten(node["right_child"], nodes)
            missing_left = node["default_left"] if node["missing_type"] == "NaN" else node["threshold"] >= 0
            nodes[place] = [node["split_feature"], node["threshold"], left, right, int(missing_left)]
        return place
    flat = []
    for tree in model.booster_.dump_model()["tree_info"]:
        nodes = []
        flatten(tree["tree_structure"], nodes)
        flat.append(nodes)
    return flat


def correlation(a, b):
    return float(np.corrcoef(a, b)[0, 1]) if np.std(a) > 0 and np.std(b) > 0 else 0.0


def within(mark, y, question):
    """The mean over questions of the correlation among a question's own answers."""
    own = [question == one for one in np.unique(question)]
    return float(np.mean([correlation(mark[same], y[same]) for same in own if y[same].std() > 0]))


KINDS = 8
SHORT, LONG, SEVERAL_MARKS, RUBRIC, FOREIGN, UNREAD, MANY_MARKS, VERY_MANY_MARKS = range(KINDS)
# Kinds of which there are trained answers; of the others nearness to the middle alone decides who is flagged. The
# unread have one dataset in one script, which says nothing about another script.
LEARNED = [SHORT, LONG, SEVERAL_MARKS, FOREIGN]
REFERENCE_LONG, LIFT, COUNTED_KEPT, COUNTED_BY_MARK, DISTANCE_SHARE, FLAGGED_SHARE = 3.6, 0.35, 0.6, 0.7, 0.5, 0.24
# The undecided middle where nothing was trained: half the marks of a rubric; of an unread script, of three and more
# and of ten and more marks what people give the middling answer.
MIDDLES = {RUBRIC: 0.52, UNREAD: 0.70, MANY_MARKS: 0.78, VERY_MANY_MARKS: 0.65}


def kinds(names, x, marks):
    """Answers are uncertain in different ways: right or wrong, long keys, several marks, a rubric alone, languages."""
    value = lambda name: x[:, names.index(name)]
    conditions = [value("is_rubric_only") > 0, np.isnan(value("net_score")), value("is_foreign") > 0, marks >= 10,
                  marks >= 3, marks > 1, value("reference_terms") >= REFERENCE_LONG]
    return np.select(conditions, [RUBRIC, UNREAD, FOREIGN, VERY_MANY_MARKS, MANY_MARKS, SEVERAL_MARKS, LONG], SHORT)


def middles(mark, kind, trained):
    """The undecided middle of each kind."""
    known = {k: np.median(mark[trained & (kind == k)]) for k in LEARNED} | MIDDLES
    return np.array([known[k] for k in range(KINDS)]).round(4)


def harm(mark, y, dataset):
    """How much each answer takes away from the agreement with people: the influence on the correlation, turned round."""
    harmful = np.zeros(len(y))
    for name in np.unique(dataset):
        same = dataset == name
        a, b = ((v[same] - v[same].mean()) / v[same].std() for v in (mark, y))
        harmful[same] = (a * b).mean() * (a * a + b * b) / 2 - a * b
    return harmful


def folded(data, inputs, target, trained, weight, **options):
    """What trees that never saw the question say, and the trees of all questions."""
    small = dict(TREES, **options)
    fit = lambda rows: lgb.LGBMRegressor(**small).fit(inputs[rows], target[rows], sample_weight=weight[rows])
    said = np.zeros(len(target))
    for fold in range(FOLDS):
        rows, held = trained & (data["fold"] != fold), trained & (data["fold"] == fold)
        said[held] = fit(rows).predict(inputs[held])
    final = fit(trained)
    said[~trained] = final.predict(inputs[~trained])
    return said, final


def flag(kind, distance, learned, mark, trained):
    """The least certain fifth or so of each kind: what the trees say of the harm, and nearness to the middle."""
    nearness = -DISTANCE_SHARE * distance / mark[trained].std()
    doubt = np.where(np.isin(kind, LEARNED), learned / learned[trained].std(), 0) + nearness
    limit = lambda values, k, share: float(np.quantile(values[trained & (kind == k)], 1 - share))
    nearest = lambda share: float(np.mean([limit(nearness, k, share) for k in LEARNED]))
    limits = {k: limit(doubt, k, FLAGGED_SHARE) for k in LEARNED + [UNREAD]}
    # More marks by rubric lie near the middle than of other kinds.
    limits |= {k: nearest(FLAGGED_SHARE) for k in (MANY_MARKS, VERY_MANY_MARKS)}
    limits[RUBRIC] = nearest(0.9 * FLAGGED_SHARE)
    limits = np.array([limits[k] for k in range(KINDS)]).round(4)
    return doubt > limits[kind], dict(
        distance_share=DISTANCE_SHARE, mark_scale=float(mark[trained].std()), doubt_scale=float(learned[trained].std()),
        learned=[float(k in LEARNED) for k in range(KINDS)], limits=limits.tolist())


def probability(kind, distance, error, mark, y, trained):
    """The probability that a mark is right, from its expected error and its distance from the middle."""
    from sklearn.linear_model import LogisticRegression

    right = np.where(kind == SHORT, (mark >= 0.5) == (y >= 0.5), np.abs(mark - y) <= 0.25)
    inputs = np.column_stack([error, distance, kind == SHORT, kind == LONG])
    fitted = LogisticRegression(C=100.0, max_iter=500).fit(inputs[trained], right[trained])
    sure = fitted.predict_proba(inputs)[:, 1]
    for low in np.arange(0.3, 1.0, 0.1):
        inside = trained & (sure >= low) & (sure < low + 0.1)
        if inside.sum() > 50:
            print(f"said {sure[inside].mean():.2f}  was right {right[inside].mean():.2f}  answers {inside.sum()}")
    return dict(base=float(fitted.intercept_[0]), error=float(fitted.coef_[0, 0]), distance=float(fitted.coef_[0, 1]),
                kinds=[float(fitted.coef_[0, 2]), float(fitted.coef_[0, 3])] + [0.0] * (KINDS - 2))


def report(data, mark, flagged):
    print("questions left out (the others: never trained on)")
    for name in dict.fromkeys(data["dataset"]):
        same = data["dataset"] == name
        keep, y, given = ~flagged[same], data["y"][same], mark[same]
        accuracy = f"  accuracy {((given >= 0.5) == (y >= 0.5)).mean():.3f}" if set(y) <= {0.0, 1.0} else ""
        print(f"{name:26} r {correlation(given, y):.3f}  within {within(given, y, data['question'][same]):.3f}  "
              f"error/constant {np.sqrt(np.mean((given - y) ** 2)) / y.std():.2f}  flagged {flagged[same].mean():.2f}  "
              f"r without them {correlation(given[keep], y[keep]):.3f}{accuracy}")


def main(features, network, target):
    data = load(features, network)
    trained = np.isin(data["dataset"], TRAINED)
    weight = np.zeros(len(data["y"]))
    for name in TRAINED:
        weight[data["dataset"] == name] = (data["dataset"] == name).sum() ** -0.5
    weight /= weight[trained].mean()
    said = {part: np.zeros(len(weight)) for part in ("linear", "trees", "offset")}
    for fold in range(FOLDS):
        rows, held = trained & (data["fold"] != fold), trained & (data["fold"] == fold)
        Both(data, rows, weight).say(data["x"], held, said)
    final = Both(data, trained, weight)
    final.say(data["x"], ~trained, said)
    raw = (said["linear"] + said["trees"]) / 2 - said["offset"]
    kind = kinds(data["names"], data["x"], data["marks"])
    line = level(raw, data["y"], trained, weight, kind)
    mark = shared_out(data, line, raw, kind)
    # A rubric that counts is as uncertain as other rubrics.
    kind = np.where(np.isnan(data["counted"]), kind, RUBRIC)
    middle = middles(mark, kind, trained)
    distance = np.abs(mark - middle[kind])
    known = np.column_stack([mark, np.minimum(mark, 1 - mark)])
    error, error_model = folded(data, np.column_stack([known, data["x"]]), np.abs(data["y"] - mark), trained, weight,
                                n_estimators=80, num_leaves=6, min_child_samples=150)
    known = np.column_stack([known, distance, said["linear"], said["trees"]])
    learned, doubt_model = folded(data, np.column_stack([known, data["x"]]), harm(mark, data["y"], data["dataset"]),
                                  trained, weight, n_estimators=120, learning_rate=0.04, num_leaves=8,
                                  min_child_samples=120, objective="regression_l1")
    flagged, doubt = flag(kind, distance, learned, mark, trained)
    right = probability(kind, distance, np.maximum(error, 0), mark, data["y"], trained)
    report(data, mark, flagged)
    written = dict(names=data["names"], marks_log_max=MARKS_LOG_MAX, linear=final.linear.exported(),
                   trees=final.trees.exported(), offset=final.offset.exported(), level=line, error_trees=trees(error_model),
                   doubt_trees=trees(doubt_model), confidence=dict(middles=middle.tolist(), right=right, **doubt))
    (Path(target) / "marking.json").write_text(json.dumps(written, separators=(",", ":")))


if __name__ == "__main__":
    main(*sys.argv[1:4])
