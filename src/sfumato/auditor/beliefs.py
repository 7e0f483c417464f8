"""What the terms of groups make believe of labels: group by group, the one that decides before all others.

Labels are those of the knowledge, which everybody may have. A prior that was estimated from the original table is the
holder's, and so is a judgement that shows it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.auditor.levels import Level, readable
from sfumato.policy.sections import Part

__all__ = ["Beliefs", "GroupBelief", "aligned", "believed", "most_telling"]

_HEADS = ("groups", "rows", "linked", "labels", "kept", "level", "label", "prior", "posterior", "change")


class GroupBelief(Part):
    """What a group makes believe of the label whose belief it changes most, or of the likeliest without a prior.

    groups   that are the same in all their terms, and share this entry
    rows     of each; `linked` ones may stand for labels, of which there are `labels`
    level    that it reaches: null without a linked row
    """

    groups: int
    rows: int
    linked: int
    labels: int
    kept: bool
    level: Level = None
    label: str | None = None
    prior: Level = None
    posterior: Level = None
    change: Level = None

    @property
    def unlinked(self) -> int:
        return self.rows - self.linked


class Beliefs(Part):
    """What the terms of the group that decides make believe: of how many labels, by linked and unlinked rows.

    prior, posterior, change   of the label whose belief changes most, or of the likeliest where no prior is asked for
    unlinked_groups            of the whole release: groups that keep the promise only because no row is linked
    groups                     every group, the worst first
    """

    linked: int
    unlinked: int
    labels: int
    unlinked_groups: int = 0
    prior: Level = None
    posterior: Level = None
    change: Level = None
    groups: tuple[GroupBelief, ...] = ()

    @classmethod
    def of(cls, groups: Sequence[GroupBelief]) -> Beliefs:
        """All groups, worst first."""
        worst = groups[0]
        return cls(
            linked=worst.linked,
            unlinked=worst.unlinked,
            labels=worst.labels,
            unlinked_groups=sum(each.groups for each in groups if not each.linked),
            prior=worst.prior,
            posterior=worst.posterior,
            change=worst.change,
            groups=tuple(groups),
        )


def believed(beliefs: Beliefs) -> str:
    """The group that decides, in words."""
    text = f"unlinked: {beliefs.unlinked}, labels: {beliefs.labels}"
    if beliefs.posterior is None:
        return text
    if beliefs.prior is None:
        return f"{text}, the likeliest believed with {readable(beliefs.posterior)}"
    return f"{text}, a belief moves from {readable(beliefs.prior)} to {readable(beliefs.posterior)}"


def aligned(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table, without columns that say nothing."""
    columns = [column for column in zip(heads, *rows, strict=True) if any(column[1:])]
    widths = [max(map(len, column)) for column in columns]
    lines = zip(*columns, strict=True)
    return ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]


def most_telling(beliefs: Beliefs, most: int) -> list[str]:
    """The worst groups as lines of a table, without columns that say nothing."""
    shown = beliefs.groups[: max(most, 0)]
    if not shown:
        return []
    lines = aligned(_HEADS, [*map(_cells, shown)])
    more = sum(each.groups for each in beliefs.groups[len(shown) :])
    return [*lines, f"and {more} more"] if more else lines


def _cells(group: GroupBelief) -> tuple[str, ...]:
    numbers = (group.level, group.prior, group.posterior, group.change)
    level, prior, posterior, change = ("" if each is None else f"{float(each):.4g}" for each in numbers)
    counts = (str(group.groups), str(group.rows), str(group.linked), str(group.labels), "yes" if group.kept else "no")
    return (*counts, level, group.label or "", prior, posterior, change)
