"""The smallest changes of a policy under which a release is made, where none is made under the policy itself.

Nothing is named that was not tried: the same table was published under the changed policy and audited. A weaker promise
is first searched as for any failure (`outcome`); then its parts are brought back towards what was asked for, one after
the other, as far as a release is still made: by halves, on whole numbers, or on hundredths where a number need not be
whole. What is left is least in this sense: any part one step stricter was tried and failed, or is shown by counts to be
impossible (`feasible`). Likewise the rows that may be left out.

Whether a method finds a release need not depend on a number in one direction only; then what is found still works, and
a step less still does not, but yet another number might.

Runs are counted (`_RUNS`, fewer for large tables); when they are used up, what was found so far is not called least.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any, Literal

from sfumato.advice.feasible import Feasibility
from sfumato.engine.release import Release
from sfumato.errors import Cancelled, NoneFound, PolicyError
from sfumato.exact import as_text
from sfumato.policy.document import Policy
from sfumato.policy.promises import Promise, all_of
from sfumato.table.table import Table

__all__ = ["Relaxed", "relaxations"]

_RUNS, _ROWS, _FEWEST = 60, 6_000_000, 6
"""Runs at most, rows of all runs together, and runs at least."""
_STEP = Fraction(1, 100)
"""Numbers that need not be whole are tried on hundredths."""
_MOST = Fraction(1, 2)
"""To leave out more rows than this is no advice."""

Kind = Literal["promise", "suppression", "column", "method", "form"]
Runs = Callable[[Policy], Release]


@dataclass(frozen=True, eq=False)
class Relaxed:
    """A change of a policy, and the release that was made under it; see `RelaxationFact`."""

    kind: Kind
    before: tuple[str, ...]
    after: tuple[str, ...]
    settings: Mapping[str, Any]
    least: bool
    release: Release


def relaxations(error: NoneFound, read: Table, run: Runs) -> Iterator[Relaxed]:
    """Everything that is known to do; what keeps the promise as it is first."""
    search = _Relaxing(read, run)
    yield from search.otherwise(error.instead)
    yield from search.fewer_rows()
    yield from search.blank_columns()
    yield from search.weaker(error.nearest)


@dataclass(eq=False)
class _Relaxing:
    """Runs under changed policies, counted."""

    read: Table
    run: Runs
    left: int = field(init=False)

    def __post_init__(self) -> None:
        self.left = max(_FEWEST, min(_RUNS, _ROWS // max(self.read.rows, 1)))

    @property
    def policy(self) -> Policy:
        return self.read.policy

    def made(self, policy: Policy | None) -> Release | None:
        """The release under a policy; None: there is none, or nothing more is tried."""
        if policy is None or self.left <= 0 or Feasibility.of(self.read.encode(), policy).impossible() is not None:
            return None
        self.left -= 1
        try:
            return self.run(policy)
        except Cancelled:
            raise
        except Exception:  # whatever another policy does: what is told is the outcome of the run that was asked for
            return None

    def otherwise(self, instead: Mapping[str, Mapping[str, Any]]) -> Iterator[Relaxed]:
        """Another method or form that keeps the promise as it is."""
        if not instead:
            return
        changed = {key: dict(value) for key, value in instead.items()}
        release = self.made(self.policy.changed(None, changed.get("partition"), changed.get("form")))
        if release is not None:
            before = (f"partition.method {self.policy.partition.method}", f"form.publish {self.policy.form.publish}")
            after = tuple(f"{key}: {', '.join(map(str, value.values()))}" for key, value in changed.items())
            kind: Kind = "form" if "form" in changed else "method"
            yield Relaxed(kind, before[: 1 + (kind == "form")], after, changed, True, release)

    def fewer_rows(self) -> Iterator[Relaxed]:
        """More rows left out."""
        allowed, table = self.policy.suppression, self.read.encode()
        first, most = int(allowed.limit * table.rows) + 1, int(_MOST * table.rows)
        if allowed.keep or first > most:
            return
        feasible = Feasibility.of(table, self.policy)
        first = _first(lambda rows: replace(feasible, allowed=rows).impossible() is None, first, most + 1)
        found = self._least_rows(first, most) if first <= most else None
        if found is not None:
            rows, least, release = found
            settings = self._limits(limit=_plain(_share(rows, table.rows)))
            before, after = as_text(allowed.limit), as_text(_share(rows, table.rows))
            yield Relaxed("suppression", (before,), (after,), {"suppression": settings}, least, release)

    def _least_rows(self, first: int, most: int) -> tuple[int, bool, Release] | None:
        """The fewest rows with which a release is made, whether fewer would not do, and the release."""
        low, step, rows = first, 1, first
        while rows <= most:
            release = self._leaving_out(rows)
            if release is not None:
                break
            if self.left <= 0:
                return None
            low, rows, step = rows + 1, rows + step, 2 * step
        else:
            return None
        while low < rows:
            middle = (low + rows) // 2
            other = self._leaving_out(middle)
            if other is not None:
                rows, release = middle, other
            elif self.left <= 0:
                return rows, False, release
            else:
                low = middle + 1
        return rows, True, release

    def _leaving_out(self, rows: int) -> Release | None:
        limit = as_text(_share(rows, self.read.encode().rows))
        return self.made(self.policy.changed(suppression=self._limits(limit=limit)))

    def blank_columns(self) -> Iterator[Relaxed]:
        """Higher limits on cells that say nothing: as high as a release needs that was made without them."""
        limits = self.policy.suppression.columns
        if not limits:
            return
        free = self.made(self.policy.changed(suppression=self._limits(columns={})))
        if free is None:
            return
        shown = free.published.first.height
        blank = {name: free.published.blank[name] for name in limits}
        over = {name: _share(rows, shown) for name, rows in blank.items() if rows > limits[name] * shown}
        written = {name: _plain(limit) for name, limit in {**limits, **over}.items()}
        settings = self._limits(columns=written)
        release = self.made(self.policy.changed(suppression=settings)) if over else None
        if release is not None:
            before = tuple(f"{name}: {as_text(limits[name])}" for name in over)
            after = tuple(f"{name}: {as_text(share)}" for name, share in over.items())
            yield Relaxed("column", before, after, {"suppression": settings}, False, release)

    def _limits(self, **changed: Any) -> dict[str, Any]:
        """The policy's own limits, one of them changed; what is as it always is left out."""
        own = self.policy.suppression
        plain = {"limit": _plain(own.limit), "columns": {name: _plain(each) for name, each in own.columns.items()}}
        made = {**plain, **({"keep": True} if own.keep else {}), **changed}
        return {key: value for key, value in made.items() if value not in ({}, 0)}

    def weaker(self, nearest: Promise | None) -> Iterator[Relaxed]:
        """A weaker promise; where several parts could give way, each of them once."""
        asked = self.policy.promise.parts
        weak = () if nearest is None else nearest.parts
        if len(weak) != len(asked) or any(type(one) is not type(other) for one, other in zip(weak, asked, strict=True)):
            return
        giving = [at for at in range(len(asked)) if weak[at] != asked[at]]
        seen: set[tuple[Promise, ...]] = set()
        for last in reversed(giving):  # the others are brought back before it
            order = [*(at for at in giving if at != last), last]
            parts, least = self._restored(list(weak), order)
            release = None if parts in seen else self.made(self.policy.changed(all_of(*parts)))
            seen.add(parts)
            if release is not None:
                moved = [at for at in giving if parts[at] != asked[at]]
                yield Relaxed(
                    "promise",
                    tuple(str(asked[at]) for at in moved),
                    tuple(str(parts[at]) for at in moved),
                    {"privacy": [_written(part) for part in parts]},
                    least,
                    release,
                )

    def _restored(self, parts: list[Promise], order: Sequence[int]) -> tuple[tuple[Promise, ...], bool]:
        """Every part as near to what was asked for as it can be, in that order; and whether all was tried for it."""
        asked = self.policy.promise.parts
        for at in order:
            for name in _differing(parts[at], asked[at]):
                steps = _Steps.of(parts[at], asked[at], name)  # at 0 it is kept, at the end as it was asked for
                low, high = 0, len(steps)
                while high - low > 1 and self.left > 0:
                    middle = (low + high) // 2
                    wish = steps.at(middle)
                    others = (parts[:at], parts[at + 1 :])
                    kept = wish is not None and self._keeps(all_of(*others[0], wish, *others[1]))
                    low, high = (middle, high) if kept else (low, middle)
                parts[at] = steps.at(low) or parts[at]
        return tuple(parts), self.left > 0

    def _keeps(self, promise: Promise) -> bool:
        return self.made(self.policy.changed(promise)) is not None


