"""Answers what `mark_scripts --known OPEN` left open, so that a judge can be tried in the marker before it is shipped.

    python answer_asked.py cut ASKED.jsonl.gz ../models/meaning/vocab.txt asked.pickle
    python answer_asked.py say asked.pickle STATE said.npz                   where the judge learned
    python answer_asked.py told ASKED.jsonl.gz asked.pickle said.npz MEMORY  lines to add to the marker's memory

It reads and says everything as the marker does (`meaning/joint.rs`).
"""

import gzip, json, pickle, sys
import numpy as np

START, PAD, END, MAX, ASKED_MAX, QUESTION, TERSE_SCHEMES = 0, 1, 2, 256, 128, 240, 0.4


def opened_lines(path):
    with gzip.open(path, "rt") as file:
        return [line.rstrip("\n") for line in file]


def cut(asked, vocabulary, out):
    from judge_pieces import small_tokenizer

    tokenizer, rows = small_tokenizer(vocabulary), []
    for line in opened_lines(asked):
        _, question, text, others, answer = json.loads(line)
        before = tokenizer.encode(f"{' / '.join([text, *others])} [{question[-QUESTION:]}]", add_special_tokens=False)
        x = before.ids[:ASKED_MAX]
        given = tokenizer.encode(answer, add_special_tokens=False)
        y = given.ids[: MAX - 4 - len(x)]
        words = {}
        for word, (s, e) in zip(given.word_ids, given.offsets):
            first, last = words.get(word, (s, e))
            words[word] = min(first, s), max(last, e)
        at = lambda n: len(answer[:n].encode())
        spans = [tuple(map(at, words[word])) for word in given.word_ids[: len(y)]]
        rows.append(([START] + x + [END, END] + y + [END], len(x) + 3, spans))
    pickle.dump(rows, open(out, "wb"))
    print(len(rows), "asked")


def say(path, state, out):
    import torch
    from judge_network import opened

    device = "cuda" if torch.cuda.is_available() else "cpu"
    rows, model = pickle.load(open(path, "rb")), opened(state).to(device).eval()
    said, telling = np.zeros((len(rows), 4), np.float32), np.zeros((len(rows), MAX), np.float32)
    order = sorted(range(len(rows)), key=lambda n: len(rows[n][0]))
    for at in range(0, len(order), 256):
        some = order[at : at + 256]
        ids = np.full((len(some), (len(rows[some[-1]][0]) + 7) // 8 * 8), PAD, np.int64)
        for n, row in enumerate(some):
            ids[n, : len(rows[row][0])] = rows[row][0]
        with torch.no_grad(), torch.autocast(device, dtype=torch.bfloat16):
            z, e = model(torch.from_numpy(ids).to(device))
        said[some] = torch.softmax(z, -1).cpu().numpy()
        telling[some, : ids.shape[1]] = torch.sigmoid(e).cpu().numpy()
    np.savez(out, said=said, telling=telling.astype(np.float16))


def deciding(telling, spans):
    """The stretch around the most telling piece: its neighbours that tell half as much, over small gaps."""
    if not len(spans):
        return None
    best = len(telling) - 1 - int(np.argmax(telling[::-1]))
    tells = [one >= telling[best] * 0.5 for one in telling]
    first = last = best
    while (at := next((n for n in range(max(0, first - 3), first) if tells[n]), None)) is not None:
        first = at
    while (at := next((n for n in range(min(len(telling), last + 4) - 1, last, -1) if tells[n]), None)) is not None:
        last = at
    return [spans[first][0], spans[last][1]]


def told(asked, path, said, out):
    said = np.load(said)
    with open(out, "w") as file:
        for line, (_, begin, spans), verdicts, telling in zip(
            opened_lines(asked), pickle.load(open(path, "rb")), said["said"].astype(float), said["telling"]
        ):
            sure = np.clip(verdicts[0], 0.001, 0.999)
            credited = 1 / (1 + np.exp(-(np.log(sure / (1 - sure)) + TERSE_SCHEMES)))
            left = (1 - credited) / max(verdicts[1:].sum(), 1e-6)
            telling = telling[begin : begin + len(spans)].astype(float)
            row = [credited, *(verdicts[1:] * left)]
            row = [round(float(one), 6) for one in row] + [deciding(telling, spans)]
            file.write(json.dumps([line, row], ensure_ascii=False) + "\n")


if __name__ == "__main__":
    {"cut": cut, "say": say, "told": told}[sys.argv[1]](*sys.argv[2:])
