"""What a reader of an audit should know although it is no fault: names and counts only."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from sfumato.audit.evidence import Evidence
from sfumato.audit.secrets import Secrets
from sfumato.audit.views.contract import Seen
from sfumato.policy.document import Policy
from sfumato.table.words import counted

__all__ = ["notes_on", "plain_text"]


def notes_on(evidence: Evidence, seen: Seen, policy: Policy, secrets: Mapping[str, Secrets]) -> Iterator[str]:
    """Every note."""
    yield from evidence.notes
    yield from seen.notes
    document = evidence.document
    if document is None:
        yield "no release.json: the table was judged by what it shows; how many rows were left out is not known"
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
    for name, column in policy.columns.items():
        if column.role == "insensitive" and name not in shown:
            yield f"column {name!r}: insensitive, and not in the release"
    for name, column_secrets in secrets.items():
        alike = _alike(column_secrets)
        if alike:
            yield f"column {name!r}: {alike} values differ from another only in case, spaces or Unicode form"
        if None in column_secrets.keys:
            missing = int(column_secrets.published[column_secrets.keys.index(None)])
            if missing:
                yield f"column {name!r}: missing values and empty texts count as one value of their own: {missing}"


def _alike(secrets: Secrets) -> int:
    texts = [key for key in secrets.keys if isinstance(key, str)]
    return len(texts) - len(set(map(plain_text, texts)))


def plain_text(text: str) -> str:
    """What is left of a text to the eye: one form, one case, no outer spaces, no invisible characters."""
    seen = "".join(char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    return seen.strip().casefold()
