"""Releases in rings: what is shown, who can judge it, and what is refused."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.engine.release import Release
from sfumato.policy.forms import Form
from sfumato.policy.sections import RingEntry, RingsSealed
from sfumato.release.documents import InMemory, Manifest
from sfumato.release.target import TableFile
from sfumato.release.views.ring import windows_of
from sfumato.testing import check_triple
from tests.support.conformance import check_shown
from tests.support.examples import examples, some, thorough
from tests.support.form_tables import COLUMNS, DISTINCT, FRAME, policy_for, released, said

SIMPLE = {"model": "simple-l", "l": 2, "on": "disease"}
ONE = {"method": "lattice", "minimum": {"age": 1, "sex": 1, "town": 1}}
DRAWS: list[sf.Ring] = [sf.Ring(), sf.Ring(draw="rotation")]
four = pl.DataFrame({"age": [20, 30, 40, 50], "s": list("abcd")})


def rings_of(release: Release) -> tuple[RingEntry, ...]:
    return said(release.published.sealed, RingsSealed).rings


def bounds(text: str) -> tuple[int, int]:
    low, _, high = text.strip("[]").partition(", ")
    return int(low), int(high or low)


@pytest.mark.parametrize("form", DRAWS, ids=lambda form: form.draw)
@pytest.mark.parametrize("partition", [ONE, {"method": "mondrian"}, {"method": "anatomy"}], ids=lambda p: p["method"])
def test_every_row_is_true_of_somebody_it_covers(form: sf.Ring, partition: dict[str, Any]) -> None:
    release = released(form, SIMPLE, partition=partition)
    table = release.table
    assert table.columns == ["age", "sex", "town", "disease", "income", "ward"], "no group, no order"
    own = {row["ward"]: row for row in FRAME.iter_rows(named=True)}
    assert sorted(table["ward"]) == sorted(own)
    for row in table.iter_rows(named=True):
        person = own[row["ward"]]
        assert (row["disease"], row["income"]) == (person["disease"], person["income"])
        low, high = bounds(row["age"])
        assert low <= person["age"] <= high and person["town"] in row["town"]
        assert sum(low <= age <= high for age in FRAME["age"]) >= 2, "two people at least"
    assert release.judged().holds
    assert release.loss <= released(sf.Generalized(), SIMPLE, partition=partition).loss


def test_rings_are_narrower_than_the_group() -> None:
    """Ten people as one group: each row shows only two of them."""
    losses = [released(form, SIMPLE, partition=ONE).loss for form in (*DRAWS, sf.Generalized())]
    assert max(losses[:2]) < losses[2] == 1


@pytest.mark.thorough
@pytest.mark.parametrize("form", DRAWS, ids=lambda form: form.draw)
def test_half_of_the_time_a_row_carries_the_value_of_its_first(form: sf.Ring) -> None:
    """Four people, l = 2; in ring order with the own value first, [20, 30] would always carry a."""
    policy = {
        "columns": {"age": {"role": "quasi", "type": "integer"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "simple-l", "l": 2}],
        "partition": {"method": "lattice", "minimum": {"age": 1}},
        "form": form.model_dump(),
    }
    seen: Counter[str] = Counter()
    orders = set()
    for seed in range(120):
        rows = sf.publish(four, policy=policy, seed=seed).table.rows()
        orders.add(tuple(rows))
        seen.update(value for age, value in rows if age == "[20, 30]")
    assert set(seen) == {"a", "b"} and 0.3 < seen["a"] / seen.total() < 0.7
    assert len(orders) > 20


def test_what_a_ring_cannot_promise_is_refused() -> None:
    refusals: list[tuple[list[dict[str, Any]], str]] = [
        ([{"model": "k-anonymity", "k": 2}], "cannot be told apart"),
        ([DISTINCT, {"model": "k-anonymity", "k": 2}], "cannot be told apart"),
        ([{"model": "t-closeness", "t": "0.9", "on": "disease"}], "no number of them"),
        ([{"model": "multi-attribute", "of": {"model": "distinct-l", "l": 2}}], "no number of them"),
    ]
    for promises, words in refusals:
        with pytest.raises(sf.Refused, match=words):
            released(sf.Ring(), *promises)
    with pytest.raises(sf.PolicyError, match="group id"):
        released(sf.Ring(), {"model": "pairwise-l", "l": 2, "on": "disease"})


def test_several_columns_differ_in_all_of_them_or_are_shown_whole() -> None:
    both = [SIMPLE, {"model": "simple-l", "l": 2, "on": "income"}]
    release = released(sf.Ring(), *both, partition={"method": "anatomy"})
    assert release.judged().holds and all(ring.width == 2 for ring in rings_of(release))
    whole = released(sf.Ring(), *both, partition=ONE)
    assert [ring.width for ring in rings_of(whole)] == [10] and whole.loss == 1


@pytest.mark.parametrize("form", DRAWS, ids=lambda form: form.draw)
def test_suppressed_rows_that_are_kept_are_shown_as_one(form: sf.Ring) -> None:
    """Town u has only a, v only b: together they are the class of suppressed rows."""
    frame = pl.DataFrame({"town": list("tttuv"), "s": list("abcab")})
    policy = {
        "columns": {"town": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "distinct-l", "l": 2}],
        "partition": {"method": "lattice", "maximum": {"town": 0}},
        "suppression": {"limit": "0.5", "keep": True},
        "form": form.model_dump(),
    }
    release = sf.publish(frame, policy=policy, seed=1)
    assert release.suppressed == 2 and release.judged().holds
    assert sorted(release.table.rows()) == [("*", "a"), ("*", "b"), ("t", "a"), ("t", "b"), ("t", "c")]


def documents(release: Release) -> tuple[InMemory, Manifest]:
    made = release._document("csv", {name: TableFile(f"{name}.csv", None) for name in release.tables})
    return InMemory(made, release.tables), release._manifest(made)


def test_an_outsider_cannot_decide_and_the_holder_can(tmp_path: Path) -> None:
    release = released(sf.Ring(), SIMPLE, partition=ONE)
    written = release.write(tmp_path / "out")
    policy = release.source.policy
    outsider = sf.audit(tmp_path / "out", policy)
    assert [criterion.verdict for criterion in outsider.criteria] == ["undecidable"] and not outsider.problems
    assert "not externally verifiable" in outsider.criteria[0].needs and not outsider.reached.columns
    holder = sf.audit(tmp_path / "out", policy, written.manifest)
    assert holder.holds and holder.criteria[0].view == "ring order" and holder.criteria[0].level == 2
    assert holder.reached.k == outsider.reached.k < 10
    assert "rings" not in (tmp_path / "out" / "release.json").read_text(encoding="utf-8")


def test_other_rings_do_not_pass() -> None:
    release = released(sf.Ring(draw="rotation"), SIMPLE, partition=ONE)
    shown, manifest = documents(release)
    policy = release.source.policy
    (ring,) = rings_of(release)
    rows, width = ring.rows, ring.width
    disease = release.table["disease"].to_list()
    by_value = tuple(sorted(rows, key=lambda row: disease[row]))
    cases: list[tuple[list[dict[str, Any]], str]] = [
        ([{"rows": by_value, "width": width}], ""),
        ([{"rows": (*by_value[-1:], *by_value[:-1]), "width": width}], ""),
        ([{"rows": rows, "width": 1}], ""),
        ([{"rows": rows[1:], "width": width}], "rings hold 9 rows"),
        ([{"rows": (*rows[1:], rows[1]), "width": width}], "rings hold 10 rows"),
        ([], "rings hold 0 rows"),
    ]
    assert sf.audit(shown, policy, manifest).holds
    for rings, words in cases:
        found = sf.audit(shown, policy, Manifest.model_validate({**manifest.model_dump(), "sealed": {"rings": rings}}))
        assert not found.holds
        assert any(words in problem for problem in found.problems) if words else not found.problems
        assert [each.verdict for each in found.criteria] == (["undecidable"] if words else ["fails"])


def test_windows_of_the_auditor() -> None:
    rings = (RingEntry(rows=(4, 0, 2), width=2), RingEntry(rows=(3, 1), width=2))
    rows, numbers = windows_of(rings)
    assert rows.tolist() == [4, 0, 0, 2, 2, 4, 3, 1] and numbers.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


def test_rows_are_not_published_in_the_order_of_rings() -> None:
    (ring,) = rings_of(released(sf.Ring(draw="rotation"), SIMPLE, partition=ONE))
    rows = ring.rows
    steps = {(one - other) % 10 for one, other in pairwise(rows)}
    assert sorted(rows) == list(range(10)) and len(steps) > 2


def test_groups_with_generalized_values_are_shown_whole() -> None:
    frame = pl.DataFrame({"age": [1, 1, 1, 1, 2, 3, 4, 5], "s": list("acacaaac")})
    tree = {"tree": {"ab": ["a", "b"], "cd": ["c", "d"]}}
    policy = {
        "columns": {"age": {"role": "quasi", "type": "integer"}, "s": {"role": "sensitive", "hierarchy": tree}},
        "privacy": [{"model": "tau-l", "tau": "0.5", "l": 2}],
        "partition": {"method": "sweep", "generalize": "last"},
        "form": {"publish": "ring"},
    }
    release = sf.publish(frame, policy=policy, seed=2)
    assert release.judged().holds and set(release.table["s"]) - set("abcd")
    assert {(len(ring.rows), ring.width) for ring in rings_of(release)} == {(4, 4)}, "that of age 1, too"


def test_k_is_never_decided_by_rings() -> None:
    release = released(sf.Ring(), SIMPLE, partition=ONE)
    shown, manifest = documents(release)
    found = sf.audit(shown, policy_for(sf.Ring(), {"model": "k-anonymity", "k": 1}, SIMPLE), manifest)
    assert [each.verdict for each in found.criteria] == ["undecidable", "holds"]


def test_an_empty_or_strange_release_does_not_pass() -> None:
    release = released(sf.Ring(), SIMPLE, partition=ONE)
    shown, manifest = documents(release)
    empty = InMemory(shown.document, {"table": release.table.clear()})
    none = Manifest.model_validate({**manifest.model_dump(), "sealed": {"rings": []}})
    assert not sf.audit(empty, release.source.policy, none).holds
    ward = {**COLUMNS, "disease": {"role": "insensitive"}, "income": {"role": "insensitive"}}
    other = {"columns": ward, "privacy": [{"model": "k-anonymity", "k": 1}]}
    assert [each.verdict for each in sf.audit(shown, other, manifest).criteria] == ["undecidable"]


def test_notes_say_what_one_value_gives_away() -> None:
    turned = released(sf.Ring(draw="rotation"), SIMPLE, partition=ONE)
    assert any("up to 10 rows" in note for note in turned.notes)
    assert not any("rotation" in note for note in released(sf.Ring(), SIMPLE, partition=ONE).notes)


FORMS: list[Form] = [*DRAWS, sf.Randomized(insensitive=True), sf.Randomized(known="shares")]


@pytest.mark.parametrize("form", some(FORMS, kind=attrgetter("publish")), ids=str)
def test_forms_pass(form: Form, monkeypatch: pytest.MonkeyPatch) -> None:
    check_shown(form, 60, monkeypatch)


@pytest.mark.parametrize("form", some(["ring", "randomized"]))
def test_cells_are_kept_or_refused(form: str) -> None:
    cells = [cell for cell in sf.methods().cells if cell.form == form]
    possible = [cell for cell in cells if cell.status != "refused"]
    tried = examples(2, fewest=1)
    ends = [check_triple(cell, seed=11, rounds=tried) for cell in (*possible[:: 4 // tried], *cells[:: 18 // tried])]
    assert sum(end.published for end in ends) > (5 if thorough() else 1)
