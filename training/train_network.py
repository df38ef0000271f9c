"""Fine-tunes the sentence model to align answers with model answers (one H100-class GPU, two minutes a network).

    python train_network.py DATA_DIR MINILM_DIR FOLD OUT_DIR

DATA_DIR holds the datasets as JSON lines; MINILM_DIR the weights and vocabulary of all-MiniLM-L6-v2. FOLD 0 to 4
trains without that fifth of the questions and writes the measurements of it (`scores.FOLD.json`); FOLD -1 trains on
every question and writes `embeddings.npz` and `network.npz` for export_network.py. Join the five score files into
one list for train_marker.py.
"""

import json
import random
import re
import sys
import zlib
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import load_file

from network import Late, Tok

TRAINED = ["semeval2013_scientsbank", "semeval2013_beetle", "saf_english", "saf_german", "digiklausur_nn"]
FOLDS, LAYERS, EPOCHS, BATCH, RATE, HEAD_RATE = 5, [0, 1, 2, 3], 4, 64, 3e-5, 3e-3
REFERENCE, ANSWER, QUESTION = 128, 128, 40
# Of a hundred examples: a classmate's right answer as the reference, another question's answer, the reference itself,
# the question itself.
PEER, FOREIGN, COPY, PARROT = 0.25, 0.06, 0.02, 0.01
DEVICE = "cuda"


def rows(folder):
    for name in TRAINED:
        for index, line in enumerate(open(Path(folder) / f"{name}.jsonl")):
            row = json.loads(line)
            if row.get("is_blank") or not row["student_answer"].strip():
                continue
            mark = row["gold"] if row.get("gold") is not None else np.mean(row["human_marks"])
            fold = zlib.crc32(f"{name}|{row['question_id']}".encode()) % FOLDS
            yield dict(dataset=name, index=index, question_id=row["question_id"], question=row["question"], fold=fold,
                       references=row["reference_answers"], answer=row["student_answer"], y=mark / row["max_marks"])


def closest(row):
    stems = lambda text: {word[:5] for word in re.findall(r"[a-z0-9]+", text.lower()) if len(word) > 2}
    answer = stems(row["answer"])
    return max(row["references"], key=lambda text: 2 * len(stems(text) & answer) / max(1, len(stems(text)) + len(answer)))


class Examples:
    """Draws training examples: small datasets oftener than their size, some changed so that copying cannot win."""

    def __init__(self, train):
        self.train, self.questions = train, {}
        for row in train:
            self.questions.setdefault((row["dataset"], row["question_id"]), []).append(row)
        right = lambda answers: [row["answer"] for row in answers if row["y"] >= 0.99 and len(row["answer"]) > 8]
        self.right = {key: right(answers) for key, answers in self.questions.items()}
        sizes = {name: sum(row["dataset"] == name for row in train) for name in TRAINED}
        self.chance = np.array([sizes[row["dataset"]] ** -0.4 for row in train])
        self.chance /= self.chance.sum()

    def draw(self):
        return [self.changed(self.train[i]) for i in np.random.choice(len(self.train), BATCH, p=self.chance)]

    def changed(self, row):
        key, dice = (row["dataset"], row["question_id"]), random.random()
        reference, answer, y = closest(row), row["answer"], row["y"]
        if dice < PEER and self.right[key]:
            reference = random.choice(self.right[key])
            y = 1.0 if reference == answer else y
        elif PEER <= dice < PEER + FOREIGN:
            same = [other for other in self.questions if other[0] == row["dataset"]]
            other = random.choice(self.questions[random.choice(same)])
            if other["question"] != row["question"]:
                answer, y = other["answer"], 0.0
        elif PEER + FOREIGN <= dice < PEER + FOREIGN + COPY:
            answer, y = reference, 1.0
        elif PEER + FOREIGN + COPY <= dice < PEER + FOREIGN + COPY + PARROT:
            answer, y = row["question"], 0.0
        elif len(row["references"]) > 1 and random.random() < 0.3:
            reference = random.choice(row["references"])
        return reference, answer, row["question"], y, TRAINED.index(row["dataset"])


