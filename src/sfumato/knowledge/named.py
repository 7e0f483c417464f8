"""The knowledge that a policy names for a column, and the hierarchy of its labels."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from sfumato.errors import InputError, PolicyError
from sfumato.knowledge.layout import Layout
from sfumato.knowledge.read import read_knowledge
from sfumato.knowledge.table import Knowledge
from sfumato.policy.columns import Column, KnowledgeFile, KnowledgeInline
from sfumato.taxonomy.build import build
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["knowledge_of", "tree_of_labels"]


def knowledge_of(name: str, column: Column, base: Path, separator: str) -> Knowledge:
    """The knowledge of a quasi-sensitive column, whose cells the separator parts; files are looked up in `base`."""
    try:
        found = _read(column, base)
        _require_plain(found, separator)
    except PolicyError:
        raise  # it names its file and lines
    except InputError as error:
        raise InputError(f"column {name!r}: {error}") from None
    return found


def _require_plain(knowledge: Knowledge, separator: str) -> None:
    """A term that no cell can hold would leave its label out of every link."""
    joined = [term for term in knowledge.terms if separator in term]
    if joined:
        raise InputError(
            f"knowledge: {len(joined)} terms hold the column's separator {separator!r}, such as {joined[0]!r}; write"
            " terms apart, or say at which separator a cell of a knowledge file splits"
        )


def _read(column: Column, base: Path) -> Knowledge:
    match column.knowledge:
        case KnowledgeFile() as named:
            layout = Layout(
                named.layout,
                named.label,
                named.term,
                named.separator,
                named.probability,
                named.way,
                named.prior,
                named.delimiter,
            )
            return read_knowledge(base / named.file, layout)
        case KnowledgeInline() as written:
            return read_knowledge(written.labels, priors=written.priors)
        case None:
            raise InputError("a quasi-sensitive column needs knowledge: in its policy")


def tree_of_labels(name: str, column: Column, knowledge: Knowledge, base: Path) -> Taxonomy | None:
    """The hierarchy of a quasi-sensitive column: every label of its knowledge is a leaf; None if it has none."""
    tree = build(name, column, pl.Series([], dtype=pl.String), base)
    lost = 0 if tree is None else len(set(knowledge.labels) - tree.code_of.keys())
    if lost:
        raise InputError(
            f"column {name!r}: {lost} of {len(knowledge.labels)} labels of its knowledge are not in its hierarchy; add"
            " them to it, or correct it"
        )
    return tree
