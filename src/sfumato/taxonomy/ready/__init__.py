"""Hierarchies that come with the package: what stands above a value follows from public facts, not from the data.

Each says where a value belongs (`place`: labels from the finest group to the coarsest, or None if it does not know the
value) and what its labels mean (`meaning`). Facts stand in text files beside this one, each with its source.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sfumato.taxonomy.dates import UNITS, days_meant
from sfumato.taxonomy.ready.bands import AGES, INCOMES, band_labels, band_meaning, band_of
from sfumato.taxonomy.ready.countries import place_country, region_labels, region_meaning
from sfumato.taxonomy.ready.icd import Scheme, icd9, icd10
from sfumato.taxonomy.text import Kind

__all__ = ["OTHER", "READY", "Ready", "Value"]

Value = str | int | float | date

_CALENDAR = ("month", "quarter", "year", "decade")

OTHER = "other"
"""What values are called that a ready hierarchy does not know, if the policy lets them be one group."""


@dataclass(frozen=True)
class Ready:
    """A hierarchy that needs no file.

    types     of the columns that it serves
    levels    what the levels are called, from the finest
    source    where its facts come from
    example   a value that it knows
    place     the labels above a value, one per level; None: it does not know the value
    meaning   what a label covers; None: it is no label
    labels    the labels that it has, as far as they can be listed
    """

    name: str
    types: tuple[Kind, ...]
    levels: tuple[str, ...]
    source: str
    example: Value
    place: Callable[[Value], Sequence[str] | None]
    meaning: Callable[[str], str | None]
    labels: Callable[[], Sequence[str]]


def _ready() -> Mapping[str, Ready]:
    numbers = ("integer", "number")
    made = (
        Ready(
            "ages",
            numbers,
            ("five years", "broad groups", "young, of working age, old"),
            "age groups of the United Nations' Demographic Yearbook, top-coded at 90",
            41,
            lambda value: band_of(AGES, value),
            lambda label: band_meaning(AGES, label),
            lambda: band_labels(AGES),
        ),
        Ready(
            "incomes",
            numbers,
            ("ten brackets", "five brackets", "three brackets"),
            "brackets of household income by the U.S. Census Bureau (American Community Survey, S1901)",
            41_000,
            lambda value: band_of(INCOMES, value),
            lambda label: band_meaning(INCOMES, label),
            lambda: band_labels(INCOMES),
        ),
        Ready(
            "countries",
            ("text",),
            ("sub-region", "region"),
            "ISO 3166-1 codes and names; regions of UN M49",
            "DE",
            place_country,
            region_meaning,
            region_labels,
        ),
        Ready(
            "dates",
            ("date",),
            _CALENDAR,
            "the calendar",
            date(2024, 3, 5),
            lambda day: [UNITS[unit](day) for unit in _CALENDAR] if isinstance(day, date) else None,
            days_meant,
            lambda: (),
        ),
        _icd("icd9", "ICD-9-CM by the U.S. National Center for Health Statistics (CDC)", "250.01", icd9),
        _icd("icd10", "ICD-10, version 2019, by the World Health Organization", "E11.9", icd10),
    )
    return {each.name: each for each in made}


def _icd(name: str, source: str, example: str, scheme: Callable[[], Scheme]) -> Ready:
    """A hierarchy of diagnoses."""
    return Ready(
        name,
        ("text",),
        ("category", "block", "chapter"),
        source,
        example,
        lambda value: scheme().place(str(value)),
        lambda label: scheme().meaning(label),
        lambda: scheme().labels,
    )


READY: Mapping[str, Ready] = _ready()
"""By the name that a policy uses."""
