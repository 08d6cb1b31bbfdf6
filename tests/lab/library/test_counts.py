"""Counts against torch's own counter, against brute force, and against published numbers."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from labkit import counts, model
from labkit.counts import LLAMA_2_7B, LLAMA_3_8B, Shape
from torch.utils.flop_counter import FlopCounterMode

sizes = st.integers(1, 40)
shapes = st.builds(
    lambda layers, groups, kv_heads, half, width, d_ff, vocab: Shape(
        layers, 8 * width, groups * kv_heads, kv_heads, 2 * half, d_ff, vocab
    ),
    *(st.integers(1, top) for top in (3, 3, 3, 8, 6, 50, 60)),
)


@given(sizes, sizes, sizes)
@settings(deadline=None)
def test_a_gemm_has_the_flops_that_torch_counts(m: int, k: int, n: int) -> None:
    counter = FlopCounterMode(display=False)
    with counter:
        torch.mm(torch.ones(m, k), torch.ones(k, n))
    assert counts.gemm(m, k, n, itemsize=4).flops == counter.get_total_flops()


@given(sizes, sizes, sizes, st.sampled_from([1, 2, 4, 8]))
def test_a_gemm_moves_each_operand_once(m: int, k: int, n: int, itemsize: int) -> None:
    cost = counts.gemm(m, k, n, itemsize=itemsize)
    assert cost.bytes == (m * k + k * n + m * n) * itemsize


def test_a_thin_gemm_has_the_intensity_of_its_batch() -> None:
    """2BDF FLOPs over 2DF bytes of 16-bit weights: about B, as the JAX scaling book derives it."""
    assert counts.linear(16, 8192, 8192, itemsize=2).intensity == pytest.approx(16, rel=0.01)


@given(st.integers(0, 60), st.integers(0, 60))
def test_causal_pairs_are_those_below_the_diagonal(new: int, context: int) -> None:
    pairs = sum(1 for i in range(new) for j in range(context + new) if j <= context + i)
    assert counts.attended_pairs(new, context) == pairs


@given(
    st.integers(1, 3), st.integers(1, 4), st.integers(1, 3), st.integers(1, 16), st.integers(1, 20), st.integers(0, 20)
)
@settings(deadline=None)
def test_attention_has_the_flops_that_torch_counts(
    batch: int, kv_heads: int, groups: int, head_dim: int, new: int, context: int
) -> None:
    counter = FlopCounterMode(display=False)
    queries = torch.ones(batch * kv_heads, groups * new, head_dim)
    keys = torch.ones(batch * kv_heads, context + new, head_dim)
    with counter:
        torch.bmm(torch.bmm(queries, keys.transpose(1, 2)), keys)
    cost = counts.attention(batch, groups * kv_heads, kv_heads, head_dim, new, context, itemsize=2, causal=False)
    assert cost.flops == counter.get_total_flops()


def test_grouped_heads_read_fewer_keys_and_values() -> None:
    grouped = counts.attention(1, 32, 8, 128, 1, 4096, itemsize=2)
    own = counts.attention(1, 32, 32, 128, 1, 4096, itemsize=2)
    assert grouped.flops == own.flops
    assert own.read / grouped.read == pytest.approx(4, rel=0.01)


@pytest.mark.parametrize(
    ("layers", "kv_heads", "head_dim", "kib"),
    [
        (32, 32, 128, 512),  # Llama-2-7B, multi-head
        (40, 40, 128, 800),  # Llama-2-13B: 819,200 B; pages that say 1 MB or 1.5 MB are wrong
        (32, 8, 128, 128),  # Llama-3-8B, grouped-query
        (80, 8, 128, 320),  # Llama-3-70B
    ],
)
def test_a_token_takes_the_published_share_of_the_cache(layers: int, kv_heads: int, head_dim: int, kib: int) -> None:
    assert counts.kv_bytes_per_token(layers, kv_heads, head_dim, itemsize=2) == kib * 1024


@pytest.mark.parametrize(("shape", "published"), [(LLAMA_3_8B, 8_030_261_248), (LLAMA_2_7B, 6_738_415_616)])
def test_known_models_have_their_published_number_of_parameters(shape: Shape, published: int) -> None:
    assert counts.parameters(shape) == published


@given(shapes)
@settings(deadline=None, max_examples=25)
def test_parameters_are_those_that_the_model_allocates(shape: Shape) -> None:
    decoder = model.build("cpu", shape=shape)
    assert counts.parameters(shape) == sum(weight.numel() for weight in decoder.parameters())


def test_costs_add_up() -> None:
    assert counts.Cost(1, 2, 3) + counts.Cost(10, 20, 30) == counts.Cost(11, 22, 33)


@pytest.mark.parametrize(("heads", "kv_heads", "head_dim"), [(6, 4, 8), (4, 4, 7)])
def test_a_shape_that_no_model_can_have_is_refused(heads: int, kv_heads: int, head_dim: int) -> None:
    with pytest.raises(ValueError, match=r"evenly|even head_dim"):
        Shape(1, 32, heads, kv_heads, head_dim, 64, 64)
