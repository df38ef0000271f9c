"""Writes the judge of points as files that the marker reads: the encoder as ONNX with 8-bit matrices, the words' table.

    python export_judge.py JUDGE OUT_DIR      JUDGE: what mean_judge.py wrote, or the weights as safetensors

Every matrix is rounded with one scale a column, and what it is multiplied with is rounded while it runs with one scale a
row: some pieces carry values fifty times as large as the others, and one scale for a whole text (as quantisers make it)
changed verdicts by 0.09 on average; one a row changes them by 0.01.

The words' table stands in a file of its own, so that none is too large for a repository: 8-bit rows, one after the other,
then one 32-bit scale a row (little endian).
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper
from safetensors.numpy import load_file

from export_network import Graph, rounded
from shipped_judge import bucket, restored

WIDTH, HEADS, LAYERS = 768, 12, 12
# The longest sequence that the marker gives, frame included.
PIECES = 256
# The first two places of the table belong to padding.
FIRST_PLACE = 2


def distances(table):
    """What each head adds to the attention between two places."""
    places = np.arange(PIECES)
    index = np.vectorize(bucket)(places[None, :] - places[:, None])
    return table[index].transpose(2, 0, 1)[None]


def build(w):
    g = Graph()
    ints = lambda name, values: g.constant(name, np.array(values, np.int64))
    split_heads, join_heads = ints("split_heads", [0, -1, HEADS, WIDTH // HEADS]), ints("join_heads", [0, -1, WIDTH])
    zero, one = ints("zero", [0]), ints("one", [1])
    last, parts = ints("last", [2]), [ints(f"part{place}", [place * WIDTH]) for place in range(4)]
    length = g.node("Slice", [g.node("Shape", ["rows"], "shape"), one, last, zero], "length")
    places = g.constant("places", w["net.embeddings.position_embeddings.weight"][FIRST_PLACE : FIRST_PLACE + PIECES])
    x = g.node("Add", ["rows", g.node("Slice", [places, zero, length, zero], "placed")], "sum")
    both = g.node("Concat", [length, length], "both", axis=0)
    near = g.constant("distances", distances(w["net.encoder.relative_attention_bias.weight"]))
    near = g.node("Slice", [near, ints("zeros", [0, 0]), both, ints("last_axes", [2, 3])], "near")
    norm = lambda x, prefix, name: g.node(
        "LayerNormalization",
        [x, g.constant(name + ".g", w[prefix + ".weight"]), g.constant(name + ".b", w[prefix + ".bias"])],
        name,
        axis=-1,
        epsilon=1e-5,
    )
    middle, nought = g.constant("middle", np.array(128, np.uint8)), g.constant("nought", np.array(0, np.int8))
    number = lambda name, value: g.constant(name, np.array(value, np.float32))
    steps, least, whole = number("steps", 127), number("least", 1e-6), number("whole", 1)

    # The operators and their order are those that the program's runtime has fast code for: rounding, moving and casting by
    # one QuantizeLinear, and a product that is cast and scaled by column in one go (which needs all four inputs).
    def by_row(x, name):
        """8-bit whole numbers around 128, and the scale of each row."""
        ends = [g.node(op, [x], name + "." + op, axes=[-1], keepdims=1) for op in ("ReduceMax", "ReduceMin")]
        most = g.node("Max", [ends[0], g.node("Neg", [ends[1]], name + ".low"), least], name + ".most")
        scale = g.node("Div", [most, steps], name + ".scale")
        values = g.node("Div", [x, scale], name + ".steps")
        return g.node("QuantizeLinear", [values, whole, middle], name + ".int8"), scale

    def dense(x, prefixes, name, factors=(1.0,)):
        values, scale = x
        matrices = [rounded(w[prefix + ".weight"] * factor) for prefix, factor in zip(prefixes, factors)]
        rows = np.concatenate([rows for rows, _ in matrices])
        row_scale = np.concatenate([scale.ravel() for _, scale in matrices])
        bias = np.concatenate([w[prefix + ".bias"] * factor for prefix, factor in zip(prefixes, factors)])
        matrix = g.constant(name + ".w", np.ascontiguousarray(rows.T))
        product = g.node("MatMulInteger", [values, matrix, middle, nought], name + ".m")
        product = g.node("Cast", [product], name + ".f", to=TensorProto.FLOAT)
        product = g.node("Mul", [product, g.constant(name + ".k", row_scale)], name + ".s")
        product = g.node("Mul", [product, scale], name + ".p")
        return g.node("Add", [product, g.constant(name + ".c", bias)], name)

    def plain(x, prefix, name):
        product = g.node("MatMul", [x, g.constant(name + ".w", w[prefix + ".weight"].T)], name + ".m")
        return g.node("Add", [product, g.constant(name + ".c", w[prefix + ".bias"])], name)

    def gelu(x, name):
        half = g.node(
            "Erf",
            [g.node("Div", [x, g.constant(name + ".root2", np.array(np.sqrt(2), np.float32))], name + ".d")],
            name + ".erf",
        )
        gate = g.node("Add", [half, g.constant(name + ".1", np.array(1, np.float32))], name + ".gate")
        return g.node(
            "Mul",
            [g.node("Mul", [x, gate], name + ".gated"), g.constant(name + ".half", np.array(0.5, np.float32))],
            name,
        )

    x = norm(x, "net.embeddings.LayerNorm", "embedded")
    for index in range(LAYERS):
        p, n = f"net.encoder.layer.{index}.", f"layer{index}."
        heads = []
        attention = [p + "attention.attn." + part for part in "qkv"]
        factors = [np.float32(1 / np.sqrt(WIDTH // HEADS)), 1.0, 1.0]
        made = dense(by_row(x, n + "seen"), attention, n + "qkv", factors)
        for place, part in enumerate("qkv"):
            own = g.node("Slice", [made, parts[place], parts[place + 1], last], n + part)
            order = [0, 2, 3, 1] if part == "k" else [0, 2, 1, 3]
            apart = g.node("Reshape", [own, split_heads], n + part + ".r")
            heads.append(g.node("Transpose", [apart], n + part + ".t", perm=order))
        scores = g.node("Add", [g.node("MatMul", heads[:2], n + "scores"), near], n + "placed")
        share = g.node("Softmax", [scores], n + "share", axis=-1)
        mixed = g.node(
            "Transpose", [g.node("MatMul", [share, heads[2]], n + "mixed")], n + "mixed.t", perm=[0, 2, 1, 3]
        )
        joined = by_row(g.node("Reshape", [mixed, join_heads], n + "joined"), n + "o.in")
        out = dense(joined, [p + "attention.attn.o"], n + "o")
        x = norm(g.node("Add", [x, out], n + "res1"), p + "attention.LayerNorm", n + "n1")
        inner = gelu(dense(by_row(x, n + "f1.in"), [p + "intermediate.dense"], n + "f1"), n + "gelu")
        x = norm(
            g.node("Add", [x, dense(by_row(inner, n + "f2.in"), [p + "output.dense"], n + "f2")], n + "res2"),
            p + "output.LayerNorm",
            n + "n2",
        )
    first = g.node("Squeeze", [g.node("Slice", [x, zero, one, one], "first"), one], "first.flat")
    mean = g.node("ReduceMean", [x], "mean", axes=[1], keepdims=0)
    told = by_row(g.node("Concat", [first, mean], "told", axis=-1), "told.in")
    told = gelu(dense(told, ["hid"], "hidden"), "hidden.gelu")
    verdicts = g.node("Softmax", [plain(told, "out", "verdicts.raw")], "verdicts", axis=-1)
    evidence = g.node("Sigmoid", [plain(x, "ev", "evidence.raw")], "evidence")
    value = lambda name, shape: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    graph = helper.make_graph(
        g.nodes,
        "judge",
        [value("rows", [1, "length", WIDTH])],
        [value(verdicts, [1, 4]), value(evidence, [1, "length", 1])],
        g.constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model


def main(source, target):
    target = Path(target)
    if source.endswith(".npz"):
        weights = restored(np.load(source), np.zeros((FIRST_PLACE + PIECES, WIDTH), np.float32))
    else:
        weights = {key: value.astype(np.float32) for key, value in load_file(source).items()}
    table, scale = rounded(weights["net.embeddings.word_embeddings.weight"])
    (target / "words.bin").write_bytes(table.tobytes() + scale.astype("<f4").tobytes())
    onnx.save(build(weights), target / "encoder.onnx")


if __name__ == "__main__":
    main(*sys.argv[1:3])
