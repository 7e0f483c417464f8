"""Forms that show quasi-identifiers as they are: what is published, what is refused, and that order tells nothing."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.engine.release import Release
from sfumato.forms.sliced import association, by_association
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.policy.forms import Form
from sfumato.policy.sections import SlicesShown
from tests.support.examples import thorough
from tests.support.form_tables import COLUMNS, DISTINCT, FRAME, by_group, policy_for, released, said
from tests.support.golden import golden

pytestmark = pytest.mark.filterwarnings("ignore:no promise speaks of the sensitive column")

GOLDEN = golden("anatomy_order")
FORMS: list[Form] = [sf.Permuted(), sf.Anatomized(), sf.Sliced()]
QUASI = ["age", "sex", "town"]


def groups_of(release: Release) -> dict[int, int]:
    """The published group of every age, which is different for everybody."""
    return dict(release.published.first.select("age", "group").iter_rows())


def true_counts(release: Release) -> Counter[tuple[Any, ...]]:
    """What the groups hold of the original table, by a loop over it."""
    group = groups_of(release)
    return Counter((group[row["age"]], row["disease"], row["income"]) for row in FRAME.iter_rows(named=True))


def test_permuted_shows_every_person_and_every_group_as_they_were() -> None:
    release = released(sf.Permuted())
    table = release.tables["table"]
    assert table.columns == ["age", "sex", "town", "disease", "income", "group"]
    assert sorted(table.select(QUASI).rows()) == sorted(FRAME.select(QUASI).rows())
    assert len(set(table["group"])) > 1
    assert by_group(table, ["disease", "income"]) == true_counts(release)


def test_permuted_apart_keeps_each_column_of_a_group() -> None:
    release = released(sf.Permuted(together=False))
    counts = true_counts(release)
    for place, name in ((1, "disease"), (2, "income")):
        expected: Counter[tuple[Any, ...]] = Counter()
        for key, count in counts.items():
            expected[key[0], key[place]] += count
        assert by_group(release.tables["table"], [name]) == expected


def test_anatomized_counts_what_the_groups_hold() -> None:
    release = released(sf.Anatomized())
    quasi, sensitive = release.tables["quasi"], release.tables["sensitive"]
    assert list(release.tables) == ["quasi", "sensitive"]
    assert (quasi.columns, sensitive.columns) == ([*QUASI, "group"], ["group", "disease", "income", "count"])
    assert sorted(quasi.select(QUASI).rows()) == sorted(FRAME.select(QUASI).rows())
    assert Counter({row[:3]: row[3] for row in sensitive.rows()}) == true_counts(release)


def test_sliced_keeps_slices_whole_and_takes_others_apart() -> None:
    form = sf.Sliced(slices=(("age", "town"), ("sex",), ("disease", "income")))
    release = released(form)
    table = release.tables["table"]
    assert said(release.published.public, SlicesShown).slices == (("age", "town"), ("sex",), ("disease", "income"))
    assert sorted(table.select("age", "town").rows()) == sorted(FRAME.select("age", "town").rows())
    assert by_group(table, ["disease", "income"]) == true_counts(release)
    group = groups_of(release)
    assert by_group(table, ["sex"]) == Counter((group[age], sex) for age, sex in FRAME.select("age", "sex").rows())
    whole = {"method": "lattice", "minimum": {"age": 1, "sex": 1, "town": 1}}
    sexes = {tuple(released(form, seed=seed, partition=whole).table.sort("age")["sex"]) for seed in range(4)}
    assert len(sexes) > 1, "a person's sex and age are not side by side"


def test_a_quasi_identifier_beside_a_sensitive_column_must_say_nothing() -> None:
    form = sf.Sliced(slices=(("town", "disease", "income"), ("age", "sex")))
    with pytest.raises(sf.NoneFound, match=r"'town' shares a slice .* several values in 1"):
        sf.publish(
            FRAME,
            policy=policy_for(
                form,
                {"model": "distinct-l", "l": 3, "on": "income"},
                partition={"method": "lattice", "minimum": {"town": 1, "age": 1, "sex": 1}},
            ),
            seed=1,
        )
    policy = policy_for(form, {"model": "distinct-l", "l": 3, "on": "disease"})
    policy["partition"] = {"method": "lattice", "maximum": {"town": 0}}
    release = sf.publish(FRAME, policy=policy, seed=1)
    assert release.judged().holds and len(set(release.table["group"])) == 3


@pytest.mark.parametrize("form", [sf.Permuted(insensitive=True), sf.Anatomized(insensitive=True)])
def test_insensitive_columns_stay_with_their_person_if_asked_for(form: Form) -> None:
    table = released(form).published.first
    assert sorted(table.select("age", "ward").rows()) == sorted(FRAME.select("age", "ward").rows())


def test_insensitive_columns_are_slices_of_their_own() -> None:
    release = released(sf.Sliced(insensitive=True))
    assert ("ward",) in said(release.published.public, SlicesShown).slices


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.publish)
def test_rows_that_quasi_identifiers_tell_apart_cannot_be_promised(form: Form) -> None:
    k, alpha = {"model": "k-anonymity", "k": 2}, {"model": "alpha-k", "alpha": "0.5", "k": 2, "on": "disease"}
    for promises in (
        [k],
        [DISTINCT, k],
        [alpha],
        [alpha, DISTINCT],
        [{"model": "multi-attribute", "of": {"model": "k-anonymity", "k": 2}}],
    ):
        with pytest.raises(sf.Refused, match="cannot be told apart"):
            released(form, *promises)


def test_counting_rows_is_declared_through_conjunctions() -> None:
    facts = Facts.of(sf.read(FRAME, policy_for(sf.Permuted())).encode())
    distinct, k = sf.DistinctL(2, on="disease"), sf.KAnonymity(2)
    assert [bind(each, facts).counts_rows for each in (distinct, k, distinct & k)] == [False, True, True]
    assert bind(sf.MultiAttribute(sf.AlphaK("0.5", 2)), facts).counts_rows


def test_several_sensitive_columns_at_once_need_to_be_shown_together() -> None:
    promise = {"model": "multi-attribute", "of": {"model": "distinct-l", "l": 2}}
    with pytest.raises(sf.Refused, match="together: true"):
        released(sf.Permuted(together=False), promise)
    with pytest.raises(sf.Refused, match="one slice"):
        released(sf.Sliced(slices=(("disease",), ("income",))), promise)
    pairs = pl.DataFrame({"q": range(4), "s": list("aabb"), "u": list("xyxy")})
    columns: dict[str, Any] = {
        "q": {"role": "quasi", "type": "integer"},
        "s": {"role": "sensitive"},
        "u": {"role": "sensitive"},
    }
    for form in FORMS:
        made = sf.publish(pairs, policy={"columns": columns, "privacy": [promise], "form": form.model_dump()}, seed=0)
        assert made.judged().holds, form.publish


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.publish)
def test_quasi_identifiers_lose_nothing(form: Form) -> None:
    release = released(form, partition={"method": "lattice"})
    assert release.loss == 0
    assert (release.levels, release.mapping) == ({}, {})
    assert release.judged().holds
    assert any("as they are" in note for note in release.notes)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.publish)
def test_kept_suppressed_rows_are_a_group_of_stars(form: Form, tmp_path: Path) -> None:
    frame = pl.DataFrame({"q": ["p"] * 4 + ["r", "r", "t", "v"], "s": list("ababaabb")})
    columns = {"q": {"role": "quasi", "hierarchy": "flat"}, "s": {"role": "sensitive"}}
    policy = {
        "columns": columns,
        "privacy": [{"model": "distinct-l", "l": 2}],
        "form": form.model_dump(),
        "partition": {"method": "lattice", "maximum": {"q": 0}},
        "suppression": {"limit": "0.5", "keep": True},
    }
    release = sf.publish(frame, policy=policy, seed=0)
    assert release.suppressed == 4
    table = release.published.first
    assert Counter(table["q"]) == {"p": 4, "*": 4}
    assert len(set(table.filter(q="*")["group"])) == 1
    assert release.loss == 0.5
    assert release.write(tmp_path / "out").audit.holds
    policy["suppression"] = {"limit": "0.5"}
    dropped = sf.publish(frame, policy=policy, seed=0)
    assert Counter(dropped.published.first["q"]) == {"p": 4} and dropped.judged().holds


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.publish)
def test_a_star_in_the_data_is_refused(form: Form) -> None:
    frame = FRAME.with_columns(town=pl.when(pl.col("age") < 30).then(pl.lit("*")).otherwise("town"))
    with pytest.raises(sf.TableError, match="'town'"):
        sf.publish(frame, policy=policy_for(form), seed=0)


def test_two_tables_are_written_into_a_folder_both_or_neither(tmp_path: Path) -> None:
    release = released(sf.Anatomized())
    for name in ("out.csv", "out.parquet"):
        with pytest.raises(sf.InputError, match="2 tables"):
            release.write(tmp_path / name)
    with pytest.raises(sf.InputError, match=r"release\.tables"):
        _ = release.table
    assert not list(tmp_path.iterdir())
    written = release.write(tmp_path / "out", kind="csv")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["quasi.csv", "release.json", "sensitive.csv"]
    document = json.loads((tmp_path / "out" / "release.json").read_text(encoding="utf-8"))
    assert [(entry["name"], entry["rows"]) for entry in document["tables"]] == [
        (name, table.height) for name, table in release.tables.items()
    ]
    assert len({entry["sha256"] for entry in document["tables"]}) == 2
    policy = release.source.policy
    assert sf.audit(tmp_path / "out", policy, written.manifest).holds
    assert sf.audit(tmp_path / "out" / "quasi.csv", policy, written.manifest).holds, "the whole release is judged"


def test_names_of_columns_make_way() -> None:
    frame = FRAME.rename({"town": "group", "sex": "count"})
    columns = {{"town": "group", "sex": "count"}.get(name, name): column for name, column in COLUMNS.items()}
    policy = {**policy_for(sf.Anatomized()), "columns": columns}
    release = sf.publish(frame, policy=policy, seed=0)
    assert release.tables["sensitive"].columns == ["group_", "disease", "income", "count_"]
    assert release.judged().holds


def test_slices_of_the_policy_name_columns_once() -> None:
    for slices, what in (([["age"], ["age"]], "twice"), ([["name"]], "must name"), ([["ward"]], "must name")):
        with pytest.raises(sf.PolicyError, match=what):
            sf.read_policy({**policy_for(sf.Sliced()), "form": {"publish": "sliced", "slices": slices}})


def test_the_strongest_pair_shares_a_slice() -> None:
    """q1 and q3 follow from each other; q2 is independent of both."""
    frame = pl.DataFrame({"q1": list("aabb"), "q2": list("xyxy"), "q3": list("ccdd"), "s": list("ssst")})
    columns = {**{name: {"role": "quasi"} for name in ("q1", "q2", "q3")}, "s": {"role": "sensitive"}}
    coded = sf.read(frame, {"columns": columns, "privacy": [{"model": "distinct-l", "l": 1}]}).encode()
    q1, q2, q3 = coded.quasi
    assert association(coded, q1, q3) == pytest.approx(1)
    assert association(coded, q1, q2) == pytest.approx(0)
    assert by_association(coded, 2) == (("q1", "q3"), ("q2",))
    assert by_association(coded, 1) == (("q1",), ("q2",), ("q3",))
    assert [sorted(part) for part in by_association(coded, 3)] == [["q1", "q2", "q3"]]


# --- the order of an anatomized release -------------------------------------------------------------------------------


def in_order_of_selection(rows: dict[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A writer that takes a row of every bucket in turn, and lists buckets likewise."""
    buckets = sorted(rows, key=lambda person: rows[person])
    return tuple(buckets), tuple(rows[person] for person in buckets)


