import pytest
import torch
from labkit import counts, model, trace
from labkit.counts import Shape
from torch.utils.flop_counter import FlopCounterMode

SMALL = Shape(layers=2, d_model=32, heads=4, kv_heads=2, head_dim=8, d_ff=48, vocab=50)
IDS = [3, 14, 15, 9, 26, 5]


@pytest.fixture
def decoder() -> model.Decoder:
    return model.build("cpu", shape=SMALL)


def _read(decoder: model.Decoder, *pieces: list[int]) -> torch.Tensor:
    cache = decoder.cache(1, sum(map(len, pieces)))
    for piece in pieces:
        logits = decoder(decoder.ids([piece]), cache)
    return logits


@pytest.mark.parametrize("cut", [1, 3, 5])
def test_reading_in_pieces_ends_where_reading_at_once_does(decoder: model.Decoder, cut: int) -> None:
    torch.testing.assert_close(_read(decoder, IDS), _read(decoder, IDS[:cut], IDS[cut:]))


def test_a_token_does_not_see_the_ones_after_it(decoder: model.Decoder) -> None:
    alone = _read(decoder, IDS[:3])
    cache = decoder.cache(1, 6)
    decoder(decoder.ids([IDS]), cache)
    again = decoder(decoder.ids([IDS[2:3]]), cache.rewind(2))
    torch.testing.assert_close(alone, again)


def test_grouped_heads_are_repeated_heads(decoder: model.Decoder) -> None:
    """The same weights with every key-value head written out for its group give the same logits."""
    full = model.build("cpu", shape=Shape(2, 32, 4, 4, 8, 48, 50))
    weights = decoder.state_dict()
    for name in [name for name in weights if name.endswith((".k.weight", ".v.weight"))]:
        weights[name] = weights[name].view(2, 8, 32).repeat_interleave(2, dim=0).reshape(32, 32)
    full.load_state_dict(weights)
    torch.testing.assert_close(_read(full, IDS), _read(decoder, IDS))


def test_the_same_seed_gives_the_same_weights() -> None:
    first, second, other = (model.build("cpu", shape=SMALL, seed=seed) for seed in (1, 1, 2))
    assert torch.equal(first.head.weight, second.head.weight)
    assert not torch.equal(first.head.weight, other.head.weight)


def test_a_full_cache_refuses_a_token(decoder: model.Decoder) -> None:
    with pytest.raises(ValueError, match="holds 6 tokens"):
        decoder(decoder.ids([IDS]), decoder.cache(1, 6, filled=1))


def test_a_cache_can_only_be_rewound_to_what_it_knows(decoder: model.Decoder) -> None:
    with pytest.raises(ValueError, match="can't be rewound"):
        decoder.cache(1, 6).rewind(3)


@pytest.mark.parametrize(("batch", "new", "context"), [(1, 1, 9), (3, 1, 9), (2, 5, 0), (2, 5, 4)])
def test_a_trace_counts_the_flops_that_torch_counts(decoder: model.Decoder, batch: int, new: int, context: int) -> None:
    cache = decoder.cache(batch, new + context, filled=context)
    ids = decoder.ids([[1] * new] * batch)
    counter = FlopCounterMode(display=False)
    with counter:
        decoder(ids, cache)
    assert trace.count(lambda: decoder(ids, cache.rewind(context))).flops == counter.get_total_flops()


@pytest.mark.parametrize(("batch", "context"), [(1, 9), (4, 20)])
def test_a_decode_step_reads_its_weights_once_and_its_cache_whole(
    decoder: model.Decoder, batch: int, context: int
) -> None:
    cache = decoder.cache(batch, context + 1, filled=context)
    ids = decoder.ids([[1]] * batch)
    cost = trace.count(lambda: decoder(ids, cache))
    weights = sum(weight.nbytes for name, weight in decoder.named_parameters() if name != "embedding.weight")
    token = counts.kv_bytes_per_token(SMALL.layers, SMALL.kv_heads, SMALL.head_dim, itemsize=4)
    looked_up = batch * (SMALL.d_model * 4 + 8)  # rows of the embedding, and the token numbers themselves
    assert cost.read == weights + batch * (context + 1) * token + looked_up
    assert cost.written == batch * token


def test_a_trace_counts_a_copy_in_both_directions() -> None:
    source, target = torch.ones(1000), torch.empty(1000)
    assert trace.count(lambda: target.copy_(source)) == counts.Cost(0, 4000, 4000)


def test_a_trace_leaves_out_what_is_used_up_inside() -> None:
    left = torch.ones(8, 8)
    cost = trace.count(lambda: (left @ left).relu().sum())
    assert cost == counts.Cost(2 * 8**3, left.nbytes, 0)
