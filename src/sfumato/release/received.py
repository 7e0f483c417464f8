"""A release as its recipient has it: opened, with the policy it is read by, and seen as its form is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sfumato.policy.document import Policy
from sfumato.policy.load import PolicyLike, read_policy
from sfumato.release.bounds import folded
from sfumato.release.formulas import shown_name, without_quotes
from sfumato.release.opening import Inspection, ManifestLike, Opened, accept, open_release
from sfumato.release.views import seen
from sfumato.release.views.contract import Seen

__all__ = ["Received", "receive"]


@dataclass(frozen=True, eq=False)
class Received:
    """What was found, and how it is looked at. Lower and upper columns are one again.

    policy   its wildcards mean columns of the input; if these are not known, published ones. Where it leaves a column's
             type to the data, it is what these say it is.
    """

    evidence: Opened
    policy: Policy
    seen: Seen

    @classmethod
    def of(cls, evidence: Opened, policy: Policy) -> Received:
        policy = policy.resolved(_names(evidence), published=True).typed(evidence.types)
        evidence = folded(evidence, policy)
        return cls(evidence, policy, seen(evidence, policy))

    def alone(self) -> Received:
        """The same as whoever has it who was given the release and the policy, and no manifest."""
        return Received.of(replace(self.evidence, manifest=None, kept=None), self.policy.given)


def receive(
    release: object, policy: PolicyLike, manifest: ManifestLike | None = None, inspect: Inspection = accept
) -> Received:
    """Open a release: a folder with ``release.json``, a table file, any frame, or one that is still in memory."""
    given = read_policy(policy)
    safe = given.output.spreadsheet == "safe"
    sets = [*map(shown_name, given.sets)] if safe else given.sets
    found = open_release(release, manifest, given.input, sets, inspect)
    return Received.of(without_quotes(found) if safe else found, given)


def _names(evidence: Opened) -> list[str]:
    manifest, document = evidence.manifest, evidence.document
    if manifest is not None and manifest.input.columns:
        return list(manifest.input.columns)
    own = () if document is None else (document.group_id, *document.shown.own)
    names = dict.fromkeys(name for table in evidence.tables.values() for name in table.columns)
    return [name for name in names if name not in own]
