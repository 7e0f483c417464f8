"""(tau,l) before the auditor: generalized sensitive values, whose weights are known or not."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.auditor.audit import audit
from sfumato.errors import Refused
from tests.support.auditing import blocks, judged, manifest_of, policy_of, write_release
from tests.support.examples import examples

TREE = {"s": {"hierarchy": {"tree": {"x": ["a", "b"], "y": ["c", "d"]}}}}
HALF = {"model": "tau-l", "tau": "1/2", "l": 3}


def released(folder: Path, published: pl.DataFrame, original: pl.DataFrame, promise: Any, weights: Any) -> Any:
    """The verdict of the holder and that of an outsider; `weights` is what release.json states."""
    policy = policy_of(promise, sensitive=TREE)
    write_release(folder, published, policy, original=original)
    document = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    document["weights"] = {"s": weights}
    (folder / "release.json").write_text(
        json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n"
    )
    return audit(folder, policy, manifest_of(folder, original, policy)), audit(folder, policy)


def test_base_values_need_no_weights() -> None:
    criterion = judged(blocks("a a b c", "a b c d"), HALF)
    assert criterion.holds and criterion.level == Fraction(1, 2)
    assert not judged(blocks("a a b b c"), HALF).holds  # F(2) = 4/5 > 3/4
    assert judged(blocks("a a b b c"), HALF).level == Fraction(3, 5)
    assert judged(blocks("a b"), HALF).level == 1
    assert not audit(blocks("a a b c"), policy_of(HALF)).problems
    assert audit(blocks("a a b c"), policy_of(HALF)).criteria[0].holds


def test_the_boundary_is_exact() -> None:
    on_it = blocks("a a a b b c c d d")  # F: 1/3, 5/9, 7/9, each of them psi
    assert judged(on_it, {"model": "tau-l", "tau": "1/3", "l": 4}).holds
    assert not judged(on_it, {"model": "tau-l", "tau": "0.33333333333333333333", "l": 4}).holds
    by_psi = {"model": "tau-l", "tau": "1/2", "l": 3, "psi": ["1/2", "5/6"]}
    assert judged(blocks("a a a b b c"), by_psi).holds
    assert judged(blocks("a a a b b c"), {**by_psi, "psi": ["1/2", "4/5"]}).level == Fraction(1, 2) * Fraction(25, 24)


def test_generalized_values_count_by_their_weights(tmp_path: Path) -> None:
    original, published = blocks("a a a c b d"), blocks("x x a c b d")
    even = dict.fromkeys("abcd", "1")
    holder, outsider = released(tmp_path, published, original, HALF, even)
    assert holder.holds and outsider.holds, holder.summary()
    assert holder.criteria[0].level == outsider.criteria[0].level == Fraction(1, 3)
    assert any("rows with a generalized value: 2" in note for note in holder.notes)
    assert not released(
        tmp_path, published, original, {**HALF, "tau": "0.4", "weights": {"a": 99}}, {**even, "a": "99"}
    )[0].holds


def test_both_weightings_are_told(tmp_path: Path) -> None:
    """x x c d with a six times as frequent as b: 1/4 by equal weights, 3/7 by the table."""
    original, published = blocks("a a c d", "a a a a b c d"), blocks("x x c d", "a a a a b c d")
    holder, _ = released(
        tmp_path, published, original, {"model": "tau-l", "tau": "0.6", "l": 2}, dict.fromkeys("abcd", "1")
    )
    (note,) = [note for note in holder.notes if "generalized value" in note]
    assert note.endswith("tau = 4/7 with equal weights and 4/7 with those of the table")
    original, published = blocks("a a c d", "a a a a b c d c c d"), blocks("x x c d", "a a a a b c d c c d")
    holder, _ = released(
        tmp_path, published, original, {"model": "tau-l", "tau": "0.6", "l": 2}, dict.fromkeys("abcd", "1")
    )
    (note,) = [note for note in holder.notes if "generalized value" in note]
    assert note.endswith("tau = 0.4 with equal weights and 3/7 with those of the table")


def test_other_rules_still_fail_on_generalized_values() -> None:
    for promise in ({"model": "distinct-l", "l": 2}, {"model": "entropy-l", "l": 2}):
        result = audit(blocks("x a c d"), policy_of(promise, HALF, sensitive=TREE), whole=True)
        assert result.criteria[0].verdict == "fails" and not result.holds


@pytest.mark.parametrize(
    ("cells", "more", "verdict"),
    [
        ("x a c d", {}, "holds"),  # 1/2 also if x is always a
        ("x x c d", {}, "undecidable"),  # 1/2 if it is, 1/4 if it is a or b: F(2) is 3/4 or 1/2, and who knows
        ("x x x c", {}, "undecidable"),  # nobody knows whether a, b or both
        ("x x x a", {}, "fails"),  # at best 5/8 of it are a
        ("x a c d", {"weights": {"a": "1", "b": "1"}}, "holds"),  # 3/8 are a
        ("x a c d", {"weights": {"b": "1/2"}}, "holds"),  # 5/12 are a: all that x can stand for is weighed
        ("* a c d", {"weights": {"b": "1/2"}}, "undecidable"),  # as * may be a missing value, more than b
        ("* a c d", {"weights": {"a": "3"}}, "holds"),  # 2/5 are a, if nothing else occurred
        ("x a c d", {"weights": "table"}, "undecidable"),
    ],
)
def test_an_outsider_reckons_with_all_that_may_have_occurred(cells: str, more: Any, verdict: str) -> None:
    (criterion,) = audit(blocks(cells), policy_of({**HALF, **more}, sensitive=TREE)).criteria
    assert criterion.verdict == verdict, criterion
    assert bool(criterion.needs) == (verdict == "undecidable")


@pytest.mark.parametrize("alien", ["z", "*x", "x x"])
def test_a_value_of_no_hierarchy_fails(alien: str) -> None:
    frame = pl.concat([blocks("a b c d"), pl.DataFrame({"q": ["g0"], "s": [alien]})])
    result = audit(frame, policy_of(HALF, sensitive=TREE), whole=True)
    assert result.criteria[0].verdict == "fails" and result.problems


@pytest.mark.parametrize("lie", [{"a": "5"}, {"e": "1"}, {"": "1"}], ids=str)
def test_stated_weights_must_be_those_of_the_policy(tmp_path: Path, lie: dict[str, str]) -> None:
    published = blocks("x x a c b d")
    holder, _ = released(tmp_path, published, blocks("a a a c b d"), HALF, {**dict.fromkeys("abcd", "1"), **lie})
    assert any("other weights" in problem for problem in holder.problems) and not holder.holds


def test_a_node_cannot_stand_for_more_rows_than_there_were(tmp_path: Path) -> None:
    even = dict.fromkeys("abcd", "1")
    holder, _ = released(tmp_path, blocks("y y a c b d"), blocks("a a a c b d"), HALF, even)
    assert any("stand for more rows" in problem for problem in holder.problems)
    holder, _ = released(tmp_path, blocks("* * a c b d"), blocks("a a a c b d"), HALF, even)
    assert not holder.problems


@given(
    st.lists(st.sampled_from(["a", "b", "c", "d", "x", "y", "*"]), min_size=1, max_size=12), st.sampled_from([2, 3, 4])
)
@settings(max_examples=examples(60))
def test_against_shares_added_by_hand(cells: list[str], l: int) -> None:
    below = {"x": "ab", "y": "cd", "*": "abcd"}
    frame = pl.concat([blocks(" ".join(cells)), pl.DataFrame({"q": ["all"] * 4, "s": list("abcd")})])
    promise = {"model": "tau-l", "tau": "1/2", "l": l, "weights": dict.fromkeys("abcd", 2)}
    policy = policy_of(promise, sensitive={"s": {**TREE["s"], "missing": "error"}})
    (criterion,) = audit(frame, policy, whole=True).criteria
    meant = [below.get(cell, cell) for cell in cells]
    shares = sorted(sum((Fraction(leaf in leaves, len(leaves)) for leaves in meant), Fraction(0)) for leaf in "abcd")
    filled = [sum(shares[-k:], Fraction(0)) / len(cells) for k in range(1, l)]
    worst = max((share * (l - 1) - (k - 1)) / (l - k) for k, share in enumerate(filled, 1))
    rest = max(Fraction(k, 4) * (l - 1) / (l - k) - Fraction(k - 1, l - k) for k in range(1, l))
    assert criterion.level == max(worst, rest)
    assert criterion.holds == (max(worst, rest) <= Fraction(1, 2))


ILL = {"hierarchy": {"tree": {"cancer": ["lung", "skin"], "viral": ["flu", "hiv"]}}}


def swept(weights: Any) -> tuple[sf.Release, dict[str, Any]]:
    """Three towns keep the promise; the fourth does not, and its values are generalized."""
    fine = [(town, value) for town in ("10", "20", "30") for value in ("lung", "skin", "flu", "hiv")]
    rows = [*fine, *(("40", value) for value in ("hiv", "hiv", "hiv", "flu", "lung"))]
    columns = {"zip": {"role": "quasi"}, "d": {"role": "sensitive", **ILL}}
    promise = HALF if weights is None else {**HALF, "weights": weights}
    policy = {"columns": columns, "privacy": [promise], "partition": {"method": "sweep"}}
    return sf.publish(pl.DataFrame(rows, ["zip", "d"], orient="row"), policy=policy, seed=1), policy


def test_a_release_states_weights_that_tell_nothing_else(tmp_path: Path) -> None:
    release, policy = swept({"hiv": "3/2"})
    release.write(tmp_path / "given")
    stated = json.loads((tmp_path / "given" / "release.json").read_text(encoding="utf-8"))["weights"]
    assert stated == {"d": {"flu": "1", "hiv": "3/2", "lung": "1", "skin": "1"}}
    assert audit(tmp_path / "given", policy).holds
    # How often a value occurred, less how often it is published, would be what was hidden.
    release, policy = swept("table")
    assert release.generalized == {"d"}
    release.write(tmp_path / "table")
    assert json.loads((tmp_path / "table" / "release.json").read_text(encoding="utf-8"))["weights"] == {}
    outsider = audit(tmp_path / "table", policy)
    assert outsider.criteria[0].verdict == "undecidable" and not outsider.problems
    assert "internal manifest" in str(outsider.criteria[0].needs)
    assert audit(tmp_path / "table", policy, tmp_path / "table.internal.json").holds
    assert not audit(tmp_path / "table", policy, whole=True).problems


def test_where_nothing_is_generalized_nothing_is_stated(tmp_path: Path) -> None:
    frame = pl.DataFrame({"q": ["u", "v"] * 6, "s": ["a", "b", "c", "d"] * 3})
    columns = {"q": {"role": "quasi"}, "s": {"role": "sensitive"}}
    promise = {**HALF, "weights": {"a": "5/2"}}
    sf.publish(frame, policy={"columns": columns, "privacy": [promise]}, seed=0).write(tmp_path / "out")
    assert json.loads((tmp_path / "out" / "release.json").read_text(encoding="utf-8"))["weights"] == {}
    assert audit(tmp_path / "out", {"columns": columns, "privacy": [promise]}).holds
    with pytest.raises(Refused, match="different weights"):
        sf.publish(frame, policy={"columns": columns, "privacy": [promise, HALF]}, seed=0)


@pytest.mark.parametrize(
    "forged",
    [
        {"a": "1", "c": "1", "d": "1"},  # not what the policy gives
        {"a": "10", "b": "1", "c": "1", "d": "1"},  # no row shows b
        {"a": "10", "c": "1", "d": "1", "": "1"},
        {"a": "10", "c": "1", "d": "1", "e": "1"},  # no value of the hierarchy
        {"a": "10", "c": "1"},  # d is published
        {"c": "1", "d": "1"},
    ],
)
def test_an_outsider_does_not_believe_weights_against_the_policy(tmp_path: Path, forged: dict[str, str]) -> None:
    original, published = blocks("a b b c d d"), blocks("x x x c d d")
    promise = {**HALF, "weights": {"a": "10"}}
    honest = released(tmp_path / "honest", published, original, promise, {"a": "10", "c": "1", "d": "1"})
    assert not honest[1].problems
    _, outsider = released(tmp_path / "forged", published, original, promise, forged)
    assert any("other weights of column 's'" in problem for problem in outsider.problems)


@pytest.mark.thorough
def test_weights_of_many_digits_are_exact() -> None:
    names = [f"{side}{pair}" for pair in range(150) for side in "xy"]
    tree = {f"P{pair}": [f"x{pair}", f"y{pair}"] for pair in range(150)}
    weights = {name: str(900_000 + 7 * place) for place, name in enumerate(names)}
    values = [value for pair in range(150) for value in (*[f"x{pair}"] * 3, f"y{pair}")]
    frame = pl.DataFrame({"q": ["a", "b"] * 300, "s": values})
    columns = {"q": {"role": "quasi"}, "s": {"role": "sensitive", "hierarchy": {"tree": tree}}}
    promise = {"model": "tau-l", "tau": "1/230", "l": 231, "weights": weights}
    policy = {"columns": columns, "privacy": [promise], "partition": {"method": "sweep"}}
    release = sf.publish(frame, policy=policy, seed=1)
    assert release.generalized and release.judged().holds


@pytest.mark.parametrize(
    ("spec", "values"),
    [
        (
            {"type": "date", "hierarchy": {"dates": ["month", "year"]}},
            ["2020-01-01"] * 3 + ["2020-01-02", "2020-02-01", "2021-03-01", "2022-01-01", "2023-01-01"],
        ),
        ({"type": "integer", "hierarchy": {"intervals": [5, 10]}}, ["1"] * 3 + ["2", "3", "7", "12", "30"]),
        ({"hierarchy": {"mask": "right"}}, ["0111"] * 3 + ["0112", "0121", "0211", "1000", "2200"]),
        ({"hierarchy": "flat"}, list("kkklmnop")),
    ],
)
def test_what_occurred_unseen_only_the_holder_knows_whatever_the_hierarchy_is_made_of(
    tmp_path: Path, spec: dict[str, Any], values: list[str]
) -> None:
    columns = {"q": {"role": "quasi"}, "s": {"role": "sensitive", **spec}}
    promise = {"model": "tau-l", "tau": "0.3", "l": 5}
    policy = {"columns": columns, "privacy": [promise], "partition": {"method": "sweep"}}
    release = sf.publish(pl.DataFrame({"q": list("aabbccdd"), "s": values}), policy=policy, seed=1)
    assert release.generalized
    release.write(tmp_path / "out")
    verdict = audit(tmp_path / "out", policy)
    assert verdict.criteria[0].verdict == "undecidable" and not verdict.problems, verdict.summary()
    assert "internal manifest" in verdict.criteria[0].needs
    assert audit(tmp_path / "out", policy, tmp_path / "out.internal.json").holds


def test_a_hierarchy_made_of_the_data_is_the_holders(tmp_path: Path) -> None:
    columns = {"q": {"role": "quasi"}, "s": {"role": "sensitive", "hierarchy": {"balanced": {"fanout": 2}}}}
    policy = {
        "columns": columns,
        "privacy": [{"model": "tau-l", "tau": "0.3", "l": 5}],
        "partition": {"method": "sweep"},
    }
    release = sf.publish(pl.DataFrame({"q": list("aabbccdd"), "s": list("kkklmnop")}), policy=policy, seed=1)
    assert release.generalized
    release.write(tmp_path / "out")
    outsider = audit(tmp_path / "out", policy)
    assert outsider.criteria[0].verdict == "undecidable" and not outsider.problems, outsider.summary()
    assert audit(tmp_path / "out", policy, tmp_path / "out.internal.json").holds


def test_values_that_no_row_shows_do_not_spread_what_a_node_counts_for() -> None:
    """`ill` stands for flu and gout; that gout occurred, nobody sees."""
    tree = {"any": {"ill": ["flu", "gout"], "well": ["fine"]}}
    policy = policy_of(
        {"model": "tau-l", "tau": "1/2", "l": 2}, sensitive={"s": {"hierarchy": {"tree": tree}}}, quasi=("q",)
    )
    frame = pl.DataFrame({"q": ["a"] * 4 + ["b"] * 2, "s": ["ill", "ill", "fine", "fine", "flu", "fine"]})
    (criterion,) = audit(frame, policy).criteria
    assert criterion.verdict == "holds"  # also if all of `ill` is flu
    worse = frame.with_columns(pl.Series("s", ["ill", "ill", "ill", "fine", "flu", "fine"]))
    (criterion,) = audit(worse, policy).criteria
    assert criterion.verdict == "undecidable" and "values of 's' occurred that no row shows" in criterion.needs


@pytest.mark.parametrize("stated", [{"nobody": {"a": "1"}}, {"q": {"g0": "1"}}, {"s": {}, "": {}}], ids=str)
def test_weights_of_what_has_no_such_promise_are_found(tmp_path: Path, stated: dict[str, Any]) -> None:
    published = blocks("a b c d")
    policy = policy_of(HALF, sensitive=TREE)
    write_release(tmp_path, published, policy, original=published)
    path = tmp_path / "release.json"
    document = json.loads(path.read_text(encoding="utf-8")) | {"weights": stated}
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")
    verdict = audit(tmp_path, policy)
    assert any("weights of" in problem for problem in verdict.problems) and not verdict.holds


def test_weights_do_not_name_what_no_row_shows(tmp_path: Path) -> None:
    """hiv occurs in one town alone, which shows `viral` for it."""
    fine = [(town, value) for town in ("10", "20", "30") for value in ("lung", "skin", "flu", "cold", "croup")]
    rows = [*fine, *(("40", value) for value in ("hiv", "hiv", "hiv", "flu", "lung"))]
    ill = {"hierarchy": {"tree": {"cancer": ["lung", "skin"], "viral": ["flu", "hiv", "cold", "croup"]}}}
    columns = {"zip": {"role": "quasi"}, "d": {"role": "sensitive", **ill}}
    policy = {"columns": columns, "privacy": [HALF], "partition": {"method": "sweep"}}
    release = sf.publish(pl.DataFrame(rows, ["zip", "d"], orient="row"), policy=policy, seed=1)
    release.write(tmp_path / "out")
    shown = {*release.table["d"].to_list()}
    assert release.generalized and "hiv" not in shown
    stated = json.loads((tmp_path / "out" / "release.json").read_text(encoding="utf-8"))["weights"]
    assert {*stated["d"]} == shown & {"lung", "skin", "flu", "cold", "croup"}
    assert audit(tmp_path / "out", policy).holds
    assert audit(tmp_path / "out", policy, tmp_path / "out.internal.json").holds


def test_fewer_values_below_a_node_are_never_better() -> None:
    """What the rule rests on where values are not shown: the most that k values fill, by trying all subsets."""
    random = Random(5)
    for _ in range(300):
        size = random.randint(2, 6)
        nodes = [(low, high) for low, high in ((0, size), (0, size // 2), (size // 2, size), (0, 1)) if low < high]
        present = {*random.sample(range(size), random.randint(1, size))}
        counts = {value: random.randint(0, 3) for value in present}
        shown = {node: random.randint(0, 3) for node in nodes if present & {*range(*node)}}

        def filled(values: set[int], k: int, counts: dict[int, int] = counts, shown: Any = shown) -> Fraction:
            mass = {value: Fraction(counts.get(value, 0)) for value in values}
            for (low, high), rows in shown.items():
                below = [value for value in values if low <= value < high]
                for value in below:
                    mass[value] += Fraction(rows, len(below))
            return sum(sorted(mass.values(), reverse=True)[:k], Fraction(0))

        others = sorted({*range(size)} - present)
        for number in range(1, len(others) + 1):
            for more in combinations(others, number):
                for k in range(1, size):
                    assert filled(present | {*more}, k) <= filled(present, k)
