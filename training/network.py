"""The token encoder, the alignment on top of it and the measurements of general meaning, in PyTorch; and the tokenizer
that the marker also has."""

import re
import unicodedata

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

WIDTH, HEADS, PLACES = 384, 12, 192
# What a masked piece's likeness is lowered by, so that it is never the best.
MASKED = -2.0
# The measurements of general meaning are those of `sense.rs`; so are these constants.
ASKED_LOSS, MISSING, MET, PIECE_EDGE, SENTENCE_EDGE, TELLING, SENTENCES = 0.65, 0.7, 0.6, 0.07, 0.06, 0.25, 16


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.n1, self.n2 = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)
        self.f1, self.f2, self.drop = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH), nn.Dropout(0.1)

    def forward(self, x, mask):
        batch, length, _ = x.shape
        heads = lambda t: t.view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)
        mixed = F.scaled_dot_product_attention(heads(self.q(x)), heads(self.k(x)), heads(self.v(x)), attn_mask=mask,
                                               dropout_p=0.1 if self.training else 0.0)
        x = self.n1(x + self.drop(self.o(mixed.transpose(1, 2).reshape(batch, length, WIDTH))))
        return self.n2(x + self.drop(self.f2(F.gelu(self.f1(x)))))


class Encoder(nn.Module):
    """Some layers of all-MiniLM-L6-v2. The words' table is as it is and stays as it is."""

    def __init__(self, layers, weights):
        super().__init__()
        self.word, self.places = nn.Embedding(30522, WIDTH), nn.Embedding(PLACES, WIDTH)
        self.kind, self.norm = nn.Parameter(torch.zeros(WIDTH)), nn.LayerNorm(WIDTH, eps=1e-12)
        self.drop, self.layers = nn.Dropout(0.1), nn.ModuleList([Layer() for _ in layers])
        names = dict(q="attention.self.query", k="attention.self.key", v="attention.self.value",
                     o="attention.output.dense", n1="attention.output.LayerNorm", f1="intermediate.dense",
                     f2="output.dense", n2="output.LayerNorm")
        known = {"word.weight": rounded(weights["embeddings.word_embeddings.weight"]),
                 "places.weight": weights["embeddings.position_embeddings.weight"][:PLACES],
                 "kind": weights["embeddings.token_type_embeddings.weight"][0],
                 "norm.weight": weights["embeddings.LayerNorm.weight"],
                 "norm.bias": weights["embeddings.LayerNorm.bias"]}
        for place, layer in enumerate(layers):
            for ours, theirs in names.items():
                for part in ("weight", "bias"):
                    known[f"layers.{place}.{ours}.{part}"] = weights[f"encoder.layer.{layer}.{theirs}.{part}"]
        self.load_state_dict({name: torch.tensor(np.asarray(value, np.float32)) for name, value in known.items()})
        for name, parameter in self.named_parameters():
            parameter.requires_grad_(name.startswith("layers."))

    def forward(self, text):
        ids, mask = text
        x = self.drop(self.norm(self.word(ids) + self.places.weight[: ids.shape[1]] + self.kind))
        for layer in self.layers:
            x = layer(x, (mask > 0)[:, None, None, :])
        return x


def rounded(table):
    """A table as it ships: 8-bit integers with one scale a row."""
    scale = np.abs(table).max(1, keepdims=True) / 127 + 1e-12
    return np.round(table / scale) * scale


class Network(nn.Module):
    """Aligns the pieces of an answer with those of a model answer, each weighed by what it was learned to be worth;
    `sense` turns its states back into those of the untouched six-layer model (less their mean)."""

    def __init__(self, layers, weights, datasets):
        super().__init__()
        self.encoder = Encoder(layers, weights)
        self.proj = nn.Linear(WIDTH, 128, bias=False)
        self.imp, self.impa = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 1)
        self.qw, self.qa = nn.Parameter(torch.tensor(-2.0)), nn.Parameter(torch.tensor(-2.0))
        self.head = nn.Sequential(nn.Linear(8, 24), nn.GELU(), nn.Linear(24, 1))
        # Contradicts, may be, follows: learned from pairs of sentences, not shipped.
        self.entails = nn.Sequential(nn.Linear(8, 24), nn.GELU(), nn.Linear(24, 3))
        self.scale, self.bias = nn.Parameter(torch.zeros(datasets)), nn.Parameter(torch.zeros(datasets))
        self.sense = nn.Linear(WIDTH, WIDTH)
        nn.init.orthogonal_(self.proj.weight)
        nn.init.eye_(self.sense.weight)
        nn.init.zeros_(self.sense.bias)

    def forward(self, reference, answer, question):
        return self.join([self.encoder(text) for text in (reference, answer, question)], reference, answer, question)

    def join(self, states, reference, answer, question):
        """The score, and the eight measurements that it is made of."""
        (xr, xa, xq), rm, am, qm = states, reference[1], answer[1], question[1]
        hr, ha, hq = (F.normalize(self.proj(x).float(), dim=-1) for x in states)
        met, meets = nearest(hr, ha, am), nearest(ha, hr, rm)
        w = torch.exp((self.imp(xr).squeeze(-1).float() + self.qw * nearest(hr, hq, qm)).clamp(-6, 6)) * rm
        u = torch.exp((self.impa(xa).squeeze(-1).float() + self.qa * nearest(ha, hq, qm)).clamp(-6, 6)) * am
        mr, ma, mq = whole(xr, rm), whole(xa, am), whole(xq, qm)
        measured = torch.stack([weighted(met, w), weighted(meets, u), weighted(F.relu(0.7 - met), w), (mr * ma).sum(-1),
                                (mr * mq).sum(-1), (ma * mq).sum(-1), (am.sum(1) / rm.sum(1)).log(),
                                torch.log(u.sum(1) / w.sum(1)) * 0.3], -1)
        return self.head(measured).squeeze(-1), measured


