"""The way in: open a release, judge it."""

from __future__ import annotations

from sfumato.auditor.bothways import both_ways
from sfumato.auditor.court import Court
from sfumato.auditor.inspected import more_than_a_table
from sfumato.auditor.integrity import findings
from sfumato.auditor.leftout import judge_left_out, left_out_findings
from sfumato.auditor.limits import judge_limits
from sfumato.auditor.notes import notes_on
from sfumato.auditor.persons import judge_persons
from sfumato.auditor.termfaults import set_notes
from sfumato.auditor.verdict import Audit
from sfumato.auditor.weighed import weighed
from sfumato.policy.load import PolicyLike
from sfumato.release.leaks import leaks_of
from sfumato.release.opening import ManifestLike
from sfumato.release.received import Received, receive
from sfumato.release.unlooked import unlooked

__all__ = ["audit", "judge"]


def audit(release: object, policy: PolicyLike, manifest: ManifestLike | None = None, *, whole: bool = False) -> Audit:
    """Judge a release: a folder with ``release.json``, a table file, any frame, or one that is still in memory.

    `manifest` is the holder's: t-closeness and delta-disclosure cannot be decided without the original distribution,
    nor whether a group holds two rows of one person without knowing whose they are.
    `whole` says instead that the table is the whole of it: nothing was suppressed or dropped.
    """
    return judge(receive(release, policy, manifest, more_than_a_table), whole=whole)


def judge(received: Received, *, whole: bool = False) -> Audit:
    """Judge what was found."""
    evidence, policy, shown = received.evidence, received.policy, received.seen
    court = Court.of(evidence, policy, whole, shown)
    document = evidence.document
    groups = court.classes("", ()).groups
    problems = [*findings(evidence, shown, policy, court.secrets, court.sets, groups)]
    if whole and not court.may_be_whole:
        problems.append("whole=True, yet release.json says that rows were suppressed or dropped")
    problems += left_out_findings(evidence, shown, policy, court.secrets)
    merged = Court.of(evidence, policy, whole, shown, merged=True) if court.doubtful else court
    persons = judge_persons(evidence, policy)
    insensitive, leaks = unlooked(received), leaks_of(received)
    problems += [leak.says for leak in leaks if leak.certain]
    return Audit(
        rows=shown.table.height,
        groups=groups,
        suppressed=None if document is None else document.rows.suppressed,
        criteria=(
            *both_ways(court, merged, Court.criteria),
            *([] if persons is None else [persons]),
            *both_ways(court, merged, judge_left_out),
            *judge_limits(evidence, shown, policy),
        ),
        reached=merged.reached(),
        problems=tuple(problems),
        notes=(
            *notes_on(evidence, shown, policy, court.secrets),
            *set_notes(evidence, court.sets),
            *weighed(court),
            *(sentence for each in insensitive for sentence in each.sentences()),
            *(leak.says for leak in leaks if not leak.certain),
        ),
        insensitive=insensitive,
        leaks=leaks,
    )
