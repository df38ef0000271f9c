"""Lets the larger judge learn from answers to papers in boards' styles as well, and says what it then thinks of all pairs.

    python adapt_large_judge.py RAW ADAPTERS PAIRS_PICKLE OUT_DIR SECONDS

RAW and ADAPTERS as for ask_large_judge.py, whose packing it learns by: many answers behind one question and point. Half of
the judged pairs go along in each pass, so that nothing is forgotten. OUT_DIR gets `adapters.pt` and `said.npy`.
"""

import json, math, pickle, random, sys, time
import numpy as np, torch, torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

import ask_large_judge as asking
from ask_large_judge import packs, tables
from large_judge_network import ALPHA, EACH, GROUPS, HEADS, LAYERS, MATRICES, RANK, WIDTH, from_q4, from_q6, turned

device = "cuda"
SCALE = ALPHA / RANK
RATE, HEAD_RATE, WARM = 6e-5, 1e-4, 40
LEARNED, ASKED = 16384, 65536


def opened(raw, adapters):
    """Every matrix in 16 bits beside its detour, which learns."""
    index, data = json.load(open(raw + ".json")), np.memmap(raw, np.uint8, "r")
    added, place = np.memmap(adapters, np.uint8, "r"), 0

    def tensor(name):
        kind, shape, at, size = index[name]
        one = torch.from_numpy(np.array(data[at : at + size])).to(device)
        if kind == 0:
            return one.view(torch.float32).reshape(shape)
        block, made = {12: (144, from_q4), 14: (210, from_q6)}[kind]
        return made(one.reshape(-1, block)).reshape(shape[0], -1)

    def taken(count, kind):
        nonlocal place
        size = count * np.dtype(kind).itemsize
        one = np.frombuffer(added[place : place + size].tobytes(), kind)
        place += size
        return torch.from_numpy(one.astype(np.float32)).to(device)

    def table(width):
        rows = taken(RANK * width, np.int8).reshape(RANK, width)
        return (rows * taken(RANK, "<f4")[:, None]).requires_grad_()

    net = {"words": tensor("token_embd.weight").bfloat16(), "norm": tensor("output_norm.weight").bfloat16(), "layers": []}
    for n in range(LAYERS):
        layer = {}
        for name in MATRICES:
            matrix = tensor(f"blk.{n}.{name}.weight")
            layer[name] = (matrix.bfloat16(), table(matrix.shape[1]), table(matrix.shape[0]))
        small = lambda name: tensor(f"blk.{n}.{name}").bfloat16()
        layer["bias"] = {one: small(f"attn_{one}.bias") for one in "qkv"}
        layer["n1"], layer["n2"] = small("attn_norm.weight"), small("ffn_norm.weight")
        net["layers"].append(layer)
    place = len(added) - 4 * (4 * WIDTH + 4)
    net["head"] = taken(4 * WIDTH, "<f4").reshape(4, WIDTH).clone().requires_grad_()
    net["constants"] = taken(4, "<f4").clone().requires_grad_()
    return net


def detours(net):
    return [one for layer in net["layers"] for name in MATRICES for one in layer[name][1:]]


@torch.no_grad()
def merged(net):
    """As large_judge_network.py reads it."""
    layers = []
    for layer in net["layers"]:
        w = {n: (layer[n][0].float() + layer[n][2].T @ layer[n][1] * SCALE).bfloat16() for n in MATRICES}
        layers.append(
            dict(
                qkv=torch.cat([w["attn_q"], w["attn_k"], w["attn_v"]]),
                qkv_bias=torch.cat([layer["bias"][one] for one in "qkv"]),
                o=w["attn_output"],
                gate=w["ffn_gate"],
                up=w["ffn_up"],
                down=w["ffn_down"],
                n1=layer["n1"],
                n2=layer["n2"],
            )
        )
    head, constants = net["head"].detach(), net["constants"].detach()
    return dict(words=net["words"], norm=net["norm"], head=head, constants=constants, layers=layers)


def through(x, matrix, bias=None):
    whole, way_in, way_out = matrix
    return F.linear(x, whole, bias) + F.linear(F.linear(x, way_in.to(x.dtype)), way_out.T.to(x.dtype)) * SCALE


def norm(x, by):
    return F.rms_norm(x, (WIDTH,), by, 1e-6)


