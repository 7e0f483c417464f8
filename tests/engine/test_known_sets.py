"""k-anonymity over several sets of quasi-identifiers: every row shares each with k - 1 others (001, Definition 2.2).

The reference counts published rows set by set, and tries every full-domain recoding of a small table.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from tests.support.command import Cli
from tests.support.examples import examples, some

SETS = [["age", "sex"], ["zip", "race"]]
HALVES = {"tree": {"low": ["a", "b"], "high": ["c", "d"]}}
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "hierarchy": HALVES},
    "sex": {"role": "quasi", "hierarchy": "flat"},
    "zip": {"role": "quasi", "hierarchy": HALVES},
    "race": {"role": "quasi", "hierarchy": "flat"},
    "disease": {"role": "sensitive"},
}
LIFTS = {"age": [{}, dict(zip("abcd", ("low", "low", "high", "high"), strict=True)), dict.fromkeys("abcd", "*")]}
LIFTS |= {"zip": LIFTS["age"], "sex": [{}, dict.fromkeys("ab", "*")], "race": [{}, dict.fromkeys("ab", "*")]}
QUASI = ("age", "sex", "zip", "race")


def people(seed: int, rows: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    wide, narrow = rng.choice(list("abcd"), (2, rows)), rng.choice(list("ab"), (2, rows))
    disease = rng.choice(["flu", "gout", "cold"], rows)
    made = {"age": wide[0], "sex": narrow[0], "zip": wide[1], "race": narrow[1], "disease": disease}
    return pl.DataFrame({name: values.tolist() for name, values in made.items()})


def policy(k: int = 2, sets: list[list[str]] | None = None, **changes: Any) -> dict[str, Any]:
    promise: dict[str, Any] = {"model": "k-anonymity", "k": k, **({} if sets is None else {"of": sets})}
    return {"columns": COLUMNS, "privacy": [promise], "partition": {"method": "lattice"}, **changes}


def smallest(table: pl.DataFrame, sets: list[list[str]]) -> int:
    """The fewest rows that agree in one of the sets, by counting."""
    return min(min(Counter(zip(*(table[name].to_list() for name in each), strict=True)).values()) for each in sets)


def least(frame: pl.DataFrame, k: int) -> float | None:
    """The least NCP of all full-domain recodings in which every set is shared by k rows."""
    best: float | None = None
    for levels in product(*(range(len(LIFTS[name])) for name in QUASI)):
        shown = {
            name: [LIFTS[name][level].get(value, value) for value in frame[name]]
            for name, level in zip(QUASI, levels, strict=True)
        }
        if smallest(pl.DataFrame(shown), SETS) >= k:
            cost = [{2: (0.0, 1.0), 3: (0.0, 1 / 3, 1.0)}[len(LIFTS[name])] for name in QUASI]
            loss = sum(costs[level] for costs, level in zip(cost, levels, strict=True)) / len(QUASI)
            best = loss if best is None else min(best, loss)
    return best


@pytest.mark.parametrize("method", some(["lattice", "incognito"]))
def test_the_recoding_of_least_loss_that_every_set_allows(method: str) -> None:
    gained = 0
    for seed in range(examples(60)):
        frame, k = people(seed, 6 + seed % 20), 2 + seed % 3
        release = sf.publish(frame, policy=policy(k, SETS, partition={"method": method}), seed=seed)
        assert smallest(release.table, SETS) >= k
        expected = least(frame, k)
        assert expected is not None
        if method == "lattice":
            assert release.loss == pytest.approx(expected, abs=1e-9)
        whole = sf.publish(frame, policy=policy(k, partition={"method": method}), seed=seed)
        gained += release.loss < whole.loss - 1e-9
    assert gained  # what the sets are for


def test_what_is_left_out_takes_its_rows_from_other_classes() -> None:
    """With suppression, what stays still shares every set; and no more is left out than allowed."""
    left_out = 0
    for seed in range(examples(60)):
        frame = people(seed, 12 + seed % 12)
        given = policy(3, SETS, suppression={"limit": "1/2"})
        release = sf.publish(frame, policy=given, seed=seed)
        assert smallest(release.table, SETS) >= 3
        assert release.suppressed == frame.height - release.table.height <= frame.height / 2
        left_out += release.suppressed > 0
    assert left_out


@pytest.mark.parametrize("steps", some([[], ["polish"], ["refine"], ["refine", "polish"]]))
@pytest.mark.parametrize("method", ["mondrian", "lattice", "incognito"])
def test_every_algorithm_keeps_it_also_where_steps_choose_anew_what_is_shown(method: str, steps: list[str]) -> None:
    for seed in range(examples(20)):
        promise = [{"model": "k-anonymity", "k": 2, "of": SETS}, {"model": "distinct-l", "l": 2}]
        given = policy(privacy=promise, partition={"method": method, "steps": steps})
        release = sf.publish(people(seed, 40), policy=given, seed=seed)
        assert smallest(release.table, SETS) >= 2


@pytest.mark.parametrize("steps", [[], ["polish"]])
@pytest.mark.parametrize("method", ["mondrian", "sweep"])
@pytest.mark.parametrize(
    "sets", some([SETS, [["age", "sex"], ["zip"], ["race"]], [["age", "zip"], ["zip", "sex"], ["race"]]])
)
def test_sets_are_grouped_by_themselves_where_no_more_is_asked(
    sets: list[list[str]], method: str, steps: list[str]
) -> None:
    """Sets that share a column are grouped as one; what a row shows covers what it is, in every column."""
    gained = 0
    for seed in range(examples(20)):
        frame = people(seed, 40).with_columns(disease=pl.Series([f"d{row}" for row in range(40)]))
        given = policy(3, sets, partition={"method": method, "steps": steps}, form={"group_id": bool(seed % 2)})
        release = sf.publish(frame, policy=given, seed=seed)
        assert smallest(release.table, sets) >= 3 and release.table.height == 40
        was = {row["disease"]: row for row in frame.rows(named=True)}
        for row in release.table.rows(named=True):
            for name in QUASI:
                assert was[row["disease"]][name] in covered(name, row[name])
        whole = sf.publish(frame, policy=policy(3, partition={"method": method, "steps": steps}), seed=seed)
        gained += release.loss < whole.loss
    assert gained


def covered(name: str, shown: str) -> set[str]:
    """The values that a published one may stand for."""
    values = {value for value in "abcd" if any(lift.get(value, value) == shown for lift in LIFTS[name])}
    return {*values, shown}


def test_without_hierarchies_groups_show_intervals_and_sets() -> None:
    columns = {name: {"role": "quasi"} for name in ("sex", "zip")} | {"disease": {"role": "sensitive"}}
    columns |= {"age": {"role": "quasi", "type": "integer"}, "height": {"role": "quasi", "type": "integer"}}
    rng = np.random.default_rng(4)
    drawn = {"age": rng.integers(0, 50, 60), "height": rng.integers(0, 50, 60)}
    frame = (
        people(2, 60)
        .select("sex", "zip", "disease")
        .with_columns(**{key: pl.Series(each) for key, each in drawn.items()})
    )
    sets = [["age", "sex"], ["height", "zip"]]
    given = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 4, "of": sets}]}
    release = sf.publish(frame, policy=given, seed=1)
    assert smallest(release.table, sets) >= 4
    assert release.loss < sf.publish(frame, policy=given, promise=sf.KAnonymity(4), seed=1).loss


def test_one_cell_changed_by_hand_is_noticed_in_the_set_that_it_is_of() -> None:
    rows = ["a a c a", "a a d b", "b b c a", "b b d b"]
    frame = pl.DataFrame([dict(zip(QUASI, row.split(), strict=True)) | {"disease": "flu"} for row in rows])
    kept = sf.audit(frame, policy(2, SETS))
    assert kept.holds and kept.criteria[0].level == 2
    assert kept.criteria[0].parameters == {"k": 2, "of": "age + sex, zip + race"}
    more = pl.concat([frame, frame.head(1).with_columns(age=pl.lit("a"), zip=pl.lit("c"))])  # three and three of five
    assert [sf.audit(more, policy(2, each)).criteria[0].level for each in (SETS, SETS[::-1])] == [2, 2]
    assert not sf.audit(frame, policy(2)).holds  # who knows all four columns tells every row apart
    broken = frame.with_columns(race=pl.Series(["a", "b", "a", "a"]))
    found = sf.audit(broken, policy(2, SETS)).criteria[0]
    assert (found.verdict, found.level, found.violating_groups, found.violating_rows) == ("fails", Fraction(1), 2, 2)
    less = policy(2, [["age", "sex"], ["zip"]])
    less["privacy"].append({"model": "distinct-l", "l": 1})
    assert sf.audit(broken, less).holds


def test_a_group_id_makes_no_smaller_classes() -> None:
    frame = people(3, 30)
    release = sf.publish(frame, policy=policy(3, SETS, form={"group_id": True}), seed=1)
    assert release.judged().holds and smallest(release.table, SETS) >= 3
    assert not sf.audit(release.table.drop("group"), policy(3)).holds


def test_a_form_that_shows_quasi_identifiers_as_they_are_is_refused() -> None:
    given = policy(2, SETS, partition={"method": "anatomy"}, form={"publish": "anatomized"})
    given["privacy"].append({"model": "distinct-l", "l": 2})
    with pytest.raises(sf.Refused, match="k-anonymity"):
        sf.publish(people(1, 30), policy=given, seed=1)


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        ([["age"], []], "a set is empty"),
        ([["age", "sex"], ["sex", "age"]], "a set stands twice"),
        ([["age", "age"]], "a column stands twice"),
        ([["age", "disease"]], "must name a quasi column"),
        ([["height"]], "must name a quasi column"),
        ([["age", "sex"], ["zip"]], "'race' is in no set of any promise"),
        (["age"], "must be a list of lists of columns"),
        ({"age": 1}, "must be a list of lists of columns"),
    ],
)
def test_a_set_that_cannot_be_meant_is_a_mistake_of_the_policy(sets: Any, message: str) -> None:
    with pytest.raises(sf.PolicyError, match=message):
        sf.read_policy(policy(2, sets))


def test_sets_may_name_columns_that_a_wildcard_means() -> None:
    given = policy(2, [["lab_a"], ["age", "lab_b"]])
    given["columns"] = {"age": COLUMNS["age"], "lab_*": {"role": "quasi"}, "disease": COLUMNS["disease"]}
    frame = people(1, 20).select("age", "disease", lab_a="sex", lab_b="race")
    release = sf.publish(frame, policy=given, seed=1)
    assert smallest(release.table, [["lab_a"], ["age", "lab_b"]]) >= 2
    given["privacy"] = [{"model": "k-anonymity", "k": 2, "of": [["lab_a"], ["age"]]}]
    with pytest.raises(sf.PolicyError, match="'lab_b' is in no set"):
        sf.publish(frame, policy=given, seed=1)
    given["privacy"] = [{"model": "k-anonymity", "k": 2, "of": [["lab_c"]]}]
    with pytest.raises(sf.PolicyError):
        sf.publish(frame, policy=given, seed=1)


def test_from_the_command_line(tmp_path: Path, cli: Cli) -> None:
    people(1, 60).write_csv(tmp_path / "people.csv")
    (tmp_path / "p.yaml").write_text(
        "version: 1\ncolumns:\n"
        + "".join(f"  {name}: {{role: quasi}}\n" for name in QUASI)
        + "  disease: {role: sensitive}\nprivacy:\n  - {model: k-anonymity, k: 4, of: [[age, sex], [zip, race]]}\n"
        "partition: {method: lattice}\n",
        encoding="utf-8",
    )
    done = cli.well(
        "anonymize", str(tmp_path / "people.csv"), "-p", str(tmp_path / "p.yaml"), "-o", str(tmp_path / "out")
    )
    assert "k-anonymity (k=4, of=age + sex, zip + race)" in done.out
    assert smallest(pl.read_csv(tmp_path / "out" / "table.csv"), SETS) >= 4
    cli.well("audit", str(tmp_path / "out"), "-p", str(tmp_path / "p.yaml"))
