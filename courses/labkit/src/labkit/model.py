"""A small decoder-only transformer with a KV cache, plain enough to count by hand.

Root-mean-square norms, rotary positions, grouped-query attention, gated (SwiGLU) feed-forward, untied output matrix,
random weights from a fixed seed. Attention folds the query heads that share a key-value head into the rows of one
batched matrix multiplication, so keys and values are read once per key-value head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from labkit import hardware
from labkit.counts import Shape

CPU_SHAPE = Shape(layers=4, d_model=768, heads=12, kv_heads=4, head_dim=64, d_ff=2048, vocab=8192)
GPU_SHAPE = Shape(layers=16, d_model=2048, heads=32, kv_heads=8, head_dim=64, d_ff=8192, vocab=32000)


def preset(on: hardware.Device) -> Shape:
    """Sizes at which the device has something to do: 38 million weights on a CPU, 1.1 billion on a GPU."""
    return GPU_SHAPE if on == "cuda" else CPU_SHAPE


@dataclass
class Cache:
    """Keys and values of the tokens seen so far: two tensors [B, K, capacity, d] per layer."""

    keys: list[Tensor]
    values: list[Tensor]
    length: int = field(default=0)

    @property
    def capacity(self) -> int:
        return int(self.keys[0].shape[2])

    def rewind(self, length: int) -> Cache:
        """Forgets all but the first `length` tokens. Returns the cache, so that it can serve as a timer's setup."""
        if not 0 <= length <= self.length:
            raise ValueError(f"A cache of {self.length} tokens can't be rewound to {length}.")
        self.length = length
        return self


class Linear(nn.Linear):  # type: ignore[misc]  # torch is not typed where this is checked
    def reset_parameters(self) -> None:
        """Leaves the weights as allocated: `build` fills them."""


class Embedding(nn.Embedding):  # type: ignore[misc]
    def reset_parameters(self) -> None:
        """Leaves the weights as allocated: `build` fills them."""


class Block(nn.Module):  # type: ignore[misc]
    """One layer: attention and feed-forward, each after a norm and added to its input."""

    def __init__(self, shape: Shape, **kind: Any) -> None:
        super().__init__()
        self.shape = shape
        inner = shape.heads * shape.head_dim
        shared = shape.kv_heads * shape.head_dim
        self.norm_attention = nn.RMSNorm(shape.d_model, eps=1e-5, **kind)
        self.q = Linear(shape.d_model, inner, bias=False, **kind)
        self.k = Linear(shape.d_model, shared, bias=False, **kind)
        self.v = Linear(shape.d_model, shared, bias=False, **kind)
        self.o = Linear(inner, shape.d_model, bias=False, **kind)
        self.norm_feed_forward = nn.RMSNorm(shape.d_model, eps=1e-5, **kind)
        self.gate = Linear(shape.d_model, shape.d_ff, bias=False, **kind)
        self.up = Linear(shape.d_model, shape.d_ff, bias=False, **kind)
        self.down = Linear(shape.d_ff, shape.d_model, bias=False, **kind)

    def forward(self, x: Tensor, keys: Tensor, values: Tensor, start: int, turn: Tensor) -> Tensor:
        x = x + self._attend(self.norm_attention(x), keys, values, start, turn)
        normed = self.norm_feed_forward(x)
        return x + self.down(functional.silu(self.gate(normed)) * self.up(normed))

    def _attend(self, x: Tensor, keys: Tensor, values: Tensor, start: int, turn: Tensor) -> Tensor:
        shape, (batch, new, _) = self.shape, x.shape
        groups = shape.heads // shape.kv_heads
        end = start + new
        q = _rotate(self.q(x).view(batch, new, shape.heads, shape.head_dim).transpose(1, 2), turn)
        keys[:, :, start:end] = _rotate(self.k(x).view(batch, new, shape.kv_heads, -1).transpose(1, 2), turn)
        values[:, :, start:end] = self.v(x).view(batch, new, shape.kv_heads, -1).transpose(1, 2)

        rows = q.reshape(batch * shape.kv_heads, groups * new, shape.head_dim) * shape.head_dim**-0.5
        known_keys = keys[:, :, :end].flatten(0, 1)
        known_values = values[:, :, :end].flatten(0, 1)
        scores = torch.bmm(rows, known_keys.transpose(1, 2))
        if new > 1:
            future = torch.ones(new, end, dtype=torch.bool, device=x.device).triu(start + 1)
            scores = scores.view(-1, groups, new, end).masked_fill(future, float("-inf")).view_as(scores)
        mixed = torch.bmm(scores.softmax(-1), known_values)
        return self.o(mixed.view(batch, shape.heads, new, shape.head_dim).transpose(1, 2).reshape(batch, new, -1))