def two_people(rows: dict[str, str], form: Form, seed: int) -> dict[str, list[tuple[Any, ...]]]:
    frame = pl.DataFrame({"q": list(rows), "s": list(rows.values())})
    columns = {"q": {"role": "quasi"}, "s": {"role": "sensitive"}}
    policy: dict[str, Any] = {
        "columns": columns,
        "privacy": [{"model": "simple-l", "l": 2}],
        "form": form.model_dump(),
        "partition": {"method": "auto" if thorough() else "mondrian"},  # two people are one group by any method
    }
    return {name: table.rows() for name, table in sf.publish(frame, policy=policy, seed=seed).tables.items()}


def test_the_order_of_selection_gives_everything_away() -> None:
    truth: dict[str, str] = GOLDEN["rows"]
    people, values = in_order_of_selection(truth)
    assert (list(people), list(values)) == (
        [row[0] for row in GOLDEN["quasi"]],
        [row[1] for row in GOLDEN["sensitive"]],
    )
    for world in (truth, {"t1": "b", "t2": "a"}):
        people, values = in_order_of_selection(world)
        assert dict(zip(people, values, strict=True)) == world, "row i has value i, whatever the input was"


@pytest.mark.thorough
def test_shuffled_apart_either_input_looks_the_same() -> None:
    """All that an adversary sees occurs for both inputs that fit it, and about as often."""
    seen = []
    for world in (GOLDEN["rows"], {"t1": "b", "t2": "a"}):
        made = [two_people(world, sf.Anatomized(), seed) for seed in range(100)]
        seen.append(Counter((tuple(each["quasi"]), tuple(each["sensitive"])) for each in made))
    assert set(seen[0]) == set(seen[1]) and len(seen[0]) == 4
    assert all(10 <= count <= 40 for each in seen for count in each.values()), "four views, 25 of each expected"


@pytest.mark.thorough
@pytest.mark.parametrize("form", [sf.Permuted(), sf.Sliced()], ids=lambda form: form.publish)
def test_the_value_beside_a_person_is_theirs_by_chance_only(form: Form) -> None:
    truth: dict[str, str] = GOLDEN["rows"]
    made = [two_people(truth, form, seed)["table"] for seed in range(100)]
    right = sum({row[0]: row[1] for row in table} == truth for table in made)
    assert 33 <= right <= 67, "half of them expected"
    assert {tuple(row[0] for row in table) for table in made} == {("t1", "t2"), ("t2", "t1")}
