"""Spellings of one value: texts that differ only in case, spaces, invisible characters or Unicode form.

To a reader they are one secret, to a count they are several. So sensitive texts that differ only so are an error until
the policy says what they are: `same: case`, `same: space` or both make them one value, `same: none` says that they
differ. Terms of a quasi-sensitive column are held against those of its knowledge.

A value that is made one is written as the hierarchy, the order or the promise names it; else in the spelling without
superfluous spaces and invisible characters, of several the most frequent, of these the first by Unicode number.
"""

from __future__ import annotations

import dataclasses
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import polars as pl

from sfumato.errors import InputError, PolicyError, Problem, TableError
from sfumato.policy.columns import SAME, Column
from sfumato.policy.document import Policy
from sfumato.policy.promise import Promise
from sfumato.table.distinct import Distinct, Distincts
from sfumato.table.table import Table
from sfumato.table.types import is_text
from sfumato.table.words import counted
from sfumato.taxonomy.build import build

if TYPE_CHECKING:
    from sfumato.knowledge.table import Knowledge

__all__ = ["folded", "one_spelling", "require_known_terms", "require_told_apart", "spelled_alike"]

# Letters and marks that show nothing, besides the format (Cf) and control (Cc) characters.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_DIFFER = "only in case, spaces, invisible characters or Unicode form"


def folded(text: str, same: Collection[str]) -> str:
    """What is left of a text where case, or spaces, invisible characters and Unicode form, do not count.

    >>> folded(" Flu\\u200b  A ", ("space",)), folded("Flu", ("case",)), folded("\\xa0FLU", ("case", "space"))
    ('Flu A', 'flu', 'flu')
    """
    if "space" in same:
        text = _tidied(text, "NFKC")
    if "case" in same:
        text = text.casefold()
        text = unicodedata.normalize("NFKC", text) if "space" in same and not text.isascii() else text
    return text


def _tidied(text: str, form: str) -> str:
    """In a Unicode form, without invisible characters, with single spaces inside and none around."""
    if not (text.isascii() and text.isprintable()):
        normal = unicodedata.normalize(form, text)  # type: ignore[arg-type]  # NFC or NFKC
        text = "".join(char for char in normal if char.isspace() or not _hidden(char))
    return " ".join(text.split())


def _hidden(char: str) -> bool:
    code = ord(char)
    selects = 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF
    return selects or char in _BLANKS or unicodedata.category(char) in ("Cf", "Cc")


def one_spelling(counts: Mapping[str, int], same: Collection[str], named: Iterable[str]) -> dict[str, str | None]:
    """For every text that is to be written otherwise, how; None: it shows nothing, so it is missing."""
    wanted = {folded(text, same): text for text in named}
    groups: dict[str, list[str]] = defaultdict(list)
    for text in counts:
        groups[folded(text, same)].append(text)
    made: dict[str, str | None] = {}
    for look, texts in groups.items():
        chosen = wanted.get(look) if look else None
        if chosen is None and look:
            chosen = min(texts, key=lambda text: (text != _tidied(text, "NFC"), -counts[text], text))
        made.update((text, chosen) for text in texts if text != chosen)
    return made


def spelled_alike(columns: Distincts, policy: Policy) -> tuple[dict[str, Distinct], tuple[str, ...]]:
    """The columns with every sensitive value in one spelling, as far as the policy says that several are the same."""
    made, notes = dict(columns), []
    for name in policy.sensitive:
        column, found = policy.columns[name], columns[name]
        if not column.merged or not is_text(found.values.dtype):
            continue
        counts = dict(zip(found.values.to_list(), found.counts.tolist(), strict=True))
        changes = one_spelling(counts, column.merged, _names(name, column, policy))
        if changes:
            made[name] = found.mapped(found.values.replace(list(changes), list(changes.values())))
            rows = sum(counts[text] for text in changes)
            notes.append(
                f"column {name!r}: {counted(len(changes), 'spelling')} of {counted(rows, 'row')} read as another"
                f" (same: {', '.join(column.merged)})"
            )
    return made, tuple(notes)


