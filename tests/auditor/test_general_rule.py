"""A promise of another package that counts generalized values: searched, published and audited as (tau,l) is.

*leaf-cap*: no base value counts for more than a share of a group, where a generalized value counts evenly for every
value of the hierarchy below it, whether it occurs or not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Self

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from pydantic import Field

import sfumato as sf
from sfumato import extension
from sfumato.extend import (
    Case,
    Facts,
    Groups,
    Induced,
    OfColumn,
    Promise,
    Ratio,
    Rule,
    Ruling,
    ShareCaps,
    as_text,
    compare,
    maxima,
    promise,
)
from sfumato.testing import check_model

pytestmark = pytest.mark.filterwarnings("ignore::sfumato.errors.SfumatoWarning")


@promise
class LeafCap(Promise):
    """No value counts for more than `share` of a group; a generalized one counts for all below it, evenly."""

    share: Annotated[Ratio, Field(gt=0, le=1)]
    on: str | None = None
    name: ClassVar[str] = "leaf-cap"
    example: ClassVar[Mapping[str, Any]] = {"share": "3/4"}


@dataclass(frozen=True, eq=False)
class LeafCapModel(OfColumn):
    promise: LeafCap
    induced: Induced
    higher_is_better = False
    counts_induced = True
    prefers_even = True

    @classmethod
    def bind(cls, promise: Any, facts: Facts) -> Self:
        column = facts.column(promise.on)
        return cls(promise, column.name, Induced.of(column, [Fraction(1)] * column.size))

    def caps(self) -> ShareCaps:
        return ShareCaps(self.column, (self.promise.share,), tuple(map(Fraction, self.induced.weights)))

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        top, rows = self._top(groups)
        kept: NDArray[np.bool_] = (groups.sizes > 0) & (compare(top, self.promise.share, rows) <= 0)
        return kept

    def level(self, groups: Groups) -> NDArray[np.float64]:
        top, rows = self._top(groups)
        return np.where(groups.sizes > 0, top / np.maximum(rows, 1), np.inf)

    def nearest(self, whole: Groups) -> LeafCap | None:
        top, rows = self._top(whole)
        return replace(self.promise, share=Fraction(int(top[0]), int(rows[0]))) if rows[0] else None

    def _top(self, groups: Groups) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        counts, factor = self.induced.spread(self.histogram(groups))
        return maxima(counts), groups.sizes * factor


def judge(promise: LeafCap, case: Case) -> Ruling:
    """From the definition: per class the sums of what every row counts for."""
    secrets, classes = case.secrets, case.classes
    assert secrets is not None
    tree = secrets.taxonomy
    levels: list[Fraction] = []
    for group in range(len(classes.starts) - 1):
        sums: dict[Any, Fraction] = {}
        mine = slice(classes.starts[group], classes.starts[group + 1])
        for code, rows in zip(classes.values[mine].tolist(), classes.counts[mine].tolist(), strict=True):
            node, below = secrets.nodes[code], [secrets.keys[code]]
            if node >= 0 and tree is not None:
                below = [secrets.read(label) for label in tree.leaves[tree.first[node] : tree.last[node] + 1]]
            for key in below:
                sums[key] = sums.get(key, Fraction(0)) + Fraction(rows, len(below))
        levels.append(max(sums.values()) / sum(sums.values(), Fraction(0)))
    worst = max(range(len(levels)), key=levels.__getitem__)
    kept = np.array([level <= promise.share for level in levels])
    return Ruling(kept, levels[worst], worst, f"a value counts for at most {as_text(promise.share)} of a group")


GENERAL, PLAIN = Rule(judge, general=True), Rule(judge)


@dataclass(frozen=True)
class Entry:
    name: str
    piece: Any

    def load(self) -> Any:
        return self.piece


def install(monkeypatch: pytest.MonkeyPatch, rule: Rule) -> None:
    pieces = {"sfumato.promises": LeafCap, "sfumato.models": LeafCapModel, "sfumato.rules": rule}

    def entry_points(group: str, name: str | None = None) -> list[Entry]:
        return [Entry("leaf-cap", pieces[group])] if group in pieces and name in (None, "leaf-cap") else []

    monkeypatch.setattr(extension, "entry_points", entry_points)


@pytest.fixture(autouse=True)
def _another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, GENERAL)


TREE = {"tree": {"lung": ["flu", "cold", "asthma"], "gut": ["ulcer", "colitis"]}}
FRAME = pl.DataFrame({"zip": ["02138", "02139"] * 4, "disease": ["flu"] * 5 + ["cold", "ulcer", "colitis"]})


def policy_of(share: str, *others: Mapping[str, Any], **settings: Any) -> dict[str, Any]:
    columns = {
        "zip": {"role": "quasi", "hierarchy": {"mask": "right"}},
        "disease": {"role": "sensitive", "hierarchy": TREE},
    }
    return {"columns": columns, "privacy": [{"model": "leaf-cap", "share": share}, *others], **settings}


def test_its_model_and_its_rule_agree() -> None:
    check_model(LeafCap("1/2"), rounds=8)
    check_model(sf.KAnonymity(2) & LeafCap("2/5"), rounds=4)


def test_what_it_counts_is_generalized_for_it() -> None:
    """Flu fills 3 of the 4 rows of the first zip, and 5 of 8 in all; shown as lung, 3 rows count for each by 1."""
    policy = policy_of("1/2", partition={"method": "sweep"})
    release = sf.publish(FRAME, policy=policy, seed=1)
    assert Counter(release.table["disease"].to_list()) == {"lung": 3, "flu": 2, "cold": 1, "ulcer": 1, "colitis": 1}
    audit = release.judged()
    assert audit.holds and not audit.problems
    assert [(each.model, each.verdict) for each in audit.criteria if each.model == "leaf-cap"] == [
        ("leaf-cap", "holds")
    ]


def test_without_edits_it_is_infeasible_and_says_what_is_near() -> None:
    with pytest.raises(sf.NoneFound) as failed:
        sf.publish(FRAME, policy=policy_of("1/2"), partition=sf.Mondrian(), seed=1)
    assert str(LeafCap("5/8")) in str(failed.value.nearest)


def rows(*values: str) -> pl.DataFrame:
    return pl.DataFrame({"zip": ["0213*"] * len(values), "disease": values})


@pytest.mark.parametrize(
    ("values", "level", "verdict"),
    [
        (("lung", "lung", "lung", "ulcer"), Fraction(1, 4), "holds"),
        (("lung", "lung", "flu", "ulcer"), Fraction(5, 12), "holds"),
        (("lung", "flu", "flu", "ulcer"), Fraction(7, 12), "fails"),
        (("gut", "gut", "gut", "flu"), Fraction(3, 8), "holds"),
        (("gut", "gut", "ulcer", "flu"), Fraction(1, 2), "holds"),
        (("gut", "ulcer", "ulcer", "flu"), Fraction(5, 8), "fails"),
    ],
)
def test_it_is_judged_by_hand(values: tuple[str, ...], level: Fraction, verdict: str) -> None:
    audit = sf.audit(rows(*values), policy_of("1/2"))
    (criterion,) = audit.criteria
    assert (criterion.verdict, criterion.level) == (verdict, level)
    assert not audit.problems and audit.holds == (verdict == "holds")


def test_a_label_of_no_hierarchy_is_still_a_problem() -> None:
    audit = sf.audit(rows("lung", "lung", "heart", "gut"), policy_of("1/2"))
    assert not audit.holds
    assert [each.verdict for each in audit.criteria] == ["fails"]
    assert any("generalized or not of its kind" in problem for problem in audit.problems)


def test_a_rule_that_does_not_count_them_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, PLAIN)
    audit = sf.audit(rows("lung", "lung", "lung", "ulcer"), policy_of("1/2"))
    assert not audit.holds
    assert [each.verdict for each in audit.criteria] == ["fails"]
    assert any("values at different heights" in problem for problem in audit.problems)


def test_another_promise_about_the_column_fails_by_itself() -> None:
    audit = sf.audit(rows("lung", "lung", "lung", "ulcer"), policy_of("1/2", {"model": "distinct-l", "l": 2}))
    assert [each.verdict for each in audit.criteria] == ["holds", "fails"] and not audit.problems


def test_sweep_leaves_values_as_they_are_where_another_promise_needs_them() -> None:
    """Two kinds of promises about one column: one of them cannot count a generalized value."""
    policy = policy_of("5/8", {"model": "distinct-l", "l": 2}, partition={"method": "sweep"})
    release = sf.publish(FRAME, policy=policy, seed=1)
    assert release.judged().holds and "lung" not in release.table["disease"].to_list()
