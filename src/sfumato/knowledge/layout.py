"""How a knowledge table is laid out, and its rows as labels with their terms.

`long`: one row per label and term; rows of one label belong together, unless a `way` column tells sets of one label
apart. `wide`: a label, then a term in each of several columns. `cell`: a label, then a cell with all terms, split at
`separator` (or a list). `binary`: a label, then a column per term with 1 or 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from sfumato.errors import InputError
from sfumato.exact import as_fraction
from sfumato.knowledge.sheet import Sheet

__all__ = ["Layout", "Listing", "laid_out"]

Form = Literal["long", "wide", "cell", "binary"]
_YES, _NO = frozenset(("1", "true", "yes")), frozenset(("", "0", "false", "no"))


@dataclass(frozen=True)
class Layout:
    """Where labels, terms and numbers stand. Labels are in the first column unless `label` names another."""

    form: Form | None = None
    label: str | None = None
    term: str | None = None
    separator: str | None = None
    probability: str | None = None
    way: str | None = None
    prior: str | None = None
    delimiter: str | None = None


@dataclass
class Listing:
    """What a table holds: sets of terms per label and way, chances of terms, priors of labels."""

    sets: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    chances: dict[tuple[str, str], Fraction] = field(default_factory=dict)
    priors: dict[str, Fraction] = field(default_factory=dict)


def laid_out(sheet: Sheet, layout: Layout) -> Listing:
    """Read a sheet; every mistake names its place, and what to do."""
    if not sheet.rows:
        raise InputError(f"{sheet.name}: has a header and no rows; it needs at least one label")
    form = layout.form or _guess(sheet, layout)
    if layout.probability is not None and form != "long":
        raise InputError(f"{sheet.name}: a column of probabilities goes with the layout 'long', one term in each row")
    readers: dict[Form, Callable[[Sheet, Layout, Listing], None]] = {
        "long": _long,
        "wide": _wide,
        "cell": _cells,
        "binary": _binary,
    }
    found = Listing()
    readers[form](sheet, layout, found)
    if layout.prior is not None:
        _priors(sheet, layout, found)
    return found


def _guess(sheet: Sheet, layout: Layout) -> Form:
    rest = _others(sheet, layout)
    lists = any(isinstance(cells[at], list) for _, cells in sheet.rows for at in rest)
    if layout.separator is not None or lists:
        return "cell"
    if layout.term is not None or layout.probability is not None or layout.way is not None or len(rest) < 2:
        return "long"
    texts = {str(cells[at]).lower() for _, cells in sheet.rows for at in rest}
    if texts <= _YES | _NO and texts & _YES:
        return "binary"
    held = {at: [cells[at] for _, cells in sheet.rows if cells[at]] for at in rest}
    numbers = [at for at in rest if held[at] and all(map(_is_number, held[at]))]
    if 0 < len(numbers) < len(rest):
        raise InputError(
            f"{sheet.name}: column {sheet.columns[numbers[0]]!r} holds numbers, and others do not; name it as"
            " probability, prior or way, or say the layout"
        )
    return "wide"


def _is_number(cell: object) -> bool:
    try:
        as_fraction(cell)
    except ValueError:
        return False
    return True


def _others(sheet: Sheet, layout: Layout) -> list[int]:
    """Columns that may hold terms."""
    label = sheet.column(layout.label, 0, "labels")
    named = {sheet.column(name, 0, "numbers") for name in (layout.probability, layout.way, layout.prior) if name}
    return [at for at in range(len(sheet.columns)) if at != label and at not in named]


def _label(sheet: Sheet, layout: Layout, place: str, cells: list[str | list[str]]) -> str:
    at = sheet.column(layout.label, 0, "labels")
    if not cells[at] or not isinstance(cells[at], str):
        raise sheet.error(place, at, "the label is missing; every row needs one")
    return str(cells[at])


def _long(sheet: Sheet, layout: Layout, found: Listing) -> None:
    rest = _others(sheet, layout)
    term_at = sheet.column(layout.term, rest[0] if rest else len(sheet.columns), "terms")
    way_at = None if layout.way is None else sheet.column(layout.way, 0, "ways")
    chance_at = None if layout.probability is None else sheet.column(layout.probability, 0, "probabilities")
    for place, cells in sheet.rows:
        label, term = _label(sheet, layout, place, cells), cells[term_at]
        if not term or not isinstance(term, str):
            raise sheet.error(place, term_at, "the term is missing; every row of a long table needs one")
        found.sets.setdefault((label, "" if way_at is None else str(cells[way_at])), []).append(term)
        if chance_at is not None:
            chance = _number(sheet, place, cells, chance_at, most=1)
            if found.chances.setdefault((term, label), chance) != chance:
                raise sheet.error(place, chance_at, f"{term!r} under {label!r} has another probability further up")


def _wide(sheet: Sheet, layout: Layout, found: Listing) -> None:
    columns = _others(sheet, layout)
    for place, cells in sheet.rows:
        terms = [str(cells[at]) for at in columns if cells[at]]
        found.sets[_label(sheet, layout, place, cells), place] = terms


def _cells(sheet: Sheet, layout: Layout, found: Listing) -> None:
    rest = _others(sheet, layout)
    at = sheet.column(layout.term, rest[0] if rest else len(sheet.columns), "terms")
    for place, cells in sheet.rows:
        cell = cells[at]
        if isinstance(cell, str) and layout.separator is None:
            raise sheet.error(place, at, "is one text; say at which separator it splits into terms")
        terms = cell if isinstance(cell, list) else [term.strip() for term in cell.split(layout.separator)]
        found.sets[_label(sheet, layout, place, cells), place] = [term for term in terms if term]


def _binary(sheet: Sheet, layout: Layout, found: Listing) -> None:
    columns = _others(sheet, layout)
    for place, cells in sheet.rows:
        for at in columns:
            if str(cells[at]).lower() not in _YES | _NO:
                raise sheet.error(place, at, "must be 1 or 0, for the column is a term")
        terms = [sheet.columns[at] for at in columns if str(cells[at]).lower() in _YES]
        found.sets[_label(sheet, layout, place, cells), place] = terms


def _priors(sheet: Sheet, layout: Layout, found: Listing) -> None:
    at = sheet.column(layout.prior, 0, "priors")
    for place, cells in sheet.rows:
        label, prior = _label(sheet, layout, place, cells), _number(sheet, place, cells, at)
        if found.priors.setdefault(label, prior) != prior:
            raise sheet.error(place, at, f"{label!r} has another prior further up")


def _number(sheet: Sheet, place: str, cells: list[str | list[str]], at: int, most: int | None = None) -> Fraction:
    try:
        number = as_fraction(cells[at])
    except ValueError:
        number = Fraction(0)
    if number <= 0 or (most is not None and number > most):
        wanted = "above 0" if most is None else f"above 0 and at most {most}"
        raise sheet.error(place, at, f"must be a number {wanted}; leave out what cannot be")
    return number
