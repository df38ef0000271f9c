"""Teaches the larger judge: Qwen2.5 1.5B from its GGUF file, frozen, with adapters (rank 16) and a head of four verdicts.

    python teach_large_judge.py train OUT PASSES [SECONDS [OPINIONS_SECONDS]]    learns for at most so long
    python teach_large_judge.py score ADAPTER OUT [OPINIONS_SECONDS]

Reads judgedata/: what judge_pairs.py wrote, `qwen.gguf` and its tokenizer. Beside OUT it leaves the opinions that teach
the smaller judge (OUT.soft.npz), and, where asked.jsonl.gz has pairs in the same form, those on them (OUT.check.npz).
"""

import gzip, json, math, random, sys, time, os
import numpy as np, torch, torch.nn as nn, torch.nn.functional as F

sys.path.insert(0, "judgedata/lib")
from transformers import Qwen2Config, Qwen2Model
from tokenizers import Tokenizer

D = "judgedata/"
dev = "cuda" if torch.cuda.is_available() else "cpu"
SMOKE = sys.argv[-1] == "smoke"
torch.manual_seed(11)
random.seed(11)
tok = Tokenizer.from_file(D + "qwen-tokenizer.json")
RANK, ALPHA, MAX, PAD = 16, 32.0, 384, 0


def load(name, n=None):
    out = []
    with gzip.open(D + name, "rt") as f:
        for l in f:
            out.append(json.loads(l))
            if n and len(out) >= n:
                break
    return out


def base():
    layers = 2 if SMOKE else 28
    cfg = Qwen2Config(
        vocab_size=151936,
        hidden_size=1536,
        intermediate_size=8960,
        num_hidden_layers=layers,
        num_attention_heads=12,
        num_key_value_heads=2,
        rms_norm_eps=1e-6,
        rope_theta=1000000.0,
        max_position_embeddings=4096,
    )
    cfg._attn_implementation = "sdpa"
    if hasattr(cfg, "rope_parameters"):
        cfg.rope_parameters = {"rope_type": "default", "rope_theta": 1000000.0}
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("meta"):
        model = Qwen2Model(cfg)
    torch.set_default_dtype(torch.float32)
    cache = D + "qwen.pt"
    if os.path.exists(cache):
        state = torch.load(cache, mmap=True)
    else:
        from gguf import GGUFReader
        from gguf.quants import dequantize
        from concurrent.futures import ThreadPoolExecutor

        reader = GGUFReader(D + "qwen.gguf")
        names = {"token_embd.weight": "embed_tokens.weight", "output_norm.weight": "norm.weight"}
        short = {
            "attn_q": "self_attn.q_proj",
            "attn_k": "self_attn.k_proj",
            "attn_v": "self_attn.v_proj",
            "attn_output": "self_attn.o_proj",
            "ffn_gate": "mlp.gate_proj",
            "ffn_up": "mlp.up_proj",
            "ffn_down": "mlp.down_proj",
            "attn_norm": "input_layernorm",
            "ffn_norm": "post_attention_layernorm",
        }

        def one(t):
            n = t.name
            if n in names:
                m = names[n]
            elif n.startswith("blk."):
                _, i, k, s = n.split(".")
                if int(i) >= layers:
                    return None
                m = f"layers.{i}.{short[k]}.{s}"
            else:
                return None
            a = dequantize(t.data, t.tensor_type)
            return m, torch.from_numpy(np.ascontiguousarray(a, dtype=np.float32)).to(torch.bfloat16)

        with ThreadPoolExecutor(12) as ex:
            state = dict(x for x in ex.map(one, reader.tensors) if x)
        if not SMOKE:
            torch.save(state, cache)
    miss = model.load_state_dict(state, strict=False, assign=True)
    print("missing", miss.missing_keys, "extra", miss.unexpected_keys, flush=True)
    # The turning of positions has no weights in the file.
    from transformers.models.qwen2.modeling_qwen2 import Qwen2RotaryEmbedding

    model.rotary_emb = Qwen2RotaryEmbedding(config=cfg)
    model = model.to(dev)
    for p in model.parameters():
        p.requires_grad_(False)
    return model