def _differing(weak: Promise, asked: Promise) -> list[str]:
    """Numbers of a promise that are not as they were asked for."""
    names = [each.name for each in fields(asked)]
    pairs = {name: (vars(weak)[name], vars(asked)[name]) for name in names}
    return [
        name
        for name, (one, other) in pairs.items()
        if one != other and all(isinstance(each, (int, Fraction)) for each in (one, other))
    ]


@dataclass(frozen=True)
class _Steps:
    """One number of a promise, step by step from a weak one to what was asked for."""

    weak: Promise
    name: str
    low: Fraction
    high: Fraction
    step: Fraction
    first: int

    @classmethod
    def of(cls, weak: Promise, asked: Promise, name: str) -> _Steps:
        given = [vars(each)[name] for each in (weak, asked)]
        low, high = map(Fraction, given)
        step = (1 if high > low else -1) * (1 if all(isinstance(each, int) for each in given) else _STEP)
        return cls(weak, name, low, high, Fraction(step), floor(low / step) + 1)

    def __len__(self) -> int:
        """The weak number, those between on the grid, and the one that was asked for."""
        return 2 + max(ceil(self.high / self.step) - self.first, 0)

    def at(self, place: int) -> Promise | None:
        """None: numbers of one promise may depend on another, and do not allow this one."""
        number = self.low if not place else (self.first + place - 1) * self.step
        if place == len(self) - 1:
            number = self.high
        given: Any = self.weak
        try:
            made: Promise = replace(given, **{self.name: int(number) if abs(self.step) == 1 else number})
        except PolicyError:
            return None
        return made


def _first(fits: Callable[[int], bool], low: int, high: int) -> int:
    """The first number from low on that fits, or `high`, where all above one that fits do."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle + 1, high)
    return low


def _share(rows: int, every: int) -> Fraction:
    """The shortest decimal share of all rows that allows so many and no more.

    >>> _share(1, 12), _share(3, 8), _share(12345, 10**6)
    (Fraction(1, 10), Fraction(2, 5), Fraction(2469, 200000))
    """
    digits = 1
    while True:
        share = Fraction(ceil(Fraction(rows * 10**digits, every)), 10**digits)
        if floor(share * every) == rows:
            return share
        digits += 1


def _plain(number: Fraction) -> int | float | str:
    """A number as a policy is best written: a decimal where there is one that is not too long."""
    text = as_text(number)
    if number.denominator == 1:
        return int(number)
    return float(text) if "/" not in text and Fraction(str(float(text))) == number else text


def _written(promise: Promise) -> dict[str, Any]:
    """A promise as it stands in a policy, numbers as numbers."""
    plain = promise.as_dict()
    own = {name: _plain(value) for name, value in vars(promise).items() if isinstance(value, Fraction)}
    return {key: own.get(key, value) for key, value in plain.items()}
