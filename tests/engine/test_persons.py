"""One person, several rows: no group holds two of them, whatever algorithm and form; and what is refused."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Iterator
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.policy.forms import Form
from sfumato.policy.methods import Method
from sfumato.policy.promises import Promise
from tests.support.examples import examples, some
from tests.support.golden import golden

GOLDEN = golden("persons")

APART: tuple[Method, ...] = (
    sf.Anatomy(),
    sf.Hilbert(),
    sf.Bsgi(),
    sf.BsgiFree(),
    sf.Arp(),
    sf.Mondrian(refine=True),
    sf.Mondrian(refine=True, relaxed=True),
    sf.Lattice(refine=True),
    sf.Incognito(refine=True),
    sf.Sweep(refine=True),
)
MIXED: tuple[Method, ...] = (sf.Mondrian(), sf.Lattice(), sf.Incognito(), sf.Sweep(), sf.Arp(initial_only=True))
NAMED: tuple[Form, ...] = (
    sf.Generalized(group_id=True),
    sf.Permuted(insensitive=True),
    sf.Anatomized(insensitive=True),
    sf.Sliced(insensitive=True),
)
COLUMNS: dict[str, dict[str, Any]] = {
    "patient": {"role": "individual"},
    "age": {"role": "quasi", "type": "integer", "hierarchy": {"intervals": [5, 20]}},
    "town": {"role": "quasi", "hierarchy": {"tree": {"north": ["a", "b"], "south": ["c", "d"]}}},
    "disease": {"role": "sensitive"},
    "income": {"role": "sensitive"},
    "row": {"role": "insensitive", "unique": "accepted"},
}


def visits(seed: int, rows: int = 48, persons: int = 30) -> pl.DataFrame:
    """Visits of patients: whoever comes again is as old and lives in the same town."""
    rng = np.random.default_rng(seed)
    who = rng.integers(0, persons, rows)
    return pl.DataFrame(
        {
            "patient": [f"p{number}" for number in who.tolist()],
            "age": (20 + who * 7 % 30).tolist(),
            "town": ["abcd"[number % 4] for number in who.tolist()],
            "disease": [f"d{value}" for value in rng.integers(0, 7, rows).tolist()],
            "income": [f"i{value}" for value in rng.integers(0, 6, rows).tolist()],
            "row": list(range(rows)),
        }
    )


def policy(*promises: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "columns": COLUMNS,
        "privacy": list(promises or ({"model": "distinct-l", "l": 2, "on": "disease"},)),
        **more,
    }


def published(data: pl.DataFrame, given: dict[str, Any], method: Method, form: Form, seed: int = 0) -> sf.Release:
    """A release; what the run warns of is tested elsewhere."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sf.SfumatoWarning)
        return sf.publish(data, policy=given, partition=method, form=form, seed=seed)


def groups(release: sf.Release) -> Iterator[list[int]]:
    """The original rows of every published group: each row says its number."""
    shown = release.published.first.select(release.published.group_id, "row").rows()
    for group in {group for group, _ in shown}:
        yield [row for other, row in shown if other == group]


def ids(piece: Any) -> str:
    text = str(piece)
    return f"{getattr(piece, 'method', getattr(piece, 'publish', ''))} {text}"[:60]


# --- every algorithm, every form --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "form"), some(product(APART, NAMED), kind=itemgetter(0)), ids=ids)
def test_no_group_holds_two_rows_of_one_person(method: Method, form: Form) -> None:
    tried = 0
    for seed in range(3):
        data = visits(seed)
        both = [{"model": "distinct-l", "l": 2, "on": name} for name in ("disease", "income")]
        more = {"suppression": {"limit": "0.5", "keep": seed == 2}}
        for promises in (both, both[:1], [{"model": "simple-l", "l": 2, "on": "disease"}]):
            try:
                release = published(data, policy(*promises, **more), method, form, seed)
            except sf.NoneFound:
                continue
            tried += 1
            for rows in groups(release):
                people = [data["patient"][row] for row in rows]
                assert len(set(people)) == len(people)
                for promise in promises:
                    assert len({data[str(promise["on"])][row] for row in rows}) >= 2
            levels = [each.level for each in release.judged().criteria if each.model == "rows-per-person"]
            assert levels == [1]
    assert tried >= 3


