"""The built-in judge of points: mpnet's encoder with a head of four verdicts and one of evidence, by plain operations.

Its weights have the names that transformers gives them.
"""

import numpy as np, torch, torch.nn as nn, torch.nn.functional as F

from shipped_judge import bucket, restored

WIDTH, HEADS, LAYERS, ROWS, PLACES, PAD = 768, 12, 12, 30527, 514, 1
DROPPED = 0.1
LONGEST = 256


def part(**named):
    made = nn.Module()
    for name, one in named.items():
        setattr(made, name, one)
    return made


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        norm = lambda: nn.LayerNorm(WIDTH, eps=1e-5)
        attn = part(**{name: nn.Linear(WIDTH, WIDTH) for name in "qkvo"})
        self.attention = part(attn=attn, LayerNorm=norm())
        self.intermediate = part(dense=nn.Linear(WIDTH, 4 * WIDTH))
        self.output = part(dense=nn.Linear(4 * WIDTH, WIDTH), LayerNorm=norm())

    def forward(self, x, near):
        count, length, _ = x.shape
        attn = self.attention.attn
        drop = lambda y: F.dropout(y, DROPPED, self.training)
        weight = torch.cat([attn.q.weight, attn.k.weight, attn.v.weight])
        bias = torch.cat([attn.q.bias, attn.k.bias, attn.v.bias])
        q, k, v = F.linear(x, weight, bias).view(count, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(
            q, k, v, attn_mask=near.to(q.dtype), dropout_p=DROPPED if self.training else 0.0
        )
        mixed = attn.o(mixed.transpose(1, 2).reshape(count, length, WIDTH))
        x = self.attention.LayerNorm(x + drop(mixed))
        inner = self.output.dense(F.gelu(self.intermediate.dense(x)))
        return self.output.LayerNorm(x + drop(inner))


def buckets():
    return torch.tensor([[bucket(other - one) for other in range(LONGEST)] for one in range(LONGEST)])


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        embeddings = part(
            word_embeddings=nn.Embedding(ROWS, WIDTH, padding_idx=PAD),
            position_embeddings=nn.Embedding(PLACES, WIDTH, padding_idx=PAD),
            LayerNorm=nn.LayerNorm(WIDTH, eps=1e-5),
        )
        encoder = part(
            layer=nn.ModuleList(Layer() for _ in range(LAYERS)), relative_attention_bias=nn.Embedding(32, HEADS)
        )
        self.net = part(embeddings=embeddings, encoder=encoder)
        self.hid = nn.Linear(2 * WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, 4)
        self.ev = nn.Linear(WIDTH, 1)
        self.register_buffer("buckets", buckets(), persistent=False)

    def forward(self, ids):
        length = ids.shape[1]
        e, read = self.net.embeddings, ids != PAD
        x = e.word_embeddings(ids) + e.position_embeddings.weight[PAD + 1 : PAD + 1 + length]
        x = F.dropout(e.LayerNorm(x), DROPPED, self.training)
        # What distances add is as it was learned long ago.
        table = self.net.encoder.relative_attention_bias.weight.detach()
        near = table[self.buckets[:length, :length]].permute(2, 0, 1)[None]
        near = near + torch.where(read, 0.0, -1e4)[:, None, None, :]
        # In rows that follow each other, or no fast attention takes it.
        near = (near.to(torch.bfloat16) if x.is_cuda else near).contiguous()
        for layer in self.net.encoder.layer:
            x = layer(x, near)
        m = read.unsqueeze(-1).to(x.dtype)
        mean = (x * m).sum(1) / m.sum(1)
        told = F.gelu(self.hid(torch.cat([x[:, 0], mean], 1)))
        return self.out(F.dropout(told, DROPPED, self.training)).float(), self.ev(x).squeeze(-1).float()


def opened(path):
    """A judge with the weights that shipped_judge.py wrote, or a state of this network."""
    model = Judge()
    if str(path).endswith(".npz"):
        base = model.net.embeddings.position_embeddings.weight.detach().numpy()
        state = {name: torch.from_numpy(np.array(one)) for name, one in restored(np.load(path), base).items()}
    else:
        state = torch.load(path, map_location="cpu")
    model.load_state_dict(state)
    return model
