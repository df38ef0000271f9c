"""Draws the pairs (question, point, answer) that the judges of points learn from.

    python judge_pairs.py JUDGED_JSONL[,MORE…] SNLI_JSONL OUT_DIR [EXAMS_DIR POINTS_DIR]

One question in ten of the first file is held back by its name, and one in twenty of the others. `aug.jsonl`
gets answers recombined from sentences of several answers to one question, with a direction, number, role or negation
changed, worn by haste, or taken from the scheme, for points as written or as terse schemes print them; and answers for
points in other words: what an answer said that earned one, another wording of the scheme, or a point with something
changed. The larger judge says what they are worth.
`boards.jsonl` beside this file has answers to papers in boards' styles, of which a person said point by point whether
they are credited: read as the marker asks, with what stands before a question.
EXAMS_DIR and POINTS_DIR, where given, are only measured on.
"""

import glob, gzip, json, os, random, re, sys

random.seed(20261118)
LABELS = ["credited", "vague", "contradicted", "missing"]
OPP = "increase decrease|increases decreases|increased decreased|increasing decreasing|more less|more fewer|higher lower|high low|faster slower|fast slow|before after|larger smaller|bigger smaller|hotter colder|hot cold|warmer cooler|positive negative|gain lose|gains loses|absorb release|absorbs releases|absorbed released|attract repel|attracts repels|strong weak|stronger weaker|rise fall|rises falls|expand contract|expands contracts|always never|all none|can cannot|up down|above below|inside outside|into out|with without|longer shorter|long short|first last|maximum minimum|most least|same different|true false|north south|east west|buy sell|supply demand|import export|imports exports|cheap expensive|rich poor|start end|begin finish|acid alkali|acidic alkaline|oxidised reduced|oxidation reduction|solid liquid|liquid gas|anode cathode|proton electron|mass weight|speed acceleration|mitosis meiosis|artery vein|heavier lighter|wider narrower|add remove|adds removes|raise lower|raises lowers|win lose|support oppose|supports opposes|necessary unnecessary|possible impossible|near far|early late|direct indirect|internal external|input output|inputs outputs|encrypt decrypt|read write|horizontal vertical|parallel perpendicular|numerator denominator"
PAIR = {}
for p in OPP.split("|"):
    a, b = p.split()
    PAIR.setdefault(a, b)
    PAIR.setdefault(b, a)


def sentences(text):
    return [s.strip() for s in re.split(r"(?<=[.;!?])\s+|\n+", text) if s.strip()]


