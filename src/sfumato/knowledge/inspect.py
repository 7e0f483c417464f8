"""What the knowledge that a policy names says about a table's terms, before anything is published."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sfumato.errors import InputError, one_line
from sfumato.knowledge.check import Coverage, check, unknown_terms
from sfumato.policy.load import PolicyLike, read_policy
from sfumato.table.read import read
from sfumato.table.table import Table

__all__ = ["KnowledgeCheck", "check_knowledge"]


@dataclass(frozen=True)
class KnowledgeCheck:
    """How the knowledge of one quasi-sensitive column covers it.

    column     of which
    coverage   how many rows and terms it covers
    unknown    terms of the data that the knowledge does not have, with their rows: for the holder alone
    """

    column: str
    coverage: Coverage
    unknown: dict[str, int] = field(repr=False)

    def __repr__(self) -> str:
        return f"<KnowledgeCheck: {one_line(self.column)}, {self.coverage.summary()}>"

    def as_dict(self, unknown: bool = False) -> dict[str, Any]:
        """Counts, and names of the knowledge; with `unknown` also terms of the data."""
        found = self.coverage
        made: dict[str, Any] = {
            "column": self.column,
            "labels": found.labels,
            "terms": found.terms,
            "rows": found.rows,
            "linked": found.linked,
            "unlinked": found.unlinked,
            "certain": found.unique,
            "unknown": found.unknown,
            "unknown_rows": found.unknown_rows,
            "unreached": list(found.unreached),
            "unused": list(found.unused),
            "bare": list(found.bare),
            "length": found.length,
        }
        return {**made, "unknown_terms": dict(self.unknown)} if unknown else made

    def summary(self, unknown: bool = False) -> str:
        """The same in a few lines."""
        found = self.coverage
        lines = [
            f"{self.column}: {found.summary()}",
            f"  rows whose terms fit one label only: {found.unique}",
        ]
        if found.unreached:
            lines.append(f"  labels that no row may stand for: {_some(found.unreached)}")
        if found.unused:
            lines.append(f"  terms that no row has: {_some(found.unused)}")
        if unknown:
            lines += [f"  unknown: {term} ({rows})" for term, rows in self.unknown.items()]
        return "\n".join(lines)


def check_knowledge(data: object, policy: PolicyLike | None = None) -> tuple[KnowledgeCheck, ...]:
    """Compare every quasi-sensitive column with the knowledge that its policy names.

    data     a `Table` from `sfumato.read`, or a path or frame together with `policy`
    policy   what each column is, and the knowledge of each
    """
    if policy is None and not isinstance(data, Table):
        raise InputError("this needs a policy: pass policy=..., or data from sfumato.read(data, policy)")
    table = data if policy is None and isinstance(data, Table) else read(data, read_policy(policy or {}))
    if not table.policy.sets:
        raise InputError("the policy has no quasi-sensitive column, so there is no knowledge to check")
    made = []
    for column in table.encode().sets:
        rows = [terms for terms, count in zip(column.sets, column.counts.tolist(), strict=True) for _ in range(count)]
        found = check(column.told, rows, column.unknown)
        made.append(KnowledgeCheck(column.name, found, unknown_terms(column.told, rows)))
    return tuple(made)


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