class Decoder(nn.Module):  # type: ignore[misc]
    """`decoder(ids, cache)` reads ids [B, T], appends them to the cache, returns the logits [B, V] after the last."""

    def __init__(self, shape: Shape, *, device: torch.device | str, dtype: torch.dtype) -> None:
        super().__init__()
        kind: dict[str, Any] = {"device": device, "dtype": dtype}
        self.shape = shape
        self.embedding = Embedding(shape.vocab, shape.d_model, **kind)
        self.blocks = nn.ModuleList(Block(shape, **kind) for _ in range(shape.layers))
        self.norm = nn.RMSNorm(shape.d_model, eps=1e-5, **kind)
        self.head = Linear(shape.d_model, shape.vocab, bias=False, **kind)

    def cache(self, batch: int, capacity: int, *, filled: int = 0) -> Cache:
        """A cache for `batch` sequences of at most `capacity` tokens.

        With `filled`, it claims to know that many tokens, all of zeros: enough to time or count a step, without the
        time that reading a prompt takes.
        """
        size = (batch, self.shape.kv_heads, capacity, self.shape.head_dim)
        like = self.head.weight
        keys, values = ([like.new_zeros(size) for _ in self.blocks] for _ in ("keys", "values"))
        return Cache(keys, values, filled)

    @torch.inference_mode()  # type: ignore[untyped-decorator]
    def forward(self, ids: Tensor, cache: Cache) -> Tensor:
        start, end = cache.length, cache.length + ids.shape[1]
        if end > cache.capacity:
            raise ValueError(f"The cache holds {cache.capacity} tokens; {end} were given.")
        x = self.embedding(ids)
        turn = _turns(start, end, self.shape.head_dim, x)
        for block, keys, values in zip(self.blocks, cache.keys, cache.values, strict=True):
            x = block(x, keys, values, start, turn)
        cache.length = end
        logits: Tensor = self.head(self.norm(x[:, -1]))
        return logits

    def ids(self, tokens: Sequence[Sequence[int]]) -> Tensor:
        """Token numbers as the tensor that `forward` takes."""
        return torch.tensor(tokens, device=self.head.weight.device)


def build(on: hardware.Device, *, shape: Shape | None = None, seed: int = 0) -> Decoder:
    """The decoder of `preset(on)`, or of another shape, with the same weights for the same seed and device."""
    decoder = Decoder(shape or preset(on), device=on, dtype=hardware.dtype(on))
    generator = torch.Generator(device=on).manual_seed(seed)
    with torch.no_grad():
        for weight in decoder.parameters():
            if weight.dim() == 2:
                weight.normal_(std=weight.shape[1] ** -0.5, generator=generator)
    result: Decoder = decoder.eval()
    return result


@cache
def standard(on: hardware.Device) -> Decoder:
    """`build(on)`, built once in a process: for whoever only reads it."""
    return build(on)


def _turns(start: int, end: int, head_dim: int, like: Tensor) -> Tensor:
    positions = torch.arange(start, end, device=like.device, dtype=torch.float32)
    rates = 10_000.0 ** (-torch.arange(0, head_dim, 2, device=like.device, dtype=torch.float32) / head_dim)
    angles = torch.outer(positions, rates)
    return torch.stack((angles.cos(), angles.sin())).to(like.dtype)


def _rotate(x: Tensor, turn: Tensor) -> Tensor:
    cosine, sine = turn
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cosine - second * sine, first * sine + second * cosine), dim=-1)
