"""What a release lost, column by column: by the policy's loss, and by what its form hides instead.

A quasi-identifier loses the mean cost of its cells, a sensitive column likewise where its values were generalized; a
suppressed row costs 1. A row says nothing of a column where its cell could be any value of the domain, or where the
row was left out. A form that shows quasi-identifiers as they are loses something else: whose sensitive value is whose,
which `correspondence` measures (GLP), as it does of rings.

Sensitive columns stand beside, and the value of a loss is that of the quasi-identifiers, unless the loss counts all
columns (`all_columns`), as information utility does by its definition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.forms.contract import Published
from sfumato.loss.contract import Loss, all_columns, column_means
from sfumato.loss.ncp import share_of_domain
from sfumato.measures.correspondence import alike, glp, nlp_of_groups, nlp_of_rings
from sfumato.partition.contract import Partition
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples

__all__ = ["ColumnLoss", "Losses", "lost", "overall", "put_together"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ColumnLoss:
    """The mean loss of a column's cells, and how many rows say nothing of it.

    values        how many values it could have: of one there is nothing to lose
    generalized   of a sensitive column, in how many published rows its value was generalized
    """

    loss: float
    nothing: int
    values: int
    generalized: int = 0


@dataclass(frozen=True)
class Losses:
    """What was lost of every column.

    value            the loss of the release
    rows             of the table, suppressed ones included
    quasi            quasi-identifiers
    sensitive        sensitive columns; one whose values are shown as they are loses what suppressed rows do
    exact            whether quasi-identifiers are shown as they are: what is lost is whose sensitive value is whose
    correspondence   how much of that is lost (GLP), where quasi-identifiers are exact or rows are in rings
    all_columns      whether the value counts sensitive columns too
    """

    value: float
    rows: int
    quasi: Mapping[str, ColumnLoss]
    sensitive: Mapping[str, ColumnLoss]
    exact: bool = False
    correspondence: float | None = None
    all_columns: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Without the value, which stands beside its metric."""
        quasi = {name: {"loss": each.loss, "says_nothing": each.nothing} for name, each in self.quasi.items()}
        sensitive = {
            name: {"loss": each.loss, "says_nothing": each.nothing, "generalized": each.generalized}
            for name, each in self.sensitive.items()
        }
        return {
            "columns": quasi,
            "sensitive": sensitive,
            "correspondence": self.correspondence,
        }


def overall(lost: Losses, suppressed: int, terms: float = 0.0) -> float:
    """One number for all that a release lost, to compare it with others of the same table under the same policy.

    The value of the loss. Where quasi-identifiers are exact, what is lost of who has which value instead, a suppressed
    row wholly. Sensitive values that were generalized, unless the loss counts them, and the share of `terms` that do
    not stay, are each as dear as all quasi-identifiers together.
    """
    found, hidden = lost.value, suppressed / max(lost.rows, 1)
    if lost.exact:
        found = hidden + (1 - hidden) * (lost.correspondence or 0.0)
    edited = 0.0 if lost.all_columns else sum(each.loss for each in lost.sensitive.values() if each.generalized)
    return found + edited + terms


def lost(loss: Loss, table: Tuples, grouped: Partition, published: Published, keep: bool, exact: bool) -> Losses:
    """What a release of a table lost. A suppressed row costs the same whether it is kept as `*` or not.

    keep    whether suppressed rows stay, with their sensitive values
    exact   whether the form shows quasi-identifiers as they are
    """
    spans, suppressed = published.spans, grouped.suppressed
    cells = [loss.cost(column, *spans.of[column.name]) for column in table.quasi]
    means = column_means(cells, spans.rows, suppressed)
    quasi = {
        column.name: ColumnLoss(
            float(mean),
            int(spans.rows[share_of_domain(column, *spans.of[column.name]) >= 1].sum()) + suppressed,
            column.size,
        )
        for column, mean in zip(table.quasi, means.tolist(), strict=True)
    }
    sensitive = {column.name: _sensitive(loss, column, grouped, keep) for column in table.sensitive}
    counted, columns = means, list(table.quasi)
    if all_columns(loss):
        counted = np.append(means, [each.loss for each in sensitive.values()])
        columns += table.sensitive
    weights = np.array([loss.weight(column) for column in columns])
    value = loss.value(counted, weights, published.sizes, table.rows)
    found = _correspondence(table, grouped, published, exact)
    return Losses(value, table.rows, quasi, sensitive, exact, found, all_columns(loss))


