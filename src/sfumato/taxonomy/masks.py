"""Codes masked one character at a time: 13053, 1305*, 130**, 13***, 1****, `*`.

Values of different length meet by the number of masked characters. At level k a value keeps all but k characters; one
that has no more than k is masked altogether and joins the node of k stars, which means *at most k characters*. (A
single star is the root, so a value of one character stays as it is until two are masked.) If no value told is longer,
k stars are called `*`: that some suppressed row has a longer one is not to be seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.taxonomy.check import Source
from sfumato.taxonomy.tree import Level, Taxonomy

__all__ = ["LONGEST", "masks"]

LONGEST = 64
"""Longest value that is masked: every character is a level."""


def masks(values: Sequence[str], side: Literal["left", "right"], source: Source | None = None) -> Taxonomy:
    """Leaves are the values given, ordered by length, then by their kept characters.

    >>> masks(["13053", "13068", "14853"], "right").path(0)
    ['13053', '1305*', '130**', '13***', '1****', '*']
    """
    _require_maskable(values, source or Source())
    turn = -1 if side == "left" else 1
    turned = sorted((value[::turn] for value in values), key=lambda value: (len(value), value))
    lengths = np.array([len(value) for value in turned], dtype=np.int64)
    shared = _shared(turned)
    longest = int(lengths.max())
    levels = [_level(turned, lengths, shared, masked, turn) for masked in range(1, longest)]
    return replace(Taxonomy.of_levels([value[::turn] for value in turned], levels), naming=_Stars(len(turned)))


@dataclass(frozen=True)
class _Stars:
    """What nodes over so many values are called: stars that cover all values told say nothing."""

    values: int

    def __call__(self, tree: Taxonomy, told: NDArray[np.bool_]) -> list[str]:
        longest = int(np.flatnonzero(told[: self.values]).max(initial=-1))
        inner = zip(tree.labels[tree.size :], tree.last[tree.size :].tolist(), strict=True)
        return ["*" if last >= longest and not label.strip("*") else label for label, last in inner]


def _require_maskable(values: Sequence[str], source: Source) -> None:
    starred = sum("*" in value for value in values)
    if starred:
        raise source.error(
            f"{starred} distinct value{' contains' if starred == 1 else 's contain'} '*', the sign for a masked "
            "character; correct the data or choose another hierarchy"
        )
    longest = max(map(len, values))
    if longest > LONGEST:
        raise source.error(
            f"values of up to {longest} characters would make {longest} levels; mask is for codes of at most {LONGEST}"
        )


def _shared(turned: Sequence[str]) -> NDArray[np.int64]:
    """Characters that each value shares with the one before, from the kept side."""
    width = max(map(len, turned))
    letters = np.array(turned, dtype=f"<U{width}").view(np.uint32).reshape(len(turned), width)
    differs = letters[1:] != letters[:-1]
    first = np.where(differs.any(axis=1), differs.argmax(axis=1), width)
    return np.concatenate([[0], first]).astype(np.int64)


def _level(
    turned: Sequence[str], lengths: NDArray[np.int64], shared: NDArray[np.int64], masked: int, turn: int
) -> Level:
    kept = lengths - masked
    fresh = (shared < kept) | (np.diff(lengths, prepend=-1) != 0)
    begins = np.where(kept > 0, fresh, masked == 1)
    begins[0] = True
    starts = np.flatnonzero(begins)
    return starts, [_masked(turned[start], masked)[::turn] for start in starts.tolist()]


def _masked(value: str, masked: int) -> str:
    if masked == 1 and len(value) <= 1:
        return value
    return value[: max(len(value) - masked, 0)] + "*" * masked
