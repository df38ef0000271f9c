"""Makes the reader's two networks quicker, without a change to what they say.

    reader_networks.py PACKAGE LINES OUT

PACKAGE is the folder `rapidocr/models` of the package that publishes them, LINES a folder that
`crates/reader/tests/measure/make_pages.py` has drawn, OUT the folder `models/`.

Both: weights too small to matter become zero. The network that finds lines has a quarter of a million of them, left
over from training, so small that processors fall back to microcode for each: they took half of its time.

The network that reads lines also works on integers. Its convolutions of one pixel between many channels, three quarters of
its arithmetic, have weights of seven bits; what goes into them is rounded to eight bits as it comes
(`DynamicQuantizeLinear`), and the products are added up as integers (`ConvInteger`). Seven bits, because processors
without VNNI add pairs of products in sixteen bits, which eight would overflow. Plainly rounded to seven bits it
reads markedly worse; so each weight that is rounded hands its error on to those of the same output that are not yet,
as far as what goes in there is alike (GPTQ). How alike, the drawn lines tell.

Needs: numpy, onnx, onnxruntime, opencv-python-headless.
"""

import pathlib
import sys

import cv2
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

FINDS, READS = "PP-OCRv6_det_small", "PP-OCRv6_rec_small"
# No sum that such a weight has a part in has digits left for it.
DUST = 1e-20
TOP = 63
ZERO = 64
CHANNELS_MIN = 96
# Convolutions that take the mean of a whole line in and give four times as few or as many channels out.
SQUEEZE = 4
HEIGHT = 48
WIDTH_MIN = 160
WIDTH_MAX = 1200
STEP = 8
# A scale may cut the largest weights of an output off by so much when the others gain by it.
SCALES = np.linspace(0.7, 1.0, 13)
DAMPING = 0.01


def without_dust(model):
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32:
            continue
        kept = np.where(np.abs(values) < DUST, np.float32(0), values)
        if (kept != values).any():
            tensor.CopyFrom(numpy_helper.from_array(kept, tensor.name))
    return model


def without_identities(graph):
    """The nodes that do something, each with the inputs that it then has."""
    outputs = {output.name for output in graph.output}
    renamed, nodes = {}, []
    for node in graph.node:
        for index, name in enumerate(node.input):
            node.input[index] = renamed.get(name, name)
        if node.op_type == "Identity" and node.output[0] not in outputs:
            renamed[node.output[0]] = node.input[0]
        else:
            nodes.append(node)
    return nodes


def is_chosen(node, weights):
    if node.op_type != "Conv" or node.input[1] not in weights:
        return False
    outputs, inputs, *kernel = weights[node.input[1]].dims
    is_squeeze = outputs == SQUEEZE * inputs or inputs == SQUEEZE * outputs
    return kernel == [1, 1] and min(outputs, inputs) >= CHANNELS_MIN and not is_squeeze


