"""Randomized: exact quasi-identifiers, sensitive values kept with probability p, else drawn from those of the group.

A person's sensitive values, as one combination, stay with probability p; else one of the M different combinations of
the group takes their place, each with the same probability. So what is shown is R = 1 + pM/(1-p) times as likely if it
is true than if anything else is, and every other truth is equally likely.

Let a value fill the share q of a group. To an adversary who knows everybody's quasi-identifiers, p and

``shares``   that everybody has it with probability q, each apart from the others, the odds of it are at most
             R·q/(1-q): what is shown of one person says nothing of another, and by Bayes' rule odds rise by at most R;
``counts``   (default) how often every value occurs in the group, each assignment equally likely: at most R²·q/(1-q).
             Take all assignments under which a person has it; exchange their values with those of somebody who has
             not. That changes two rows, so each result is at least 1/R² as likely; and of n people c have it, so every
             assignment under which the person has not is met c times, from n-c exchanges each.

So nothing becomes likelier than 1/L if R (R² for counts) is at most (1-q)/(q(L-1)) for the most frequent value. For m
equally likely values that is p ≤ (m-L)/(L(m-1)) against `shares`. L is the number of different values that keeps the
promise; a belief without a value above 1/L is a mixture of such groups, and so keeps it.

One p holds for the whole release and is published, so that analyses can correct for it: the largest hundredth that
every group allows. If that is none, the run ends as infeasible: no value may fill 1/L of a group, so groups are found
with `partition: {slack: 1}`, or by an algorithm that makes them larger.

The auditor needs the manifest: what groups held is secret. Quasi-identifiers are as they are, so `k` is refused.

Reference: Warner: Randomized response. JASA 60, 1965. https://doi.org/10.1080/01621459.1965.10480775
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import NoneFound, Refused
from sfumato.exact import as_text
from sfumato.fit import Fit, adapted, refused
from sfumato.forms.contract import Material, Published
from sfumato.forms.exact_quasi import Exact, fit_exact
from sfumato.models.contract import Histogram, Model, concerned
from sfumato.policy.forms import Randomized as Options
from sfumato.policy.sections import BlockEntry, BlocksSealed, RetentionShown

__all__ = ["RandomizedPublisher", "allows", "largest_retention"]

Ints = NDArray[np.int64]
Counts = tuple[int, ...]

_HUNDRED = 100


def allows(retention: Fraction, combinations: int, rows: int, most: int, size: int, power: int) -> bool:
    """Whether a value of `most` among `rows` rows stays at or below 1/`size`; power: 1 for shares, 2 for counts.

    >>> allows(Fraction(1, 9), 4, 4, 1, 3, 1), allows(Fraction(12, 100), 4, 4, 1, 3, 1)  # (4-3)/(3·3) = 1/9
    (True, False)
    """
    keep, other = retention + (1 - retention) / combinations, (1 - retention) / combinations
    return keep**power * most * (size - 1) <= other**power * (rows - most)


def largest_retention(combinations: int, rows: int, most: int, size: int, power: int) -> Fraction:
    """The largest hundredth that is allowed; 0 if none is."""
    low, high = 0, _HUNDRED
    while high - low > 1:  # what is allowed stays so with less
        middle = (low + high) // 2
        fine = allows(Fraction(middle, _HUNDRED), combinations, rows, most, size, power)
        low, high = (middle, high) if fine else (low, middle)
    return Fraction(low, _HUNDRED)


@dataclass(frozen=True)
class RandomizedPublisher:
    """The publisher of `form: {publish: randomized}`."""

    options: Options
    shows_missing: ClassVar[bool] = True

    def fit(self, model: Model) -> Fit:
        exact = fit_exact(model, "randomized")
        if exact.status == "refused":
            return exact
        if model.uniform_l() is None or not model.shape:
            who = concerned(model, lambda part: part.uniform_l() is None or not part.shape, "asks", "ask")
            return refused(f"randomized bounds how likely any value is, and {who} for something else")
        return adapted("no value may fill as much of a group as it allows: search with slack, or for larger groups")

    def fit_persons(self, model: Model) -> Fit:
        return self.fit(model)

    def publish(self, material: Material) -> Published:
        if material.table.sets:
            raise Refused("randomized draws single values, and a quasi-sensitive column has sets; take another form")
        exact = Exact.of(material, "randomized", self.options.model_dump_json())
        people, secret = exact.order("rows"), material.policy.sensitive
        codes = material.table.joint(secret)[0][exact.rows.tuples]
        pairs = _counted(exact, codes)
        counts = {name: _descending(exact, material.table.codes[name][exact.rows.tuples]) for name in secret}
        retention = self._retention(material, np.diff(pairs.starts), counts)
        source = _drawn(exact, codes, pairs, people, retention)
        columns = [
            *exact.pseudonyms(),
            *exact.cells(exact.shown(self.options.insensitive), people),
            *exact.cells(secret, source),
        ]
        kept = as_text(retention)
        return replace(
            exact.published(columns, people, Options.phrases),
            public=RetentionShown(retention=str(retention)),
            truth=retention,
            sealed=BlocksSealed(blocks=_blocks(exact, pairs, counts)),
            notes=(
                f"sensitive values are true with probability {kept}, or by chance; counts must be corrected for it",
                "that values were drawn cannot be verified from the release; what groups held is in the manifest",
            ),
        )

    def _retention(self, material: Material, combinations: Ints, counts: Mapping[str, list[Counts]]) -> Fraction:
        """The one that all groups allow."""
        size = None if material.model is None else material.model.uniform_l()
        if material.model is None or size is None:
            raise ValueError("randomized needs a promise that a number of different values keeps")
        power = 2 if self.options.known == "counts" else 1
        about = dict.fromkeys(name for columns in material.model.statistics for name in columns)
        kinds = Counter(
            (int(several), sum(each), each[0])
            for name in about
            for several, each in zip(combinations.tolist(), counts[name], strict=True)
        )
        largest = {kind: largest_retention(*kind, size, power) for kind in kinds}
        least = min(largest.values())
        wanted = self.options.retention
        if wanted is not None and all(allows(wanted, *kind, size, power) for kind in kinds):
            return cast(Fraction, wanted)
        if wanted is not None and least:
            raise NoneFound(f"form.retention: the groups found allow at most {as_text(least)}")
        if not least:
            full = sum(kinds[kind] for kind, found in largest.items() if not found)
            raise NoneFound(
                f"{full} of {kinds.total()} groups allow no value to be kept: one of them fills 1/{size} of the group,"
                f" or nearly so. Search with partition.slack: 1, for larger groups, or promise less"
            )
        return least


def _counted(exact: Exact, codes: NDArray[np.int32]) -> Histogram:
    """Codes of the rows, counted by group."""
    return Histogram.of(exact.rows.group, codes, np.ones(len(codes), dtype=np.int64), len(exact.ids))


def _blocks(exact: Exact, pairs: Histogram, counts: Mapping[str, list[Counts]]) -> dict[str, BlockEntry]:
    """What every group held, by its published number."""
    return {
        str(exact.ids[group]): BlockEntry(
            combinations=combinations, counts={name: each[group] for name, each in counts.items()}
        )
        for group, combinations in enumerate(np.diff(pairs.starts).tolist())
    }


def _descending(exact: Exact, codes: NDArray[np.int32]) -> list[Counts]:
    """Counts of values in every group, the largest first."""
    found = _counted(exact, codes)
    return [tuple(sorted(found.row(group)[1].tolist(), reverse=True)) for group in range(found.groups)]


def _drawn(exact: Exact, codes: NDArray[np.int32], pairs: Histogram, people: Ints, retention: Fraction) -> Ints:
    """For every person the row whose sensitive values are shown: their own, or one that has the combination drawn."""
    group = exact.rows.group[people]
    span = int(codes.max(initial=0)) + 1
    keys = np.repeat(np.arange(pairs.groups), np.diff(pairs.starts)) * span + pairs.values
    having = np.empty(len(keys), dtype=np.int64)
    having[np.searchsorted(keys, group * span + codes[people])] = people
    several = np.diff(pairs.starts)[group]
    chosen = exact.randomness.numbers(len(people), "values drawn") % several.astype(np.uint64)
    kept = exact.randomness.numbers(len(people), "values kept") < np.uint64(int(retention * 2**64))
    return np.where(kept, people, having[pairs.starts[group] + chosen.astype(np.int64)])
