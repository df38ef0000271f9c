"""Teaches the built-in judge the judged pairs and what the larger judge says of changed answers, until a given time.

    python distil_judge.py PAIRS_PICKLE START SAID.npy OUT UNTIL SEED     UNTIL: seconds since 1970
    python distil_judge.py PAIRS_PICKLE START measure

Waits for SAID, which ask_large_judge.py writes. Every two minutes OUT.part has what was learned so far.
"""

import multiprocessing, os, sys, time
import numpy as np, torch, torch.nn.functional as F

from judge_network import opened
from judge_rows import Pairs, report, report_papers

device = "cuda" if torch.cuda.is_available() else "cpu"
SIZE, RATE, WARM, EVIDENCE = 128, 4e-5, 300, 0.15


def targets(pairs, said):
    """What to learn of each row, and the rows: newer questions, whose schemes are terse, twice."""
    of = {kind: pairs.of(kind) for kind in ("train", "aug")}
    known = np.isfinite(said[:, 0])
    goal = np.zeros((len(said), 4), np.float32)
    train, y = of["train"], pairs.rows[of["train"], 3]
    hard = np.eye(4, dtype=np.float32)[y]
    # Where the larger judge had no time, the examiner's word stands alone.
    goal[train] = np.where(known[train, None], 0.6 * hard + 0.4 * np.nan_to_num(said[train]), 0.97 * hard + 0.0075)
    aug = of["aug"][known[of["aug"]]]
    goal[aug] = said[aug]
    return goal, np.concatenate([train, train[pairs.newer[train]], aug])


def waited_for(path):
    while not os.path.exists(path):
        time.sleep(0.3)
    return np.load(path)


def supply(pairs, said, seed, line):
    for batch in pairs.batches(targets(pairs, waited_for(said))[1], SIZE, seed):
        line.put(batch)


@torch.no_grad()
def predict(model, pairs, rows):
    model.eval()
    said = np.zeros((len(pairs.rows), 4), np.float32)
    for of, ids, _ in pairs.batches(rows, 256):
        with torch.autocast(device, dtype=torch.bfloat16):
            z, _ = model(torch.from_numpy(ids).to(device))
        said[of] = F.softmax(z, -1).cpu().numpy()
    return said[rows]


def measure(model, pairs, tag):
    for kind, name in (("held", "left out"), ("other", "newer")):
        rows = pairs.of(kind)
        report(predict(model, pairs, rows), pairs.rows[rows, 3], f"{tag} {name}")
    rows = pairs.of("dev")
    report_papers(predict(model, pairs, rows), pairs.rows[rows, 3], pairs.dev, f"{tag} papers")


def saved(model, path):
    torch.save({name: one.cpu() for name, one in model.state_dict().items()}, path + ".new")
    os.rename(path + ".new", path)


def main(path, start, said, out, until, seed):
    until, seed = float(until), int(seed)
    torch.manual_seed(seed)
    pairs = Pairs(path)
    lines = [multiprocessing.Queue(32) for _ in range(2)]
    makers = [
        multiprocessing.Process(target=supply, args=(pairs, said, 100 * seed + n, line), daemon=True)
        for n, line in enumerate(lines)
    ]
    for one in makers:
        one.start()
    model = opened(start).to(device)
    named = list(model.named_parameters())
    body, head = ([p for n, p in named if n.startswith("net.") == inside] for inside in (True, False))
    learner = torch.optim.AdamW(
        [{"params": body, "lr": RATE}, {"params": head, "lr": 5 * RATE}], weight_decay=0.01, fused=device == "cuda"
    )
    first = [group["lr"] for group in learner.param_groups]
    model.train()
    goal, rows = targets(pairs, waited_for(said))
    print(out, "rows", len(rows), flush=True)
    goal = torch.from_numpy(goal).to(device)
    began, step, lately, last = time.time(), 0, [], time.time()
    while (now := time.time()) < until:
        of, ids, told = lines[step % 2].get()
        ids, told, of = (torch.from_numpy(one).to(device, non_blocking=True) for one in (ids, told, of))
        with torch.autocast(device, dtype=torch.bfloat16):
            z, e = model(ids)
        loss = -(goal[of] * F.log_softmax(z, -1)).sum(-1).mean()
        asked = (told >= 0).float()
        wrong = F.binary_cross_entropy_with_logits(e, told.clamp(min=0).float(), reduction="none")
        loss = loss + EVIDENCE * (wrong * asked).sum() / asked.sum().clamp(min=1)
        share = min((step + 1) / WARM, max(0.0, (until - now) / (until - began)))
        for group, rate in zip(learner.param_groups, first):
            group["lr"] = rate * share
        learner.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        learner.step()
        step += 1
        if step % 20 == 0:
            lately.append(float(loss.detach()))
        if step % 500 == 0:
            passes = step * SIZE / len(rows)
            print(out, step, "%.2f %.4f" % (passes, np.mean(lately)), round(now - began), flush=True)
            lately = []
        if now - last > 120 and until - now > 60:
            saved(model, out + ".part")
            last = now
    saved(model, out)
    print(out, "done", step, round(step * SIZE / len(rows), 2), "passes", flush=True)
    for one in makers:
        one.terminate()


if __name__ == "__main__":
    if sys.argv[3] == "measure":
        measure(opened(sys.argv[2]).to(device), Pairs(sys.argv[1]), sys.argv[2])
    else:
        main(*sys.argv[1:7])