def padded(sequences):
    ids = np.zeros((len(sequences), max(map(len, sequences))), np.int64)
    mask = np.zeros(ids.shape, np.float32)
    for place, sequence in enumerate(sequences):
        ids[place, : len(sequence)], mask[place, : len(sequence)] = sequence, 1
    return torch.from_numpy(ids).to(DEVICE), torch.from_numpy(mask).to(DEVICE)


def score(model, tokenizer, texts):
    framed = lambda at, limit: padded([[101, *tokenizer(text[at], limit), 102] for text in texts])
    return model.z(*framed(0, REFERENCE), *framed(1, ANSWER), *framed(2, QUESTION))


def fit(model, tokenizer, train):
    """Trains and leaves the mean of the weights over the last two fifths of the steps."""
    examples, steps = Examples(train), int(EPOCHS * len(train) / BATCH)
    encoder = [p for n, p in model.named_parameters() if n.startswith("enc")]
    head = [p for n, p in model.named_parameters() if not n.startswith("enc")]
    groups = [dict(params=encoder, lr=RATE), dict(params=head, lr=HEAD_RATE)]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1, (s + 1) / (0.1 * steps)) * max(0, 1 - s / steps))
    mean, count = None, 0
    model.train()
    for step in range(steps):
        batch = examples.draw()
        y = torch.tensor([e[3] for e in batch], device=DEVICE, dtype=torch.float32)
        dataset = torch.tensor([e[4] for e in batch], device=DEVICE)
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            z = score(model, tokenizer, batch)
        # Each dataset has its own severity; the score itself must not learn it.
        logit = z.float() * torch.exp(model.scale[dataset]) + model.bias[dataset]
        loss = F.binary_cross_entropy_with_logits(logit, y) + 1e-2 * (model.scale**2).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step >= steps * 0.6 and (step % 10 == 0 or step == steps - 1):
            with torch.no_grad():
                count += 1
                mean = mean or {n: p.clone() for n, p in model.named_parameters()}
                for n, p in model.named_parameters():
                    mean[n].lerp_(p, 1.0 / count)
    with torch.no_grad():
        for n, p in model.named_parameters():
            p.copy_(mean[n])
    model.eval()


def main(data, minilm, fold, out):
    fold = int(fold)
    random.seed(fold), np.random.seed(fold + 1), torch.manual_seed(1234)
    everything = list(rows(data))
    tokenizer = Tok(Path(minilm) / "vocab.txt")
    model = Late(LAYERS, load_file(Path(minilm) / "model.safetensors"), len(TRAINED)).to(DEVICE)
    fit(model, tokenizer, [row for row in everything if row["fold"] != fold])
    if fold >= 0:
        held = [(row, k, text) for row in everything if row["fold"] == fold for k, text in enumerate(row["references"])]
        written = []
        with torch.no_grad():
            for start in range(0, len(held), 256):
                part = held[start : start + 256]
                z = score(model, tokenizer, [(text, row["answer"], row["question"]) for row, _, text in part])
                written += [[row["dataset"], row["index"], k, float(value), [float(x) for x in measured]]
                            for (row, k, _), value, measured in zip(part, z.cpu(), model.last.cpu())]
        (Path(out) / f"scores.{fold}.json").write_text(json.dumps(written))
        return
    state = {name: value.float().cpu().numpy() for name, value in model.state_dict().items()}
    words = state.pop("enc.word.weight")
    scale = np.abs(words).max(1, keepdims=True) / 127 + 1e-12
    np.savez(Path(out) / "embeddings.npz", q=np.round(words / scale).astype(np.int8), s=scale.astype(np.float32))
    np.savez(Path(out) / "network.npz", **{n: v.astype(np.float16) if v.ndim == 2 else v for n, v in state.items()})


if __name__ == "__main__":
    main(*sys.argv[1:5])
