"""Draws pairs (question, point, answer) from real students' answers, beside those of judge_pairs.py.

    python student_pairs.py ASAG_DIR OUT_DIR

Only of the datasets whose licence allows it. What stands in a model answer serves as points, a sentence or a clause
each; so do a few right answers, and points with something changed. One question in five is left out. Where one sentence
is the whole model answer, what a person said of the answer is kept beside (`h`: 0 right, 1 wrong, 2 contradictory).
"""

import gzip, hashlib, json, random, re, sys
from pathlib import Path

from judge_pairs import mutate, sentences, worn

DATASETS = ["semeval2013_scientsbank", "semeval2013_beetle", "saf_english", "digiklausur_nn"]
LONG, PIECES_MAX = 140, 8
HUMAN = {"correct": 0, "incorrect": 1, "contradictory": 2}


def points_of(reference):
    """Its sentences; of long ones their clauses."""
    out = []
    for sentence in sentences(re.sub(r" {3,}", "\n", reference)):
        sentence = sentence.strip(" -•*\t")
        parts = [sentence]
        if len(sentence) > LONG:
            parts = re.split(r";\s+|:\s+|,\s+(?:and|but|while|whereas|so|which)\s+|\s+(?:because|whereas)\s+", sentence)
        out += [part.strip(" ,") for part in parts]
    return [one for one in dict.fromkeys(out) if len(one.split()) >= 2 and not one.endswith(":")]


def left_out(dataset, question):
    return hashlib.sha256(f"{dataset} {question}".encode()).digest()[0] < 51


def main(folder, out):
    random.seed(20261119)
    rows = []
    for dataset in DATASETS:
        questions = {}
        for line in open(Path(folder) / (dataset + ".jsonl")):
            r = json.loads(line)
            if r["student_answer"].strip() and not r.get("is_blank"):
                questions.setdefault(r["question_id"], []).append(r)
        kept = {id: some for id, some in questions.items() if not left_out(dataset, id)}
        print(dataset, len(questions), "questions,", len(questions) - len(kept), "left out")
        for id, some in questions.items():
            q, references = some[0]["question"], some[0]["reference_answers"]
            points = [one for reference in references for one in points_of(reference)]
            points = list(dict.fromkeys(points))
            whole = len(references) == 1 and len(points) == 1 and some[0].get("label_3way") is not None
            row = lambda p, a, **more: dict(q=q, p=p, acc=[], rej=[], a=a, i=f"{dataset} {id}", **more)
            if id not in kept:
                for r in some if whole else []:
                    y = {0: 0, 1: 3, 2: 2}[HUMAN[r["label_3way"]]]
                    rows.append(row(points[0], r["student_answer"], s="students", y=y, h=HUMAN[r["label_3way"]]))
                continue
            names = {w.lower() for p in points for w in re.findall(r"[A-Za-z]{4,}", p)}
            chosen = random.sample(points, min(PIECES_MAX, len(points)))
            right = [r["student_answer"] for r in some if r.get("label_3way") == "correct"]
            right = sorted({one for one in right if len(one.split()) >= 4})
            others = random.sample(right, min(3, len(right)))
            for _ in range(8):
                changed = mutate(random.choice(chosen), names)
                if changed and len(others) < 6:
                    others.append(changed)
            answers = {}
            for r in some:
                answers.setdefault(r["student_answer"].strip(), HUMAN.get(r.get("label_3way"), -1))
            more = set()
            for _ in range(len(answers) // 2):
                a = random.choice(list(answers))
                more.add((mutate(a, names) if random.random() < 0.7 else worn(a)) or a)
            for _ in range(3):
                other = kept[random.choice(list(kept))]
                more.add(random.choice(other)["student_answer"].strip())
            more = sorted(more - set(answers))
            for p in chosen:
                rows += [row(p, a, s="aug", h=h if whole else -1) for a, h in answers.items()]
                rows += [row(p, a, s="aug", h=-1) for a in more]
            for p in dict.fromkeys(others):
                rows += [row(p, a, s="aug", h=-1) for a in answers if a != p]
    with gzip.open(Path(out) / "students.jsonl.gz", "wt") as file:
        for r in rows:
            file.write(json.dumps(r, ensure_ascii=False) + "\n")
    print(sum(r["s"] == "aug" for r in rows), "pairs,", sum(r["h"] >= 0 for r in rows), "with a person's word")


if __name__ == "__main__":
    main(*sys.argv[1:3])
