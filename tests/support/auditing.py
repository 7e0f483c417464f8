"""Small tables, policies and releases for the auditor's tests, written without any of sfumato's own writers."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.auditor.audit import audit
from sfumato.auditor.verdict import Audit, Criterion
from sfumato.policy.document import Policy
from sfumato.policy.load import read_policy
from sfumato.release.classes import Classes
from sfumato.release.codes import Codes
from sfumato.release.document_bytes import to_bytes
from sfumato.release.documents import (
    ColumnEntry,
    Distribution,
    InputFacts,
    Manifest,
    ReleaseDocument,
    RowCounts,
    TableEntry,
)
from sfumato.table.tally import CodedRows


def policy_of(
    *promises: Mapping[str, Any],
    quasi: Sequence[str] = ("q",),
    sensitive: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,
) -> Policy:
    """A policy with those promises; columns `q` (quasi) and `s` (sensitive) unless told otherwise."""
    columns: dict[str, Any] = {name: {"role": "quasi"} for name in quasi}
    for name, spec in (sensitive if sensitive is not None else {"s": {}}).items():
        columns[name] = {"role": "sensitive", **spec}
    columns.update(more.pop("columns", {}))
    return read_policy({"columns": columns, "privacy": list(promises), **more})


def blocks(*groups: str) -> pl.DataFrame:
    """One class per text of space-separated sensitive values; `-` is a missing one."""
    pairs = [(f"g{index}", value) for index, group in enumerate(groups) for value in group.split()]
    values = [None if value == "-" else value for _, value in pairs]
    return pl.DataFrame({"q": [name for name, _ in pairs], "s": values}, schema={"q": pl.String, "s": pl.String})


def judged(frame: pl.DataFrame, promise: Mapping[str, Any], **how: Any) -> Criterion:
    """The one criterion of a promise on a bare table that is the whole of it."""
    (criterion,) = audit(frame, policy_of(promise, **how), whole=True).criteria
    return criterion


def write_table(path: Path, frame: pl.DataFrame) -> None:
    """A CSV as any other program would write it; a missing value is an empty field."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(frame.columns)
        writer.writerows([["" if cell is None else cell for cell in row] for row in frame.iter_rows()])


def write_release(
    folder: Path,
    frame: pl.DataFrame,
    policy: Policy,
    *,
    group_id: str | None = None,
    original: pl.DataFrame | None = None,
    suppressed: int = 0,
    kept: bool = False,
    dropped: int = 0,
) -> Manifest:
    """A whole release in a folder, and its manifest. `original` is the table before suppression."""
    folder.mkdir(parents=True, exist_ok=True)
    table = folder / "table.csv"
    write_table(table, frame)
    dictionary = {}
    for name in frame.columns:
        role = policy.columns[name].role if name in policy.columns else "group id"
        shown = [text for text in frame[name].unique().to_list() if text is not None]
        values = {str(text): "exactly this value" for text in shown} if role == "quasi" else None
        dictionary[name] = ColumnEntry(role=role, technique="generalized", values=values)
    document = ReleaseDocument(
        sfumato="0.1.0",
        form={"publish": "generalized", "group_id": group_id is not None},
        tables=(
            TableEntry(
                name="table",
                file="table.csv",
                kind="csv",
                rows=frame.height,
                columns=tuple(frame.columns),
                sha256=hashlib.sha256(table.read_bytes()).hexdigest(),
            ),
        ),
        group_id=group_id,
        rows=RowCounts(published=frame.height, suppressed=suppressed, kept=kept, dropped=dropped),
        promise=tuple(promise.as_dict() for promise in policy.promise.promises),
        dictionary=dictionary,
    )
    (folder / "release.json").write_bytes(to_bytes(document))
    return manifest_of(folder, frame if original is None else original, policy, dropped)


def manifest_of(folder: Path, original: pl.DataFrame, policy: Policy, dropped: int = 0) -> Manifest:
    """The manifest that fits the ``release.json`` of a folder."""
    sensitive = {}
    for name in policy.sensitive:
        counts = Counter(original[name].to_list())
        sensitive[name] = Distribution(values=tuple(counts), counts=tuple(counts.values()))
    return Manifest(
        release_sha256=hashlib.sha256((folder / "release.json").read_bytes()).hexdigest(),
        input=InputFacts(rows=original.height + dropped, sha256="0" * 64),
        policy_sha256=policy.digest,
        key_id="0",
        sensitive=sensitive,
    )


def verdicts(result: Audit) -> list[str]:
    """The verdicts, in order."""
    return [criterion.verdict for criterion in result.criteria]


def classes_of(columns: Sequence[Codes], counted: Codes) -> Classes:
    """The codes of one column, counted over the rows that are equal in all the others."""
    names = [f"column {place}" for place in range(len(columns))]
    rows = {name: (codes.rows, codes.size) for name, codes in zip(names, columns, strict=True)}
    return Classes.of(CodedRows({**rows, "counted": (counted.rows, counted.size)}), names, "counted", counted.size)
