"""What the steps of training share: texts as padded pieces, the loss that keeps what the untouched model says, the loss
that tells what follows from what, and the measurements that train_marker.py reads."""

import random
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import load_file

from answers import TRAINED
from network import Encoder, Network, Tokenizer, pieces_and_sentences, rarities, senses

LAYERS, ALL_LAYERS = [0, 1, 3, 5], range(6)
REFERENCE, ANSWER, QUESTION, GLOSS = 128, 128, 48, 60
RATE, HEAD_RATE = 1e-4, 3e-3
# Texts a step that are compared with what the untouched model says, while something else is learned.
KEPT = 96
DEVICE = "cuda"


def begin(minilm, seed, state=None):
    """The untouched weights, the tokenizer's texts, and a network in the given state."""
    random.seed(seed), np.random.seed(seed + 1), torch.manual_seed(1234 + seed)
    weights, texts = load_file(Path(minilm) / "model.safetensors"), Texts(Tokenizer(Path(minilm) / "vocab.txt"))
    return weights, texts, in_state(weights, state)


def in_state(weights, state):
    network = Network(LAYERS, weights, len(TRAINED)).to(DEVICE)
    if state:
        network.load_state_dict(torch.load(state, map_location=DEVICE))
    return network


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
        return self.padded([self.cut(text, limit) for text in texts])

    def padded(self, cut):
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
    """How far the network's states, turned back, are from what the untouched six layers say of `own` (texts with
    limits). `common` are texts whose mean state is taken off: what all texts share says nothing."""

    def __init__(self, weights, texts, own, common):
        self.untouched, self.texts = Encoder(ALL_LAYERS, weights).to(DEVICE).eval(), texts
        self.by_length = sorted(own, key=lambda one: len(texts.cut(*one)[0]) + random.random() * 6)
        self.mean = self.mean_of(common)

    @staticmethod
    def of_answers(weights, texts, train, glosses):
        own = {(text, REFERENCE) for row in train for text in row["references"]}
        own |= {(row["answer"], ANSWER) for row in train} | {(row["question"], QUESTION) for row in train}
        return Keeper(weights, texts, sorted(own) + [(gloss, GLOSS) for gloss in glosses[:20_000]],
                      [row["answer"] for row in train])

    def mean_of(self, texts):
        """Rare pieces count more."""
        rarity, chosen = rarities(DEVICE), sorted(random.sample(texts, min(4000, len(texts))), key=len)
        total, count = 0, 0
        with torch.no_grad():
            for start in range(0, len(chosen), 200):
                text, _ = self.texts.batch(chosen[start : start + 200], ANSWER)
                weight = (rarity[text[0]] * text[1])[..., None]
                total, count = total + (self.untouched(text).float() * weight).sum((0, 1)), count + weight.sum()
        return total / count

    def loss(self, network, size=KEPT):
        start = random.randrange(len(self.by_length) - size)
        text, _ = self.texts.padded([self.texts.cut(*one) for one in self.by_length[start : start + size]])
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            with torch.no_grad():
                wanted = self.untouched(text).float() - self.mean
            far = 1 - F.cosine_similarity(network.sense(network.encoder(text)).float(), wanted, dim=-1)
        return (far * text[1]).sum() / text[1].sum()


def entailment_loss(network, texts, pairs):
    """What follows is the reference, what is given the answer; nothing was asked."""
    triple, _ = texts.triples([(follows, given, "") for _, given, follows in pairs])
    with torch.autocast(DEVICE, dtype=torch.bfloat16):
        _, parts = network(*triple)
    wanted = torch.tensor([label for label, _, _ in pairs], device=DEVICE)
    return F.cross_entropy(network.entails(parts.float()), wanted)


def learn(network, steps, loss_of_step, rate=RATE, averaged=None, lowest=0.0):
    """Takes `steps` steps down. With `averaged` it leaves the mean of the weights over the last steps, from that share on."""
    body = [*network.encoder.layers.parameters(), *network.sense.parameters()]
    head = [p for n, p in network.named_parameters() if not n.startswith(("encoder.", "sense."))]
    optimizer = torch.optim.AdamW([dict(params=body, lr=rate, weight_decay=0.0), dict(params=head, lr=HEAD_RATE)],
                                  weight_decay=0.01, fused=True)
    speed = lambda s: min(1, (s + 1) / (0.1 * steps)) * max(lowest, 1 - s / steps)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, speed)
    mean, count = None, 0
    network.train()
    for step in range(steps):
        optimizer.zero_grad()
        loss_of_step().backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if averaged is not None and step >= steps * averaged and (step % 10 == 0 or step == steps - 1):
            with torch.no_grad():
                count += 1
                mean = mean or {n: p.clone() for n, p in network.named_parameters()}
                for n, p in network.named_parameters():
                    mean[n].lerp_(p, 1.0 / count)
    if mean:
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
