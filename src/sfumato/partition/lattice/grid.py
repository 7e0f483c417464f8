"""The nodes of a lattice between two of them, numbered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import Refused
from sfumato.partition.lattice.levels import Node

__all__ = ["Grid"]

Ints = NDArray[np.int64]
_MOST = 1 << 24
_AXES = 60


@dataclass(frozen=True)
class Grid:
    """Every node from `low` to `high`; its place is its number in lexicographic order."""

    low: Node
    high: Node

    def __post_init__(self) -> None:
        if len(self.low) > _AXES:
            raise Refused(
                f"the lattice has {len(self.low)} quasi-identifiers, more than the {_AXES} that can be searched; use"
                " another method, such as mondrian"
            )
        if self.count > _MOST:
            raise Refused(
                f"the lattice has {self.count} nodes, more than the {_MOST} that can be searched whole; narrow it with"
                " minimum and maximum levels, or use another method, such as mondrian"
            )

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return tuple(high - low + 1 for low, high in zip(self.low, self.high, strict=True))

    @cached_property
    def count(self) -> int:
        return prod(self.shape)

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """How much further the node is that is one level higher in one column."""
        return tuple(prod(self.shape[axis + 1 :]) for axis in range(len(self.shape)))

    def node(self, place: int) -> Node:
        steps = zip(self.low, self.strides, self.shape, strict=True)
        return tuple(low + place // stride % size for low, stride, size in steps)

    def place(self, node: Node) -> int:
        return sum((level - low) * stride for level, low, stride in zip(node, self.low, self.strides, strict=True))

    def level(self, places: Ints, axis: int) -> Ints:
        """The level of one column at each place."""
        return self.low[axis] + places // self.strides[axis] % self.shape[axis]

    def layers(self) -> Iterator[Ints]:
        """Places by height, from the top down."""
        heights = np.zeros(self.shape, dtype=np.int16)
        for axis, size in enumerate(self.shape):
            heights += np.moveaxis(np.arange(size, dtype=np.int16).reshape(-1, *[1] * (heights.ndim - 1)), 0, axis)
        flat = heights.reshape(-1)
        order = np.argsort(-flat, kind="stable")
        yield from np.split(order, np.flatnonzero(np.diff(flat[order])) + 1)

    def above(self, places: Ints) -> Iterator[tuple[NDArray[np.bool_], Ints]]:
        """Per column, which places have a node one level above, and where that is."""
        for size, stride in zip(self.shape, self.strides, strict=True):
            inside = places // stride % size + 1 < size
            yield inside, places[inside] + stride

    def minimal(self, passes: NDArray[np.bool_]) -> Ints:
        """Places that pass while none below them does; what passes, passes above."""
        inside = passes.reshape(self.shape)
        reached = np.zeros_like(inside)
        for axis in range(inside.ndim):
            lower = tuple(slice(None, -1) if each == axis else slice(None) for each in range(inside.ndim))
            upper = tuple(slice(1, None) if each == axis else slice(None) for each in range(inside.ndim))
            reached[upper] |= inside[lower]
        return np.flatnonzero(inside & ~reached)
