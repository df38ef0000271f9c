"""Turns the shipped judge of points back into weights to go on learning from.

    python shipped_judge.py ../models/judge OUT.npz

What was rounded to 8 bits stays so, with its scales (`NAME`, `NAME.scale`): a quarter of the size to carry, and a start
that is rounded learns as well as one that is not.
"""

import sys
from pathlib import Path

import numpy as np

FIRST_PLACE, HEADS, LAYERS, PIECES, WIDTH = 2, 12, 12, 256, 768


def bucket(distance, buckets=32, farthest=128):
    """Which of the learned distances stands for this one; the other way round for what comes later."""
    half = buckets // 2
    later, distance = (half if distance > 0 else 0), abs(distance)
    exact = half // 2
    if distance < exact:
        return later + distance
    far = exact + int(np.log(distance / exact) / np.log(farthest / exact) * (half - exact))
    return later + min(far, half - 1)


def weights(folder):
    import onnx
    from onnx import numpy_helper

    folder = Path(folder)
    graph = onnx.load(folder / "encoder.onnx").graph
    known = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    out = {}

    def dense(name, target, factor=1.0, part=slice(None)):
        out[target + ".weight"] = np.ascontiguousarray(known[name + ".w"].T[part])
        out[target + ".weight.scale"] = known[name + ".k"].reshape(-1, 1)[part] / factor
        out[target + ".bias"] = known[name + ".c"][part] / factor

    def plain(name, target):
        out[target + ".weight"] = np.ascontiguousarray(known[name + ".w"].T)
        out[target + ".bias"] = known[name + ".c"]

    def norm(name, target):
        out[target + ".weight"], out[target + ".bias"] = known[name + ".g"], known[name + ".b"]

    norm("embedded", "net.embeddings.LayerNorm")
    for index in range(LAYERS):
        p, n = f"net.encoder.layer.{index}.", f"layer{index}."
        for place, part in enumerate("qkv"):
            factor = np.float32(1 / np.sqrt(WIDTH // HEADS)) if part == "q" else np.float32(1)
            own = slice(place * WIDTH, (place + 1) * WIDTH)
            dense(n + "qkv", p + "attention.attn." + part, factor, own)
        dense(n + "o", p + "attention.attn.o")
        norm(n + "n1", p + "attention.LayerNorm")
        dense(n + "f1", p + "intermediate.dense")
        dense(n + "f2", p + "output.dense")
        norm(n + "n2", p + "output.LayerNorm")
    dense("hidden", "hid")
    plain("verdicts.raw", "out")
    plain("evidence.raw", "ev")
    out["net.places"] = known["places"]
    near = known["distances"][0]
    table = np.zeros((32, HEADS), np.float32)
    for one in range(PIECES):
        for other in range(PIECES):
            table[bucket(other - one)] = near[:, one, other]
    out["net.encoder.relative_attention_bias.weight"] = table
    raw = (folder / "words.bin").read_bytes()
    rows = len(raw) // (WIDTH + 4)
    out["net.embeddings.word_embeddings.weight"] = np.frombuffer(raw, np.int8, rows * WIDTH).reshape(rows, WIDTH)
    out["net.embeddings.word_embeddings.weight.scale"] = np.frombuffer(raw, "<f4", rows, rows * WIDTH).reshape(rows, 1)
    return out


def restored(archive, base):
    """As a state of the network of teach_judge.py; `base` gives the places beyond those that the marker uses."""
    state = {}
    for name in archive.files:
        if name.endswith(".scale") or name == "net.places":
            continue
        value = archive[name].astype(np.float32)
        state[name] = value * archive[name + ".scale"] if name + ".scale" in archive.files else value
    places = base.copy()
    places[FIRST_PLACE : FIRST_PLACE + PIECES] = archive["net.places"]
    state["net.embeddings.position_embeddings.weight"] = places
    return state


if __name__ == "__main__":
    np.savez(sys.argv[2], **weights(sys.argv[1]))
