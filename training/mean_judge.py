"""The mean of one or several judges, rounded to 8 bits as shipped_judge.py writes them, and measured so.

    python mean_judge.py PAIRS_PICKLE OUT.npz STATE[=SHARE]…      waits for the states; all count alike, or by their shares
"""

import os, sys, time
import numpy as np

from distil_judge import device, measure
from judge_network import opened
from judge_rows import Pairs
from shipped_judge import FIRST_PLACE, PIECES


def rounded(table):
    """As export_judge.py rounds."""
    scale = np.abs(table).max(1, keepdims=True) / 127 + 1e-12
    return np.round(table / scale).astype(np.int8), scale.astype(np.float32)


def archive(state):
    out = {}
    for name, one in state.items():
        if name == "net.embeddings.position_embeddings.weight":
            out["net.places"] = one[FIRST_PLACE : FIRST_PLACE + PIECES]
        elif one.ndim == 2 and name not in ("net.encoder.relative_attention_bias.weight", "out.weight", "ev.weight"):
            out[name], out[name + ".scale"] = rounded(one)
        else:
            out[name] = one
    return out


def main(path, out, *states):
    states, shares = zip(*((one.partition("=")[0], float(one.partition("=")[2] or 1)) for one in states))
    while not all(os.path.exists(one) for one in states):
        time.sleep(0.2)
    all_states = [opened(one).state_dict() for one in states]
    mean = {
        name: sum(share * one[name].float() for one, share in zip(all_states, shares)) / sum(shares)
        for name in all_states[0]
    }
    np.savez(out + ".new.npz", **archive({name: one.numpy() for name, one in mean.items()}))
    os.rename(out + ".new.npz", out)
    print("written", flush=True)
    measure(opened(out).to(device), Pairs(path), out)


if __name__ == "__main__":
    main(*sys.argv[1:])
