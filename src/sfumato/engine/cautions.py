"""What the holder is warned of: what a promise does not cover, though one may think so."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from sfumato.auditor.verdict import Audit
from sfumato.policy.document import Policy
from sfumato.table.persons import constant_secrets
from sfumato.table.tuples import Tuples
from sfumato.table.words import counted

__all__ = ["cautions", "singled_out", "uneven", "unlinked"]


def cautions(policy: Policy, coded: Tuples) -> Iterator[str]:
    """What can be said before anything is searched."""
    if policy.unpromised and len(policy.unpromised) < len(policy.secret):
        names = ", ".join(map(repr, policy.unpromised))
        yield (
            f"no promise speaks of the sensitive column {names}: its values may be the same in a whole group; promise"
            " something of it too, or give it another role"
        )
    for column in coded.sets if policy.partition.suppresses_terms(policy.promise) else ():
        lengths = column.terms.lengths[column.counts > 0]
        if not column.known and coded.rows > 1 and lengths.max() == lengths.min() > 0:
            yield (
                f"column {column.name!r}: every row has {counted(int(lengths[0]), 'term')}, so that a reader who knows"
                " this sees how many were suppressed, and rules out labels with fewer; set its lengths: known"
            )
    for one, other in itertools.combinations(coded.sets, 2):
        if set(one.told.labels) & set(other.told.labels):
            yield (
                f"columns {one.name!r} and {other.name!r} may stand for the same labels; each keeps its promise by"
                " itself, and who takes them together may believe more: make one column of both"
            )
    for name, persons in constant_secrets(coded).items():
        yield (
            f"column {name!r}: {counted(persons, 'person')} with one value in several rows; each row keeps the promise,"
            " but whoever finds them all and knows that the value stays the same learns it from what their groups have"
            " in common; keep one row per person and value (rows: one-per-value)"
        )


def unlinked(audit: Audit) -> Iterator[str]:
    """Groups that keep a promise about terms only because the knowledge says nothing of them."""
    for criterion in audit.criteria:
        if criterion.beliefs is not None and criterion.beliefs.unlinked_groups:
            yield (
                f"{criterion.promise}: {counted(criterion.beliefs.unlinked_groups, 'group')} of rows that are linked to"
                f" no label by column {criterion.on!r}; it says nothing of them, and somebody who knows more might:"
                " complete the knowledge"
            )


def uneven(audit: Audit) -> Iterator[str]:
    """Groups in which nearly all rows have the same secret, though different values are promised, and there are some.

    One value alone is in no group of which more is promised.
    """
    yield from (each.sentence for each in audit.lopsided if each.promises and each.counted and each.share != 1)


def singled_out(audit: Audit) -> Iterator[str]:
    """Rows that columns single out of which no promise speaks."""
    for found in audit.insensitive:
        yield from found.warnings()
