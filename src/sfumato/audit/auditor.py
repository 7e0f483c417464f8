"""The way in: open a release, judge it."""

from __future__ import annotations

from sfumato.audit.court import Court
from sfumato.audit.evidence import Evidence, ManifestLike, open_release
from sfumato.audit.integrity import findings
from sfumato.audit.notes import notes_on
from sfumato.audit.persons import judge_persons
from sfumato.audit.termfaults import set_notes
from sfumato.audit.verdict import Audit
from sfumato.audit.views import seen
from sfumato.audit.weighed import weighed
from sfumato.policy.document import Policy
from sfumato.policy.load import PolicyLike, read_policy

__all__ = ["audit", "judge"]


def audit(release: object, policy: PolicyLike, manifest: ManifestLike | None = None, *, whole: bool = False) -> Audit:
    """Judge a release: a folder with ``release.json``, a table file, any frame, or one that is still in memory.

    `manifest` is the holder's: t-closeness and delta-disclosure cannot be decided without the original distribution,
    nor whether a group holds two rows of one person without knowing whose they are.
    `whole` says instead that the table is the whole of it: nothing was suppressed or dropped.
    """
    given = read_policy(policy)
    return judge(open_release(release, manifest, given.input, given.sets), given, whole=whole)


def judge(evidence: Evidence, policy: Policy, *, whole: bool = False) -> Audit:
    """Judge what was found; where the policy leaves a column's type to the data, by what these say it is."""
    policy = policy.typed(evidence.types)
    shown = seen(evidence, policy)
    court = Court.of(evidence, policy, whole, shown)
    document = evidence.document
    groups = court.classes("", ()).groups
    problems = [*findings(evidence, shown, policy, court.secrets, court.sets, groups)]
    if whole and not court.may_be_whole:
        problems.append("whole=True, yet release.json says that rows were suppressed or dropped")
    persons = judge_persons(evidence, policy)
    return Audit(
        rows=shown.table.height,
        groups=groups,
        suppressed=None if document is None else document.rows.suppressed,
        criteria=(*court.criteria(), *([] if persons is None else [persons])),
        reached=court.reached(),
        problems=tuple(problems),
        notes=(*notes_on(evidence, shown, policy, court.secrets), *set_notes(evidence, court.sets), *weighed(court)),
    )