def _names(name: str, column: Column, policy: Policy) -> list[str]:
    """The values that the policy names: a hierarchy that somebody wrote, an order, a promise."""
    tree = build(name, column, pl.Series([], dtype=pl.String), policy.base)
    named = dict.fromkeys([*_promised(name, policy), *(column.order or ()), *(tree.leaves if tree is not None else ())])
    several = len(named) - len({folded(text, column.merged) for text in named})
    if several:
        what = f"its hierarchy, its order and the promises name {counted(several, 'value')} in more than one spelling"
        raise PolicyError([Problem(f"columns.{name}.same", "", f"{what}; write each in one")])
    return list(named)


def _promised(name: str, policy: Policy) -> Iterator[str]:
    """Values of a sensitive column that promises list or weigh."""
    for _, promise in policy.promise.asked_of([name]):
        yield from _listed(promise)


def _listed(promise: Promise) -> Iterator[str]:
    """Texts of its lists, and of its lists of pairs of a text and a number."""
    for setting in dataclasses.fields(promise):
        given = getattr(promise, setting.name)
        for item in given if isinstance(given, tuple) else ():
            text = item[0] if isinstance(item, tuple) and item else item
            if isinstance(text, str):
                yield text


def require_told_apart(table: Table) -> None:
    """Sensitive values differ in more than their spelling, among themselves and from those that a promise names."""
    wrong = []
    for name in table.policy.sensitive:
        column = table.policy.columns[name]
        if column.kind != "text" or column.same == "none":
            continue
        found = table.distinct[name]
        counts: dict[str | None, int] = dict(zip(found.values.to_list(), found.counts.tolist(), strict=True))
        counts |= {None: found.missing} if found.missing else {}
        texts = dict.fromkeys([*counts, *_promised(name, table.policy)])
        groups = _alike(list(texts), SAME)
        if groups:
            alike = [text for group in groups for text in group]
            rows = sum(counts.get(text, 0) for text in alike)
            wrong.append(
                f"  column {name!r}: {counted(len(alike), 'value')} in {counted(rows, 'row')} are {len(groups)} to a"
                f" reader; {_remedy(alike, column.merged)}"
            )
    if wrong:
        head = f"{table.origin.name}: sensitive values differ {_DIFFER}, and would count as different secrets"
        raise TableError("\n".join([head, *wrong]))


def _alike(texts: Sequence[str | None], same: Collection[str]) -> list[list[str | None]]:
    """Groups of several texts that look the same; None is a missing value, and looks like a text of spaces alone."""
    groups: dict[str, list[str | None]] = defaultdict(list)
    for text in texts:
        groups[folded(text or "", same)].append(text)
    return [group for group in groups.values() if len(group) > 1]


def _remedy(alike: Sequence[str | None], given: Collection[str]) -> str:
    """The least that makes them one, besides what the policy already says."""
    looks = len(_alike(alike, SAME))
    for added in SAME:
        ways = [way for way in SAME if way in given or way == added]
        if len({folded(text or "", ways) for text in alike}) == looks:
            break
    else:
        ways = list(SAME)
    words = ways[0] if len(ways) == 1 else f"[{', '.join(ways)}]"
    return f"set its same: {words} if they are one value, same: none if they differ, or correct them"


def require_known_terms(name: str, column: Column, terms: Iterable[str], knowledge: Knowledge) -> None:
    """Labels and terms of the knowledge differ in more than their spelling, and terms of the data from them."""
    if column.same == "none":
        return
    for what, words in (("labels", knowledge.labels), ("terms", knowledge.terms)):
        alike = sum(map(len, _alike(words, SAME)))
        if alike:
            raise InputError(
                f"column {name!r}: knowledge: {alike} {what} differ {_DIFFER}; write those that are the same alike, or"
                " set the column's same: none if they differ"
            )
    known = {folded(term, SAME): term for term in knowledge.terms}
    strange = {term for term in terms if known.get(folded(term, SAME), term) != term}
    if strange:
        pairs = [*strange, *(known[folded(term, SAME)] for term in strange)]
        raise TableError(
            f"column {name!r}: {counted(len(strange), 'term')} of the data differ from the knowledge {_DIFFER}, so that"
            f" a reader knows them; {_remedy(pairs, column.merged)}"
        )
