"""What a reader of an audit should know although it is no fault: names and counts only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sfumato.auditor.secrets import Secrets
from sfumato.auditor.truthful import Truthfulness
from sfumato.policy.document import Policy
from sfumato.release.opening import Opened
from sfumato.release.views.contract import Seen
from sfumato.table.words import counted

__all__ = ["notes_on"]


def notes_on(
    evidence: Opened, seen: Seen, policy: Policy, secrets: Mapping[str, Secrets], truth: Truthfulness | None = None
) -> Iterator[str]:
    """Every note."""
    yield from evidence.notes
    yield from seen.notes
    labelled = [] if evidence.document is None else [*evidence.document.labels]
    if labelled:
        columns = counted(len(labelled), "column")
        yield f"release.json has labels of {columns} from the original file; they are free text: read them"
    document = evidence.document
    if truth is not None:
        yield truth.note
    if document is None:
        known = "" if truth is not None else "; how many rows were left out is not known"
        yield f"no release.json: the table was judged by what it shows{known}"
    else:
        promised = [promise.as_dict() for promise in policy.promise.promises]
        if [dict(promise) for promise in document.promise] != promised:
            yield "release.json claims another promise than this policy; the policy was judged"
        rows = document.rows
        if rows.dropped:
            yield f"{counted(rows.dropped, 'row')} dropped for missing values"
    for name in policy.unpromised:
        yield f"column {name!r}: {policy.columns[name].role}, and no promise speaks of it"
    shown = {name for table in evidence.tables.values() for name in table.columns}
    absent = [repr(name) for name in policy.with_role("insensitive") if name not in shown]
    if absent:
        columns = "column" if len(absent) == 1 else f"{len(absent)} columns"
        yield f"{columns} {', '.join(absent)}: insensitive, and not in the release"
    for name, column_secrets in secrets.items():
        if column_secrets.alike:
            told = "and the policy says that they differ" if policy.columns[name].same == "none" else "see its same:"
            yield (
                f"column {name!r}: {column_secrets.alike} values differ from another only in case, spaces,"
                f" invisible characters or Unicode form; {told}"
            )
        if None in column_secrets.keys:
            missing = int(column_secrets.published[column_secrets.keys.index(None)])
            if missing:
                yield f"column {name!r}: missing values and empty texts count as one value of their own: {missing}"