def nearest(ones, others, mask):
    return (ones @ others.transpose(1, 2) + (1 - mask)[:, None, :] * MASKED).amax(2).clamp(min=-1)


def weighted(values, weights):
    return (values * weights).sum(1) / weights.sum(1).clamp(min=1e-6)


def whole(x, mask):
    return F.normalize((x.float() * mask[..., None]).sum(1), dim=-1)


def rarities(device):
    """What each piece says by itself, as `wordpiece.rs` has it."""
    ids = np.arange(30522)
    weight = 0.05 + 0.95 * (np.log(np.maximum(ids - 1996, 0) + 1) / np.log(30522)) ** 2
    weight[1014:1024], weight[100:104] = 0.5, 0.0
    return torch.tensor(weight, dtype=torch.float32, device=device)


def senses(states, texts, sentences, rarity):
    """The measurements of general meaning, in the order of `sense.rs`. `sentences` says for each piece of the model
    answers and of the answers which sentence it belongs to."""
    (er, ea, eq), (r, a, q) = states, texts
    rw, aw = rarity[r[0]] * r[1], rarity[a[0]] * a[1]
    rm, am = (rw > 0).float(), (aw > 0).float()
    asked = lambda t: ((t[0][:, :, None] == q[0][:, None, :]) & (q[1][:, None, :] > 0)).any(2).float()
    rwq, awq = rw * (1 - ASKED_LOSS * asked(r)), aw * (1 - ASKED_LOSS * asked(a))
    hr, ha = F.normalize(er.float(), dim=-1), F.normalize(ea.float(), dim=-1)
    met, meets = nearest(hr, ha, am), nearest(ha, hr, rm)
    step = lambda value, edge: torch.sigmoid((value - MET) / edge)
    found = [weighted(met, rwq), weighted(meets, awq), weighted(met, rw), weighted(F.relu(MISSING - met), rwq),
             torch.where(rwq > TELLING, met, torch.ones_like(met)).amin(1), weighted(step(met, PIECE_EDGE), rwq),
             weighted(met**2, rwq)]
    sr, sa = (F.one_hot(s, SENTENCES).float() * m[..., None] for s, m in zip(sentences, (rm, am)))
    total = (sr * rwq[..., None]).sum(1)
    each, has = (sr * (rwq * met)[..., None]).sum(1) / total.clamp(min=1e-6), (total > 1e-3).float()
    count = has.sum(1).clamp(min=1)
    found += [(each * has).sum(1) / count, (each + (1 - has) * 9).amin(1).clamp(max=1), (each * has).amax(1),
              (step(each, SENTENCE_EDGE) * has).sum(1) / count, count.log()]
    mr, ma, mq = whole(er, r[1]), whole(ea, a[1]), whole(eq, q[1])
    found += [(mr * ma).sum(1), (ma * mq).sum(1), (mr * mq).sum(1)]
    vr, va = (F.normalize(torch.einsum("bts,bth->bsh", s, e.float()), dim=-1) for s, e in ((sr, er), (sa, ea)))
    near, has = nearest(vr, va, (sa.sum(1) > 0).float()), (sr.sum(1) > 0).float()
    found += [(near * has).sum(1) / has.sum(1).clamp(min=1), (near + (1 - has) * 9).amin(1).clamp(max=1)]
    return torch.stack(found, 1)


SENTENCE_END = re.compile(r"(?<=[.;!?])\s+|\n+|•|(?:^|\s)[-*]\s")
SENTENCE_PIECES_MIN = 3


def pieces_and_sentences(tokenizer, text, limit):
    """The first pieces of a text, and for each the number of its sentence."""
    pieces, sentences = [], []
    for part in SENTENCE_END.split(text):
        found = tokenizer(part, limit)
        begins = bool(found) and (not pieces or len(found) >= SENTENCE_PIECES_MIN)
        number = sentences[-1] + begins if sentences else 0
        pieces += found
        sentences += [min(number, SENTENCES - 1)] * len(found)
    return pieces[:limit], sentences[:limit]


class Tokenizer:
    """BERT's uncased WordPiece, as `wordpiece.rs` has it."""

    def __init__(self, path):
        self.known = {line.rstrip("\n"): index for index, line in enumerate(open(path, encoding="utf8"))}
        self.cut = {}

    def word(self, word):
        if word not in self.cut:
            pieces, start = [], 0
            while start < len(word) and len(word) <= 100:
                ends = range(len(word), start, -1)
                named = lambda end: word[start:end] if start == 0 else "##" + word[start:end]
                end = next((end for end in ends if named(end) in self.known), None)
                if end is None:
                    break
                pieces.append(self.known[named(end)])
                start = end
            self.cut[word] = pieces if start == len(word) else [100]
        return self.cut[word]

    def __call__(self, text, limit):
        pieces = []
        for word in words(text):
            pieces += self.word(word)
            if len(pieces) >= limit:
                break
        return pieces[:limit]


def words(text):
    """The words and marks of a text, without case and accents."""
    plain = (c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn")
    word = ""
    for c in plain:
        category, code = unicodedata.category(c), ord(c)
        alone = (category.startswith("P") or 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96
                 or 123 <= code <= 126 or 0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF)
        if alone or c.isspace() or category in ("Cc", "Cf"):
            if word:
                yield word
            word = ""
            if alone:
                yield c
        else:
            word += c
    if word:
        yield word