@pytest.mark.parametrize(("one", "other"), [(sf.PairwiseL, sf.PairwiseL), (sf.UniqueDistinctL, sf.PairwiseL)])
@pytest.mark.parametrize("method", APART, ids=ids)
def test_two_columns_and_persons_all_differ(method: Method, one: Any, other: Any) -> None:
    promises: tuple[Promise, ...] = (one(3, on="disease"), other(3, on="income"))
    tried = 0
    for seed, form in product(range(examples(2, fewest=1)), NAMED):
        data = visits(seed, rows=60, persons=45)
        given = policy(*(promise.as_dict() for promise in promises), suppression={"limit": "0.6"})
        given |= {"form": {"group_id": True}}
        try:
            release = published(data, given, method, form, seed)
        except sf.NoneFound:
            continue
        tried += 1
        for rows in groups(release):
            for name in ("patient", "disease", "income"):
                assert len({data[name][row] for row in rows}) == len(rows)
            assert len(rows) == 3 if one is sf.UniqueDistinctL else len(rows) >= 3
    assert tried


@pytest.mark.parametrize("method", APART[:4] + APART[5:], ids=ids)
def test_k_anonymity_alone_is_of_persons(method: Method) -> None:
    """Groups of k rows that are all of other people, though no promise speaks of a sensitive column."""
    data = visits(5)
    for chosen in (method, type(method)(**{**method.in_flags(), "refine": True})):
        release = published(data, policy({"model": "k-anonymity", "k": 4}), chosen, NAMED[0])
        for rows in groups(release):
            assert len({data["patient"][row] for row in rows}) == len(rows) >= 4


def test_no_order_of_the_rows_changes_the_groups() -> None:
    data = visits(3).with_columns(pl.lit(30).alias("age"), pl.lit("a").alias("town"))
    for method in APART:
        made = []
        for order in (range(48), reversed(range(48))):
            release = published(data[list(order)], policy(), method, NAMED[0], 4)
            made.append(sorted(sorted(rows) for rows in groups(release)))
        assert made[0] == made[1], method


# --- refused before any work ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", NAMED, ids=ids)
@pytest.mark.parametrize("method", MIXED, ids=ids)
def test_an_algorithm_that_may_mix_rows_of_one_person_is_refused(method: Method, form: Form) -> None:
    stages: list[str] = []
    with pytest.raises(sf.Refused, match=r"column 'patient' names .* persons in 48 rows, up to . rows of one") as error:
        sf.publish(
            visits(0),
            policy=policy(),
            partition=method,
            form=form,
            seed=0,
            progress=lambda stage, done, total: stages.append(stage),
        )
    assert "partition" not in stages
    assert "refine: true" in str(error.value) or "initial_only: false" in str(error.value)


@pytest.mark.parametrize(
    "promise",
    [
        {"model": "t-closeness", "t": "0.5", "on": "disease"},
        {"model": "multi-attribute", "of": {"model": "distinct-l", "l": 2}},
    ],
)
def test_a_promise_that_different_values_cannot_keep_says_so(promise: dict[str, Any]) -> None:
    for method in (sf.Mondrian(), sf.Mondrian(refine=True), sf.Bsgi()):
        with pytest.raises(sf.Refused, match=r"no number of them (that )?keeps"):
            sf.publish(visits(0), policy=policy(promise), partition=method, form=NAMED[1], seed=0)


def test_groups_that_look_alike_need_an_id() -> None:
    with pytest.raises(sf.Refused, match=r"group_id: true"):
        sf.publish(visits(0), policy=policy(), partition=sf.Bsgi(), seed=0)


def test_a_third_partys_pieces_are_refused_unless_they_say_otherwise() -> None:
    from sfumato.engine.plan import plan
    from sfumato.engine.probe import probe
    from sfumato.fit import NATIVE, Fit, KeepsPersonsApart
    from sfumato.forms.generalized import GeneralizedPublisher
    from sfumato.models.contract import Facts, Model
    from sfumato.models.registry import bind
    from sfumato.partition.mondrian.mondrian import MondrianPartitioner

    class Careful(MondrianPartitioner):
        def fit_persons(self, model: Model) -> Fit:
            return NATIVE

    promise = sf.DistinctL(2)
    model = bind(promise, Facts.of(probe(promise)))
    form = GeneralizedPublisher(sf.Generalized(group_id=True))
    assert plan(model, MondrianPartitioner(sf.Mondrian()), form).status == "native"
    assert plan(model, MondrianPartitioner(sf.Mondrian()), form, persons=True).status == "refused"
    assert plan(model, Careful(sf.Mondrian()), form, persons=True).status == "native"
    assert isinstance(form, KeepsPersonsApart)


