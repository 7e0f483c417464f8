"""Beliefs of an adversary who knows the population, exactly: f(q, s) is how many of it have q and s.

Before the release, somebody with quasi-identifiers q is believed to have s with alpha = f(q, s) / f(q). A group g that
covers q and holds n(g, s) rows with s is expected to hold n(g, s) f(q, s) / f(g, s) of people with q and s, where f(g,
s) counts all of the population whom g covers and who have s. So afterwards

    beta(q, s) = w(q, s) / sum over s' of w(q, s'),   w(q, s) = f(q, s) times the sum over g of n(g, s) / f(g, s)

which for one group is Theorem 3.1 of Machanavajjhala et al. (https://doi.org/10.1145/1217299.1217302). Who is in the
original table is not known here: everybody of the population whom a group covers is taken to be in it, and every value
of their group to be theirs. A set of groups is an integer, a bit for each; all numbers are fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import polars as pl

from sfumato.auditor.court import Court
from sfumato.auditor.posterior import BayesAsked, Posterior
from sfumato.auditor.secrets import Key, reader_of
from sfumato.errors import InputError
from sfumato.exact import as_fraction
from sfumato.policy.columns import ReadyHierarchy
from sfumato.release.cells import covered
from sfumato.release.opening import open_release
from sfumato.taxonomy.build import build

__all__ = ["judge_population"]

Point = tuple[str | None, ...]
Masses = Mapping[Point, Mapping[Key, Fraction]]

_COUNT = "count"
_MOST = 2_000_000
"""Fractions that are added up at most: a few times ten seconds."""


@dataclass(frozen=True, eq=False)
class _Groups:
    """Groups of the release by number: what each shows, and how often it holds each value."""

    shown: tuple[Point, ...]
    held: tuple[Mapping[Key, int], ...]

    @classmethod
    def of(cls, court: Court, secret: str) -> _Groups:
        table, read = court.seen.table, court.secrets[secret].read
        apart = [*court.quasi, *([] if court.group_id is None else [court.group_id])]
        frame = table.select(pl.col([*apart, secret]).cast(pl.String)).group_by([*apart, secret]).len()
        found: dict[Point, dict[Key, int]] = {}
        for *cells, value, count in frame.sort([*apart, secret]).iter_rows():
            held = found.setdefault(tuple(cells), {})
            held[read(value)] = held.get(read(value), 0) + count
        return cls(tuple(cells[: len(court.quasi)] for cells in found), tuple(found.values()))


def judge_population(court: Court, population: object, asked: BayesAsked) -> tuple[Posterior, ...]:
    """Every sensitive column that is published."""
    try:
        frame = next(iter(open_release(population, None, court.policy.input).tables.values())).cast(pl.String)
    except InputError as error:
        raise InputError(f"population: {error}") from None
    wanted = [name for name in (*court.policy.quasi, *court.secrets) if name in court.seen.table.columns]
    absent = [name for name in wanted if name not in frame.columns]
    if absent:
        raise InputError(f"population: has no column {', '.join(map(repr, absent))}, which the release has")
    return tuple(_judged(court, frame, name, asked) for name in court.secrets)


def _judged(court: Court, frame: pl.DataFrame, secret: str, asked: BayesAsked) -> Posterior:
    needs = _lacking(court, secret)
    if not needs:
        masses = _masses(court, frame, secret)
        groups = _Groups.of(court, secret)
        covering = _covering(court, masses, groups)
        work = sum(covering[point].bit_count() * len(held) for point, held in masses.items())
        if work <= _MOST:
            return _told(secret, masses, groups, covering, asked)
        needs = f"a smaller population, or fewer groups: {work:,} fractions are more than {_MOST:,}"
    return Posterior(on=secret, verdict="undecidable", parameters=asked.parameters, needs=needs)


def _lacking(court: Court, secret: str) -> str:
    seen = court.seen
    if not seen.table.height:
        return "at least one row"
    if seen.exact or seen.changed or seen.needs or seen.windows is not None or seen.beliefs is not None:
        return "a form whose rows show generalized quasi-identifiers beside values as they are"
    if court.secrets[secret].generalized:
        return f"values of {secret!r} as they are: {court.secrets[secret].generalized} rows show general ones"
    ready = [name for name in court.quasi if isinstance(court.policy.columns[name].hierarchy, ReadyHierarchy)]
    return (
        f"the hierarchy of {', '.join(map(repr, ready))} as a file: what its labels cover is not known" if ready else ""
    )


def _masses(court: Court, frame: pl.DataFrame, secret: str) -> Masses:
    """The population: per combination of quasi-identifiers and value, how many have it."""
    given, names = court.policy.input, [*court.quasi, secret]
    absent = {"", *given.missing_values}
    *quasi, read = [reader_of(court.policy.columns[name], given, absent) for name in names]
    counts = _COUNT in frame.columns and _COUNT not in court.policy.names
    made: dict[Point, dict[Key, Fraction]] = defaultdict(dict)
    columns = frame.select(*names, *([_COUNT] if counts else []))
    for *cells, value, mass in columns.group_by(columns.columns).len().select(*names, _weight(counts)).iter_rows():
        point = tuple(_text(reader(cell)) for reader, cell in zip(quasi, cells, strict=True))
        held = made[point]
        held[read(value)] = held.get(read(value), Fraction(0)) + _mass(mass)
    kept = {point: {key: mass for key, mass in held.items() if mass} for point, held in made.items()}
    return {point: held for point, held in kept.items() if held}


def _text(key: Key) -> str | None:
    """A value as published cells are compared with: numbers with a point, days in ISO form."""
    return key if key is None or isinstance(key, str) else str(key)


def _weight(counts: bool) -> pl.Expr:
    """Rows of a combination, and what each counts, as texts."""
    rows = pl.col("len").cast(pl.String)
    return (
        pl.concat_str(rows, pl.lit("*"), pl.col(_COUNT).fill_null("")) if counts else pl.concat_str(rows, pl.lit("*1"))
    )


def _mass(text: str) -> Fraction:
    rows, _, each = text.partition("*")
    try:
        number = as_fraction(each)
    except ValueError:
        number = Fraction(-1)
    if number < 0:
        raise InputError(f"population: column {_COUNT!r} must hold numbers of 0 or more, in every row")
    return int(rows) * number


def _covering(court: Court, masses: Masses, groups: _Groups) -> dict[Point, int]:
    """Per combination the groups that cover it."""
    fits: list[dict[str | None, int]] = []
    for place, name in enumerate(court.quasi):
        column = court.policy.columns[name]
        kinds = {"text": pl.String(), "integer": pl.Int64(), "number": pl.Float64(), "date": pl.Date()}
        tree = build(name, column, pl.Series([], dtype=kinds[column.kind]), court.policy.base)
        having: dict[str | None, int] = defaultdict(int)
        for number, shown in enumerate(groups.shown):
            having[shown[place]] |= 1 << number
        values = {point[place] for point in masses}
        found: dict[str | None, int] = dict.fromkeys(values, 0)
        for cell, which in having.items():
            for value in covered(cell, values, column, tree):
                found[value] |= which
        fits.append(found)
    every = (1 << len(groups.shown)) - 1
    return {point: _all(every, (found[cell] for found, cell in zip(fits, point, strict=True))) for point in masses}


def _all(every: int, sets: Iterator[int]) -> int:
    for each in sets:
        every &= each
    return every


def _bits(number: int) -> Iterator[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def _told(secret: str, masses: Masses, groups: _Groups, covering: Mapping[Point, int], asked: BayesAsked) -> Posterior:
    inside: dict[tuple[int, Key], Fraction] = defaultdict(Fraction)
    for point, held in masses.items():
        for group in _bits(covering[point]):
            for key, mass in held.items():
                inside[group, key] += mass
    expected = {at: groups.held[at[0]].get(at[1], 0) / mass for at, mass in inside.items()}
    found = _Counted()
    for point, held in masses.items():
        weights = {
            key: mass * sum(expected[group, key] for group in _bits(covering[point])) for key, mass in held.items()
        }
        whole, mine = sum(weights.values()), sum(held.values())
        if whole:
            found.combinations += 1
            for key, mass in held.items():
                found.add(mass / mine, weights[key] / whole, asked)
    broken = found.positive + found.negative + found.breaches
    strange = len(groups.shown) - _covered(covering).bit_count()
    verdict = "told" if not asked.parameters else "undecidable" if not found.combinations else "holds"
    return Posterior(
        on=secret,
        verdict="fails" if broken else verdict,
        parameters=asked.parameters,
        combinations=found.combinations,
        strange=strange,
        posterior=found.posterior,
        change=found.change,
        positive=found.positive if asked.delta is not None else None,
        negative=found.negative if asked.epsilon is not None else None,
        breaches=found.breaches if asked.rho1 is not None else None,
        needs="" if found.combinations else "somebody of the population whom a group covers",
    )


def _covered(covering: Mapping[Point, int]) -> int:
    every = 0
    for groups in covering.values():
        every |= groups
    return every


@dataclass
class _Counted:
    """What adds up, belief by belief."""

    combinations: int = 0
    posterior: Fraction = Fraction(0)
    change: Fraction = Fraction(0)
    positive: int = 0
    negative: int = 0
    breaches: int = 0

    def add(self, before: Fraction, after: Fraction, asked: BayesAsked) -> None:
        self.posterior, self.change = max(self.posterior, after), max(self.change, abs(after - before))
        self.positive += asked.delta is not None and after > 1 - asked.delta
        self.negative += asked.epsilon is not None and after < asked.epsilon <= before
        if asked.rho1 is not None and asked.rho2 is not None:
            rose = before < asked.rho1 and after > asked.rho2
            self.breaches += rose or (before > 1 - asked.rho1 and after < 1 - asked.rho2)
