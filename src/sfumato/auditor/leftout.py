"""Rows that are left out, where the form shows who is missing: whether they keep what is promised of the others.

A reader who knows how often each value occurs in the whole table takes away what is published, and has what the missing
hold. So they are a class like any other: those that were suppressed, those that were dropped for a missing value, since
a reader may know what is not recorded of whom, and both together. A promise that survives no merging asks of them what
follows from it for classes that look alike.

What they hold only the internal manifest tells. It must be the original distribution less what is published.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.auditor.court import Court
from sfumato.auditor.persons import NAME as ONE_ROW
from sfumato.auditor.rules import Case, rule_of
from sfumato.auditor.ruling import Hearing, parameters_of
from sfumato.auditor.secrets import Secrets
from sfumato.auditor.trees import taxonomy_of
from sfumato.auditor.verdict import Criterion
from sfumato.policy.document import Policy
from sfumato.policy.promise import Promise
from sfumato.release.classes import Classes
from sfumato.release.codes import Codes
from sfumato.release.documents import LeftOut
from sfumato.release.opening import Opened
from sfumato.release.views.contract import Seen
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato.auditor.terms import TermColumn

__all__ = ["NAME", "judge_left_out", "left_out_findings"]

NAME = "left-out-rows"


def judge_left_out(court: Court) -> Iterator[Criterion]:
    """Every promise about values or terms, on the rows that are not in the table; nothing if there are none."""
    told, stated = _told(court.evidence), _stated(court.evidence)
    if not (court.seen.exact or told is not None) or not (stated or _rows(told)):
        return
    missing = None if told is None or _rows(told) != stated else _Missing.of(court, told)
    for name, given, column, others in court.asked():
        rule = rule_of(given.name)
        if rule is None or not (rule.values or rule.terms):
            continue
        promise = given if rule.merged is None else rule.merged(given)
        yield _judged(missing, promise, name, column, others)
    individual = court.policy.individual
    if individual is not None:
        blank = _blank({"of": ONE_ROW}, individual)
        most = None if missing is None else missing.told.most
        level = {"level": Fraction(most or 0), "required": "at most 1", "needs": ""}
        yield blank if most is None else blank.model_copy(update={**level, "verdict": "fails" if most > 1 else "holds"})


def left_out_findings(evidence: Opened, seen: Seen, policy: Policy, secrets: Mapping[str, Secrets]) -> Iterator[str]:
    """Where what the manifest tells of left-out rows contradicts the release, or the original distribution."""
    told, document = _told(evidence), evidence.document
    if told is None or document is None:
        return
    if told.columns != policy.secret:
        yield "the manifest tells of other columns of the rows that are left out than the policy has"
        return
    for kind, rows, count in (
        ("suppressed", told.suppressed, document.rows.left_out),
        ("dropped", told.dropped, document.rows.dropped),
    ):
        found = sum(held.rows for held in rows)
        if found != count:
            yield f"the manifest tells what {counted(found, 'row')} hold that were {kind}, release.json counts {count}"
    for name, column in secrets.items():
        if column.original is None:
            continue
        at = told.columns.index(name)
        lost = dict.fromkeys(column.keys, 0)
        for held in told.suppressed:
            key = column.read(held.values[at])
            lost[key] = lost.get(key, 0) + held.rows
        before = dict(zip(column.keys, column.original.tolist(), strict=True))
        shown = dict(zip(column.keys, column.published.tolist(), strict=True))
        loose = seen.changed or column.generalized
        wrong = sum(
            rows > before.get(key, 0) if loose else rows != before.get(key, 0) - shown.get(key, 0)
            for key, rows in lost.items()
        )
        if wrong:
            yield (
                f"column {name!r}: {counted(wrong, 'value')} of the rows that are left out do not occur as often as"
                " originally less what is published"
            )


def _told(evidence: Opened) -> LeftOut | None:
    return None if evidence.manifest is None else evidence.manifest.left_out


def _stated(evidence: Opened) -> int:
    document = evidence.document
    return 0 if document is None else document.rows.left_out + document.rows.dropped


def _rows(told: LeftOut | None) -> int:
    return 0 if told is None else sum(held.rows for held in (*told.suppressed, *told.dropped))


def _blank(parameters: dict[str, int | str], on: str | None) -> Criterion:
    needs = "what the rows hold that are left out: the internal manifest"
    return Criterion(model=NAME, parameters=parameters, on=on, verdict="undecidable", needs=needs)


def _judged(missing: _Missing | None, promise: Promise, name: str, column: str, others: tuple[str, ...]) -> Criterion:
    parameters = {**parameters_of(promise, NAME), "of": promise.name}
    if others:
        parameters["of"] = f"{name} of {promise.name}"
    blank, rule = _blank(parameters, column or None), rule_of(promise.name)
    if missing is None or rule is None:
        return blank
    if any(each not in missing.codes for each in (column, *others)):
        return blank.model_copy(update={"needs": "to know what these rows hold of the column that it is about"})
    hearing = Hearing(promise, rule, blank, missing.case(column, others), "published values")
    return missing.court.listing(hearing)


@dataclass(frozen=True, eq=False)
class _Missing:
    """The rows that are left out.

    court    the release, its columns extended by what these rows hold
    codes    per column, what every entry of the manifest holds: those of suppressed rows, then of dropped ones
    """

    court: Court
    told: LeftOut
    codes: Mapping[str, list[int]]

    @classmethod
    def of(cls, court: Court, told: LeftOut) -> _Missing:
        entries = (*told.suppressed, *told.dropped)
        texts = {name: [held.values[at] for held in entries] for at, name in enumerate(told.columns)}
        codes: dict[str, list[int]] = {}
        secrets: dict[str, Secrets] = {}
        sets: dict[str, TermColumn] = {}
        dropped = [0] * len(told.suppressed) + [held.rows for held in told.dropped]
        for name in texts.keys() & court.secrets.keys():
            secrets[name], codes[name] = _with_values(court, name, texts[name], dropped)
        for name in texts.keys() & court.sets.keys():
            sets[name], codes[name] = _with_cells(court.sets[name], texts[name])
        return cls(replace(court, secrets=secrets, sets=sets, _counted={}), told, codes)

    def case(self, column: str, others: tuple[str, ...]) -> Case:
        """Suppressed rows, dropped rows and both, each split by the values of other columns, counted by one."""
        found: dict[tuple[int, ...], Counter[int]] = {}
        first = len(self.told.suppressed)
        both = self.told.suppressed and self.told.dropped
        for at, held in enumerate((*self.told.suppressed, *self.told.dropped)):
            split = tuple(self.codes[other][at] for other in others)
            for kind in (int(at >= first), 2) if both else (0,):
                found.setdefault((kind, *split), Counter())[self.codes[column][at]] += held.rows
        runs = [counts.most_common() for counts in found.values()]
        return self.court.case_of(column, _classes(runs))


def _classes(runs: Sequence[Sequence[tuple[int, int]]]) -> Classes:
    starts = np.cumsum([0, *map(len, runs)], dtype=np.int64)
    values, counts = (np.array([pair[at] for run in runs for pair in run], dtype=np.int64) for at in (0, 1))
    return Classes(starts, values, counts, np.ones(len(runs), dtype=np.int64))


def _with_values(
    court: Court, name: str, texts: Sequence[str | None], dropped: Sequence[int]
) -> tuple[Secrets, list[int]]:
    """A sensitive column that also knows values which only left-out rows have, and the codes of these rows.

    A hierarchy that is made from values is made from those of dropped rows too; what a class is compared with is the
    original distribution, without them.
    """
    column = court.secrets[name]
    code_of = {key: code for code, key in enumerate(column.keys)}
    codes = [code_of.setdefault(column.read(text), len(code_of)) for text in texts]
    more, before = len(code_of) - len(column.keys), column.original
    made = replace(column, keys=tuple(code_of), codes=Codes(column.codes.rows, len(code_of)))
    if before is None:
        return made, codes
    original = np.append(before, np.zeros(more, dtype=np.int64))
    whole = original + np.bincount(codes, dropped, len(code_of)).astype(np.int64)
    tree = taxonomy_of(replace(made, original=whole), court.policy.base) if any(dropped) else column.taxonomy
    return replace(made, original=original, taxonomy=tree), codes


def _with_cells(column: TermColumn, texts: Sequence[str | None]) -> tuple[TermColumn, list[int]]:
    """A quasi-sensitive column of what left-out rows hold, and the codes of these rows."""
    from sfumato.auditor.terms import read_cell

    code_of: dict[str | None, int] = {}
    codes = [code_of.setdefault(text, len(code_of)) for text in texts]
    cells = tuple(read_cell(text, column.column.separator or "|") for text in code_of)
    return replace(column, codes=Codes(np.array(codes, dtype=np.int64), len(cells)), cells=cells), codes
