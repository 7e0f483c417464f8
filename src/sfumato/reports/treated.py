"""Facts of columns: what was done to each, how it looks, what it lost, and which promises it was done for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sfumato.measures.measured import Measured
from sfumato.policy.columns import Column
from sfumato.policy.phrases import GENERALIZED
from sfumato.release.documents import Manifest
from sfumato.release.subject import Subject
from sfumato.reports.facts import ColumnFact, CriterionFact
from sfumato.table.dictionaries import codes_of, values_of

__all__ = ["columns_of"]

_LOOKS, _LONG = 2, 40


def columns_of(subject: Subject, measured: Measured, criteria: Sequence[CriterionFact]) -> tuple[ColumnFact, ...]:
    """Every column of the policy."""
    manifest = subject.received.evidence.manifest
    return tuple(_columns(subject, manifest, measured, criteria))


def _columns(
    subject: Subject, manifest: Manifest | None, measured: Measured, criteria: Sequence[CriterionFact]
) -> Iterator[ColumnFact]:
    document = subject.received.evidence.document
    words = {} if document is None else document.dictionary
    lost = {} if manifest is None or manifest.loss is None else {**manifest.loss.columns}
    secrets = {} if manifest is None or manifest.loss is None else manifest.loss.sensitive
    losses = _of_columns(measured)
    for name, column in subject.policy.columns.items():
        entry, cells, quasi = words.get(name), lost.get(name), column.role == "quasi"
        loss = cells.loss if cells is not None else losses.get(name)
        level = None if manifest is None else manifest.recoding.get(name)
        vaguer, steps = _vaguer(column) if entry is not None and entry.technique == GENERALIZED else ("", ())
        looks, different = _looks(subject, name) if quasi else ((), None)
        yield ColumnFact(
            name=name,
            role=column.role,
            technique="" if entry is None else entry.technique,
            vaguer=vaguer,
            steps=steps,
            looks=looks,
            loss=loss if quasi else None,
            blank=None if cells is None else cells.says_nothing,
            level=None if level is None else level.level,
            height=None if level is None else level.height,
            cells=different,
            values=_values(subject, name) if quasi else None,
            changed=secrets[name].generalized if name in secrets else None,
            terms=None if manifest is None else manifest.suppressed_terms.get(name),
            promises=_promises(name, column.role, criteria),
        )


def _promises(name: str, role: str, criteria: Sequence[CriterionFact]) -> tuple[str, ...]:
    """Quasi-identifiers are grouped for all promises, of which those count that the table as it is would break, where
    that is known; any other column is protected by those that speak of it."""
    mine = [each for each in criteria if each.on == name]
    if role == "quasi":
        asked = [each for each in criteria if each.asked]
        known = all(each.raw is not None for each in asked)
        mine = [each for each in asked if each.raw or not known]
    return tuple(dict.fromkeys(each.title for each in mine))


def _vaguer(column: Column) -> tuple[str, tuple[str, ...]]:
    """How a column grows vaguer: the kind of its hierarchy, and its steps where the policy writes them down."""
    if column.hierarchy is None:
        return "present", ()
    if column.hierarchy == "flat":
        return "flat", ()
    [(kind, steps), *_] = column.hierarchy.model_dump(mode="json").items()
    return kind, tuple(map(str, steps)) if isinstance(steps, (list, tuple)) else (str(steps),) if kind == "mask" else ()


def _of_columns(measured: Measured) -> dict[str, float]:
    return next((dict(each.figure.columns) for each in measured.measurements if each.name == "ncp" and each.figure), {})


def _looks(subject: Subject, name: str) -> tuple[tuple[str, ...], int | None]:
    """The cells of a quasi-identifier that most rows show, and how many different ones there are."""
    frame = next((frame for frame in subject.people if name in frame.columns), None)
    if frame is None:
        return (), None
    texts, counts = values_of(frame[name]), np.bincount(codes_of(frame[name]))
    order = np.argsort(-counts[: len(texts)], kind="stable")[:_LOOKS]
    return tuple(str(texts[int(place)])[:_LONG] for place in order), int((counts > 0).sum())


def _values(subject: Subject, name: str) -> int | None:
    """Different values of the original table, if it is known."""
    return None if subject.original is None else int((subject.domain(name).counts > 0).sum())
