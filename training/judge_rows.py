"""Arranges the pieces that judge_pieces.py cut as the built-in judge reads them, and says how well it judges them."""

import pickle, random
import numpy as np

START, PAD, END = 0, 1, 2
MAX = 256


def rounded_up(length):
    """To what fast attention takes."""
    return (length + 7) // 8 * 8


class Pairs:
    def __init__(self, path):
        with open(path, "rb") as file:
            made = pickle.load(file)
        self.whole, self.ends = made["small"]
        for name in ("keys", "split", "rows", "spans", "reversed", "newer", "human"):
            setattr(self, name, made[name])
        for name in ("dev", "tails", "decorated", "joints"):
            setattr(self, name, made[name])

    def of(self, *splits):
        return np.flatnonzero(np.isin(self.split, splits))

    def text(self, at):
        return self.whole[self.ends[at] : self.ends[at + 1]].tolist()

    def asked(self, key, by=None):
        """Point, notes and question: all of them, or (`by` chance) some, and what schemes print around a point."""
        point, accepted, rejected, tails, _ = self.keys[key]
        joint, likely = self.joints, lambda share: by is None or by.random() < share
        ids = self.text(point)
        if by and by.random() > 0.8:
            ids = by.choice(self.decorated[0]) + ids + by.choice(self.decorated[1])
        if accepted and likely(0.6):
            for one in accepted:
                ids += joint["or"] + self.text(one)
        if rejected and likely(0.5):
            for n, one in enumerate(rejected):
                ids += joint["and" if n else "not"] + self.text(one)
            ids += joint["close"]
        if tails and likely(0.85):
            length = by.choice([120, 200, 300]) if by else 240
            ids += joint["asked"] + self.text(tails[self.tails.index(length)]) + joint["end"]
        return ids

    def sequence(self, row, by=None):
        key, answer = self.rows[row, :2]
        x = self.asked(key, by)[: MAX // 2]
        y = self.text(answer)[: MAX - 4 - len(x)]
        return [START] + x + [END, END] + y + [END], len(x) + 3, len(y)

    def packed(self, some):
        """[(row, (ids, begin, count))] as tables: pieces, and which of them an examiner quoted (-1: not asked)."""
        length = rounded_up(max(len(s[0]) for _, s in some))
        ids, told = np.full((len(some), length), PAD, np.int32), np.full((len(some), length), -1, np.int8)
        for n, (row, (pieces, begin, count)) in enumerate(some):
            ids[n, : len(pieces)] = pieces
            first, last = self.spans[row]
            if first >= 0:
                told[n, begin : begin + count] = 0
                told[n, begin + first : begin + min(last, count)] = 1
        return ids, told

    def batches(self, rows, size):
        """Batches of like length, in order."""
        for at in range(0, len(rows), size * 50):
            some = [(row, self.sequence(row)) for row in rows[at : at + size * 50]]
            some.sort(key=lambda one: len(one[1][0]))
            for group in (some[k : k + size] for k in range(0, len(some), size)):
                yield np.array([row for row, _ in group]), *self.packed(group)

    def shuffled(self, rows, pieces, seed, maker=0, makers=1):
        """For ever: batches of like length and about so many pieces, in ever new arrangements.

        Of every pass each of several makers gives its part.
        """
        chunk = 8192
        for one_pass in range(10**9):
            order = np.random.default_rng([seed, one_pass]).permutation(rows)
            by = random.Random(f"{seed} {one_pass} {maker}")
            for at in range(maker * chunk, len(order), makers * chunk):
                some = [(row, self.sequence(row, by)) for row in order[at : at + chunk].tolist()]
                some.sort(key=lambda one: -len(one[1][0]))
                groups = [[]]
                for one in some:
                    if groups[-1] and (len(groups[-1]) + 1) * rounded_up(len(groups[-1][0][1][0])) > pieces:
                        groups.append([])
                    groups[-1].append(one)
                by.shuffle(groups)
                for group in groups:
                    yield np.array([row for row, _ in group]), *self.packed(group)


def auc(y, s):
    r = np.argsort(np.argsort(s)) + 1
    n1 = y.sum()
    return float((r[y].sum() - n1 * (n1 + 1) / 2) / (n1 * (len(y) - n1)))


def report(said, y, tag):
    """`said`: four verdicts a row; `y`: credited 0, vague 1, contradicted 2, missing 3."""
    c = said[:, 0]
    share = lambda some: some.mean() if len(some) else np.nan
    for at in (0.4, 0.5):
        shares = [share(c[y == 0] >= at)] + [share(c[y == k] < at) for k in (2, 1, 3)]
        print(tag, at, "kept %.3f opposites refused %.3f vague refused %.3f missing refused %.3f" % tuple(shares))
    print(tag, "auc %.4f right of four %.3f of %d" % (auc(y == 0, c), (said.argmax(1) == y).mean(), len(y)), flush=True)


def report_papers(said, y, rows, tag):
    """On real papers marked point by point: `y` says which points were awarded."""
    c = said[:, 0]
    print(tag, "auc %.4f" % auc(y == 1, c), end="")
    answers = {}
    for n, r in enumerate(rows):
        answers.setdefault((r["x"], r["st"], r["n"]), []).append(n)
    for at in (0.2, 0.3, 0.4, 0.5):
        given = [sum(rows[n]["m"] for n in of if c[n] >= at) for of in answers.values()]
        most, marks = ([rows[of[0]][name] for of in answers.values()] for name in ("max", "mark"))
        g, m = np.minimum(given, most) / np.array(most), np.array(marks) / np.array(most)
        shares = (np.abs(g - m) < 1e-6).mean(), np.corrcoef(g, m)[0, 1], (g > m + 1e-6).mean(), (g < m - 1e-6).mean()
        print(" | %.1f exact %.3f r %.3f over %.3f under %.3f" % (at, *shares), end="")
    print(flush=True)
