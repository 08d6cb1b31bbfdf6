"""FLOPs and compulsory bytes of the operations that a decoder-only transformer is made of.

Symbols, as in the lessons: B sequences, T new tokens per sequence, C tokens of context before them, D model width,
F feed-forward width, L layers, H query heads, K key-value heads, d head width. A multiply-add is two FLOPs. Bytes are
compulsory traffic: each operand read once, each result written once, at the level of memory that holds them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Cost:
    """What an operation must do: floating-point operations, bytes read, bytes written."""

    flops: int
    read: int
    written: int

    @property
    def bytes(self) -> int:
        return self.read + self.written

    @property
    def intensity(self) -> float:
        """FLOPs per byte moved."""
        return self.flops / self.bytes

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.flops + other.flops, self.read + other.read, self.written + other.written)


@dataclass(frozen=True)
class Shape:
    """The sizes of a decoder-only transformer with gated feed-forward layers and an untied output matrix."""

    layers: int
    d_model: int
    heads: int
    kv_heads: int
    head_dim: int
    d_ff: int
    vocab: int

    def __post_init__(self) -> None:
        if self.heads % self.kv_heads:
            raise ValueError(f"{self.heads} query heads can't share {self.kv_heads} key-value heads evenly.")
        if self.head_dim % 2:
            raise ValueError(f"Rotary embedding needs an even head_dim, not {self.head_dim}.")

    def as_dict(self) -> dict[str, int]:
        return asdict(self)


LLAMA_3_8B = Shape(layers=32, d_model=4096, heads=32, kv_heads=8, head_dim=128, d_ff=14336, vocab=128256)
"""Sizes from the model's published configuration file (meta-llama/Meta-Llama-3-8B, config.json)."""

LLAMA_2_7B = Shape(layers=32, d_model=4096, heads=32, kv_heads=32, head_dim=128, d_ff=11008, vocab=32000)
"""Sizes from the model's published configuration file (meta-llama/Llama-2-7b-hf, config.json)."""


def gemm(m: int, k: int, n: int, *, itemsize: int) -> Cost:
    """[m, k] x [k, n]: 2mkn FLOPs; both operands read once, the product written once."""
    return Cost(2 * m * k * n, (m * k + k * n) * itemsize, m * n * itemsize)


def linear(tokens: int, d_in: int, d_out: int, *, itemsize: int) -> Cost:
    """A linear layer without bias over `tokens` rows."""
    return gemm(tokens, d_in, d_out, itemsize=itemsize)


def attended_pairs(new_tokens: int, context: int = 0, *, causal: bool = True) -> int:
    """(query, key) pairs of one sequence: new token i sees the context, itself and the new tokens before it."""
    if causal:
        return new_tokens * context + new_tokens * (new_tokens + 1) // 2
    return new_tokens * (context + new_tokens)


def attention(
    batch: int,
    heads: int,
    kv_heads: int,
    head_dim: int,
    new_tokens: int,
    context: int = 0,
    *,
    itemsize: int,
    causal: bool = True,
) -> Cost:
    """One layer's scores and weighted sum, without its projections. Softmax is not counted.

    The scores are taken to stay on the chip, as a fused kernel keeps them: queries, keys and values are read once,
    the result is written once.
    """
    pairs = attended_pairs(new_tokens, context, causal=causal)
    rows = batch * new_tokens * heads * head_dim
    cached = 2 * batch * (context + new_tokens) * kv_heads * head_dim
    return Cost(2 * 2 * batch * heads * head_dim * pairs, (rows + cached) * itemsize, rows * itemsize)


def kv_bytes_per_token(layers: int, kv_heads: int, head_dim: int, *, itemsize: int) -> int:
    """Bytes that one token of one sequence adds to the KV cache: a key and a value in every layer."""
    return 2 * layers * kv_heads * head_dim * itemsize


def parameters(shape: Shape) -> int:
    """Weights of the whole model: embedding, layers with their two norms, last norm, output matrix."""
    q_and_o = 2 * shape.d_model * shape.heads * shape.head_dim
    k_and_v = 2 * shape.d_model * shape.kv_heads * shape.head_dim
    feed_forward = 3 * shape.d_model * shape.d_ff
    norms = 2 * shape.d_model
    return shape.layers * (q_and_o + k_and_v + feed_forward + norms) + shape.d_model + 2 * shape.vocab * shape.d_model
