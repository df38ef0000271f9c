"""Teaches the built-in judge of points: a joint encoder (mpnet) with a head of four verdicts and one of evidence.

    python teach_judge.py snli OUT                           from the base, learns what follows from what
    python teach_judge.py judged START OUT [SOFT] [PASSES] [SECONDS] [SEED]
                                    learns the judged pairs, and the larger judge's opinions, for at most so long;
                                    SOFT `self`: keeps its own opinions of changed answers

Reads judgedata/: what judge_pairs.py wrote, `mpnet.safetensors` and `tokenizer.json` of all-mpnet-base-v2. START is a
state that this script left, or what shipped_judge.py made of the shipped weights.
"""

import gzip, json, math, os, random, sys, time
import numpy as np, torch, torch.nn as nn, torch.nn.functional as F
from transformers import MPNetConfig, MPNetModel
from tokenizers import Tokenizer

D = "judgedata/"
SIZE, RATE = 128, 4e-5
dev = "cuda" if torch.cuda.is_available() else "cpu"
SMOKE = len(sys.argv) > 1 and sys.argv[-1] == "smoke"
SEED = int(sys.argv[7]) if len(sys.argv) > 7 and not SMOKE else 7
torch.manual_seed(SEED)
random.seed(SEED)
tok = Tokenizer.from_file(D + "tokenizer.json")
tok.no_padding()
tok.no_truncation()
CLS, SEP, PAD = 0, 2, 1


def load(name, n=None):
    out = []
    with gzip.open(D + name, "rt") as f:
        for l in f:
            out.append(json.loads(l))
            if n and len(out) >= n:
                break
    return out


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        cfg = MPNetConfig(
            vocab_size=30527,
            max_position_embeddings=514,
            layer_norm_eps=1e-5,
            hidden_dropout_prob=0.1,
            attention_probs_dropout_prob=0.1,
        )
        self.net = MPNetModel(cfg, add_pooling_layer=False)
        self.hid = nn.Linear(1536, 768)
        self.out = nn.Linear(768, 4)
        self.ev = nn.Linear(768, 1)

    def forward(self, ids, mask):
        h = self.net(input_ids=ids, attention_mask=mask).last_hidden_state
        m = mask.unsqueeze(-1).to(h.dtype)
        mean = (h * m).sum(1) / m.sum(1)
        z = self.out(F.dropout(F.gelu(self.hid(torch.cat([h[:, 0], mean], 1))), 0.1, self.training))
        return z.float(), self.ev(h).squeeze(-1).float()


def as_printed(point):
    """Now and then what schemes print around a point."""
    if random.random() < 0.8:
        return point
    before = random.choice(["", "", "• ", "- ", "B1 ", "M1 ", "MP1 ", "One mark for: ", "Any one from: ", "1 "])
    return before + point + random.choice(["", "", " (1)", " [1]", "; (1)", " owtte", ";", " / AW"])


def first(r, train):
    t = as_printed(r["p"]) if train else r["p"]
    acc, rej = r.get("acc") or [], r.get("rej") or []
    if acc and (not train or random.random() < 0.6):
        t += " / " + " / ".join(acc)
    if rej and (not train or random.random() < 0.5):
        t += " (not: " + "; ".join(rej) + ")"
    q = r.get("q") or ""
    if q and (not train or random.random() < 0.85):
        n = random.choice([120, 200, 300]) if train else 240
        t += " [" + q[-n:] + "]"
    return t


MAX = 256


