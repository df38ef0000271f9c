"""Writes the larger judge's adapters as the program reads them.

    python export_large_judge.py ADAPTERS_PT OUT_DIR

`adapters.bin`: for each layer and each of its seven matrices the detour's way in (16 rows of 8-bit numbers, then one
32-bit scale a row), then its way out (likewise, 16 rows as long as what goes out); at the end the head's four rows and
its four constants as 32-bit numbers. Little endian.
"""

import sys
from pathlib import Path

import numpy as np

LAYERS = 28
MATRICES = [
    "self_attn.q_proj",
    "self_attn.k_proj",
    "self_attn.v_proj",
    "self_attn.o_proj",
    "mlp.gate_proj",
    "mlp.up_proj",
    "mlp.down_proj",
]


def rounded(rows):
    scales = np.abs(rows).max(axis=1, keepdims=True) / 127
    scales[scales == 0] = 1
    return np.rint(rows / scales).astype(np.int8).tobytes() + scales.astype("<f4").tobytes()


def main():
    import torch

    state = {name: one.float().numpy() for name, one in torch.load(sys.argv[1], map_location="cpu").items()}
    out = Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "adapters.bin", "wb") as file:
        for layer in range(LAYERS):
            for matrix in MATRICES:
                name = f"net.layers.{layer}.{matrix}."
                file.write(rounded(state[name + "a"]))
                file.write(rounded(np.ascontiguousarray(state[name + "b"].T)))
        file.write(state["out.weight"].astype("<f4").tobytes())
        file.write(state["out.bias"].astype("<f4").tobytes())


if __name__ == "__main__":
    main()
