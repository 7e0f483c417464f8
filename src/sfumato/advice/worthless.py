"""A release that keeps its promise and says next to nothing: when that is so, and what would help.

A release is named worthless if a column says nothing in more than `MOST_ROWS` of the rows, suppressed ones included, or
if its loss, or the correspondence that its form loses instead, is `NEAR_ALL` or more. What is offered is true of the
run: another method was run on the same table under the same promise and lost less; a hierarchy is asked for where a
column has nothing between its values and `*`; fewer quasi-identifiers where they tell most rows apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from sfumato.errors import Cancelled
from sfumato.measures.lost import ColumnLoss, Losses
from sfumato.policy.document import Policy
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples
from sfumato.table.words import counted

__all__ = ["MOST_ROWS", "NEAR_ALL", "remedies", "worthless"]

MOST_ROWS = Fraction(1, 2)
"""A column that says nothing in a larger share of the rows is named."""
NEAR_ALL = 0.9
"""A loss from here on is named."""

_ROWS = 200_000
"""Rows of a table on which other methods are tried."""
_BETTER = 0.9
"""Another method is named if its loss is this share of the present one or less."""
_OTHERS: tuple[Mapping[str, Any], ...] = ({"method": "mondrian"}, {"method": "auto", "budget": "quick"})
"""What is tried in place of the policy's own method, until one is better: what takes least time, also of a first run,
which has to compile what it uses; then what promises most in little time."""
_ALL_OF_THEM = "auto"
"""The method that runs several: who has it has been offered what there is."""
_APART = Fraction(1, 2)
"""Quasi-identifiers tell most rows apart if there are so many combinations of them for each row."""

Loses = Callable[[Policy], Losses]
"""Make a release under a policy, or raise; what it lost."""


def worthless(lost: Losses) -> tuple[str, ...]:
    """What says nothing, the most important first; empty: the release says something."""
    said = []
    if lost.value >= NEAR_ALL:
        said.append(f"nearly everything is lost: {lost.value:.4f} of 1")
    if lost.correspondence is not None and lost.correspondence >= NEAR_ALL:
        said.append(f"whose sensitive value is whose is nearly lost: {lost.correspondence:.4f} of 1")
    for name, column in _blank(lost):
        said.append(
            f"column {name!r} says nothing in {column.nothing} of {counted(lost.rows, 'row')}"
            f" ({column.nothing / lost.rows:.0%})"
        )
    return tuple(said)


def _blank(lost: Losses) -> Iterator[tuple[str, ColumnLoss]]:
    for name, column in (*lost.quasi.items(), *lost.sensitive.items()):
        if column.values > 1 and column.nothing > MOST_ROWS * lost.rows:
            yield name, column


def remedies(
    lost: Losses, table: Tuples, policy: Policy, suppressed: int, full_domain: bool, run: Loses
) -> tuple[str, ...]:
    """What would help, each true of this table; never empty.

    full_domain   whether every column shows one level in all rows
    run           another policy, to see what it loses
    """
    return tuple(_remedies(lost, table, policy, suppressed, full_domain, run))


def _remedies(
    lost: Losses, table: Tuples, policy: Policy, suppressed: int, full_domain: bool, run: Loses
) -> Iterator[str]:
    blank = {name for name, _ in _blank(lost)}
    if not lost.exact:
        yield from _another(lost, table, policy, run)
    if full_domain:
        yield (
            "suppression: all rows show one level of a column, so that a few rare ones decide it; raise"
            f" suppression.limit, now {float(policy.suppression.limit):g}, with the method lattice"
        )
    if suppressed > MOST_ROWS * lost.rows:
        yield "suppression: most rows are left out; lower suppression.limit, and promise less"
    for column in table.quasi:
        if column.name in blank and not lost.exact and _bare(column):
            yield (
                f"a hierarchy: column {column.name!r} has nothing between its {column.size} values and '*'; give it"
                " levels between"
            )
    kinds = len(table.count([column.name for column in table.quasi]).counts) if table.quasi else 0
    if len(table.quasi) > 1 and kinds > _APART * table.rows and not lost.exact:
        yield (
            f"fewer quasi-identifiers: the {len(table.quasi)} of them have {kinds} combinations in"
            f" {counted(table.rows, 'row')}; " + _leave_out([each.name for each in table.quasi], blank)
        )
    for name in blank & {*lost.sensitive}:
        if lost.sensitive[name].generalized:
            yield (
                f"sensitive values: those of column {name!r} are generalized so that quasi-identifiers stay; raise"
                " partition.balance to have more of them, or promise less"
            )
    yield "a weaker promise: `sfumato advise` shows what the table allows"


def _leave_out(quasi: Sequence[str], blank: set[str]) -> str:
    names = [repr(name) for name in quasi if name in blank]
    if not names or len(names) == len(quasi):
        return "leave out (role: drop) what nobody needs, so that the others tell more"
    return f"leave out {', '.join(names)} (role: drop), of little use as it is, so that the others tell more"


def _bare(column: Domain) -> bool:
    """Whether a column of texts can only show its values, sets of them, or all."""
    if column.size <= 2 or column.ordered:
        return False
    return column.taxonomy is None or column.taxonomy.height <= 1


def _another(lost: Losses, table: Tuples, policy: Policy, run: Loses) -> Iterator[str]:
    """Another method, if it is known to lose less here."""
    own = policy.partition.method
    if table.rows > _ROWS or own == _ALL_OF_THEM:
        return
    for other in _OTHERS:
        loses = None if own == other["method"] else _tried(policy, other, run)
        if loses is not None and loses.value <= _BETTER * lost.value:
            words = ", ".join(f"{key}: {value}" for key, value in other.items())
            yield (
                f"another method: partition: {{{words}}} loses {loses.value:.4f} here; {{method: {_ALL_OF_THEM}}} keeps"
                " the best of several"
            )
            return


def _tried(policy: Policy, other: Mapping[str, Any], run: Loses) -> Losses | None:
    """What another method loses; None: it makes no release."""
    try:
        return run(policy.changed(partition=other))
    except Cancelled:
        raise
    except Exception:  # whatever another method does: what is told is the release that was asked for
        return None