def encode(rows, train):
    A = tok.encode_batch([first(r, train) for r in rows], add_special_tokens=False)
    B = tok.encode_batch([r["a"] for r in rows], add_special_tokens=False)
    out = []
    for a, b, r in zip(A, B, rows):
        x = a.ids[: MAX // 2]
        y = b.ids[: MAX - 4 - len(x)]
        ids = [CLS] + x + [SEP, SEP] + y + [SEP]
        off = len(x) + 3
        ev = None
        if r.get("b", -1) >= 0:
            ev = (off, [1 if s < r["e"] and e > r["b"] else 0 for s, e in b.offsets[: len(y)]])
        out.append((ids, off, len(y), ev))
    return out


def batches(enc, size, shuffle):
    order = list(range(len(enc)))
    if shuffle:
        random.shuffle(order)
    chunk = size * 50
    groups = []
    for i in range(0, len(order), chunk):
        part = sorted(order[i : i + chunk], key=lambda j: len(enc[j][0]))
        groups += [part[k : k + size] for k in range(0, len(part), size)]
    if shuffle:
        random.shuffle(groups)
    return groups


def pack(enc, idx):
    n = max(len(enc[j][0]) for j in idx)
    n = (n + 7) // 8 * 8
    ids = np.full((len(idx), n), PAD, np.int64)
    ev = np.full((len(idx), n), -1.0, np.float32)
    for k, j in enumerate(idx):
        e = enc[j]
        ids[k, : len(e[0])] = e[0]
        if e[3]:
            ev[k, e[3][0] : e[3][0] + len(e[3][1])] = e[3][1]
    ids = torch.from_numpy(ids)
    return ids.to(dev, non_blocking=True), (ids != PAD).long().to(dev), torch.from_numpy(ev).to(dev)


def ahead(made, depth=8):
    """Makes batches in a thread of its own, a few ahead of those that are used."""
    import queue, threading

    line = queue.Queue(depth)

    def fill():
        for one in made:
            line.put(one)
        line.put(None)

    threading.Thread(target=fill, daemon=True).start()
    while (one := line.get()) is not None:
        yield one


def fit(model, data, passes, lr, evw, tag, size=64, limit_s=1e9):
    """data: list of (rows, target) with target a function row -> 4 probabilities"""
    rows = [r for r, _ in data]
    T = torch.tensor(np.array([t for _, t in data]), dtype=torch.float)
    total = passes * math.ceil(len(rows) / size)
    warm = max(1, int(0.06 * total))
    step = 0
    head = [p for n, p in model.named_parameters() if not n.startswith("net.")]
    body = [p for n, p in model.named_parameters() if n.startswith("net.")]
    opt = torch.optim.AdamW(
        [{"params": body, "lr": lr}, {"params": head, "lr": 5 * lr}], weight_decay=0.01, fused=dev == "cuda"
    )
    began = time.time()

    # By steps, or by time where that runs out first.
    def rate(s):
        left = min((total - s) / max(1, total - warm), 1 - (time.time() - began) / limit_s)
        return min((s + 1) / warm, max(0.0, left))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, rate)
    for p in range(passes):
        model.train()
        enc = encode(rows, True)
        loss_sum = 0
        n = 0
        if time.time() - began > limit_s:
            break
        for idx, (ids, mask, ev) in ahead((i, pack(enc, i)) for i in batches(enc, size, True)):
            if time.time() - began > limit_s:
                break
            with torch.autocast(dev, dtype=torch.bfloat16):
                z, e = model(ids, mask)
            t = T[idx].to(dev)
            loss = -(t * F.log_softmax(z, -1)).sum(-1).mean()
            if evw:
                k = ev >= 0
                if k.any():
                    loss = loss + evw * F.binary_cross_entropy_with_logits(e[k], ev[k])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            step += 1
            if step % 50 == 0:
                loss_sum += float(loss)
                n += 1
            if step % 500 == 0:
                print(tag, p, step, total, round(loss_sum / max(n, 1), 4), round(time.time() - began), flush=True)
        print(tag, "pass", p, round(loss_sum / max(n, 1), 4), round(time.time() - began), flush=True)


@torch.no_grad()
def predict(model, rows):
    model.eval()
    enc = encode(rows, False)
    P = np.zeros((len(rows), 4))
    E = [None] * len(rows)
    for idx in batches(enc, 256, False):
        ids, mask, _ = pack(enc, idx)
        with torch.autocast(dev, dtype=torch.bfloat16):
            z, e = model(ids, mask)
        P[idx] = F.softmax(z, -1).cpu().numpy()
        ee = torch.sigmoid(e).cpu().numpy()
        for k, j in enumerate(idx):
            E[j] = ee[k, enc[j][1] : enc[j][1] + enc[j][2]]
    return P, E, enc


def auc(y, s):
    y = np.array(y)
    r = np.argsort(np.argsort(s)) + 1
    n1 = y.sum()
    n0 = len(y) - n1
    return float((r[y == 1].sum() - n1 * (n1 + 1) / 2) / (n1 * n0))


def report(P, held, tag):
    y = np.array([r["y"] for r in held])
    c = P[:, 0]
    for th in (0.3, 0.4, 0.5, 0.6):
        kept = (c[y == 0] >= th).mean()
        ref = (c[y == 2] < th).mean()
        vag = (c[y == 1] < th).mean()
        mis = (c[y == 3] < th).mean()
        print(
            tag,
            "th",
            th,
            "kept %.3f opposites refused %.3f vague refused %.3f missing refused %.3f acc %.3f"
            % (kept, ref, vag, mis, ((c >= th) == (y == 0)).mean()),
            flush=True,
        )
    k = np.array([r["k"] for r in held]) == "reversed"
    print(
        tag,
        "auc %.4f 4-way %.3f reversed refused at .5 %.3f"
        % (auc(y == 0, c), (P.argmax(1) == y).mean(), (c[k & (y != 0)] < 0.5).mean()),
        flush=True,
    )


