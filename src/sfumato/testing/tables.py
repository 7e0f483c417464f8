"""Random tables that a promise can be asked of, each with the policy that describes it.

One to three quasi-identifiers of every kind (numbers, dates and text, with and without a hierarchy), one or two
sensitive columns over the values a, b, c and d, missing values in any of them. A seed makes a table again.
"""

from __future__ import annotations

import json
import warnings
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.engine.probe import SAMPLE_VALUES
from sfumato.engine.release import Release
from sfumato.engine.run import publish
from sfumato.errors import InputError, SfumatoWarning
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.policy.forms import Form
from sfumato.policy.methods import Method
from sfumato.policy.promises import Promise, all_of
from sfumato.table.formats import FORMATS, PLAIN
from sfumato.table.read import read
from sfumato.table.table import Table

__all__ = ["Broken", "Tables", "Trial"]

Broken = tuple[str, str]
"""What was expected, and what was found instead."""

_PLACES = {"north": {"coast": ["p", "q"], "inland": ["r"]}, "south": ["t", "v"]}
_DAYS = tuple(date(2001, 1, 1) + timedelta(days=37 * step) for step in range(20))

QUASI: Mapping[str, tuple[Mapping[str, Any], Sequence[Any]]] = {
    "age": ({"type": "integer", "hierarchy": {"intervals": [5, 10, 20]}}, range(60)),
    "born": ({"type": "date", "hierarchy": {"dates": ["month", "quarter", "year"]}}, _DAYS),
    "colour": ({}, ("red", "blue, dark", 'say "black"', "grün")),
    "grade": ({"order": ["low", "mid", "high"]}, ("low", "mid", "high")),
    "height": ({"type": "integer"}, range(150, 161)),
    "place": ({"hierarchy": {"tree": _PLACES}}, ("p", "q", "r", "t", "v")),
    "seen": ({"type": "date"}, _DAYS[:6]),
    "sex": ({"hierarchy": "flat"}, ("f", "m")),
    "weight": ({"type": "number", "hierarchy": {"balanced": {"fanout": 2}}}, (50.5, 60.25, 70.0, 71.0)),
    "zip": ({"hierarchy": {"mask": "right"}}, ("02138", "02139", "02210", "10001")),
}
_TYPES = {"age": pl.Int64, "born": pl.Date, "height": pl.Int64, "seen": pl.Date, "weight": pl.Float64}

_SECRETS: tuple[Mapping[str, Any], ...] = (
    {"hierarchy": {"tree": {"ab": ["a", "b"], "cd": ["c", "d"]}}},
    {"order": list(SAMPLE_VALUES)},
    {},
)


_KNOWLEDGE: tuple[Mapping[str, Any], ...] = (
    {"labels": {"A": ["a", "b"], "B": ["b", "c"], "C": [["c"], ["a", "d"]], "D": ["a", "b", "c", "d"]}},
    {"labels": {"A": ["a"], "B": ["b"], "C": ["c"], "D": ["d"]}, "priors": {"A": 3, "B": 1, "C": 1, "D": 2}},
    {"labels": {"A": {"a": "1/2", "b": "1/3"}, "B": {"b": "1", "c": "1/4", "d": "1/2"}, "C": {"a": "1/5", "c": 1}}},
)


