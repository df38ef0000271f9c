"""Fine-tunes the sentence model to align answers with model answers without forgetting what it knew (one H100-class GPU,
three minutes a network).

    python train_network.py DATA_DIR MINILM_DIR GLOSSES.txt FOLD OUT_DIR

DATA_DIR holds the datasets as JSON lines; MINILM_DIR the weights and vocabulary of all-MiniLM-L6-v2; GLOSSES.txt the
definitions of WordNet, one a line. First four of the six layers learn to say what all six say, on the definitions and on
the texts of the training questions; then they learn to mark, and go on saying it. FOLD 0 to 4 trains without that fifth
of the questions and writes the measurements of it (`scores.FOLD.json`); FOLD -1 trains on every question and writes
`network.npz` for export_network.py, and the measurements of the datasets that are only measured. Join the six score
files into one list for train_marker.py.
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

from network import Encoder, Network, Tokenizer, pieces_and_sentences, rarities, senses

TRAINED = ["semeval2013_scientsbank", "semeval2013_beetle", "saf_english", "saf_german", "digiklausur_nn"]
MEASURED = ["mohler2011", "asap_sas", "os_xie2024"]
FOLDS, LAYERS, ALL_LAYERS, EPOCHS, BATCH, RATE, HEAD_RATE = 5, [0, 1, 3, 5], range(6), 4, 64, 3e-5, 3e-3
REFERENCE, ANSWER, QUESTION, GLOSS = 128, 128, 48, 60
# Steps and texts a step in which the layers only learn to say what all six say; texts a step while they learn to mark.
KEEP_STEPS, KEEP_RATE, KEEP_BATCH, KEEP_BATCH_LATER = 4500, 3e-4, 160, 96
# Of a hundred examples: a classmate's right answer as the reference, another question's answer, the reference itself,
# the question itself.
PEER, FOREIGN, COPY, PARROT = 0.25, 0.06, 0.02, 0.01
DEVICE = "cuda"


def rows(folder, datasets):
    for name in datasets:
        for index, line in enumerate(open(Path(folder) / f"{name}.jsonl")):
            row = json.loads(line)
            if row.get("is_blank") or not row["student_answer"].strip():
                continue
            mark = row["gold"] if row.get("gold") is not None else np.mean(row["human_marks"])
            fold = zlib.crc32(f"{name}|{row['question_id']}".encode()) % FOLDS
            references = [text for text in row["reference_answers"] if text.strip()] or [elements(row["rubric"])]
            yield dict(dataset=name, index=index, question_id=row["question_id"], question=row["question"], fold=fold,
                       references=references, answer=row["student_answer"], y=mark / row["max_marks"])


def elements(rubric):
    """What a rubric asks for, without the lines that only say how marks are given (`points.rs`)."""
    text = rubric if isinstance(rubric, str) else "\n".join(v for v in (rubric or {}).values() if isinstance(v, str))
    kept = []
    for line in (line.strip() for line in re.split(r"[\n•]", text)):
        found = re.findall(r"\w+", line.lower())
        heading = line.lower().startswith(("rubric", "score", "scoring", "key element", "other", "--"))
        amount = len(found) <= 3 and found and found[0].isdigit() and found[-1].startswith(("point", "mark"))
        if len(found) >= 2 and not heading and not amount and not (len(found) <= 6 and found[-1].startswith("element")):
            kept.append(line)
    return "\n".join(kept)


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


class Texts:
    """Texts as padded pieces with their masks and sentences, each cut once."""

    def __init__(self, tokenizer):
        self.tokenizer, self.known = tokenizer, {}

    def cut(self, text, limit):
        if (text, limit) not in self.known:
            if limit == QUESTION:
                pieces = self.tokenizer(text, 4000)[-limit:]
                found = pieces, [0] * len(pieces)
            else:
                found = pieces_and_sentences(self.tokenizer, text, limit)
            self.known[text, limit] = [101, *found[0], 102], [0, *found[1], 0]
        return self.known[text, limit]

    def batch(self, texts, limit):
        cut = [self.cut(text, limit) for text in texts]
        table = np.zeros((3, len(cut), max(len(pieces) for pieces, _ in cut)), np.int64)
        for place, (pieces, sentences) in enumerate(cut):
            length = len(pieces)
            table[0, place, :length], table[1, place, :length], table[2, place, :length] = pieces, 1, sentences
        ids, mask, sentences = torch.from_numpy(table).to(DEVICE)
        return (ids, mask.float()), sentences

    def triples(self, examples):
        reference, answer, question = ([example[place] for example in examples] for place in range(3))
        (r, sr), (a, sa), (q, _) = (self.batch(reference, REFERENCE), self.batch(answer, ANSWER),
                                    self.batch(question, QUESTION))
        return (r, a, q), (sr, sa)


class Keeper:
    """How far the network's states, turned back, are from what the untouched six layers say."""

    def __init__(self, weights, texts, train, glosses):
        self.untouched, self.texts = Encoder(ALL_LAYERS, weights).to(DEVICE).eval(), texts
        own = {(text, REFERENCE) for row in train for text in row["references"]}
        own |= {(row["answer"], ANSWER) for row in train} | {(row["question"], QUESTION) for row in train}
        own = sorted(own) + [(gloss, GLOSS) for gloss in glosses]
        length = lambda one: len(texts.cut(*one)[0]) + random.random() * 6
        self.by_length = sorted(own, key=length)
        self.mean = self.common([row["answer"] for row in train])

    def common(self, answers):
        """The mean of the untouched states, rare pieces counting more: what all texts share says nothing."""
        rarity, chosen = rarities(DEVICE), sorted(random.sample(answers, min(4000, len(answers))), key=len)
        total, count = 0, 0
        with torch.no_grad():
            for start in range(0, len(chosen), 200):
                text, _ = self.texts.batch(chosen[start : start + 200], ANSWER)
                weight = (rarity[text[0]] * text[1])[..., None]
                total, count = total + (self.untouched(text).float() * weight).sum((0, 1)), count + weight.sum()
        return total / count

    def loss(self, network, size):
        start = random.randrange(len(self.by_length) - size)
        some = self.by_length[start : start + size]
        limit = max(limit for _, limit in some)
        cut = Texts(self.texts.tokenizer)
        cut.known = {(text, limit): self.texts.cut(text, own) for text, own in some}
        text, _ = cut.batch([text for text, _ in some], limit)
        with torch.no_grad():
            wanted = self.untouched(text).float() - self.mean
        far = 1 - F.cosine_similarity(network.sense(network.encoder(text)).float(), wanted, dim=-1)
        return (far * text[1]).sum() / text[1].sum()


