"""The larger judge for reading alone: Qwen2.5 1.5B out of its GGUF file with the adapters added to its matrices.

    python large_judge_network.py QWEN_GGUF PAIRS_PICKLE OUT.raw     writes what is needed of the file, and an index

Many answers are read behind one question and point: the pieces of each answer see those before all answers and their
own, and stand where they would stand if no other answer were there.
"""

import json, sys
import numpy as np, torch, torch.nn.functional as F

WIDTH, HEADS, GROUPS, EACH, LAYERS, RANK, ALPHA = 1536, 12, 2, 128, 28, 16, 32.0
MATRICES = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def needed(gguf, pairs, out):
    import pickle
    from gguf import GGUFReader

    used = pickle.load(open(pairs, "rb"))["used"]
    index, at = {}, 0
    with open(out, "wb") as file:
        for one in GGUFReader(gguf).tensors:
            if one.name == "output.weight":
                continue
            data = one.data[used] if one.name == "token_embd.weight" else one.data
            raw = np.ascontiguousarray(data).tobytes()
            index[one.name] = (int(one.tensor_type), list(data.shape), at, len(raw))
            at += file.write(raw)
    json.dump(index, open(out + ".json", "w"))
    print(at, "bytes")


def halves(raw):
    return raw.contiguous().view(torch.float16).float()


def from_q4(raw):
    """144 bytes for 256 numbers: scale and least, eight 6-bit scales and leasts, 4-bit numbers."""
    n = len(raw)
    d, least = halves(raw[:, 0:2]), halves(raw[:, 2:4])
    s, m, both = raw[:, 4:8], raw[:, 8:12], raw[:, 12:16]
    scales = torch.cat([s & 63, (both & 15) | ((s >> 2) & 48)], 1).float() * d
    leasts = torch.cat([m & 63, (both >> 4) | ((m >> 2) & 48)], 1).float() * least
    q = raw[:, 16:].reshape(n, 4, 1, 32)
    q = torch.cat([q & 15, q >> 4], 2).reshape(n, 8, 32).float()
    return q * scales[:, :, None] - leasts[:, :, None]


def from_q6(raw):
    """210 bytes for 256 numbers: their low four bits, their high two, sixteen 8-bit scales, a scale."""
    n = len(raw)
    low, high = raw[:, :128].reshape(n, 2, 1, 64), raw[:, 128:192].reshape(n, 2, 1, 32)
    low = torch.cat([low & 15, low >> 4], 2).reshape(n, 8, 32)
    high = torch.cat([(high >> k) & 3 for k in (0, 2, 4, 6)], 2).reshape(n, 8, 32)
    q = ((low | (high << 4)).to(torch.int16) - 32).float().reshape(n, 16, 16)
    scales = raw[:, 192:208].contiguous().view(torch.int8).float() * halves(raw[:, 208:210])
    return q * scales[:, :, None]


def opened(raw, adapters, device, layers=LAYERS):
    """Every matrix in 16 bits, with its detour added."""
    index, data = json.load(open(str(raw) + ".json")), np.memmap(raw, np.uint8, "r")

    def tensor(name):
        kind, shape, at, size = index[name]
        one = torch.from_numpy(np.array(data[at : at + size])).to(device)
        if kind == 0:
            return one.view(torch.float32).reshape(shape)
        block, made = {12: (144, from_q4), 14: (210, from_q6)}[kind]
        return made(one.reshape(-1, block)).reshape(shape[0], -1)

    added = np.memmap(adapters, np.uint8, "r")
    place = 0

    def taken(count, kind):
        nonlocal place
        size = count * np.dtype(kind).itemsize
        one = np.frombuffer(added[place : place + size].tobytes(), kind)
        place += size
        return torch.from_numpy(one.astype(np.float32)).to(device)

    def table(width):
        rows = taken(RANK * width, np.int8).reshape(RANK, width)
        return rows * taken(RANK, "<f4")[:, None]

    words, norm = tensor("token_embd.weight").bfloat16(), tensor("output_norm.weight").bfloat16()
    net = {"words": words, "norm": norm, "layers": []}
    for n in range(layers):
        made = {}
        for name in MATRICES:
            matrix = tensor(f"blk.{n}.{name}.weight")
            way_in, way_out = table(matrix.shape[1]), table(matrix.shape[0])
            made[name] = (matrix + way_out.T @ way_in * (ALPHA / RANK)).bfloat16()
        small = lambda name: tensor(f"blk.{n}.{name}").bfloat16()
        net["layers"].append(
            dict(
                qkv=torch.cat([made["attn_q"], made["attn_k"], made["attn_v"]]),
                qkv_bias=torch.cat([small(f"attn_{one}.bias") for one in "qkv"]),
                o=made["attn_output"],
                gate=made["ffn_gate"],
                up=made["ffn_up"],
                down=made["ffn_down"],
                n1=small("attn_norm.weight"),
                n2=small("ffn_norm.weight"),
            )
        )
    place = len(added) - 4 * (4 * WIDTH + 4)
    net["head"], net["constants"] = taken(4 * WIDTH, "<f4").reshape(4, WIDTH), taken(4, "<f4")
    return net


def turned(x, cos, sin):
    one, other = x.chunk(2, -1)
    return x * cos + torch.cat([-other, one], -1) * sin


def verdicts(net, ids, places, parts, rows, columns):
    """What the net says at the pieces (rows, columns).

    `parts`: 0 before the answers, then the answer's number, -1 where nothing stands.
    """
    count, length = ids.shape
    x = net["words"][ids]
    steps = torch.arange(0, EACH, 2, device=ids.device).float() / EACH
    angles = places[..., None].float() / 1000000.0**steps
    angles = torch.cat([angles, angles], -1)[:, None]
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    order = torch.arange(length, device=ids.device)
    seen = (parts[:, None, :] == 0) | (parts[:, None, :] == parts[:, :, None])
    seen &= order[None, :] <= order[:, None]
    mask = torch.where(seen, 0.0, -float("inf")).to(x.dtype)[:, None].expand(-1, HEADS, -1, -1)
    norm = lambda x, g: F.rms_norm(x, (WIDTH,), g, 1e-6)
    for layer in net["layers"]:
        made = F.linear(norm(x, layer["n1"]), layer["qkv"], layer["qkv_bias"])
        made = made.view(count, length, -1, EACH).transpose(1, 2)
        q, k, v = made[:, :HEADS], made[:, HEADS : HEADS + GROUPS], made[:, HEADS + GROUPS :]
        q, k = turned(q, cos, sin), turned(k, cos, sin)
        k, v = (one.repeat_interleave(HEADS // GROUPS, 1) for one in (k, v))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + F.linear(mixed.transpose(1, 2).reshape(count, length, WIDTH), layer["o"])
        h = norm(x, layer["n2"])
        x = x + F.linear(F.silu(F.linear(h, layer["gate"])) * F.linear(h, layer["up"]), layer["down"])
    told = norm(x[rows, columns], net["norm"]).float()
    return torch.softmax(F.linear(told, net["head"], net["constants"]), -1)


if __name__ == "__main__":
    needed(*sys.argv[1:4])