def line(path):
    """A drawn line as the network sees it: without the paper above and below it."""
    picture = cv2.imread(str(path))
    rows = np.where((picture.min(axis=2) < 140).sum(axis=1) > 2)[0]
    picture = picture[max(0, rows[0] - 6) : rows[-1] + 7]
    width = min(WIDTH_MAX, round(picture.shape[1] * HEIGHT / picture.shape[0]))
    picture = cv2.resize(picture, (width, HEIGHT), interpolation=cv2.INTER_AREA)
    padded = max(WIDTH_MIN, -(-width // STEP) * STEP)
    values = np.zeros((1, 3, HEIGHT, padded), np.float32)
    values[0, :, :, :width] = (picture.astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)
    return values


def likeness(model, nodes, wanted, lines):
    """For each wanted value, the mean products of its channels over all places of all lines."""
    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    del probe.graph.node[:], probe.graph.value_info[:]
    probe.graph.node.extend(nodes)
    probe.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in wanted)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(probe.SerializeToString(), options)
    sums, counts = dict.fromkeys(wanted, 0.0), dict.fromkeys(wanted, 0)
    for path in lines:
        for name, value in zip(wanted, session.run(wanted, {"x": line(path)})):
            channels = value[0].reshape(value.shape[1], -1).astype(np.float64)
            sums[name] = sums[name] + channels @ channels.T
            counts[name] += channels.shape[1]
    return {name: sums[name] / counts[name] for name in wanted}


def error(off, alike):
    return ((off @ alike) * off).sum(axis=1)


def scales(weights, alike):
    """For each output the step that loses least when every weight is rounded by itself."""
    widest = np.abs(weights).max(axis=1) / TOP
    best, least = widest.copy(), np.full(len(weights), np.inf)
    for share in SCALES:
        step = widest * share
        off = weights - np.clip(np.rint(weights / step[:, None]), -TOP, TOP) * step[:, None]
        lost = error(off, alike)
        best, least = np.where(lost < least, step, best), np.minimum(lost, least)
    return best


def rounded(weights, alike):
    """Whole numbers and their steps, one step an output."""
    step = scales(weights, alike)
    inputs = weights.shape[1]
    order = np.argsort(-np.diag(alike), kind="stable")
    alike = (alike + np.eye(inputs) * DAMPING * np.diag(alike).mean())[order][:, order]
    # Row j says how much of the error of input j each later one takes over.
    onto = np.linalg.cholesky(np.linalg.inv(alike)).T
    left, whole = weights[:, order].copy(), np.zeros_like(weights)
    for index in range(inputs):
        whole[:, order[index]] = np.clip(np.rint(left[:, index] / step), -TOP, TOP)
        off = (left[:, index] - whole[:, order[index]] * step) / onto[index, index]
        left[:, index + 1 :] -= np.outer(off, onto[index, index + 1 :])
    return whole, step


def quantised(model, lines):
    graph = model.graph
    weights = {tensor.name: tensor for tensor in graph.initializer}
    nodes = without_identities(graph)
    wanted = sorted({node.input[0] for node in nodes if is_chosen(node, weights)})
    alike = likeness(model, nodes, wanted, lines)
    made, added, dropped, known = [], [], set(), set()
    added.append(numpy_helper.from_array(np.array(ZERO, np.uint8), "zero"))
    for node in nodes:
        if not is_chosen(node, weights):
            made.append(node)
            continue
        source, tensor, target = node.input[0], weights[node.input[1]], node.output[0]
        values = numpy_helper.to_array(tensor).astype(np.float64)
        whole, step = rounded(values.reshape(values.shape[0], -1), alike[source])
        whole = (whole + ZERO).astype(np.uint8).reshape(values.shape)
        added.append(numpy_helper.from_array(whole, f"{tensor.name}.whole"))
        added.append(numpy_helper.from_array(step.astype(np.float32).reshape(1, -1, 1, 1), f"{tensor.name}.step"))
        dropped.add(tensor.name)
        if source not in known:
            parts = [f"{source}.whole", f"{source}.step", f"{source}.zero"]
            made.append(helper.make_node("DynamicQuantizeLinear", [source], parts))
            known.add(source)
        inputs = [f"{source}.whole", f"{tensor.name}.whole", f"{source}.zero", "zero"]
        convolution = helper.make_node("ConvInteger", inputs, [f"{target}.whole"])
        convolution.attribute.extend(node.attribute)
        made += [
            convolution,
            helper.make_node("Cast", [f"{target}.whole"], [f"{target}.sum"], to=TensorProto.FLOAT),
            helper.make_node("Mul", [f"{target}.sum", f"{source}.step"], [f"{target}.scaled"]),
            helper.make_node("Mul", [f"{target}.scaled", f"{tensor.name}.step"], [target]),
        ]
    kept = [tensor for tensor in graph.initializer if tensor.name not in dropped]
    del graph.node[:], graph.initializer[:], graph.value_info[:]
    graph.node.extend(made)
    graph.initializer.extend(kept + added)
    return model


def main():
    package, folder, out = map(pathlib.Path, sys.argv[1:])
    finds, reads = (without_dust(onnx.load(package / f"{name}.onnx")) for name in (FINDS, READS))
    onnx.save(finds, out / f"{FINDS}_clean.onnx")
    onnx.save(quantised(reads, sorted(folder.glob("line-*.png"))), out / f"{READS}_int7.onnx")


if __name__ == "__main__":
    main()