def mutate(text, names):
    words = re.split(r"(\W+)", text)
    kind = random.choice(["opp", "opp", "neg", "num", "role", "role"])
    if kind == "opp":
        at = [i for i, w in enumerate(words) if w.lower() in PAIR]
        if not at:
            return None
        for i in random.sample(at, random.choice([1, 1, len(at)])):
            words[i] = PAIR[words[i].lower()]
    elif kind == "neg":
        at = [
            i
            for i, w in enumerate(words)
            if w.lower() in ("is", "are", "was", "were", "can", "will", "does", "do", "has", "have", "must", "should")
        ]
        if not at:
            return None
        i = random.choice(at)
        if i + 2 < len(words) and words[i + 2].lower() == "not":
            words[i + 1 : i + 3] = []
        else:
            words[i] += " not"
    elif kind == "num":
        at = [i for i, w in enumerate(words) if w.isascii() and w.isdigit()]
        if not at:
            return None
        i = random.choice(at)
        n = int(words[i])
        words[i] = str(random.choice([n + 1, n * 2, n * 10, n // 2, max(n - 1, 0), n + 7]))
    else:
        at = [i for i, w in enumerate(words) if w.lower() in names and len(w) > 3]
        distinct = {words[i].lower() for i in at}
        if len(distinct) < 2:
            return None
        a, b = random.sample(sorted(distinct), 2)
        for i in at:
            if words[i].lower() == a:
                words[i] = b
            elif words[i].lower() == b:
                words[i] = a
    out = "".join(words)
    return None if out == text else out


SMALL = set("the a an is are was were be been it its this that these those will would which of to".split())


def worn(text):
    """As it is written in haste or read badly: cut short, words left out, letters wrong."""
    words = text.split()
    kind = random.choice(["cut", "small", "some", "letters", "letters"])
    if kind == "cut":
        return " ".join(words[: max(2, int(len(words) * random.uniform(0.3, 0.8)))])
    if kind == "small":
        return " ".join(w for w in words if w.lower() not in SMALL)
    if kind == "some":
        return " ".join(w for w in words if random.random() > 0.15)
    share = random.uniform(0.05, 0.25)
    return " ".join(misspelt(w) if random.random() < share else w for w in words)


def misspelt(word):
    if len(word) < 4 or not word.isalpha():
        return word
    i = random.randrange(1, len(word) - 1)
    return random.choice(
        [
            word[:i] + word[i + 1 :],
            word[:i] + word[i] + word[i:],
            word[:i] + word[i + 1] + word[i] + word[i + 2 :],
            word[:i] + random.choice("aeioulnrst") + word[i + 1 :],
        ]
    )


def stated(point):
    """What a scheme says, as an answer."""
    return [point["text"], *point["accept"], *point["reject"]]


def printed(point, round):
    """The point with its notes, and as terse schemes have it: without them, in telegraphic words."""
    whole = dict(p=point["text"], acc=point["accept"], rej=point["reject"])
    if random.random() < 0.5:
        return [whole]
    text = point["text"]
    if round < 5 and random.random() < 0.5:
        text = " ".join(w for w in text.split() if w.lower() not in SMALL) or text
    bare = dict(p=text, acc=[], rej=[])
    return [bare] if random.random() < 0.5 else [whole, bare] if bare != whole else [whole]


def reworded(q, names):
    """Points in other words: as an answer had them, as the scheme also allows, and with something changed."""
    quotes = {
        (a.get("because") or {}).get(id, "") for a in q["answers"] for id, v in a["verdicts"].items() if v == "credited"
    }
    quotes = sorted(one for one in quotes if 3 <= len(one.split()) <= 40)
    allowed = [one for p in q["points"] for one in p["accept"] if len(one.split()) > 1]
    texts = random.sample(quotes, min(4, len(quotes))) + random.sample(allowed, min(1, len(allowed)))
    for _ in range(6):
        changed = mutate(random.choice(q["points"])["text"], names)
        if changed:
            texts.append(changed)
    return [dict(p=text, acc=[], rej=[]) for text in dict.fromkeys(texts)][:7]


def main(out):
    files = [[json.loads(l) for l in open(name)] for name in sys.argv[1].split(",")]
    qs = files[0]
    order = sorted(range(len(qs)), key=lambda i: __import__("hashlib").sha256(qs[i]["id"].encode()).hexdigest())
    held = {qs[i]["id"] for i in order[: len(qs) // 10]}
    qs = [q for file in files for q in file]
    rows, aug = [], []
    bysubj = {}
    for q in qs:
        bysubj.setdefault(q["subject"], []).append(q)
    for q in qs:
        split = "held" if q["id"] in held else "train"
        if q["round"] > 4 and __import__("hashlib").sha256(q["id"].encode()).digest()[0] < 13:
            split = "other"
        pts = {p["id"]: p for p in q["points"]}
        for a in q["answers"]:
            for pid, v in a["verdicts"].items():
                p = pts[pid]
                quote = (a.get("because") or {}).get(pid) or ""
                s = a["text"].find(quote) if quote else -1
                rows.append(
                    dict(
                        s=split,
                        q=q["question"],
                        p=p["text"],
                        acc=p["accept"],
                        rej=p["reject"],
                        a=a["text"],
                        y=LABELS.index(v),
                        b=s,
                        e=s + len(quote) if s >= 0 else -1,
                        k=a["kind"],
                        i=q["id"],
                        newer=int(q["round"] > 4),
                    )
                )
        if split != "train":
            continue
        pool = [s for a in q["answers"] for s in sentences(a["text"])]
        names = {w.lower() for p in q["points"] for w in re.findall(r"[A-Za-z]{4,}", p["text"])}
        wanted = 50 if q["round"] > 4 else 38
        made = set()
        for _ in range(wanted // 2):
            k = random.choice([1, 1, 2, 2, 3, 4])
            if len(pool) >= k:
                made.add(" ".join(random.sample(pool, k)))
        for _ in range(wanted // 5):
            made.add(worn(random.choice(q["answers"])["text"]))
        for _ in range(2):
            made.add(random.choice(stated(random.choice(q["points"]))))
        for _ in range(2 * wanted):
            a = random.choice(q["answers"])
            m = mutate(a["text"], names)
            if m and random.random() < 0.3:
                m = mutate(m, names) or m
            if m:
                made.add(m)
            if len(made) >= wanted:
                break
        if random.random() < 0.3:
            made.add(q["question"])
        made.discard("")
        keys = [key for p in q["points"] for key in printed(p, q["round"])]
        for text in sorted(made):
            for key in random.sample(keys, min(5, len(keys))):
                aug.append(dict(q=q["question"], **key, a=text, i=q["id"]))
        changed = sorted(made)
        for key in reworded(q, names):
            some = [a["text"] for a in q["answers"]] + random.sample(changed, min(3, len(changed)))
            for text in dict.fromkeys(some):
                aug.append(dict(q=q["question"], **key, a=text, i=q["id"]))
        # points of other questions of the same subject
        for _ in range(2):
            o = random.choice(bysubj[q["subject"]])
            if o is not q:
                key = printed(random.choice(o["points"]), o["round"])[0]
                for a in random.sample(q["answers"], 3):
                    aug.append(dict(q=q["question"], **key, a=a["text"], i=q["id"]))
    dev = []
    for f in [] if len(sys.argv) < 6 else sorted(glob.glob(os.path.join(sys.argv[5], "*", "script-*.json"))):
        d = json.load(open(f))
        ex = d["exam"] if "exam" in d else os.path.basename(os.path.dirname(f))
        t = json.load(open(os.path.join(sys.argv[4], os.path.basename(os.path.dirname(f)), "truth.json")))
        text = {}
        for q in t["questions"]:
            text[(q["number"], None)] = q.get("text_start", "")
            for p in q.get("parts", []):
                text[(q["number"], p["label"])] = p.get("text_start", "")
        for n, a in enumerate(d["answers"]):
            qt = text.get((a["number"], a.get("label") or None)) or ""
            for p in a["points"]:
                if a["answer"].strip() == "" or not p["marks"]:
                    continue
                dev.append(
                    dict(
                        x=os.path.basename(os.path.dirname(f))[:2],
                        st=d["student"],
                        n=n,
                        max=a["max"],
                        mark=a["mark"],
                        q=qt,
                        p=p["text"],
                        acc=[],
                        rej=[],
                        a=a["answer"],
                        m=p["marks"],
                        y=1 if p["awarded"] > 0 else 0,
                    )
                )

    def w(name, rs):
        with gzip.open(os.path.join(out, name + ".gz"), "wt") as f:
            for r in rs:
                f.write(json.dumps(r, ensure_ascii=False) + "\n")
        print(name, len(rs))

    boards = []
    for line in open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "boards.jsonl")):
        r = json.loads(line)
        asked = dict(q=r["question"], p=r["point"], acc=r["others"], rej=[])
        boards += [dict(asked, a=one["text"], h=0 if one["credited"] else 1) for one in r["answers"]]
    w("boards.jsonl", boards)
    w("judged.jsonl", rows)
    w("aug.jsonl", aug)
    w("dev.jsonl", dev)
    snli = []
    for l in open(sys.argv[2]):
        d = json.loads(l)
        g = {"entailment": 0, "neutral": 3, "contradiction": 2}.get(d["gold_label"])
        if g is not None:
            snli.append(dict(p=d["sentence2"], a=d["sentence1"], y=g))
    w("snli.jsonl", snli)


if __name__ == "__main__":
    main(sys.argv[3])
