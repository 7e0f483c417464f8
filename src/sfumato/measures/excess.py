"""Excessive protection of a release: how much more even its classes are than a promise that caps shares asks for.

Shares are induced: a generalized value counts for the values below it by the promise's weights. The promise is one of
the policy that says how it caps (`Promise.capping`), as (tau,l) does, or (tau,l) as it is asked for. Of several it is
the least, as it is of several classes. In rings, with the manifest, a class is who a person may be.

Reference: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011,
Definition 35. https://doi.org/10.1016/j.datak.2010.09.001
Deviation: a release that breaks the promise has none. The definition takes absolute values, so that a violation would
count as protection, and the least over all classes would hide it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.exact import as_fraction
from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.measures.protection import Exact, excesses
from sfumato.policy.parameters import Weights
from sfumato.policy.promise import Capping
from sfumato.release.subject import Lacking, ShownCells, Subject
from sfumato.table.packing import Packed
from sfumato.table.weights import resolved_weights

__all__ = ["ExcessiveProtection", "caps_of"]

Ints = NDArray[np.int64]
_WIDE = 2**62


def caps_of(words: Capping) -> tuple[Fraction, ...]:
    """What 1, 2, … values may fill, up to what may fill all.

    >>> [str(most) for most in caps_of(Capping(Fraction(1, 2), 3))]
    ['1/2', '3/4']
    """
    if words.psi:
        return words.psi
    return tuple(words.tau + (1 - words.tau) * Fraction(k - 1, words.l - 1) for k in range(1, words.l))


@dataclass(frozen=True)
class ExcessiveProtection:
    """Least over classes of Σ psi(k) − F(k).

    tau, l   of the promise to compare with; None: those of the policy's
    on       the sensitive column; None: those that promises speak of, or all
    """

    tau: Any = None
    l: Any = None
    on: str | None = None
    name: ClassVar[str] = "excessive-protection"
    about: ClassVar[About] = About(
        title="how far classes stay below what the promise allows",
        formula="least over classes of the sum over k of psi(k) - F(k), F(k) the share of its k most frequent values",
        range="0 (kept with nothing to spare) to about half the values of the column",
        better="lower",
        reference="Tian, Zhang, DKE 70, 2011, Definition 35, https://doi.org/10.1016/j.datak.2010.09.001",
        needs=("the original table", "a promise that caps shares, or tau and l"),
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        found: dict[str, float] = {}
        sums: dict[str, float] = {}
        for column, words, weights in self._asked(subject):
            each = _excesses(subject, column, caps_of(words), weights)
            found[column] = min(found.get(column, np.inf), float(each.min(initial=np.inf)))
            sums[column] = float(each.mean()) if len(each) else 0.0
        if not found:
            raise Lacking("a promise that caps shares, such as tau-l; or give tau and l")
        return Figure(min(found.values()), found, {"mean of classes": min(sums.values())})

    def _asked(self, subject: Subject) -> Iterator[tuple[str, Capping, Weights]]:
        """Columns, how they are capped, and by which weights generalized values count."""
        if self.on is not None and self.on not in subject.sensitive:
            raise InputError(f"measure {self.name!r}: {self.on!r} is no sensitive column of the release")
        columns = subject.sensitive if self.on is None else (self.on,)
        if (self.tau is None) != (self.l is None):
            raise InputError(f"measure {self.name!r}: give both tau and l")
        asked = [*subject.policy.promise.asked_of(columns)]
        if self.tau is not None:
            words = _words(self.name, self.tau, self.l)
            weighing = {name: promise.weighing for name, promise in asked if promise.capping is not None}
            yield from ((name, words, weighing.get(name) or ()) for name in columns)
            return
        for name, promise in asked:
            if promise.capping is not None:
                yield name, promise.capping, promise.weighing or ()


def _words(name: str, tau: object, l: object) -> Capping:
    try:
        made = Capping(as_fraction(tau), int(as_fraction(l)))
    except ValueError:
        raise InputError(f"measure {name!r}: tau and l must be numbers") from None
    if made.l < 2 or not Fraction(1, made.l) <= made.tau < 1 or made.l != as_fraction(l):
        raise InputError(f"measure {name!r}: l must be a whole number from 2 on, and tau from 1/l to below 1")
    return made


def _excesses(subject: Subject, column: str, caps: tuple[Fraction, ...], weights: Weights) -> NDArray[np.float64]:
    """Of every class. `Lacking` if one breaks the promise."""
    rows, classes = _classes(subject)
    cells = subject.cells(column)
    packed = Packed.of_rows([(cells.codes[rows], len(cells.texts)), (classes, int(classes.max(initial=-1)) + 1)])
    owner, values, counts, unit = _induced(packed, cells, weights)
    keys, place = np.unique(owner * cells.domain.size + values, return_inverse=True)
    summed = np.zeros(len(keys), dtype=counts.dtype)
    np.add.at(summed, place.reshape(-1), counts)
    present, mine = np.unique(keys // cells.domain.size, return_inverse=True)
    sizes = np.bincount(classes)[present].astype(counts.dtype) * unit
    found, broken = excesses(caps, mine.reshape(-1), summed, sizes)
    if broken.any():
        raise Lacking(f"classes of {column!r} that keep the promise: {int(broken.sum())} of {len(broken)} break it")
    return found


def _classes(subject: Subject) -> tuple[Ints, Ints]:
    """Rows of the release, and the class of each."""
    seen = subject.seen
    if seen.changed:
        raise Lacking("sensitive values as they are: this form changes them at random")
    if seen.windows is not None:
        return seen.windows
    if seen.needs:
        raise Lacking(seen.needs)
    rows = subject.classes[1]
    return np.arange(len(rows)), rows


def _induced(packed: Packed, cells: ShownCells, weights: Weights) -> tuple[Ints, Ints, Exact, int]:
    """Classes, base values and how much each counts, in parts of a row; and how many parts a row has."""
    spans, cell, owner = cells.spans, packed.codes(0), packed.codes(1)
    wide = np.flatnonzero((spans.values != 1) & (np.bincount(cell, minlength=len(spans)) > 0))
    if not len(wide):
        return owner, spans.low[cell], packed.counts, 1
    given = resolved_weights(weights, cells.domain)
    below = {each: [(at, given[at]) for at in _codes(cells, each) if given[at]] for each in wide.tolist()}
    if not all(below.values()):
        raise Lacking("a weight for some value below every generalized one")
    parts = {each: [weight / sum(w for _, w in held) for _, weight in held] for each, held in below.items()}
    unit = lcm(*(share.denominator for shares in parts.values() for share in shares))
    kind: Any = np.int64 if unit * int(packed.counts.sum()) < _WIDE else object
    flat: list[tuple[int, int]] = []
    starts = [0]
    for each in range(len(spans)):
        if each in below:
            flat += [(at, int(share * unit)) for (at, _), share in zip(below[each], parts[each], strict=True)]
        else:
            flat.append((int(spans.low[each]), unit))
        starts.append(len(flat))
    length = np.diff(starts)[cell]
    which = np.repeat(np.arange(len(cell)), length)
    at = np.arange(len(which)) - np.repeat(np.cumsum(length) - length, length) + np.array(starts)[cell[which]]
    amounts = np.array([amount for _, amount in flat], dtype=kind)
    base = np.array([code for code, _ in flat], dtype=np.int64)
    return owner[which], base[at], packed.counts.astype(kind)[which] * amounts[at], unit


def _codes(cells: ShownCells, cell: int) -> list[int]:
    """The codes that a cell stands for."""
    spans = cells.spans
    if spans.torn[cell]:
        return list(map(int, spans.members[spans.starts[cell] : spans.starts[cell + 1]]))
    return list(range(int(spans.low[cell]), int(spans.high[cell]) + 1))
