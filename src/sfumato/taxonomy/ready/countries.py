"""Countries by two letters, three letters or English name, below the sub-region and the region of UN M49."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from sfumato.taxonomy.ready.contract import Ready

__all__ = ["READY_COUNTRIES", "place_country", "region_labels", "region_meaning"]


@cache
def _entries() -> tuple[tuple[str, str, str, str, str], ...]:
    """Two letters, three letters, name, sub-region, region."""
    text = files("sfumato.taxonomy.ready").joinpath("countries.txt").read_text(encoding="utf-8")
    return tuple(_read(text))


def _read(text: str) -> Iterator[tuple[str, str, str, str, str]]:
    region = ""
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        if not line.startswith(" "):
            region = line.strip()
            continue
        part, _, listed = line.strip().partition(": ")
        for entry in listed.split("; "):
            two, three, name = entry.split(" ", 2)
            yield two, three, name, part, region


@cache
def _known() -> dict[str, tuple[str, str]]:
    return {way.casefold(): (part, region) for *ways, part, region in _entries() for way in ways}


def place_country(value: object) -> tuple[str, str] | None:
    """Sub-region and region.

    >>> place_country("DE"), place_country("deu"), place_country("Germany")
    (('Western Europe', 'Europe'), ('Western Europe', 'Europe'), ('Western Europe', 'Europe'))
    """
    return _known().get(str(value).strip().casefold())


def region_labels() -> list[str]:
    """Regions, each followed by its sub-regions."""
    return list(dict.fromkeys(label for *_, part, region in _entries() for label in (region, part)))


def region_meaning(label: str) -> str | None:
    """The countries of a region.

    >>> region_meaning("Central Asia")
    'any of 5 countries: Kazakhstan, Kyrgyzstan, Tajikistan, Turkmenistan, Uzbekistan'
    """
    names = [name for _, _, name, part, region in _entries() if label in (part, region)]
    if not names:
        return None
    return f"any of {len(names)} countries: {', '.join(names)}" if len(names) > 1 else f"only {names[0]}"


READY_COUNTRIES = Ready(
    "countries",
    ("text",),
    ("sub-region", "region"),
    "ISO 3166-1 codes and names; regions of UN M49",
    "DE",
    place_country,
    region_meaning,
    region_labels,
)
