"""Writes the trained network as an ONNX file whose large matrices are 8-bit integers.

    python export_network.py NETWORK_DIR MINILM_DIR OUT_DIR

NETWORK_DIR holds `network.npz` as distil_network.py leaves it; the words' table is that of all-MiniLM-L6-v2 itself, from
MINILM_DIR. OUT_DIR gets `encoder.onnx` (the token encoder) and `head.json` (the small part that the marker computes
itself).
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file

WIDTH, HEADS = 384, 12


class Graph:
    """Collects nodes and constants; every method returns the name of what it made."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, name, array):
        array = array.astype(np.float32) if array.dtype == np.float64 else array
        self.constants.append(numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def node(self, operator, inputs, name, **attributes):
        self.nodes.append(helper.make_node(operator, inputs, [name], name=name, **attributes))
        return name


def rounded(table):
    """A table as 8-bit integers with one scale a row."""
    scale = np.abs(table).max(1, keepdims=True) / 127 + 1e-12
    return np.round(table / scale).astype(np.int8), scale.astype(np.float32)


def build(words, weights):
    layers = 1 + max(int(key.split(".")[2]) for key in weights if key.startswith("encoder.layers."))
    table, scale = rounded(words)
    g = Graph()
    ints = lambda name, values: g.constant(name, np.array(values, np.int64))
    split_heads, join_heads = ints("split_heads", [0, -1, HEADS, WIDTH // HEADS]), ints("join_heads", [0, -1, WIDTH])
    zero, one = ints("zero", [0]), ints("one", [1])
    # The rows are looked up before they are made floating point: the whole table would cost more than the network.
    rows = g.node("Cast", [g.node("Gather", [g.constant("words.int8", table), "ids"], "rows.int8")], "rows.float", to=1)
    scales = g.node("Gather", [g.constant("words.scale", scale.ravel()), "ids"], "rows.scale")
    looked_up = g.node("Mul", [rows, g.node("Unsqueeze", [scales, ints("last_axis", [-1])], "rows.scale.wide")], "looked_up")
    length = g.node("Slice", [g.node("Shape", ["ids"], "shape"), one, ints("two", [2]), zero], "length")
    places = g.constant("places", weights["encoder.places.weight"] + weights["encoder.kind"])
    x = g.node("Add", [looked_up, g.node("Slice", [places, zero, length, zero], "placed")], "sum")
    norm = lambda x, prefix, name: g.node(
        "LayerNormalization",
        [x, g.constant(name + ".g", weights[prefix + ".weight"]), g.constant(name + ".b", weights[prefix + ".bias"])],
        name,
        axis=-1,
        epsilon=1e-12,
    )
    dense = lambda x, matrix, bias, name: g.node(
        "Add", [g.node("MatMul", [x, g.constant(name + ".w", matrix)], name + ".m"), g.constant(name + ".c", bias)], name
    )
    x = norm(x, "encoder.norm", "embedded")
    for index in range(layers):
        p, n = f"encoder.layers.{index}.", f"layer{index}."
        scale = 1 / np.sqrt(WIDTH // HEADS)
        heads = []
        for part, factor in (("q", scale), ("k", 1.0), ("v", 1.0)):
            made = dense(x, (weights[p + part + ".weight"] * factor).T, weights[p + part + ".bias"] * factor, n + part)
            order = [0, 2, 3, 1] if part == "k" else [0, 2, 1, 3]
            apart = g.node("Reshape", [made, split_heads], n + part + ".r")
            heads.append(g.node("Transpose", [apart], n + part + ".t", perm=order))
        share = g.node("Softmax", [g.node("MatMul", heads[:2], n + "scores")], n + "share", axis=-1)
        mixed = g.node("Transpose", [g.node("MatMul", [share, heads[2]], n + "mixed")], n + "mixed.t", perm=[0, 2, 1, 3])
        out = dense(g.node("Reshape", [mixed, join_heads], n + "joined"), weights[p + "o.weight"].T, weights[p + "o.bias"], n + "o")
        x = norm(g.node("Add", [x, out], n + "res1"), p + "n1", n + "n1")
        inner = dense(x, weights[p + "f1.weight"].T, weights[p + "f1.bias"], n + "f1")
        half = g.node("Erf", [g.node("Div", [inner, g.constant(n + "root2", np.array(np.sqrt(2), np.float32))], n + "d")], n + "erf")
        gate = g.node("Add", [half, g.constant(n + "1", np.array(1, np.float32))], n + "gate")
        inner = g.node("Mul", [g.node("Mul", [inner, gate], n + "gated"), g.constant(n + "half", np.array(0.5, np.float32))], n + "gelu")
        out = dense(inner, weights[p + "f2.weight"].T, weights[p + "f2.bias"], n + "f2")
        x = norm(g.node("Add", [x, out], n + "res2"), p + "n2", n + "n2")
    last = np.concatenate([weights["proj.weight"], weights["imp.weight"], weights["impa.weight"]]).T
    bias = np.concatenate([np.zeros(weights["proj.weight"].shape[0], np.float32), weights["imp.bias"], weights["impa.bias"]])
    tokens = dense(x, last, bias, "tokens")
    mean = g.node("ReduceMean", [x], "mean", axes=[1], keepdims=0)
    senses = dense(x, weights["sense.weight"].T, weights["sense.bias"], "senses")
    value = lambda name, kind, shape: helper.make_tensor_value_info(name, kind, shape)
    graph = helper.make_graph(
        g.nodes,
        "encoder",
        [value("ids", TensorProto.INT64, [1, "length"])],
        [
            value(tokens, TensorProto.FLOAT, [1, "length", last.shape[1]]),
            value(mean, TensorProto.FLOAT, [1, WIDTH]),
            value(senses, TensorProto.FLOAT, [1, "length", WIDTH]),
        ],
        g.constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model


def main(source, minilm, target):
    source, target = Path(source), Path(target)
    words = load_file(Path(minilm) / "model.safetensors")["embeddings.word_embeddings.weight"].astype(np.float32)
    weights = {key: value.astype(np.float32) for key, value in np.load(source / "network.npz").items()}
    full = target / "encoder.fp32.onnx"
    onnx.save(build(words, weights), full)
    quantize_dynamic(
        full,
        target / "encoder.onnx",
        op_types_to_quantize=["MatMul"],
        weight_type=QuantType.QInt8,
        per_channel=True,
        nodes_to_exclude=["tokens.m", "senses.m"],
    )
    head = {
        "asked_reference": float(weights["qw"]),
        "asked_answer": float(weights["qa"]),
        "hidden": weights["head.0.weight"].tolist(),
        "hidden_bias": weights["head.0.bias"].tolist(),
        "out": weights["head.2.weight"][0].tolist(),
        "out_bias": float(weights["head.2.bias"][0]),
    }
    (target / "head.json").write_text(json.dumps(head))
    full.unlink()


if __name__ == "__main__":
    main(*sys.argv[1:4])