@dataclass(frozen=True, eq=False)
class Trial:
    """A random table under the columns of a policy; `seed` makes it again."""

    seed: int
    promise: Promise
    frame: pl.DataFrame
    columns: Mapping[str, Mapping[str, Any]]

    def policy(self, settings: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The policy document, with more settings than the columns and the promise."""
        parts = self.promise.parts
        form = {"form": {"group_id": True}} if self.needs_group_id else {}
        return {"columns": self.columns, "privacy": [part.as_dict() for part in parts], **form, **(settings or {})}

    def read(self, settings: Mapping[str, Any] | None = None) -> Table:
        """The table under that policy; doubts about it are no news."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SfumatoWarning)
            return read(self.frame, self.policy(settings))

    def publish(self, settings: Mapping[str, Any], method: Method, form: Form) -> Release:
        """A release of the table, made by an algorithm in a form."""
        chosen = {**settings, "partition": method.model_dump(mode="json"), "form": form.model_dump(mode="json")}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SfumatoWarning)
            return publish(self.frame, policy=self.policy(chosen), seed=self.seed)

    def with_persons(self) -> Trial:
        """The same table, in which some rows are of one person; the first two always are."""
        frame = self.frame if self.frame.height > 1 else pl.concat([self.frame, self.frame])
        rng = self.rng("persons")
        whose = rng.integers(0, max(int(frame.height * rng.choice([0.5, 1.0, 2.0])), 1), frame.height)
        whose[1] = whose[0]
        named = pl.Series("whose", [f"person {number}" for number in whose.tolist()])
        frame = frame.with_columns(named, pl.Series("row", _tags(frame.height)))
        return replace(self, frame=frame, columns={**self.columns, "whose": {"role": "individual"}})

    def in_another_order(self) -> Trial:
        """The same rows in another order."""
        return replace(self, frame=self.frame[self.rng("another order").permutation(self.frame.height)])

    def without_numbers(self) -> Trial:
        """The same table without the column that numbers its rows, so that some may be equal."""
        columns = {name: column for name, column in self.columns.items() if name not in ("row", "name")}
        return replace(self, frame=self.frame.select(list(columns)), columns=columns)

    @property
    def quasi(self) -> tuple[str, ...]:
        return tuple(name for name, column in self.columns.items() if column["role"] == "quasi")

    @property
    def needs_group_id(self) -> bool:
        return any(part.needs_group_id for part in self.promise.parts)

    def rng(self, purpose: str) -> np.random.Generator:
        """More randomness from the same seed."""
        return np.random.default_rng([self.seed, zlib.crc32(purpose.encode())])

    def require(self, subject: str, checks: Iterator[Broken]) -> None:
        """Raise for the first thing that checks find; an error that no contract speaks of is one too."""
        try:
            broken = next(checks, None)
        except Exception as error:
            raise self.failed(subject, "nothing else is raised", repr(error)) from error
        if broken is not None:
            raise self.failed(subject, *broken)

    def failed(self, subject: str, rule: str, found: str = "") -> AssertionError:
        """What was expected and did not come, with the table on which it did not."""
        lines = [f"{subject}: {rule}", *([f"  found: {found}"] if found else [])]
        lines += [f"  of the promise: {self.promise}", f"  replay: seed={self.seed}, rounds=1"]
        lines += [f"  columns: {json.dumps(self.columns)}", f"  table:\n{FORMATS[PLAIN].bytes_of(self.frame).decode()}"]
        return AssertionError("\n".join(lines))


@dataclass(frozen=True)
class Tables:
    """Tables for one promise.

    promise    with the sensitive column that it is about
    secrets    descriptions of a sensitive column under which it can be asked
    fewest     sensitive columns, and the most of them
    """

    promise: Promise
    secrets: tuple[Mapping[str, Any], ...]
    fewest: int
    most: int

    @classmethod
    def of(cls, promise: Promise) -> Tables:
        """Try what the promise can be asked of."""
        parts = about(promise, "s").parts
        fewest = 2 if any(part.of_each is not None for part in parts) else 1
        several = all(not part.about_values or part.about is not None for part in parts)
        made = cls(about(promise, "s"), (), fewest, 2 if several else fewest)
        secrets, reasons = [], []
        for secret in _SECRETS:
            trial = replace(made, secrets=(secret,)).draw(0)
            try:
                bind(made.promise, Facts.of(trial.read().encode()))
                secrets.append(secret)
            except InputError as error:
                reasons.append(str(error))
        if not secrets:
            raise AssertionError(
                f"{promise}: it must be possible to ask it of a column with the values {', '.join(SAMPLE_VALUES)}\n"
                + "\n".join(reasons)
            )
        return replace(made, secrets=tuple(secrets))

    def draws(self, seed: int, rounds: int) -> Iterator[Trial]:
        """Tables of consecutive seeds."""
        return map(self.draw, range(seed, seed + rounds))

    def draw(self, seed: int) -> Trial:
        """The table of a seed."""
        rng = np.random.default_rng([seed, zlib.crc32(self.promise.name.encode())])
        count = int(rng.integers(self.fewest, self.most + 1))
        secrets = [self.secrets[int(place)] for place in rng.integers(len(self.secrets), size=count)]
        every = not all("hierarchy" in secret for secret in secrets)  # a promise may name any value that a column has
        rows = int(rng.integers(len(SAMPLE_VALUES) if every else 1, 10) if rng.random() < 0.3 else rng.integers(10, 50))
        holes = float(rng.choice([0.0, 0.0, 0.1]))
        columns: dict[str, Mapping[str, Any]] = {"name": {"role": "identifier", "pseudonym": bool(rng.random() < 0.5)}}
        data = [pl.Series("name", [f"person {row}" for row in range(rows)])]
        for name in sorted(rng.choice(list(QUASI), int(rng.integers(1, 4)), replace=False).tolist()):
            spec, values = QUASI[name]
            columns[name] = {"role": "quasi", **spec}
            data.append(pl.Series(name, _cells(rng, values, rows, holes), dtype=_TYPES.get(name, pl.String)))
        crossed = _crossed(rng, rows, every) if count > 1 and rng.random() < 0.8 else None
        for place, (name, secret) in enumerate(zip(("s", "u"), secrets, strict=False)):
            columns[name] = {"role": "sensitive", **secret}
            cells = crossed[place] if crossed else _secrets(rng, rows, holes / 2, every)
            data.append(pl.Series(name, cells, dtype=pl.String))
        if any(part.about_terms for part in self.promise.parts):
            columns["t"], cells = _terms(rng, rows)
            data.append(pl.Series("t", cells, dtype=pl.String))
        columns["row"] = {"role": "insensitive", "unique": "accepted"}
        data.append(pl.Series("row", _tags(rows)))
        return Trial(seed, self.promise, pl.DataFrame(data), columns)