def put_together(
    parts: Sequence[Losses], loss: Loss, quasi: Sequence[Domain], sensitive: Sequence[Domain], sizes: Ints
) -> Losses:
    """What a release lost whose rows were grouped in parts; `sizes` of all classes that are published."""
    rows = sum(part.rows for part in parts)

    def mean(of: Sequence[ColumnLoss]) -> ColumnLoss:
        lost = sum(each.loss * part.rows for each, part in zip(of, parts, strict=True)) / max(rows, 1)
        nothing, general = sum(each.nothing for each in of), sum(each.generalized for each in of)
        return ColumnLoss(lost, nothing, of[0].values, general)

    told = {column.name: mean([part.quasi[column.name] for part in parts]) for column in quasi}
    secret = {column.name: mean([part.sensitive[column.name] for part in parts]) for column in sensitive}
    columns, found = [*quasi], [each.loss for each in told.values()]
    if all_columns(loss):
        columns, found = [*columns, *sensitive], [*found, *(each.loss for each in secret.values())]
    weights = np.array([loss.weight(column) for column in columns])
    value = loss.value(np.array(found), weights, sizes, rows)
    return Losses(value, rows, told, secret, parts[0].exact, None, all_columns(loss))


def _sensitive(loss: Loss, column: Domain, grouped: Partition, keep: bool) -> ColumnLoss:
    """What became of the values of a sensitive column."""
    told, tree, mean = (grouped.groups >= 0) | keep, column.taxonomy, grouped.edited_mean(column, loss)
    hidden = int(grouped.counts[~told].sum())
    if column.name not in grouped.edits or tree is None:
        return ColumnLoss(mean, hidden, column.size)
    nodes, counts = grouped.edits[column.name][told], grouped.counts[told]
    low, high, leaves = tree.first[nodes], tree.last[nodes], tree.leaf_counts[nodes]
    nothing = int(counts[share_of_domain(column, low, high, leaves) >= 1].sum())
    return ColumnLoss(mean, nothing + hidden, column.size, int(counts[nodes >= tree.size].sum()))


def _correspondence(table: Tuples, grouped: Partition, published: Published, exact: bool) -> float | None:
    """The mean probability, by what is shown of a person, of values that nobody alike has; None: not what is lost."""
    names = [column.name for column in (*table.sensitive, *table.sets)]
    if not (exact or published.rings) or not names:
        return None
    people, values = alike(table), table.joint(names)[0].astype(np.int64)
    if published.rings:
        return _of_rings(people, values, *published.rings)
    mine = grouped.tuples
    truth = published.truth
    shown = nlp_of_groups(people[mine], values[mine], grouped.groups, once=truth is not None, counts=grouped.counts)
    found = glp(shown, grouped.counts[grouped.groups >= 0])
    return float(found if truth is None else found * (1 - truth))


def _of_rings(people: Ints, values: Ints, order: Ints, starts: Ints, width: Ints) -> float:
    """A group that is shown whole is counted as a group, all others neighbour by neighbour."""
    length = np.diff(starts)
    ring = np.repeat(np.arange(len(length)), length)
    whole = width >= length
    parts: list[tuple[Ints, Ints]] = []
    if whole.any():
        mine = order[whole[ring]]
        parts.append(nlp_of_groups(people[mine], values[mine], ring[whole[ring]], among=(people, values)))
    if not whole.all():
        begins = np.concatenate(([0], np.cumsum(length[~whole])))
        parts.append(nlp_of_rings(people, values, order[~whole[ring]], begins, width[~whole]))
    return float(glp((_joined([wrong for wrong, _ in parts]), _joined([rows for _, rows in parts]))))


def _joined(parts: Sequence[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])
