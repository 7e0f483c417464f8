"""The audit of coded rows: the histogram of every class, and every level that all classes reach."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.contract import Workload
from sfumato.auditor.reached import column_reached
from sfumato.auditor.rules.contract import Case
from sfumato.auditor.secrets import Secrets, reader_of
from sfumato.auditor.trees import taxonomy_of
from sfumato.auditor.verdict import ColumnReached
from sfumato.policy.columns import Column
from sfumato.policy.document import Input
from sfumato.release.classes import Classes
from sfumato.table.packing import Column as PackedColumn
from sfumato.table.tally import CodedRows

__all__ = ["Release", "prepare", "run"]


@dataclass(frozen=True, eq=False)
class Release:
    """Quasi-identifiers as published, and the sensitive column, which is known to be that of the whole table."""

    shown: CodedRows
    secrets: Secrets


def prepare(workload: Workload) -> Release:
    rows = workload.rows
    coded = rows.sensitive[0]
    column = Column.model_validate(workload.document["columns"][coded.name])
    texts = coded.values.gather(rows.codes[coded.name]).alias(coded.name)
    secrets = Secrets.of(texts, column, reader_of(column, Input(), ("",)))
    shown: dict[str, PackedColumn] = {column.name: (rows.codes[column.name], column.size) for column in rows.quasi}
    shown[coded.name] = secrets.codes.rows, secrets.codes.size
    return Release(
        CodedRows(shown), replace(secrets, original=secrets.published, taxonomy=taxonomy_of(secrets, Path()))
    )


def run(release: Release) -> ColumnReached:
    *quasi, secret = release.shown.columns
    classes = Classes.of(release.shown, quasi, secret, release.secrets.codes.size)
    return column_reached(Case(classes, release.secrets, release.secrets.original))
