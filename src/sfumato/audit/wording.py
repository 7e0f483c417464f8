"""Whether the words of ``release.json`` are its own: free text beside a release could tell anything about anybody.

Techniques and notation of the built-in forms are a closed list. What a published value means must follow from its text
and the policy's hierarchy. Findings name columns and counts, never the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import polars as pl

from sfumato.errors import SfumatoError
from sfumato.policy.columns import Column, TreeHierarchy
from sfumato.policy.document import Policy
from sfumato.policy.forms import FORMS
from sfumato.release import ColumnEntry, ReleaseDocument
from sfumato.taxonomy.build import build
from sfumato.taxonomy.explain import explain, readings

__all__ = ["wording"]

_SECRETS = (
    "published as it is",
    "in a random order within the group",
    "counted by group",
    "kept with the probability `retention`, else drawn from the combinations of values in the group",
    "of one of the people whom the row covers",
)
_TECHNIQUES = frozenset(
    (
        "",
        "binned",
        "generalized",
        "some values generalized to nodes of the hierarchy",
        "replaced by random names; each occurs once",
        "random number; rows of one group share it",
        "rows of the group with these values",
        *_SECRETS,
        *(f"binned, {done}" for done in _SECRETS),
    )
)
_INTERVAL = "[a, b] from a to b; a bracket includes its end, a parenthesis does not; inf: no end"
_SET = '{a, b} one of the values listed; a value that holds a comma, a quote or a brace is written "so"'
_PHRASE = re.compile(
    r"exactly this value|any value|any value, or a missing one|one of the [0-9]{1,9} values listed"
    r"|any of [0-9]{1,9} values( of the hierarchy)?|at most [0-9]{1,9} characters?",
    re.ASCII,
)
_OWN_ROLES = ("group id", "count")


def wording(document: ReleaseDocument, policy: Policy) -> Iterator[str]:
    """Every place where a text is not one that sfumato writes."""
    notation = document.notation
    if notation.interval not in ("", _INTERVAL) or notation.set not in ("", _SET):
        yield "release.json: its notation has words that are not sfumato's"
    published = {column for table in document.tables for column in table.columns}
    for name, entry in document.dictionary.items():
        if name not in published:
            continue  # a problem whatever it says
        column = policy.columns.get(name)
        if entry.role not in (_OWN_ROLES if column is None else (column.role,)):
            yield f"column {name!r}: the data dictionary gives it a role that it does not have"
        known = _TECHNIQUES if column is None or column.role != "quasi-sensitive" else _of_terms(column)
        if document.form.get("publish") in FORMS and entry.technique not in known:
            yield f"column {name!r}: the data dictionary names a technique that is not sfumato's"
        if column is not None and entry.values is not None:
            yield from _meanings(name, column, entry, policy)


def _of_terms(column: Column) -> set[str]:
    """What may be said of a column of terms: how cells are read, whether terms are missing, and whose they are."""
    shown = f"set of terms in order: a list, or a text parted by {column.separator or '|'!r}; empty: none"
    marked = ", each shown as *" if column.lengths == "known" else ""
    ways = (shown, f"{shown}; some terms suppressed{marked}")
    return {*ways, *(f"{way}, {done}" for way, done in product(ways, _SECRETS))}


def _meanings(name: str, column: Column, entry: ColumnEntry, policy: Policy) -> Iterator[str]:
    listed = _listed(name, column, policy)
    strange = sum(
        _PHRASE.fullmatch(meaning) is None
        and meaning not in readings(column, text)
        and (text, meaning) not in listed
        and not _spans(text, meaning)
        for text, meaning in (entry.values or {}).items()
    )
    if strange:
        yield f"column {name!r}: the data dictionary explains {strange} values in words that do not follow from them"


def _spans(text: str, meaning: str) -> bool:
    """``[a, b]`` is from a to b, wherever the comma is that parts them."""
    places = [found.start() for found in re.finditer(", ", text)] if text[:1] == "[" and text[-1:] == "]" else []
    return any(f"from {text[1:place]} to {text[place + 2 : -1]}, both included" == meaning for place in places)


def _listed(name: str, column: Column, policy: Policy) -> set[tuple[str, str]]:
    """What a tree that stands in the policy says of its own nodes."""
    if not isinstance(column.hierarchy, TreeHierarchy):
        return set()
    dtype = {"text": pl.String(), "integer": pl.Int64(), "number": pl.Float64(), "date": pl.Date()}[column.kind]
    try:
        tree = build(name, column, pl.Series([], dtype=dtype), policy.base)
    except SfumatoError:
        return set()
    if tree is None:
        return set()
    trees = (tree, tree.with_leaf(""))  # a missing value is one more
    return {(each.labels[node], explain(column, each, node)) for each, node in product(trees, range(len(tree.labels)))}