class Adapted(nn.Module):
    def __init__(self, lin):
        super().__init__()
        self.lin = lin
        self.a = nn.Parameter(torch.randn(RANK, lin.in_features, device=dev) * (1 / math.sqrt(lin.in_features)))
        self.b = nn.Parameter(torch.zeros(lin.out_features, RANK, device=dev))

    def forward(self, x):
        return self.lin(x) + F.linear(F.linear(x, self.a.to(x.dtype)), self.b.to(x.dtype)) * (ALPHA / RANK)


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = base()
        for layer in self.net.layers:
            for part, names in (
                (layer.self_attn, ("q_proj", "k_proj", "v_proj", "o_proj")),
                (layer.mlp, ("gate_proj", "up_proj", "down_proj")),
            ):
                for n in names:
                    setattr(part, n, Adapted(getattr(part, n)))
        self.out = nn.Linear(1536, 4, device=dev)

    def forward(self, ids, last):
        h = self.net(input_ids=ids, use_cache=False).last_hidden_state  # padding stands right of what counts, causal
        return self.out(h[torch.arange(len(ids), device=h.device), last].float())


def text(r):
    p = r["p"]
    if r.get("acc"):
        p += " / " + " / ".join(r["acc"])
    if r.get("rej"):
        p += " (not: " + "; ".join(r["rej"]) + ")"
    return f"Question: {(r.get('q') or '')[-600:]}\nMark point: {p}\nStudent's answer: {r['a']}\nDoes the answer make this point?"


def encode(rows):
    return [e.ids[-MAX:] for e in tok.encode_batch([text(r) for r in rows])]


def groups(enc, tokens, shuffle):
    order = list(range(len(enc)))
    if shuffle:
        random.shuffle(order)
    out = []
    for i in range(0, len(order), 3200):
        part = sorted(order[i : i + 3200], key=lambda j: len(enc[j]))
        cur = []
        for j in part:
            if cur and (len(cur) + 1) * len(enc[j]) > tokens:
                out.append(cur)
                cur = []
            cur.append(j)
        out.append(cur)
    if shuffle:
        random.shuffle(out)
    return out


def pack(enc, idx):
    n = max(len(enc[j]) for j in idx)
    n = (n + 7) // 8 * 8
    ids = torch.full((len(idx), n), PAD)
    for k, j in enumerate(idx):
        ids[k, : len(enc[j])] = torch.tensor(enc[j])
    return ids.to(dev), torch.tensor([len(enc[j]) - 1 for j in idx], device=dev)


@torch.no_grad()
def predict(model, rows, tag, limit_s=1e9):
    model.eval()
    enc = encode(rows)
    P = np.full((len(rows), 4), np.nan, np.float32)
    began = time.time()
    for n, idx in enumerate(groups(enc, 65536 if not SMOKE else 2048, limit_s < 1e9)):
        ids, last = pack(enc, idx)
        with torch.autocast(dev, dtype=torch.bfloat16):
            z = model(ids, last)
        P[idx] = F.softmax(z.float(), -1).cpu().numpy()
        if time.time() - began > limit_s:
            print(tag, "stopped by time", flush=True)
            break
    print(tag, len(rows), "scored", int(np.isfinite(P[:, 0]).sum()), round(time.time() - began), "s", flush=True)
    return P


def auc(y, s):
    y = np.array(y)
    r = np.argsort(np.argsort(s)) + 1
    n1 = y.sum()
    n0 = len(y) - n1
    return float((r[y == 1].sum() - n1 * (n1 + 1) / 2) / (n1 * n0))


def report(P, held, Q, rows, tag):
    y = np.array([r["y"] for r in held])
    c = P[:, 0]
    for th in (0.3, 0.5):
        print(
            tag,
            "th",
            th,
            "kept %.3f opposites refused %.3f vague refused %.3f missing refused %.3f"
            % tuple([(c[y == 0] >= th).mean()] + [(c[y == k] < th).mean() for k in (2, 1, 3)]),
            flush=True,
        )
    print(
        tag,
        "auc %.4f 4-way %.3f" % (auc(y == 0, c), (P.argmax(1) == y).mean()),
        "dev auc %.4f" % auc([r["y"] for r in rows], Q[:, 0]),
        flush=True,
    )
    c = Q[:, 0]
    gs = {}
    for i, r in enumerate(rows):
        gs.setdefault((r["x"], r["st"], r["n"]), []).append(i)
    for th in (0.2, 0.3, 0.5):
        g = []
        m = []
        for ii in gs.values():
            r = rows[ii[0]]
            g.append(min(r["max"], sum(rows[i]["m"] for i in ii if c[i] >= th)) / r["max"])
            m.append(r["mark"] / r["max"])
        g, m = np.array(g), np.array(m)
        print(
            "dev th %.2f exact %.3f r %.3f over %.3f under %.3f"
            % (th, (abs(g - m) < 1e-6).mean(), np.corrcoef(g, m)[0, 1], (g > m + 1e-6).mean(), (g < m - 1e-6).mean()),
            flush=True,
        )


