"""Cuts the pairs of judge_pairs.py and student_pairs.py into both judges' pieces: what learns needs no tokenizer.

    python judge_pieces.py judgedata QWEN_GGUF ../models/meaning/vocab.txt OUT.pickle

Every text is cut once. The built-in judge's pieces are kept by part (a point, each note, the ends of a question),
because it learns from them in ever new arrangements; the larger judge's as what stands before an answer, which many
answers share, and what stands after. Of the larger judge's vocabulary only the rows in use are named.
"""

import gzip, json, pickle, sys
from pathlib import Path

import numpy as np
from gguf import GGUFReader
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

# The built-in judge's table has four rows before the vocabulary.
ROWS_BEFORE = 4
TAILS = [120, 200, 240, 300]
BEFORE = ["", "", "• ", "- ", "B1 ", "M1 ", "MP1 ", "One mark for: ", "Any one from: ", "1 "]
AFTER = ["", "", " (1)", " [1]", "; (1)", " owtte", ";", " / AW"]
JOINTS = {"or": " / ", "not": " (not: ", "and": "; ", "close": ")", "asked": " [", "end": "]"}
QWEN_WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def small_tokenizer(vocabulary):
    words = {word: at + ROWS_BEFORE for at, word in enumerate(Path(vocabulary).read_text().splitlines())}
    made = Tokenizer(models.WordPiece(words, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return made


def large_tokenizer(path):
    fields = GGUFReader(path).fields
    words = fields["tokenizer.ggml.tokens"].contents()
    merges = [tuple(one.split(" ")) for one in fields["tokenizer.ggml.merges"].contents()]
    made = Tokenizer(models.BPE({word: at for at, word in enumerate(words)}, merges))
    made.normalizer = normalizers.NFC()
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(QWEN_WORDS), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    return made


class Pool:
    """Texts, each named by a number and cut once."""

    def __init__(self):
        self.known = {}

    def add(self, text):
        return self.known.setdefault(text, len(self.known))

    def cut(self, tokenizer):
        pieces = []
        texts = list(self.known)
        for at in range(0, len(texts), 20000):
            pieces += [one.ids for one in tokenizer.encode_batch(texts[at : at + 20000], add_special_tokens=False)]
        return pieces


def flat(pieces):
    ends = np.cumsum([0] + [len(one) for one in pieces]).astype(np.int64)
    whole = np.fromiter((id for one in pieces for id in one), np.int32, ends[-1])
    assert whole.max() < 65536
    return whole.astype(np.uint16), ends


def load(folder, name):
    with gzip.open(Path(folder) / (name + ".jsonl.gz"), "rt") as file:
        return [json.loads(line) for line in file]


def main(folder, gguf, vocabulary, out):
    small = small_tokenizer(vocabulary)
    parts, before, after = Pool(), Pool(), Pool()
    keys, names = [], {}
    judged, aug, dev, students, boards = (
        load(folder, name) for name in ("judged", "aug", "dev", "students", "boards")
    )
    rows = []
    for kind, some in (("judged", judged), ("aug", aug), ("dev", dev), ("students", students), ("boards", boards)):
        for r in some:
            q = r.get("q") or ""
            name = (q, r["p"], *r["acc"], None, *r["rej"])
            if name not in names:
                names[name] = len(keys)
                p = " / ".join([r["p"], *r["acc"]]) + (" (not: " + "; ".join(r["rej"]) + ")" if r["rej"] else "")
                keys.append(
                    (
                        parts.add(r["p"]),
                        [parts.add(one) for one in r["acc"]],
                        [parts.add(one) for one in r["rej"]],
                        [parts.add(q[-n:]) for n in TAILS] if q else [],
                        before.add(f"Question: {q[-600:]}\nMark point: {p}\nStudent's answer:"),
                    )
                )
            answer = parts.add(r["a"])
            after_id = after.add(f" {r['a']}\nDoes the answer make this point?")
            split = r["s"] if "s" in r else kind
            rows.append((split, names[name], answer, after_id, r.get("y", -1), r.get("b", -1), r.get("e", -1)))
    spans = np.full((len(rows), 2), -1, np.int16)
    quoted = [(n, judged[n]) for n in range(len(judged)) if judged[n]["b"] >= 0]
    for at in range(0, len(quoted), 20000):
        some = quoted[at : at + 20000]
        for (n, r), cut in zip(some, small.encode_batch([r["a"] for _, r in some], add_special_tokens=False)):
            inside = [k for k, (s, e) in enumerate(cut.offsets) if s < r["e"] and e > r["b"]]
            if inside:
                spans[n] = inside[0], inside[-1] + 1
    large = large_tokenizer(gguf)
    b, a = before.cut(large), after.cut(large)
    used = sorted({id for some in (a, b) for one in some for id in one})
    renamed = {id: at for at, id in enumerate(used)}
    b, a = ([[renamed[id] for id in one] for one in some] for some in (b, a))
    cut = lambda text: small.encode(text, add_special_tokens=False).ids
    made = dict(
        small=flat(parts.cut(small)),
        before=flat(b),
        after=flat(a),
        used=np.array(used, np.int32),
        keys=keys,
        split=np.array([r[0] for r in rows]),
        rows=np.array([r[1:5] for r in rows], np.int32),
        spans=spans,
        reversed=np.array([r["k"] == "reversed" for r in judged] + [False] * (len(rows) - len(judged))),
        newer=np.array([bool(r["newer"]) for r in judged] + [False] * (len(rows) - len(judged))),
        human=np.array(
            [-1] * (len(rows) - len(students) - len(boards)) + [r["h"] for r in students + boards], np.int8
        ),
        dev=[{k: r[k] for k in ("x", "st", "n", "max", "mark", "m")} for r in dev],
        tails=TAILS,
        decorated=([cut(one) for one in BEFORE], [cut(one) for one in AFTER]),
        joints={name: cut(text) for name, text in JOINTS.items()},
    )
    with open(out, "wb") as file:
        pickle.dump(made, file, protocol=5)
    print(len(rows), "pairs", len(keys), "keys", len(used), "large pieces in use")
    for name in ("small", "before", "after"):
        print(name, len(made[name][1]) - 1, "texts", len(made[name][0]), "pieces")


if __name__ == "__main__":
    main(*sys.argv[1:5])
