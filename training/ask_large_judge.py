"""Asks the larger judge about every pair, many answers at once behind one question and point.

    python ask_large_judge.py RAW ADAPTERS PAIRS_PICKLE OUT.npy SECONDS

RAW is what large_judge_network.py drew from the GGUF file, ADAPTERS models/larger-judge/adapters.bin. OUT gets four
verdicts a pair, not-a-number where the time was over before.
"""

import os, pickle, random, sys, time
import numpy as np, torch

from judge_rows import report, report_papers
from large_judge_network import opened, verdicts

device = "cuda" if torch.cuda.is_available() else "cpu"
LENGTH, BEFORE_MAX, AFTER_MAX, PIECES = 768, 300, 440, 65536


def packs(made, rows):
    """(pieces before, [(row, pieces)]): as many answers as fit behind one question and point."""
    cut = lambda pool, at: pool[0][pool[1][at] : pool[1][at + 1]]
    by_key = {}
    for row in rows:
        by_key.setdefault(made["rows"][row, 0], []).append(row)
    out = []
    for key, some in by_key.items():
        before = cut(made["before"], made["keys"][key][4])[-BEFORE_MAX:]
        told, length = [], len(before)
        for row in some:
            after = cut(made["after"], made["rows"][row, 2])[-AFTER_MAX:]
            if told and length + len(after) > LENGTH:
                out.append((before, told, length))
                told, length = [], len(before)
            told.append((row, after))
            length += len(after)
        out.append((before, told, length))
    return out


def groups(all_packs, shuffled):
    if shuffled:
        random.Random(5).shuffle(all_packs)
    out = []
    for at in range(0, len(all_packs), 3000):
        some, group = sorted(all_packs[at : at + 3000], key=lambda one: one[2]), []
        for one in some:
            if group and (len(group) + 1) * one[2] > PIECES:
                out.append(group)
                group = []
            group.append(one)
        out.append(group)
    if shuffled:
        random.Random(6).shuffle(out)
    return out


def tables(group):
    length = (max(one[2] for one in group) + 7) // 8 * 8
    ids, places, parts = (np.full((len(group), length), fill, np.int32) for fill in (0, 0, -1))
    rows, at = [], []
    for n, (before, told, _) in enumerate(group):
        end = len(before)
        ids[n, :end], places[n, :end], parts[n, :end] = before, np.arange(end), 0
        for k, (row, after) in enumerate(told):
            next = end + len(after)
            ids[n, end:next], parts[n, end:next] = after, k + 1
            places[n, end:next] = len(before) + np.arange(len(after))
            rows.append(row)
            at.append((n, next - 1))
            end = next
    return rows, [torch.from_numpy(one).to(device) for one in (ids, places, parts)], np.array(at)


@torch.no_grad()
def ask(net, made, rows, said, until, shuffled):
    began, count, pieces = time.time(), 0, 0
    waiting = None
    for group in groups(packs(made, rows), shuffled):
        if time.time() > until:
            print("stopped by time")
            break
        of, (ids, places, parts), at = tables(group)
        at = torch.from_numpy(at).to(device)
        told = verdicts(net, ids, places, parts, at[:, 0], at[:, 1])
        # The next batch is made while this one is computed.
        if waiting:
            said[waiting[0]] = waiting[1].cpu().numpy()
        waiting = of, told
        count, pieces = count + len(of), pieces + ids.numel()
        if count // 50000 != (count - len(of)) // 50000:
            print(count, pieces, round(time.time() - began), "s", flush=True)
    if waiting:
        said[waiting[0]] = waiting[1].cpu().numpy()
    print("asked", count, "of", len(rows), round(time.time() - began), "s", flush=True)


def main(raw, adapters, pairs, out, seconds):
    began = time.time()
    made = pickle.load(open(pairs, "rb"))
    net = opened(raw, adapters, device)
    print("loaded", round(time.time() - began), "s", flush=True)
    said = np.full((len(made["rows"]), 4), np.nan, np.float32)
    y, of = made["rows"][:, 3], lambda *kinds: np.flatnonzero(np.isin(made["split"], kinds))
    ask(net, made, of("held", "other", "dev", "students", "boards"), said, 1e12, False)
    report(said[of("held")], y[of("held")], "held")
    report(said[of("other")], y[of("other")], "newer")
    report(said[of("students")], y[of("students")], "students")
    report_papers(said[of("dev")], y[of("dev")], made["dev"], "papers")
    ask(net, made, of("train", "aug"), said, began + float(seconds), True)
    # Whole or not at all: others wait for this file.
    np.save(out + ".part.npy", said)
    os.rename(out + ".part.npy", out)
    print("done", round(time.time() - began), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:6])