def passed(layer, x, cos, sin, mask):
    count, length = x.shape[:2]
    h = norm(x, layer["n1"])
    shaped = lambda one: through(h, layer["attn_" + one], layer["bias"][one]).view(count, length, -1, EACH)
    q, k, v = (shaped(one).transpose(1, 2) for one in "qkv")
    q, k = turned(q, cos, sin), turned(k, cos, sin)
    k, v = (one.repeat_interleave(HEADS // GROUPS, 1) for one in (k, v))
    mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    x = x + through(mixed.transpose(1, 2).reshape(count, length, WIDTH), layer["attn_output"])
    h = norm(x, layer["n2"])
    return x + through(F.silu(through(h, layer["ffn_gate"])) * through(h, layer["ffn_up"]), layer["ffn_down"])


def logits(net, ids, places, parts, rows, columns):
    length, x = ids.shape[1], net["words"][ids]
    steps = torch.arange(0, EACH, 2, device=device).float() / EACH
    angles = places[..., None].float() / 1000000.0**steps
    angles = torch.cat([angles, angles], -1)[:, None]
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    order = torch.arange(length, device=device)
    seen = (parts[:, None, :] == 0) | (parts[:, None, :] == parts[:, :, None])
    seen &= order[None, :] <= order[:, None]
    mask = torch.where(seen, 0.0, -1e30).to(x.dtype)[:, None].expand(-1, HEADS, -1, -1)
    for layer in net["layers"]:
        x = checkpoint(passed, layer, x, cos, sin, mask, use_reentrant=False)
    return F.linear(norm(x[rows, columns], net["norm"]).float(), net["head"], net["constants"])


def batches(made, train, boards):
    """For ever: half of the judged pairs, and those of boards twice, in each pass."""
    for one_pass in range(10**9):
        by = random.Random(one_pass)
        some = packs(made, by.sample(list(train), len(train) // 2) + 2 * list(boards))
        by.shuffle(some)
        groups = []
        for at in range(0, len(some), 1500):
            group = []
            for one in sorted(some[at : at + 1500], key=lambda one: one[2]):
                if group and (len(group) + 1) * one[2] > LEARNED:
                    groups.append(group)
                    group = []
                group.append(one)
            groups.append(group)
        by.shuffle(groups)
        yield from groups


def goals(made, said, train, boards):
    """The examiner's verdict and its own before; of boards' answers what a person said, wrong in the way it thought."""
    goal = said.copy()
    goal[train] = 0.5 * np.eye(4)[made["rows"][train, 3]] + 0.5 * said[train]
    wrong = said[boards] * [0, 1, 1, 1] + [0, 1e-4, 1e-4, 1e-4]
    wrong /= wrong.sum(1, keepdims=True)
    told = np.where((made["human"][boards] == 1)[:, None], wrong, np.eye(4)[0])
    goal[boards] = 0.9 * told + 0.1 * said[boards]
    return torch.from_numpy(goal).float().to(device)


def learn(net, made, goal, train, boards, seconds):
    own, head = detours(net), [net["head"], net["constants"]]
    groups = [{"params": own, "lr": RATE}, {"params": head, "lr": HEAD_RATE}]
    learner = torch.optim.AdamW(groups, weight_decay=0.0, fused=True)
    first = [group["lr"] for group in learner.param_groups]
    began, step = time.time(), 0
    for group in batches(made, train, boards):
        gone = (time.time() - began) / seconds
        if gone >= 1:
            break
        rows, (ids, places, parts), at = tables(group)
        at = torch.from_numpy(at).to(device)
        z = logits(net, ids, places, parts, at[:, 0], at[:, 1])
        loss = -(goal[torch.tensor(np.array(rows), device=device)] * F.log_softmax(z, -1)).sum(-1).mean()
        learner.zero_grad(set_to_none=True)
        loss.backward()
        length = torch.nn.utils.clip_grad_norm_(own + head, 1.0)
        share = min((step + 1) / WARM, 0.5 + 0.5 * math.cos(math.pi * gone))
        for some, rate in zip(learner.param_groups, first):
            some["lr"] = rate * share
        # Now and then a gradient is not finite.
        if torch.isfinite(length):
            learner.step()
        step += 1
    print("learned", step, "steps", flush=True)


def main(raw, adapters, path, out, seconds):
    torch.manual_seed(3)
    made, net = pickle.load(open(path, "rb")), opened(raw, adapters)
    of = lambda *kinds: np.flatnonzero(np.isin(made["split"], kinds))
    train, boards = of("train"), of("boards")
    asking.PIECES = ASKED
    before = np.full((len(made["rows"]), 4), np.nan, np.float32)
    asking.ask(merged(net), made, np.concatenate([train, boards]), before, 1e12, False)
    learn(net, made, goals(made, before, train, boards), train, boards, float(seconds))
    torch.save({"detours": detours(net), "head": net["head"], "constants": net["constants"]}, out + "/adapters.pt")
    said = np.full_like(before, np.nan)
    asking.ask(merged(net), made, np.arange(len(said)), said, 1e12, True)
    np.save(out + "/said.npy", said)


if __name__ == "__main__":
    main(*sys.argv[1:6])