def devreport(P, rows, tag):
    y = np.array([r["y"] for r in rows])
    c = P[:, 0]
    print(tag, "dev auc %.4f" % auc(y, c), end=" ")
    groups = {}
    for i, r in enumerate(rows):
        groups.setdefault((r["x"], r["st"], r["n"]), []).append(i)
    for th in (0.15, 0.2, 0.3, 0.4, 0.5):
        g = []
        m = []
        for ii in groups.values():
            r = rows[ii[0]]
            g.append(min(r["max"], sum(rows[i]["m"] for i in ii if c[i] >= th)) / r["max"])
            m.append(r["mark"] / r["max"])
        g, m = np.array(g), np.array(m)
        print(
            "| th %.2f exact %.3f r %.3f over %.3f under %.3f"
            % (
                th,
                (np.abs(g - m) < 1e-6).mean(),
                np.corrcoef(g, m)[0, 1],
                (g > m + 1e-6).mean(),
                (g < m - 1e-6).mean(),
            ),
            end=" ",
        )
    print(flush=True)


def evidence(E, held, enc):
    hit = n = 0
    for e, r, x in zip(E, held, enc):
        if x[3] is None or not len(e):
            continue
        n += 1
        hit += x[3][1][int(np.argmax(e))] == 1
    print("evidence: best piece inside the quote %.3f of %d" % (hit / max(n, 1), n), flush=True)


def main():
    mode = sys.argv[1]
    model = Judge().to(dev)
    one = np.eye(4)
    if mode == "snli":
        from safetensors.torch import load_file

        w = load_file(D + "mpnet.safetensors")
        w = {k: v.float() for k, v in w.items() if not k.startswith("pooler")}
        miss = model.net.load_state_dict(w, strict=False)
        print("missing", [k for k in miss.missing_keys], "extra", miss.unexpected_keys[:5], flush=True)
        rows = load("snli.jsonl.gz", 200 if SMOKE else None)
        if dev == "cpu" and not SMOKE:
            sys.exit("no gpu")
        fit(model, [(r, one[r["y"]]) for r in rows], 1, 3e-5, 0, "snli")
        torch.save(model.state_dict(), sys.argv[2])
        return
    start, out = sys.argv[2], sys.argv[3]
    soft = sys.argv[4] if len(sys.argv) > 4 else "-"
    passes = int(sys.argv[5]) if len(sys.argv) > 5 else 4
    if start.endswith(".npz"):
        from shipped_judge import restored

        base = model.net.embeddings.position_embeddings.weight.detach().cpu().numpy()
        state = restored(np.load(start), base)
        miss = model.load_state_dict({k: torch.from_numpy(v) for k, v in state.items()}, strict=False)
        print("missing", miss.missing_keys, "extra", miss.unexpected_keys, flush=True)
    else:
        model.load_state_dict(torch.load(start, map_location=dev))
    rows = load("judged.jsonl.gz", 3000 if SMOKE else None)
    held = [r for r in rows if r["s"] == "held"]
    train = [r for r in rows if r["s"] == "train"]
    if SMOKE:
        train = train[:128]
        held = held[:64] or train[:64]
    dv = load("dev.jsonl.gz", 64 if SMOKE else None)
    data = [(r, one[r["y"]] * 0.97 + 0.0075) for r in train]
    if soft == "self":
        # What it has learned of changed answers is kept while it learns more questions.
        changed = load("aug.jsonl.gz")
        random.Random(3).shuffle(changed)
        changed = changed[:70000]
        own = predict(model, changed)[0]
        data += [(r, t) for r, t in zip(changed, own)]
    elif soft != "-":
        s = np.load(soft)
        tr, ag = s["train"], s["aug"]
        # Where the larger judge had no time, the examiner's word stands alone.
        known = lambda t: bool(np.isfinite(t[0]))
        data = [
            (r, 0.6 * one[r["y"]] + 0.4 * t if known(t) else one[r["y"]] * 0.97 + 0.0075) for r, t in zip(train, tr)
        ]
        data += [(r, t) for r, t in zip(load("aug.jsonl.gz"), ag) if known(t)]
    print("train", len(data), "held", len(held), flush=True)
    limit_s = float(sys.argv[6]) if len(sys.argv) > 6 and not SMOKE else 1e9
    if passes:
        fit(model, data, passes, RATE, 0.15, out, SIZE, limit_s)
        torch.save(model.state_dict(), out)
    P, E, enc = predict(model, held)
    report(P, held, out)
    other = [r for r in rows if r["s"] == "other"]
    if other:
        report(predict(model, other)[0], other, out + " newer")
    evidence(E, held, enc)
    Q, _, _ = predict(model, dv)
    devreport(Q, dv, out)
    # What `mark_scripts` left open, so that the marker can be tried with this judge before it is shipped.
    asked = load("asked.jsonl.gz") if os.path.exists(D + "asked.jsonl.gz") else []
    np.savez(out + ".npz", held=P, dev=Q, asked=predict(model, asked)[0] if asked else [])


main()