def step_down(optimizer, loss, network):
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()


def learn_to_keep(network, keeper):
    learned = [*network.encoder.layers.parameters(), *network.sense.parameters()]
    optimizer = torch.optim.AdamW(learned, lr=KEEP_RATE, weight_decay=0.0, fused=True)
    rate = lambda s: min(1, (s + 1) / (0.05 * KEEP_STEPS)) * max(0.02, 1 - s / KEEP_STEPS)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    network.train()
    for _ in range(KEEP_STEPS):
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            loss = keeper.loss(network, KEEP_BATCH)
        step_down(optimizer, loss, network)
        schedule.step()


def learn_to_mark(network, keeper, texts, train):
    """Trains and leaves the mean of the weights over the last two fifths of the steps."""
    examples, steps = Examples(train), int(EPOCHS * len(train) / BATCH)
    body = [*network.encoder.layers.parameters(), *network.sense.parameters()]
    head = [p for n, p in network.named_parameters() if not n.startswith(("encoder.", "sense."))]
    optimizer = torch.optim.AdamW([dict(params=body, lr=RATE, weight_decay=0.0), dict(params=head, lr=HEAD_RATE)],
                                  weight_decay=0.01, fused=True)
    rate = lambda s: min(1, (s + 1) / (0.1 * steps)) * max(0, 1 - s / steps)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    mean, count = None, 0
    network.train()
    for step in range(steps):
        batch = examples.draw()
        y = torch.tensor([e[3] for e in batch], device=DEVICE, dtype=torch.float32)
        dataset = torch.tensor([e[4] for e in batch], device=DEVICE)
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            z, _ = network(*texts.triples(batch)[0])
            kept = keeper.loss(network, KEEP_BATCH_LATER)
        # Each dataset has its own severity; the score itself must not learn it.
        logit = z.float() * torch.exp(network.scale[dataset]) + network.bias[dataset]
        loss = F.binary_cross_entropy_with_logits(logit, y) + 1e-2 * (network.scale**2).mean() + kept
        step_down(optimizer, loss, network)
        schedule.step()
        if step >= steps * 0.6 and (step % 10 == 0 or step == steps - 1):
            with torch.no_grad():
                count += 1
                mean = mean or {n: p.clone() for n, p in network.named_parameters()}
                for n, p in network.named_parameters():
                    mean[n].lerp_(p, 1.0 / count)
    network.load_state_dict(mean)
    network.eval()


def measurements(network, texts, held):
    """For every answer and each of its model answers: the score, its parts and the measurements of general meaning."""
    pairs = [(row, k, text) for row in held for k, text in enumerate(row["references"])]
    rarity, written = rarities(DEVICE), []
    with torch.no_grad():
        for start in range(0, len(pairs), 200):
            part = pairs[start : start + 200]
            triple, sentences = texts.triples([(text, row["answer"], row["question"]) for row, _, text in part])
            states = [network.encoder(text) for text in triple]
            z, parts = network.join(states, *triple)
            general = senses([network.sense(state) for state in states], triple, sentences, rarity)
            found = torch.cat([parts, general], 1).cpu().tolist()
            written += [[row["dataset"], row["index"], k, float(value), measured]
                        for (row, k, _), value, measured in zip(part, z.cpu(), found)]
    return written


def main(data, minilm, glosses, fold, out):
    fold = int(fold)
    random.seed(fold), np.random.seed(fold + 1), torch.manual_seed(1234)
    everything = list(rows(data, TRAINED))
    train = [row for row in everything if row["fold"] != fold]
    weights = load_file(Path(minilm) / "model.safetensors")
    texts = Texts(Tokenizer(Path(minilm) / "vocab.txt"))
    network = Network(LAYERS, weights, len(TRAINED)).to(DEVICE)
    keeper = Keeper(weights, texts, train, open(glosses, encoding="utf8").read().splitlines())
    learn_to_keep(network, keeper)
    learn_to_mark(network, keeper, texts, train)
    held = [row for row in everything if row["fold"] == fold] if fold >= 0 else list(rows(data, MEASURED))
    (Path(out) / f"scores.{fold}.json").write_text(json.dumps(measurements(network, texts, held)))
    if fold < 0:
        left_out = ("encoder.word", "scale", "bias")
        state = {n: v.float().cpu().numpy() for n, v in network.state_dict().items() if not n.startswith(left_out)}
        np.savez(Path(out) / "network.npz", **{n: v.astype(np.float16) if v.ndim == 2 else v for n, v in state.items()})


if __name__ == "__main__":
    main(*sys.argv[1:6])
