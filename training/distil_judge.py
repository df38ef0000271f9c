"""Teaches the built-in judge the judged pairs and what the larger judge says of other answers, until a given time.

    python distil_judge.py PAIRS_PICKLE START SAID.npy OUT UNTIL SEED     UNTIL: seconds since 1970
    python distil_judge.py PAIRS_PICKLE START measure

Waits for SAID, which ask_large_judge.py writes. OUT gets what was learned at the end, OUT.mean the running mean of the
weights; OUT.part that mean, every two minutes.
"""

import math, multiprocessing, os, sys, time
import numpy as np, torch, torch.nn.functional as F

from judge_network import opened
from judge_rows import Pairs, report, report_papers

device = "cuda" if torch.cuda.is_available() else "cpu"
# Rows count alike, in batches of so many pieces; about ROWS of them are in one.
PIECES, ROWS, RATE, WARM, EVIDENCE = 24576, 256, 6e-5, 300, 0.15
# Verdicts are compared as they are and at a temperature, and credit once more by itself.
WARMER, CREDIT = 2.0, 0.5
# How often a pass has what people said of answers to papers in boards' styles: the nearest to what the marker asks.
BOARDS = 6
# How much of the running mean stays at a step.
STAYS = 0.9985
MAKERS = 8


def targets(pairs, said):
    """What to learn of each row, and the rows: newer questions, whose schemes are terse, twice."""
    of = {kind: pairs.of(kind) for kind in ("train", "aug", "boards")}
    known = np.isfinite(said[:, 0])
    goal = np.zeros((len(said), 4), np.float32)
    train, y = of["train"], pairs.rows[of["train"], 3]
    hard = np.eye(4, dtype=np.float32)[y]
    # Where the larger judge had no time, the examiner's word stands alone.
    goal[train] = np.where(known[train, None], 0.6 * hard + 0.4 * np.nan_to_num(said[train]), 0.97 * hard + 0.0075)
    aug = of["aug"][known[of["aug"]]]
    goal[aug] = said[aug]
    # What a person said of a student's answer counts as much as the larger judge.
    boards = of["boards"][known[of["boards"]]]
    goal[boards] = said[boards]
    human = np.concatenate([aug[pairs.human[aug] >= 0], boards])
    goal[human] = (goal[human] + told_by_person(said[human], pairs.human[human])) / 2
    return goal, np.concatenate([train, train[pairs.newer[train]], aug, *[boards] * BOARDS])


def told_by_person(said, human):
    """Right, contradictory, or wrong: then the other three verdicts as the larger judge has them."""
    wrong = said * [0, 1, 1, 1] + [0, 1e-6, 1e-6, 1e-6]
    wrong /= wrong.sum(1, keepdims=True)
    return np.where((human == 1)[:, None], wrong, np.eye(4)[human])


def waited_for(path):
    while not os.path.exists(path):
        time.sleep(0.3)
    return np.load(path)


def supply(pairs, said, seed, maker, line):
    for batch in pairs.shuffled(targets(pairs, waited_for(said))[1], PIECES, seed, maker, MAKERS):
        line.put(batch)


@torch.no_grad()
def predict(model, pairs, rows):
    """Four verdicts a row, and whether the most telling piece was named by the examiner (-1: none was)."""
    model.eval()
    said, inside = np.zeros((len(pairs.rows), 4), np.float32), np.full(len(pairs.rows), -1, np.int8)
    for of, ids, told in pairs.batches(rows, 256):
        with torch.autocast(device, dtype=torch.bfloat16):
            z, e = model(torch.from_numpy(ids).to(device))
        said[of] = F.softmax(z, -1).cpu().numpy()
        best = np.where(told >= 0, e.cpu().numpy(), -np.inf).argmax(1)
        inside[of] = told[np.arange(len(of)), best]
    return said[rows], inside[rows]


def measure(model, pairs, tag):
    for kind, name in (("held", "left out"), ("other", "newer"), ("students", "students")):
        rows = pairs.of(kind)
        said, inside = predict(model, pairs, rows)
        report(said, pairs.rows[rows, 3], f"{tag} {name}")
        if kind == "held":
            print(tag, "evidence %.3f of %d" % ((inside == 1).sum() / (inside >= 0).sum(), (inside >= 0).sum()))
    rows = pairs.of("dev")
    report_papers(predict(model, pairs, rows)[0], pairs.rows[rows, 3], pairs.dev, f"{tag} papers")


def saved(state, path):
    torch.save({name: one.cpu() for name, one in state.items()}, path + ".new")
    os.rename(path + ".new", path)


