"""Whether the words of ``release.json`` are its own: free text beside a release could tell anything about anybody.

Notation is a closed list, and so are the techniques that a form declares. What a published value means must follow from
its text and the policy's hierarchy. Findings name columns and counts, never the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import polars as pl

from sfumato.errors import SfumatoError
from sfumato.policy.columns import Column, FileHierarchy, TreeHierarchy
from sfumato.policy.document import Policy
from sfumato.policy.forms import form_class
from sfumato.policy.phrases import Phrases
from sfumato.policy.promises import PROMISES, read_promise
from sfumato.release.documents import ColumnEntry, ReleaseDocument
from sfumato.table.words import counted
from sfumato.taxonomy.build import build
from sfumato.taxonomy.explain import explain, readings

__all__ = ["wording"]

_INTERVAL = "[a, b] from a to b; a bracket includes its end, a parenthesis does not; inf: no end"
_SET = '{a, b} one of the values listed; a value that holds a comma, a quote or a brace is written "so"'
_PHRASE = re.compile(
    r"exactly this value|any value|any value, or a missing one|one of the [0-9]{1,9} values listed"
    r"|any of [0-9]{1,9} values( of the hierarchy)?|at most [0-9]{1,9} characters?",
    re.ASCII,
)
_VERSION = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4}){1,3}((a|b|rc|\.dev|\.post)[0-9]{1,4})?", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,20}([./][0-9]{1,20})?", re.ASCII)
_LONGEST = 41


def wording(document: ReleaseDocument, policy: Policy) -> Iterator[str]:
    """Every place where a text is not one that sfumato writes."""
    phrases = _phrases(document)
    yield from _names(document, phrases)
    yield from _promises(document, policy)
    notation = document.notation
    if notation.interval not in ("", _INTERVAL) or notation.set not in ("", _SET):
        yield "release.json: its notation has words that are not sfumato's"
    own_roles = ("group id", *document.shown.own.values())
    published = {column for table in document.tables for column in table.columns}
    for name, entry in document.dictionary.items():
        if name not in published:
            continue  # a problem whatever it says
        column = policy.columns.get(name)
        if entry.role not in (own_roles if column is None else (column.role,)):
            yield f"column {name!r}: the data dictionary gives it a role that it does not have"
        if phrases is not None and entry.technique not in phrases.allowed(column):
            yield f"column {name!r}: the data dictionary names a technique that is not sfumato's"
        if column is not None and entry.values is not None:
            yield from _meanings(name, column, entry, policy)


def _phrases(document: ReleaseDocument) -> Phrases | None:
    """The words that its form declares."""
    form = form_class(document.form)
    return None if form is None else form.phrases


def _names(document: ReleaseDocument, phrases: Phrases | None) -> Iterator[str]:
    """The version, and what forms call tables and columns of their own."""
    if _VERSION.fullmatch(document.sfumato) is None:
        yield "release.json: the version of sfumato is none"
    if phrases is None:
        return
    if tuple(table.name for table in document.tables) != phrases.tables:
        yield "release.json: its tables have other names than its form gives them"
    for name, wanted in ((document.group_id, "group"), *document.shown.own.items()):
        if name is not None and name.rstrip("_") != wanted:
            yield f"release.json: the column of the {wanted} has another name than sfumato gives it"


def _promises(document: ReleaseDocument, policy: Policy) -> Iterator[str]:
    """A promise that is not the policy's may differ in numbers, and names no values or columns that it does not."""
    asked = [dict(promise.as_dict()) for promise in policy.privacy]
    texts = {*policy.columns, *(text for promise in asked for text in _texts(promise))}
    for given in document.promise:
        if dict(given) in asked:
            continue
        if given.get("model") not in PROMISES or not texts.issuperset(_texts(given)) or _plain(given) != given:
            yield "release.json: it states a promise with words or numbers that are not those of the policy"


def _plain(given: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The promise as a policy writes it; None if there is none, or a number is too long to be one that is meant."""
    try:
        made: Mapping[str, Any] = read_promise(given).as_dict()
    except ValueError:
        return None
    return None if any(len(str(number)) > _LONGEST for number in _scalars(made)) else made


def _scalars(given: object) -> Iterator[object]:
    if isinstance(given, Mapping):
        given = list(given.values())
    if isinstance(given, (list, tuple)):
        for each in given:
            yield from _scalars(each)
    else:
        yield given


def _texts(given: object, key: str = "on") -> Iterator[str]:
    """Names of columns and values in a promise: keys of mappings, texts of lists, and what `on` names."""
    if isinstance(given, Mapping):
        inner = key not in ("on", "of")
        for name, value in given.items():
            yield from [name] if inner else []
            yield from [value] if name == "on" and isinstance(value, str) else _texts(value, name)
    elif isinstance(given, (list, tuple)):
        yield from (item for item in given if isinstance(item, str) and not _NUMBER.fullmatch(item))


def _meanings(name: str, column: Column, entry: ColumnEntry, policy: Policy) -> Iterator[str]:
    listed = _listed(name, column, policy)
    strange = sum(
        _PHRASE.fullmatch(meaning) is None
        and not _spans(text, meaning)
        and (text, meaning) not in listed
        and meaning not in readings(column, text)  # last: it costs most, and there may be a label per group
        for text, meaning in (entry.values or {}).items()
    )
    if strange:
        yield f"column {name!r}: the data dictionary explains {counted(strange, 'value')} in words that do not follow"


def _spans(text: str, meaning: str) -> bool:
    """``[a, b]`` is from a to b, wherever the comma is that parts them."""
    places = [found.start() for found in re.finditer(", ", text)] if text[:1] == "[" and text[-1:] == "]" else []
    return any(f"from {text[1:place]} to {text[place + 2 : -1]}, both included" == meaning for place in places)


def _listed(name: str, column: Column, policy: Policy) -> set[tuple[str, str]]:
    """What a tree that stands in the policy, or in a file that it declares public, says of its own nodes."""
    given = column.hierarchy
    if not (isinstance(given, TreeHierarchy) or (isinstance(given, FileHierarchy) and given.public)):
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
