"""The matrix is true: what goes together is published and audited, what does not is refused with its reason."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np
import pytest

import sfumato as sf
from sfumato.extend import Fit, Infeasible, Model, Partition, Task, refused
from sfumato.partition.lattice.lattice import LatticePartitioner
from sfumato.partition.registry import PARTITIONERS
from sfumato.policy.losses import LOSS_METRICS
from sfumato.testing import Ends, check_triple, triples
from sfumato.testing.__main__ import main
from sfumato.testing.tables import QUASI, Tables
from sfumato.testing.variety import varied_form, varied_method, varied_policy
from tests.support.examples import examples, some, thorough

SAMPLE = 24
CELLS = triples(SAMPLE, seed=1)
REFUSED = [cell for cell in triples() if cell.status == "refused"]


def named(cell: sf.Cell) -> str:
    return f"{cell.model}-{cell.method}-{cell.form}"


@pytest.mark.parametrize("cell", CELLS, ids=named)
def test_a_sample_of_the_matrix_does_what_it_says(cell: sf.Cell) -> None:
    rounds = examples(4, fewest=1)
    tally = check_triple(cell, seed=400, rounds=rounds)
    assert tally.refused == (rounds if cell.status == "refused" else 0)
    more = examples(40, fewest=4)
    for start in range(404, 444, more):  # exactly l asks for a multiple of l rows in some forms
        if not tally.published and cell.status != "refused":
            tally = check_triple(cell, seed=start, rounds=more)
    assert tally.published or cell.status == "refused", "nothing was tried: all tables were infeasible"


@pytest.mark.parametrize("cell", some(REFUSED, kind=attrgetter("model", "method")), ids=named)
def test_every_refused_triple_is_refused_with_its_reason(cell: sf.Cell) -> None:
    assert check_triple(cell, rounds=1) == Ends(refused=1)


@pytest.mark.parametrize("cell", triples(12, seed=2, persons=True), ids=named)
def test_a_sample_of_the_matrix_for_several_rows_of_one_person(cell: sf.Cell) -> None:
    rounds = examples(3, fewest=1)
    tally = check_triple(cell, seed=500, rounds=rounds)
    assert tally.refused == (rounds if cell.status == "refused" else 0)


def test_refused_for_several_rows_of_one_person_with_the_reason() -> None:
    refusals = [cell for cell in triples(persons=True) if cell.status == "refused"]
    assert len(refusals) > len(REFUSED)
    for cell in some(refusals[::5], kind=attrgetter("model")):
        assert check_triple(cell, rounds=1) == Ends(refused=1)


def test_a_sample_is_seeded_and_part_of_the_matrix() -> None:
    assert triples() == sf.methods().cells
    assert triples(5, seed=3) == triples(5, seed=3)
    assert len({tuple(map(named, triples(5, seed=seed))) for seed in range(5)}) > 1
    assert {len(triples(size)) for size in (0, 7)} == {0, 7}
    assert set(map(named, triples(7))) <= set(map(named, triples()))
    assert triples(10**6) == triples()


class LeavesABadGroup(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        super().partition(task)
        return Partition.of_each(task.table, np.arange(task.table.rows))


class GivesUp(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        raise Infeasible("too hard")


class Breaks(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        raise KeyError("of its own")


class RefusesAll(LatticePartitioner):
    def fit(self, model: Model) -> Fit:
        return refused("not today")


@pytest.mark.parametrize(
    ("liar", "message"),
    [
        (LeavesABadGroup, "the auditor confirms what is published"),
        (GivesUp, "finds none only where the whole table breaks it"),
        (Breaks, "is published, or found to be none"),
        (RefusesAll, "is published, or found to be none"),
    ],
)
def test_a_piece_that_goes_wrong_is_caught(
    liar: type[LatticePartitioner], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = sf.methods().cell("k-anonymity", "lattice", "generalized")
    monkeypatch.setitem(PARTITIONERS.homes, "lattice", liar)
    with pytest.raises(AssertionError, match=message):
        check_triple(cell, rounds=20)


def test_a_matrix_that_lies_is_caught() -> None:
    kept = sf.methods().cell("k-anonymity", "lattice", "generalized")
    with pytest.raises(AssertionError, match="is refused: no reason"):
        check_triple(replace(kept, status="refused", why="no reason"))
    broken = sf.methods().cell("unique-distinct-literal", "lattice", "generalized")
    with pytest.raises(AssertionError, match="the matrix gives the reason: another one"):
        check_triple(replace(broken, why="another one"))
    with pytest.raises(AssertionError, match="is published, or found to be none"):
        check_triple(replace(broken, status="native", why=""))


def searched(cell: Any) -> bool:
    """Whether it is a cell in which the lattice makes releases."""
    return bool(cell.method == "lattice" and cell.status == "native")


@pytest.mark.thorough
def test_the_command_runs_the_matrix(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["--sample", "3", "--rounds", "1", "--seed", "2"]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[-1] == "3 of 3 triples do what the matrix says"
    assert len(shown.out.splitlines()) == 4
    assert len(shown.err.splitlines()) == 3
    monkeypatch.setitem(PARTITIONERS.homes, "lattice", Breaks)
    size = len(triples()) if thorough() else 2 * SAMPLE
    seed = next(seed for seed in range(100) if any(map(searched, triples(size, seed))))
    assert main(["--rounds", "1", "--json", "--sample", str(size), "--seed", str(seed)]) == 1
    told = json.loads(capsys.readouterr().out)["triples"]
    assert len(told) == size
    failed = Counter(each["method"] for each in told if each["failure"])
    assert set(failed) - {"auto"} == {"lattice"}
    assert all("of its own" in each["failure"] for each in told if each["failure"]), "auto runs it, too"
    assert all(each["refused"] == 1 for each in told if each["status"] == "refused")


def drawn(promise: sf.Promise, number: int) -> list[Any]:
    return list(Tables.of(promise).draws(0, number))


def test_tables_differ_in_everything_and_come_again() -> None:
    trials = drawn(sf.DistinctL(2), 150)
    again = drawn(sf.DistinctL(2), 150)
    assert all(one.frame.equals(other.frame) for one, other in zip(trials, again, strict=True))
    quasi = [trial.quasi for trial in trials]
    assert {len(each) for each in quasi} == {1, 2, 3}
    assert {name for each in quasi for name in each} == set(QUASI)
    assert {"u" in trial.columns for trial in trials} == {True, False}
    assert any(trial.frame[name].null_count() for trial in trials for name in trial.quasi)
    assert any(trial.frame["s"].null_count() for trial in trials)
    specs = {tuple(trial.columns["s"]) for trial in trials}
    assert specs == {("role",), ("role", "order"), ("role", "hierarchy")}
    assert min(trial.frame.height for trial in trials) < 4


def test_settings_differ_in_everything() -> None:
    policies, lattices, forms = [], [], []
    for trial in drawn(sf.DistinctL(2), 80):
        rng = trial.rng("test")
        policies.append(varied_policy(rng, trial.quasi))
        lattices.append(varied_method(rng, sf.Lattice(), trial.promise, trial.read().encode()))
        forms.append(varied_form(rng, sf.Generalized()))
    assert {each["suppression"]["limit"] for each in policies} == {"0", "0.2", "1"}
    assert {each["suppression"]["keep"] for each in policies} == {True, False}
    assert {each["missing"] for each in policies} == {"category", "drop"}
    assert {each["loss"]["metric"] for each in policies} == set(LOSS_METRICS)
    assert {each.choose for each in lattices if isinstance(each, sf.Lattice)} == {"best", "random"}
    assert {each.slack for each in lattices} == {0, 1}
    assert any(each.minimum and max(each.maximum.values()) > 1 for each in lattices if isinstance(each, sf.Lattice))
    assert {each.model_dump()["group_id"] for each in forms} == {True, False}
    needed = varied_form(np.random.default_rng(0), sf.Generalized(group_id=True))
    assert needed.model_dump()["group_id"] is True, "what a cell needs stays"
    assert {each.model_dump()["numbers"] for each in forms} == {"intervals", "bounds"}
    table = drawn(sf.KAnonymity(2), 1)[0].read().encode()
    slack = {
        varied_method(np.random.default_rng(seed), sf.Mondrian(), sf.KAnonymity(2), table).slack for seed in range(9)
    }
    assert slack == {0}, "there is no l to raise"
