"""The way in: open a release, judge it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sfumato.auditor.bothways import both_ways
from sfumato.auditor.court import Court
from sfumato.auditor.inspected import more_than_a_table
from sfumato.auditor.integrity import findings
from sfumato.auditor.leftout import judge_left_out, left_out_findings
from sfumato.auditor.limits import judge_limits
from sfumato.auditor.lopsided import lopsided
from sfumato.auditor.notes import notes_on
from sfumato.auditor.persons import judge_persons
from sfumato.auditor.posterior import BayesAsked
from sfumato.auditor.termfaults import set_notes
from sfumato.auditor.truthful import Truthfulness
from sfumato.auditor.verdict import Audit
from sfumato.auditor.weighed import weighed
from sfumato.errors import InputError
from sfumato.policy.load import PolicyLike
from sfumato.release.leaks import Leak, leaks_of
from sfumato.release.opening import ManifestLike
from sfumato.release.received import Received, receive
from sfumato.release.unlooked import unlooked
from sfumato.release.writing import Blank

if TYPE_CHECKING:
    from sfumato.auditor.original import Original

__all__ = ["audit", "judge"]


def audit(
    release: object,
    policy: PolicyLike,
    manifest: ManifestLike | None = None,
    *,
    whole: bool = False,
    original: object | None = None,
    blank: Blank = "auto",
    population: object | None = None,
    bayes: Mapping[str, object] | None = None,
    groups: int = 0,
) -> Audit:
    """Judge a release: a folder with ``release.json``, a table file, any frame, or one that is still in memory.

    release      what a recipient gets; also a table that another tool made
    policy       what its columns are, and what was promised
    manifest     the holder's: t-closeness and delta-disclosure cannot be decided without the original distribution, nor
                 whether a group holds two rows of one person without knowing whose they are
    whole        says instead that the table is the whole of it: nothing was suppressed or dropped
    original     the table that it was made from, by whichever tool: every published row must then stand for a different
                 row of it, in every cell, and its distribution is what groups are compared with
    blank        what an empty cell of a bare table is: ``missing``, ``suppressed``, or (``auto``) suppressed where the
                 original column misses nothing
    population   a table of the people that those of the release are from (or of their combinations, with a column
                 `count`): beliefs of who knows it, before and after, are told, and judged by the bounds in `bayes`
    bayes        these bounds: delta, epsilon, rho1 and rho2
    groups       how many of the worst groups of every criterion to list (`Criterion.groups`), with what would mend
                 those that break it: by counts alone, and where they stand in the release

    It reads what is published and nothing else, and shares no decision with what made it.

    >>> import polars as pl
    >>> import sfumato as sf
    >>> columns = {"age": {"role": "quasi"}, "disease": {"role": "sensitive"}}
    >>> shown = pl.DataFrame({"age": ["[31, 33]", "[31, 33]"], "disease": ["flu", "gout"]})
    >>> print(sf.audit(shown, {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]}).outcome)
    every criterion is met
    """
    asked = BayesAsked.of(bayes)
    if population is None and bayes is not None:
        raise InputError("bayes: bounds on beliefs need the population that they are about (population=)")
    received = receive(release, policy, manifest, more_than_a_table)
    verdict = judge(received, whole=whole, original=_original(original, policy), blank=blank, groups=groups)
    if population is None:
        return verdict
    from sfumato.auditor.bayes import judge_population  # for who knows a population

    court = Court.of(received.evidence, received.policy, whole, received.seen)
    return verdict.model_copy(update={"population": judge_population(court, population, asked)})


def _original(given: object | None, policy: PolicyLike) -> Original | None:
    if given is None:
        return None
    from sfumato.auditor.original import Original  # with all that reads a table

    return Original.of(given, policy)


def judge(
    received: Received,
    *,
    whole: bool = False,
    original: Original | None = None,
    blank: Blank = "auto",
    groups: int = 0,
) -> Audit:
    """Judge what was found."""
    evidence, policy, shown = received.evidence, received.policy, received.seen
    truth = None if original is None else _truth(received, original, blank)
    court = Court.of(evidence, policy, whole, shown, original=original, listed=groups)
    document = evidence.document
    classes = court.classes("", ()).groups
    problems = [*findings(evidence, shown, policy, court.secrets, court.sets, classes)]
    if whole and not court.may_be_whole:
        problems.append("whole=True, yet release.json says that rows were suppressed or dropped")
    problems += left_out_findings(evidence, shown, policy, court.secrets)
    problems += [] if truth is None else truth.problems()
    merged = Court.of(evidence, policy, whole, shown, True, original, groups) if court.doubtful else court
    persons = judge_persons(evidence, policy, _once(original), groups)
    told = None if truth is None else truth.suppressed
    insensitive, leaks = unlooked(received), (*leaks_of(received), *_beside(received, original))
    problems += [leak.says for leak in leaks if leak.certain]
    criteria = (*both_ways(court, merged, Court.criteria),)
    uneven = (*lopsided(merged, criteria),)
    return Audit(
        rows=shown.table.height,
        groups=classes,
        suppressed=told if document is None else document.rows.suppressed,
        criteria=(
            *criteria,
            *([] if persons is None else [persons]),
            *both_ways(court, merged, judge_left_out),
            *judge_limits(evidence, shown, policy, truth),
        ),
        reached=merged.reached(),
        truth=truth,
        problems=tuple(problems),
        notes=(
            *notes_on(evidence, shown, policy, court.secrets, truth),
            *set_notes(evidence, court.sets),
            *weighed(court),
            *(each.sentence for each in uneven),
            *(sentence for each in insensitive for sentence in each.sentences()),
            *(leak.says for leak in leaks if not leak.certain),
        ),
        insensitive=insensitive,
        leaks=leaks,
        lopsided=uneven,
    )


def _once(original: Original | None) -> bool:
    """Whether the original is known, and has one row of everybody."""
    return original is not None and original.persons == original.every.rows


def _beside(received: Received, original: Original | None) -> tuple[Leak, ...]:
    if original is None:
        return ()
    from sfumato.release.orderleaks import order_leaks  # with all that codes a table

    return order_leaks(received, original.every)


def _truth(received: Received, original: Original, blank: Blank) -> Truthfulness:
    from sfumato.auditor.truth import truth_of  # with all that codes a table

    return truth_of(received, original, blank)