def test_nothing_is_refused_where_everybody_has_one_row() -> None:
    data = visits(0).with_columns(pl.Series("patient", [f"p{row}" for row in range(48)]))
    for method, form in product(MIXED[:3], (sf.Generalized(), *NAMED)):
        release = published(data, policy(), method, form)
        assert release.judged().holds
        assert release.judged().criteria[-1].model == "rows-per-person"


def test_the_matrix_for_persons() -> None:
    plain, persons = sf.methods(), sf.methods(persons=True)
    assert plain.cell("k-anonymity", "mondrian", "generalized").status == "native"
    cell = persons.cell("k-anonymity", "mondrian", "generalized")
    assert (cell.status, cell.why) == ("adapted", "with refine: true, group_id: true")
    assert plain.cell("k-anonymity", "bsgi", "generalized").status == "refused"
    assert persons.cell("k-anonymity", "bsgi", "generalized").why == "with group_id: true"
    assert persons.cell("t-closeness", "mondrian", "permuted").status == "refused"
    assert all(cell.why for cell in persons.cells if cell.status != "native")


def test_a_lattice_to_look_at_and_advice_know_of_persons() -> None:
    with pytest.raises(sf.Refused, match="column 'patient' names"):
        sf.lattice(visits(0), policy=policy())
    data = visits(0).with_columns(pl.Series("patient", ["p"] * 30 + [f"q{row}" for row in range(18)]))
    advice = sf.advise(data, policy())
    assert advice.table.possible is False and "somebody has 30 of 48 rows" in advice.table.reason
    assert (advice.policy.outcome, advice.policy.exit_code) == ("refused", 2)
    assert "'patient' names 19 persons in 48 rows, up to 30 rows of one" in advice.policy.reason
    given = {**policy(), "form": {"publish": "generalized", "group_id": True}}
    advice = sf.advise(visits(0), {**given, "partition": {"method": "anatomy"}})
    assert (advice.table.possible, advice.policy.outcome) == (True, "kept")


# --- counterexamples --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", APART, ids=ids)
def test_a_second_row_left_over_does_not_join_the_first(method: Method) -> None:
    """Joined, two of three rows would be Bob's. There is no other group: his row is suppressed, or the run ends."""
    case = GOLDEN["second_row_joins"]
    columns = {name: COLUMNS[name] for name in ("patient", "age", "disease")}
    data = pl.DataFrame({"patient": case["person"], "age": [30] * 3, "disease": case["disease"]})
    given = {
        "columns": columns,
        "privacy": [{"model": "pairwise-l", "l": case["l"]}],
        "form": {"group_id": True},
    }
    with pytest.raises(sf.NoneFound):
        sf.publish(data, policy=given, partition=method, form=sf.Generalized(group_id=True), seed=0)
    for seed in range(4):
        allowed = {**given, "suppression": {"limit": "1/3"}}
        release = sf.publish(data, policy=allowed, partition=method, form=sf.Generalized(group_id=True), seed=seed)
        assert release.suppressed == 1
        assert set(release.table["disease"]) in ({"flu", "cancer"}, {"obesity", "cancer"})


@pytest.mark.parametrize("method", APART, ids=ids)
def test_a_row_left_over_differs_in_the_second_column_too(method: Method) -> None:
    case = GOLDEN["second_column_in_incorporation"]
    data = pl.DataFrame({"q": [0] * 6, "S": case["S"], "V": case["V"], "row": range(6)})
    given = {
        "columns": {
            "q": {"role": "quasi", "type": "integer"},
            "S": {"role": "sensitive"},
            "V": {"role": "sensitive", "type": "integer"},
            "row": {"role": "insensitive", "unique": "accepted"},
        },
        "privacy": [{"model": "pairwise-l", "l": 2, "on": "S"}, {"model": "pairwise-l", "l": 2, "on": "V"}],
        "form": {"group_id": True},
        "suppression": {"limit": "1/2"},
    }
    for seed in range(4):
        try:
            release = published(data, given, method, sf.Generalized(group_id=True), seed)
        except sf.NoneFound:
            continue
        for rows in groups(release):
            assert len({data["V"][row] for row in rows}) == len(rows)