def loss_of(z, e, goal, told):
    """The verdicts' and the evidence's; right points and opposites count more."""
    plain = -(goal * F.log_softmax(z, -1)).sum(-1)
    soft = F.softmax(goal.clamp(min=1e-6).log() / WARMER, -1)
    warm = -(soft * F.log_softmax(z / WARMER, -1)).sum(-1) * WARMER**2
    odds = z[:, 0] - torch.logsumexp(z[:, 1:], -1)
    credit = F.binary_cross_entropy_with_logits(odds, goal[:, 0], reduction="none")
    weight = 0.75 + 0.5 * (goal[:, 0] + goal[:, 2])
    verdicts = (weight * (0.5 * plain + 0.5 * warm + CREDIT * credit)).sum() / ROWS
    asked = (told >= 0).float()
    wrong = F.binary_cross_entropy_with_logits(e, told.clamp(min=0).float(), reduction="none")
    return verdicts + EVIDENCE * (wrong * asked).sum() / asked.sum().clamp(min=1)


def learner_of(model):
    named = list(model.named_parameters())
    body, head = ([p for n, p in named if n.startswith("net.") == inside] for inside in (True, False))
    groups = [{"params": body, "lr": RATE}, {"params": head, "lr": 5 * RATE}]
    return torch.optim.AdamW(groups, weight_decay=0.01, fused=device == "cuda")


def step_of(model, learner, ids, told, goal):
    with torch.autocast(device, dtype=torch.bfloat16):
        z, e = model(ids)
    loss = loss_of(z, e, goal, told)
    learner.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    learner.step()
    return loss.detach()


def warmed_up(model):
    """Compiled before there is anything to learn: nothing is changed."""
    for length in (64, 96):
        ids = torch.randint(4, 30000, (PIECES // length, length), dtype=torch.int32, device=device)
        with torch.autocast(device, dtype=torch.bfloat16):
            z, e = model(ids)
        (z.sum() + e.sum()).backward()
    model.zero_grad(set_to_none=True)


def main(path, start, said, out, until, seed):
    until, seed = float(until), int(seed)
    torch.manual_seed(seed)
    pairs = Pairs(path)
    lines = [multiprocessing.Queue(8) for _ in range(MAKERS)]
    makers = [
        multiprocessing.Process(target=supply, args=(pairs, said, seed, n, line), daemon=True)
        for n, line in enumerate(lines)
    ]
    for one in makers:
        one.start()
    model = opened(start).to(device)
    mean = {name: one.detach().clone() for name, one in model.state_dict().items()}
    if device == "cuda":
        for layer in model.net.encoder.layer:
            layer.compile(dynamic=True)
    state = model.state_dict()
    learned, averaged = [state[name] for name in mean], list(mean.values())
    learner = learner_of(model)
    first = [group["lr"] for group in learner.param_groups]
    model.train()
    if device == "cuda":
        warmed_up(model)
    goal, rows = targets(pairs, waited_for(said))
    print(out, "rows", len(rows), flush=True)
    goal = torch.from_numpy(goal).to(device)
    began, step, read, lately, last = time.time(), 0, 0, [], time.time()
    while (now := time.time()) < until:
        of, ids, told = lines[step % MAKERS].get()
        ids, told, of = (torch.from_numpy(one).to(device, non_blocking=True) for one in (ids, told, of))
        share = min((step + 1) / WARM, 0.5 + 0.5 * math.cos(math.pi * min(1.0, (now - began) / (until - began))))
        for group, rate in zip(learner.param_groups, first):
            group["lr"] = rate * share
        loss = step_of(model, learner, ids, told, goal[of])
        torch._foreach_lerp_(averaged, learned, 1 - STAYS)
        step, read = step + 1, read + len(of)
        if step % 20 == 0:
            lately.append(float(loss))
        if step % 500 == 0:
            told_so_far = step, "%.2f %.4f" % (read / len(rows), np.mean(lately)), round(now - began)
            print(out, *told_so_far, flush=True)
            lately = []
        if now - last > 120 and until - now > 60:
            saved(mean, out + ".part")
            last = now
    saved(model.state_dict(), out)
    saved(mean, out + ".mean")
    print(out, "done", step, round(read / len(rows), 2), "passes", flush=True)
    for one in makers:
        one.terminate()


if __name__ == "__main__":
    if sys.argv[3] == "measure":
        measure(opened(sys.argv[2]).to(device), Pairs(sys.argv[1]), sys.argv[2])
    else:
        main(*sys.argv[1:7])
