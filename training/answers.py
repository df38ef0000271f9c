"""The marked answers that the network learns from, and the pairs of sentences that follow from one another or not."""

import json
import random
import re
import zlib
from pathlib import Path

import numpy as np

TRAINED = ["semeval2013_scientsbank", "semeval2013_beetle", "saf_english", "saf_german", "digiklausur_nn"]
MEASURED = ["mohler2011", "asap_sas", "os_xie2024"]
FOLDS = 5
# Of a hundred examples: a classmate's right answer as the reference, another question's answer, the reference itself,
# the question itself.
PEER, FOREIGN, COPY, PARROT = 0.25, 0.06, 0.02, 0.01


def rows(folder, datasets):
    for name in datasets:
        for index, line in enumerate(open(Path(folder) / f"{name}.jsonl")):
            row = json.loads(line)
            if row.get("is_blank") or not row["student_answer"].strip():
                continue
            mark = row["gold"] if row.get("gold") is not None else np.mean(row["human_marks"])
            fold = zlib.crc32(f"{name}|{row['question_id']}".encode()) % FOLDS
            references = [text for text in row["reference_answers"] if text.strip()] or [elements(row["rubric"])]
            yield dict(dataset=name, index=index, question_id=row["question_id"], question=row["question"], fold=fold,
                       references=references, answer=row["student_answer"], y=mark / row["max_marks"])


def trained_without(folder, fold):
    """The answers to all other questions than the fold's, and the fold's; without a fold all, and the measured datasets."""
    everything = list(rows(folder, TRAINED))
    held = [row for row in everything if row["fold"] == fold] if fold >= 0 else list(rows(folder, MEASURED))
    return [row for row in everything if row["fold"] != fold], held


def elements(rubric):
    """What a rubric asks for, without the lines that only say how marks are given (`points.rs`)."""
    text = rubric if isinstance(rubric, str) else "\n".join(v for v in (rubric or {}).values() if isinstance(v, str))
    kept = []
    for line in (line.strip() for line in re.split(r"[\n•]", text)):
        found = re.findall(r"\w+", line.lower())
        heading = line.lower().startswith(("rubric", "score", "scoring", "key element", "other", "--"))
        amount = len(found) <= 3 and found and found[0].isdigit() and found[-1].startswith(("point", "mark"))
        if len(found) >= 2 and not heading and not amount and not (len(found) <= 6 and found[-1].startswith("element")):
            kept.append(line)
    return "\n".join(kept)


def closest(row):
    stems = lambda text: {word[:5] for word in re.findall(r"[a-z0-9]+", text.lower()) if len(word) > 2}
    answer = stems(row["answer"])
    return max(row["references"], key=lambda text: 2 * len(stems(text) & answer) / max(1, len(stems(text)) + len(answer)))


class Examples:
    """Draws training examples: small datasets oftener than their size, some changed so that copying cannot win."""

    def __init__(self, train):
        self.train, self.questions = train, {}
        for row in train:
            self.questions.setdefault((row["dataset"], row["question_id"]), []).append(row)
        right = lambda answers: [row["answer"] for row in answers if row["y"] >= 0.99 and len(row["answer"]) > 8]
        self.right = {key: right(answers) for key, answers in self.questions.items()}
        sizes = {name: sum(row["dataset"] == name for row in train) for name in TRAINED}
        self.chance = np.array([sizes[row["dataset"]] ** -0.4 for row in train])
        self.chance /= self.chance.sum()

    def draw(self, size):
        return [self.train[place] for place in np.random.choice(len(self.train), size, p=self.chance)]

    def classmates(self, row):
        return self.questions[row["dataset"], row["question_id"]]

    def changed(self, row):
        """Reference, answer, question, mark and dataset."""
        key, dice = (row["dataset"], row["question_id"]), random.random()
        reference, answer, y = closest(row), row["answer"], row["y"]
        if dice < PEER and self.right[key]:
            reference = random.choice(self.right[key])
            y = 1.0 if reference == answer else y
        elif PEER <= dice < PEER + FOREIGN:
            same = [other for other in self.questions if other[0] == row["dataset"]]
            other = random.choice(self.questions[random.choice(same)])
            if other["question"] != row["question"]:
                answer, y = other["answer"], 0.0
        elif PEER + FOREIGN <= dice < PEER + FOREIGN + COPY:
            answer, y = reference, 1.0
        elif PEER + FOREIGN + COPY <= dice < PEER + FOREIGN + COPY + PARROT:
            answer, y = row["question"], 0.0
        elif len(row["references"]) > 1 and random.random() < 0.3:
            reference = random.choice(row["references"])
        return reference, answer, row["question"], y, TRAINED.index(row["dataset"])


def sentence_pairs(path):
    """Label (2 follows, 1 may be, 0 contradicts), what is given, what is to follow."""
    labels = dict(entailment=2, neutral=1, contradiction=0)
    for row in map(json.loads, open(path, encoding="utf8")):
        if row["gold_label"] in labels:
            yield labels[row["gold_label"]], row["sentence1"].strip(), row["sentence2"].strip()
