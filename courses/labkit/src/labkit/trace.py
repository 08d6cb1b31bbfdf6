"""Counting what a piece of torch code really does: FLOPs of its matrix products, bytes of the tensors that it touches.

FLOPs follow the formulas of torch.utils.flop_counter. Bytes are compulsory traffic: tensors that existed before
(weights, caches, inputs), each view counted once however often it is read. What is made and used up inside is taken to
stay on the chip.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry

from labkit.counts import Cost

_COMPOSITE: Final = torch._C.DispatchKey.CompositeImplicitAutograd
_Span = tuple[int, int, tuple[int, ...], tuple[int, ...]]


class _Counter(TorchDispatchMode):  # type: ignore[misc]  # torch is not typed where this is checked
    def __init__(self) -> None:
        super().__init__()
        self.flops = 0
        self.read: dict[_Span, int] = {}
        self.written: dict[_Span, int] = {}
        self._inner: dict[int, Any] = {}

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # no compiler ever sees this mode, and telling Dynamo to skip it imports Dynamo: seconds

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), _COMPOSITE):
            with self:
                return func._op_dk(_COMPOSITE, *args, **kwargs)  # made of operations that are counted one by one
        result = func(*args, **kwargs)
        formula = flop_registry.get(func.overloadpacket)
        if formula is not None:
            self.flops += formula(*args, **kwargs, out_val=result)
        inputs = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
        before = {_storage(tensor) for tensor in inputs}
        made = [leaf for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor)]
        changed = [info for info in func._schema.arguments if info.alias_info and info.alias_info.is_write]
        if made and not changed and all(_storage(tensor) in before for tensor in made):
            return result  # a view: nothing moves
        for tensor in made:
            if _storage(tensor) not in before:
                self._inner[_storage(tensor)] = tensor.untyped_storage()
        targets = {_storage(tensor) for tensor in made} & before if changed else set()
        for position, tensor in enumerate(inputs):
            if _storage(tensor) in self._inner:
                continue
            if func is torch.ops.aten.embedding.default and position == 0:
                self.read[_span(tensor)] = made[0].nbytes  # only the rows that were looked up
            elif _storage(tensor) in targets:
                self.written[_span(tensor)] = tensor.nbytes
            else:
                self.read[_span(tensor)] = tensor.nbytes
        return result


def _storage(tensor: torch.Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)


def _span(tensor: torch.Tensor) -> _Span:
    """Names a view by where it starts and how it walks, up to the order of its dimensions."""
    walk = sorted(zip(tensor.stride(), tensor.shape, strict=True), reverse=True)
    return _storage(tensor), tensor.storage_offset(), tuple(s for s, _ in walk), tuple(n for _, n in walk)


def count(work: Callable[[], object]) -> Cost:
    """Runs `work` once and counts it. Attention is counted as executed, masked scores included."""
    counter = _Counter()
    with counter:
        work()
    return Cost(counter.flops, sum(counter.read.values()), sum(counter.written.values()))
