"""Suggest a role, a type and a hierarchy for every column of a new table, each with its reasons.

A role is suggested where the column's name or its figures speak for it; otherwise, or where they contradict each
other, it is left to a person. `insensitive` is never suggested: that nobody could use a column against someone is
nothing that figures show.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.displayed import Displayed
from sfumato.errors import one_line
from sfumato.policy.load import input_settings
from sfumato.suggestions.evidence import Combination, Evidence, combination, evidence_of, percent
from sfumato.suggestions.fitting import Hierarchy, fit_hierarchy
from sfumato.suggestions.hints import Topic, topics_of
from sfumato.suggestions.reading import SURE_MARKS, Reading, Type, outsider, read_values
from sfumato.suggestions.readyfit import ready_for, with_ready
from sfumato.suggestions.setlike import SetLike, is_list, listed, separated
from sfumato.table.formats.headers import require_header
from sfumato.table.formats.source import name_of, read_raw
from sfumato.table.frames import from_frame
from sfumato.table.words import counted

__all__ = ["Suggestion", "Suggestions", "suggest", "suggested"]

# Below so many rows, figures such as "nearly all values are unique" mean nothing.
_FEW_ROWS = 20
_NEARLY_UNIQUE = 0.9
_OFTEN_UNIQUE = 0.5
_SELDOM_UNIQUE = 0.1
_SEPARATES = 0.95
# More rows than this for each value, and they name groups of people.
_MOST_EACH = 50
_DEFAULTS = {"date": "%Y-%m-%d", "decimal": "."}


@dataclass(frozen=True)
class Suggestion(Displayed):
    """What the data says about one column.

    name        of the column
    role        None: a person has to decide
    type        of its values
    hierarchy   as in a policy; for an undecided role, what a quasi-identifier would get
    reasons     why this role, type and hierarchy
    evidence    the figures behind them: different values, missing ones, rows that it singles out
    settings    entries of the policy's `input:` that the type needs
    together    what all suggested quasi-identifiers tell jointly, the same in each of them
    separator   what parts the terms of a cell, if it looks like a set of them
    marks       texts of it that stand for a missing value, such as ?
    """

    name: str
    role: str | None
    type: Type
    hierarchy: Hierarchy | None
    reasons: tuple[str, ...]
    evidence: Evidence
    settings: Mapping[str, str] = field(default_factory=dict)
    together: Combination | None = None
    separator: str | None = None
    marks: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Suggestion: {one_line(self.name)} is {self.role or 'for a person to decide'}, {self.type}>"


class Suggestions(Displayed, tuple[Suggestion, ...]):
    """Suggestions for all columns of a table, in its order: a tuple of them that shows itself as a table.

    iterable   the suggestions
    """

    def __repr__(self) -> str:
        open_ = sum(each.role is None for each in self)
        return f"<Suggestions for {counted(len(self), 'column')}, of which a person has to decide {open_}>"


def suggest(data: object, input: Mapping[str, Any] | None = None) -> Suggestions:
    """Suggestions for every column of a file, a table of a database or a frame, never more than suggestions.

    data     a file, the address of a table, or a frame
    input    how the data is written, as in a policy

    >>> import polars as pl
    >>> import sfumato as sf
    >>> found = sf.suggest(pl.DataFrame({"zip": ["13053", "13068"], "disease": ["flu", "gout"]}))
    >>> found
    <Suggestions for 2 columns, of which a person has to decide 0>
    >>> found[0]
    <Suggestion: zip is quasi, text>
    """
    if not isinstance(data, (str, Path)):
        return suggested(from_frame(data, lists=None)[0])
    frame = read_raw(data, input_settings(input), None)
    require_header(frame, name_of(data))
    return suggested(frame)


def suggested(frame: pl.DataFrame) -> Suggestions:
    """A suggestion for every column of a table as read, in its order."""
    topics = {name: topics_of(name) for name in frame.columns}
    marks = {column.name: _marks(column) for column in frame.iter_columns()}
    frame = frame.with_columns(_without(frame[name], found) for name, found in marks.items() if found)
    figures: dict[str, Evidence] = {}
    readings: dict[str, Reading] = {}
    sets: dict[str, SetLike] = {}
    ready: dict[str, Hierarchy | None] = {}
    for column in frame.iter_columns():
        name, lists = column.name, is_list(column)
        figures[name], tally = evidence_of(_joined(column) if lists else column)
        ready[name] = ready_for(tally)
        readings[name] = read_values(tally, any(topic.code for topic in topics[name]))
        terms = listed(column) if lists else separated(tally) if readings[name].type == "text" else None
        if terms is not None and (lists or frame.height >= _FEW_ROWS):
            sets[name] = terms
    for setting in _DEFAULTS:
        readings = _agreed(readings, setting)
    made = [
        _set_suggestion(name, topics[name], figures[name], sets[name])
        if name in sets
        else _suggestion(name, topics[name], figures[name], readings[name])
        for name in frame.columns
    ]
    made = _one_weight(_one_individual(made))
    made = [with_ready(_marked(each, marks[each.name]), ready[each.name]) for each in made]
    quasi = [each.name for each in made if each.role == "quasi"]
    if quasi:
        together = combination(frame, quasi)
        made = [replace(each, together=together) if each.role == "quasi" else each for each in made]
    return Suggestions(made)


def _marks(column: pl.Series) -> tuple[str, ...]:
    """Usual marks of a missing value that stand in a column, beside others."""
    if not isinstance(column.dtype, (pl.String, pl.Categorical, pl.Enum)):
        return ()
    values = column.cast(pl.String).unique().drop_nulls()
    found = values.filter(values.str.to_lowercase().is_in(SURE_MARKS)).sort().to_list()
    others = values.filter(~values.is_in(found))
    if "NA" in found and others.str.contains("^[A-Z]{2}$").all():  # among codes of countries it is Namibia
        found.remove("NA")
    return tuple(found) if len(others) else ()


def _without(column: pl.Series, marks: Sequence[str]) -> pl.Series:
    texts = column.cast(pl.String)
    return texts.set(texts.is_in(marks), None)


def _marked(given: Suggestion, marks: tuple[str, ...]) -> Suggestion:
    if not marks:
        return given
    reasons = (*given.reasons, "holds a usual mark of a missing value (?, NA, null, ...), taken for one")
    return replace(given, reasons=reasons, marks=marks)


def _one_individual(given: Sequence[Suggestion]) -> list[Suggestion]:
    """Only one column can say whose a row is: the first; another key of persons is left out like any key."""
    first = next((each.name for each in given if each.role == "individual"), None)
    return [
        replace(each, role="identifier", reasons=(*each.reasons, f"{first!r} says already whose a row is"))
        if each.role == "individual" and each.name != first
        else each
        for each in given
    ]


def _one_weight(given: Sequence[Suggestion]) -> list[Suggestion]:
    """Only one column can hold sampling weights: which of several is for a person to say."""
    several = [each.name for each in given if each.role == "weight"][1:]
    return [
        replace(each, role=None, reasons=(*each.reasons, "and so does that of another: only one can be the weight"))
        if each.role == "weight" and several
        else each
        for each in given
    ]


def _agreed(readings: Mapping[str, Reading], setting: str) -> dict[str, Reading]:
    """A policy has one date format and one decimal mark: the most frequent stays, columns with another are doubtful."""
    votes = Counter(reading.settings[setting] for reading in readings.values() if setting in reading.settings)
    if len(votes) < 2:
        return dict(readings)
    chosen = max(votes, key=lambda each: (votes[each], each == _DEFAULTS[setting]))
    return {
        name: outsider(reading, setting, chosen) if reading.settings.get(setting, chosen) != chosen else reading
        for name, reading in readings.items()
    }


def _suggestion(name: str, topics: Sequence[Topic], figures: Evidence, reading: Reading) -> Suggestion:
    span = _rounded_up(reading.span)
    evidence = replace(figures, span=span, length=reading.length, date=reading.settings.get("date"))
    evidence = replace(evidence, bands=reading.bands)
    role, reasons = _role(topics, evidence, reading)
    hierarchy, why = fit_hierarchy(topics, evidence, reading.type)
    if role in ("identifier", "individual"):
        return Suggestion(name, role, reading.type, None, reasons, evidence)
    reasons = (*reasons, *reading.notes, *(why if role == "quasi" else ()))
    if role in ("sensitive", "weight"):
        hierarchy = None
    if role == "sensitive" and reading.type in ("integer", "number") and evidence.distinctness > _SELDOM_UNIQUE:
        reasons = (*reasons, "nearly continuous: near values are no different secrets, so give bins or difference")
    return Suggestion(name, role, reading.type, hierarchy, reasons, evidence, reading.settings)


def _set_suggestion(name: str, topics: Sequence[Topic], figures: Evidence, terms: SetLike) -> Suggestion:
    """A set of terms; where the name speaks of something that others know, a person has to decide."""
    how = (
        "lists"
        if terms.separator is None
        else f"texts that {terms.separator!r} parts, in {percent(terms.share)} of rows"
    )
    named = tuple(f"its name speaks of {topic.meaning}" for topic in topics)
    role = None if {topic.role for topic in topics} - {"sensitive"} else "quasi-sensitive"
    reasons = (*named, f"looks like sets of terms: {how}, {terms.different} different terms")
    return Suggestion(name, role, "text", None, reasons, figures, separator=terms.separator)


def _joined(lists: pl.Series) -> pl.Series:
    """Lists as texts, so that they can be counted."""
    return lists.cast(pl.List(pl.String)).list.join("\x1f", ignore_nulls=True)


def _rounded_up(span: float | None) -> float | None:
    """To one significant digit; the exact width may be a value of the data itself."""
    if span is None or not 1e-300 < span < 1e300:
        return 0.0 if span == 0 else None
    unit = 10.0 ** math.floor(math.log10(span))
    return math.ceil(span / unit) * unit


def _role(topics: Sequence[Topic], evidence: Evidence, reading: Reading) -> tuple[str | None, tuple[str, ...]]:
    named = tuple(f"its name speaks of {topic.meaning}" for topic in topics)
    roles = {topic.role for topic in topics}
    if len(roles) > 1:
        return None, (*named, "which of these holds is for a person to say")
    if not roles:
        return _role_by_figures(evidence, reading)
    role, weak = roles.pop(), all(topic.weak for topic in topics)
    if role == "identifier":
        if any(topic.person for topic in topics) and _repeats(evidence):
            return "individual", (*named, f"{_unique_share(evidence)}, so that one person has several")
        if not weak or evidence.distinctness >= _OFTEN_UNIQUE:
            return role, (*named, *([_unique_share(evidence)] if weak else []))
        return None, (*named, "but its values repeat: a group of people, or several rows of one person (individual)?")
    if role == "weight":
        return _weight(named, weak, evidence, reading)
    if reading.doubtful:
        return None, named
    if role == "sensitive" and (reading.type == "date" or _names_rows(evidence, reading)):
        return None, (*named, "but a date or a key may be known to others")
    return role, named


def _weight(
    named: tuple[str, ...], weak: bool, evidence: Evidence, reading: Reading
) -> tuple[str | None, tuple[str, ...]]:
    """How many people a row stands for is a number in every row; a word that may mean it is no more than a reason."""
    if weak:
        role, why = _role_by_figures(evidence, reading)
        return role, (*named, *why)
    numbers = reading.type in ("integer", "number") and not reading.doubtful
    if numbers and not evidence.missing:
        return "weight", named
    return None, (*named, "but not every row has a number" if numbers else "but its values are not plain numbers")


def _role_by_figures(evidence: Evidence, reading: Reading) -> tuple[str | None, tuple[str, ...]]:
    if evidence.values <= 1:
        return None, ("the same in all rows",)
    if evidence.rows < _FEW_ROWS or reading.doubtful:
        return None, ("neither its name nor its figures speak for a role",)
    if _names_rows(evidence, reading):
        return "identifier", (_unique_share(evidence),)
    if reading.type == "integer" and reading.dense and evidence.uniqueness == 1:
        return "identifier", ("numbers the rows",)
    if evidence.separation >= _SEPARATES and evidence.uniqueness <= _SELDOM_UNIQUE:
        return "quasi", (f"tells {percent(evidence.separation)} of the pairs of rows apart, though few rows alone",)
    return None, ("neither its name nor its figures speak for a role",)


def _names_rows(evidence: Evidence, reading: Reading) -> bool:
    return reading.type == "text" and evidence.rows >= _FEW_ROWS and evidence.uniqueness >= _NEARLY_UNIQUE


def _repeats(evidence: Evidence) -> bool:
    """Whether values look like those of many persons, some of whom have several rows."""
    many = evidence.distinct >= _FEW_ROWS and evidence.rows <= _MOST_EACH * evidence.distinct
    return many and evidence.distinct < evidence.rows - evidence.missing


def _unique_share(evidence: Evidence) -> str:
    return f"{evidence.values} different values in {evidence.rows} rows"