def test_kept_suppressed_rows_are_of_different_persons() -> None:
    """Bob's rows find no place: as a class of their own they would all be his."""
    data = pl.DataFrame(
        {
            "patient": ["Bob"] * 6 + [f"p{row}" for row in range(8)],
            "age": [30] * 14,
            "disease": [f"d{row % 7}" for row in range(14)],
        }
    )
    given = {
        "columns": {name: COLUMNS[name] for name in ("patient", "age", "disease")},
        "privacy": [{"model": "distinct-l", "l": 4}],
    }
    for method in APART:
        dropped = published(data, {**given, "suppression": {"limit": "0.6"}}, method, sf.Generalized(group_id=True))
        assert dropped.suppressed >= 3, "three groups of four at most take a row of Bob's"
        with pytest.raises(sf.NoneFound):
            published(
                data, {**given, "suppression": {"limit": "0.6", "keep": True}}, method, sf.Generalized(group_id=True)
            )


# --- what is published, what is kept ----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", NAMED, ids=ids)
def test_whose_a_row_is_stays_with_the_holder(form: Form, tmp_path: Path) -> None:
    data = visits(1)
    release = published(data, policy(suppression={"limit": "0.3"}), sf.BsgiFree(), form)
    written = release.write(tmp_path / "out")
    for table in release.tables.values():
        assert "patient" not in table.columns
    for file in written.files:
        assert b"patient" not in file.read_bytes()
    assert not set(data["patient"]) & set(written.manifest.read_text().split('"'))
    if sys.platform != "win32":
        assert stat.S_IMODE(written.manifest.stat().st_mode) == 0o600
    manifest = json.loads(written.manifest.read_text())
    shown = release.published.first["row"].to_list()
    if form.publish != "sliced":  # there, a row number stands in its group, not in its row
        expected: dict[str, list[int]] = {}
        for place, row in enumerate(shown):
            expected.setdefault(data["patient"][row], []).append(place)
        assert manifest["persons"] == {
            "column": "patient",
            "rows": sorted(rows for rows in expected.values() if len(rows) > 1),
        }
    given = release.source.policy
    assert sf.audit(tmp_path / "out", given, written.manifest).holds
    outside = sf.audit(tmp_path / "out", given)
    assert not outside.holds
    assert [criterion.model for criterion in outside.criteria if not criterion.holds] == ["rows-per-person"]
    assert outside.criteria[-1].verdict == "undecidable"
    assert "the internal manifest" in outside.criteria[-1].needs


def test_a_person_with_one_value_in_several_rows_is_told() -> None:
    data = pl.DataFrame(
        {
            "patient": ["Bob", "Bob", "Ann", "Ann", "Cid", "Dan"],
            "age": [30, 30, 31, 31, 32, 33],
            "disease": ["flu", "flu", "flu", "gout", "gout", "lupus"],
        }
    )
    given = {
        "columns": {name: COLUMNS[name] for name in ("patient", "age", "disease")},
        "privacy": [{"model": "distinct-l", "l": 2}],
        "suppression": {"limit": "0.5"},
    }
    with pytest.warns(sf.SfumatoWarning, match="column 'disease': 1 person with one value in several rows"):
        release = sf.publish(data, policy=given, partition=sf.Anatomy(), form=sf.Permuted(), seed=0)
    assert any("1 person with one value" in note for note in release.cautions)
    assert "column 'patient' names 4 persons in 6 rows, up to 2 rows of one" in release.notes


def test_a_sensitive_column_without_a_promise_is_told() -> None:
    data = visits(0).drop("patient")
    given = {**policy(), "columns": {name: spec for name, spec in COLUMNS.items() if name != "patient"}}
    with pytest.warns(sf.SfumatoWarning, match="no promise speaks of the sensitive column 'income'"):
        release = sf.publish(data, policy=given, seed=0)
    assert "column 'income': sensitive, and no promise speaks of it" in release.judged().notes
    every = {**given, "privacy": [*given["privacy"], {"model": "entropy-l", "l": 1, "on": "income"}]}
    assert not any("no promise" in note for note in sf.publish(data, policy=every, seed=0).judged().notes)
    several = {**given, "privacy": [{"model": "multi-attribute", "of": {"model": "distinct-l", "l": 1}}]}
    assert not any("no promise" in note for note in sf.publish(data, policy=several, seed=0).judged().notes)