def _cells(rng: np.random.Generator, values: Sequence[Any], rows: int, holes: float) -> list[Any]:
    """Few or many of the values, some more often than others."""
    known = rng.choice(len(values), int(rng.integers(1, len(values) + 1)), replace=False)
    return _holed(rng, [values[place] for place in rng.choice(known, rows, p=_shares(rng, len(known))).tolist()], holes)


def _secrets(rng: np.random.Generator, rows: int, holes: float, every: bool) -> list[str | None]:
    """Sensitive values; the first rows have every one of them, if that is needed."""
    places = rng.choice(len(SAMPLE_VALUES), rows, p=_shares(rng, len(SAMPLE_VALUES)))
    if every:
        places[: len(SAMPLE_VALUES)] = rng.permutation(len(SAMPLE_VALUES))
    return _holed(rng, [SAMPLE_VALUES[place] for place in places.tolist()], holes)


def _terms(rng: np.random.Generator, rows: int) -> tuple[dict[str, Any], list[str | None]]:
    """A column of sets of terms; every known term stands alone in one of the first rows, so that some are linked."""
    terms = [*SAMPLE_VALUES, "nobody knows"]
    sets = [rng.permutation(terms)[: int(rng.integers(0, 4))].tolist() for _ in range(rows)]
    sets[: len(SAMPLE_VALUES)] = [[value] for value in SAMPLE_VALUES[:rows]]
    separator = str(rng.choice(["|", ", "]))
    column = {
        "role": "quasi-sensitive",
        "separator": separator,
        "knowledge": _KNOWLEDGE[int(rng.integers(len(_KNOWLEDGE)))],
        "unknown": str(rng.choice(["drop", "strict"])),
        "lengths": str(rng.choice(["hidden", "known"])),
        "hierarchy": {"tree": {"AB": ["A", "B"], "CD": ["C", "D"]}},
    }
    return column, [separator.join(each) or None for each in sets]


def _crossed(rng: np.random.Generator, rows: int, every: bool) -> tuple[list[str], list[str]]:
    """Two sensitive columns in most of their combinations, without which several at once can rarely be protected."""
    known = rng.permutation(SAMPLE_VALUES)[: None if every else int(rng.integers(2, 4))].tolist()
    pairs = [*zip(known, known, strict=True), *product(known, repeat=2)]
    chosen = pairs[:rows] + [pairs[place] for place in rng.integers(len(pairs), size=max(rows - len(pairs), 0))]
    return [one for one, _ in chosen], [other for _, other in chosen]


def _shares(rng: np.random.Generator, values: int) -> NDArray[np.float64]:
    """Uneven, or nearly even."""
    return rng.dirichlet(np.full(values, rng.choice([1.5, 9.0])))


def _holed(rng: np.random.Generator, cells: list[Any], holes: float) -> list[Any]:
    """Some of the cells missing, none of the first rows: dropping others leaves every sensitive value."""
    missing = rng.random(len(cells)) < holes
    missing[: len(SAMPLE_VALUES)] = False
    return [None if hole else cell for cell, hole in zip(cells, missing.tolist(), strict=True)]


def about(promise: Promise, column: str) -> Promise:
    """The same promise, of that sensitive column; of the quasi-sensitive one if it speaks of terms."""
    parts = [part.on_column("t" if part.about_terms else column) for part in promise.parts]
    return parts[0] if promise.parts == (promise,) else all_of(*parts)


def _tags(rows: int) -> range:
    """A number for every row, in their order; none that counts them, which the auditor takes for an index."""
    return range(3, 7 * rows + 3, 7)
