"""The knowledge that a policy names for a column."""

from __future__ import annotations

from pathlib import Path

from sfumato.errors import InputError
from sfumato.knowledge.layout import Layout
from sfumato.knowledge.read import read_knowledge
from sfumato.knowledge.table import Knowledge
from sfumato.policy.columns import Column, KnowledgeFile, KnowledgeInline

__all__ = ["knowledge_of"]


def knowledge_of(column: Column, base: Path) -> Knowledge:
    """The knowledge of a quasi-sensitive column; files are looked up in `base`."""
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