def main():
    mode = sys.argv[1]
    t0 = time.time()
    model = Judge()
    print("loaded", round(time.time() - t0), "s", flush=True)
    rows = load("judged.jsonl.gz", 3000 if SMOKE else None)
    held = [r for r in rows if r["s"] == "held"]
    train = [r for r in rows if r["s"] == "train"]
    dv = load("dev.jsonl.gz", 32 if SMOKE else None)
    if SMOKE:
        train = train[:48]
        held = held[:16]
    own = {n: p for n, p in model.named_parameters() if p.requires_grad}
    print("learned weights", sum(p.numel() for p in own.values()), flush=True)
    if mode == "train":
        out, passes = sys.argv[2], float(sys.argv[3])
        limit_s = float(sys.argv[4]) if len(sys.argv) > 4 and not SMOKE else 1e9
        enc = encode(train)
        Y = torch.tensor([r["y"] for r in train])
        TOK = 9000 if not SMOKE else 1500
        print("tokens", sum(map(len, enc)), flush=True)
        plan = [g for _ in range(math.ceil(passes)) for g in groups(enc, TOK, True)]
        plan = plan[: int(len(plan) * passes / math.ceil(passes))]
        total = len(plan)
        warm = max(1, int(0.05 * total))
        head = [p for n, p in own.items() if n.startswith("out.")]
        body = [p for n, p in own.items() if not n.startswith("out.")]
        opt = torch.optim.AdamW(
            [{"params": body, "lr": 2e-4}, {"params": head, "lr": 4e-4}], weight_decay=0.0, fused=dev == "cuda"
        )
        began = time.time()

        # By steps, or by time where that runs out first.
        def rate(s):
            left = min((total - s) / max(1, total - warm), 1 - (time.time() - began) / limit_s)
            return min((s + 1) / warm, max(0.02, left))

        sched = torch.optim.lr_scheduler.LambdaLR(opt, rate)
        model.train()
        s = 0
        n = 0
        skipped = 0
        for k, idx in enumerate(plan):
            if time.time() - began > limit_s:
                break
            ids, last = pack(enc, idx)
            with torch.autocast(dev, dtype=torch.bfloat16):
                z = model(ids, last)
            loss = F.cross_entropy(z.float(), Y[idx].to(dev))
            opt.zero_grad(set_to_none=True)
            loss.backward()
            g = torch.nn.utils.clip_grad_norm_(list(own.values()), 1.0)
            if torch.isfinite(g):
                opt.step()
            else:
                skipped += 1
            sched.step()
            if k % 20 == 0:
                s += float(loss)
                n += 1
            if k % 100 == 99:
                print(
                    "step", k + 1, total, round(s / n, 4), round(time.time() - began), "s skipped", skipped, flush=True
                )
                s = n = 0
        torch.save({k: v.detach().cpu() for k, v in own.items()}, out)
        torch.save({k: v.detach().cpu().half() for k, v in own.items()}, out + ".half")
    else:
        st = torch.load(sys.argv[2])
        miss = model.load_state_dict(st, strict=False)
        print(len(miss.unexpected_keys))
        out = sys.argv[3]
    P = predict(model, held, "held")
    Q = predict(model, dv, "dev")
    report(P, held, Q, dv, "teacher")
    asked = load("asked.jsonl.gz") if os.path.exists(D + "asked.jsonl.gz") else []
    np.savez(out + ".check.npz", held=P, dev=Q, asked=predict(model, asked, "asked"))
    print("at", round(time.time() - t0), flush=True)
    seconds = sys.argv[5 if mode == "train" else 4 :]
    opinions_s = float(seconds[0]) if seconds and not SMOKE else 1e9
    asked = time.time()
    T = predict(model, train, "train", opinions_s)
    A = predict(model, load("aug.jsonl.gz", 16 if SMOKE else None), "aug", max(1, opinions_s - (time.time() - asked)))
    np.savez(out + ".soft.npz", aug=A, train=T)
    print("done", flush=True)


main()
