"""Auto against every method that it ran, against every way to group a small table, and against the clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from time import monotonic

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import Cancelled, Infeasible, NoneFound, Refused
from sfumato.fit import NATIVE, Fit, refused
from sfumato.models.contract import Facts, Groups, Model
from sfumato.models.registry import binding
from sfumato.partition.auto.auto import AutoPartitioner, rated
from sfumato.partition.auto.candidates import Occasion, everything, promising, title
from sfumato.partition.boxes.boxes import WORK
from sfumato.partition.contract import Chooser, Partition, Partitioner, Task
from sfumato.partition.partition_loss import measured
from sfumato.partition.registry import grouping
from sfumato.policy.methods import METHODS, Auto, Boxes, Method
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.tree import Taxonomy
from sfumato.testing import check_partitioner
from tests.partition.boxes.test_boxes import TREES, cheapest, tables, task_of
from tests.partition.mondrian.test_mondrian import KINDS, column_of, kept
from tests.support.examples import examples, thorough
from tests.support.handmade import column_with, counted, rows_of
from tests.support.merging import PROMISES, SECRETS, VALUES


def auto_for(task: Task, budget: str = "normal", **more: str) -> AutoPartitioner:
    made = grouping(Auto.model_validate({"budget": budget, **more}), binding(Facts.of(task.table)))
    assert isinstance(made, AutoPartitioner)
    return made


def best(auto: AutoPartitioner, task: Task) -> Partition:
    return auto.chosen(task, lambda found: rated(task, found))


def loss_of(task: Task, found: Partition) -> float:
    return float(measured(task, found)[1])


def possible(task: Task) -> bool:
    statistics = tuple(columns for columns in task.model.statistics if columns)
    return bool(task.model.attainable(Groups.whole(task.table, statistics))[0])


@pytest.mark.thorough
@settings(max_examples=examples(40))
@given(tables(30, KINDS), st.sampled_from(PROMISES), st.sampled_from(["quick", "normal", "thorough"]))
def test_it_loses_no_more_than_any_method_that_it_ran(table: Tuples, promise: sf.Promise, budget: str) -> None:
    task = task_of(table, promise)
    assume(possible(task))
    auto = auto_for(task, budget)
    found = best(auto, task)
    each = table.each()
    for group in range(int(found.labels.max()) + 1):
        assert kept(promise, each, np.flatnonzero(found.labels == group).tolist())
    mine = loss_of(task, found)
    occasion = Occasion(task.model, len(table), table.rows / len(table), False, False)
    for method in promising(auto.options, occasion)[: 1 if budget == "quick" else None]:
        algorithm = auto.make(method)
        if algorithm.fit(task.model).status == "refused":
            continue
        try:
            other = algorithm.partition(task)
        except NoneFound:
            continue
        assert mine <= loss_of(task, other) + 1e-12, title(method)
    again = best(auto, task)
    assert np.array_equal(found.groups, again.groups) and np.array_equal(found.counts, again.counts)


def test_it_comes_within_a_hundredth_of_the_least_loss() -> None:
    """Of seven rows, every grouping is tried."""
    rng, found, least = np.random.default_rng(7), 0.0, 0.0
    promises = [sf.KAnonymity(2), sf.DistinctL(2), sf.KAnonymity(3), sf.DistinctL(3), sf.EntropyL(2), sf.SimpleL(2)]
    for number in range(examples(90)):
        columns = [column_of(f"q{place}", TREES[place % 3], rng.integers(0, 4, 7).tolist()) for place in range(2)]
        secret = column_with("s", rng.integers(0, 4, 7), pl.Series(VALUES), Taxonomy.of(SECRETS), ordered=True)
        table, promise = counted(rows_of(tuple(columns), (secret,))), promises[number % len(promises)]
        task = task_of(table, promise)
        if not kept(promise, table.each(), list(range(7))):
            continue
        bound, mine = cheapest(task, promise), loss_of(task, best(auto_for(task), task))
        assert mine >= bound - 1e-12
        found, least = found + mine, least + bound
    assert least > 0 and found <= 1.01 * least


@dataclass(frozen=True)
class Told:
    """An algorithm that does as it is told: labels, or an error."""

    answer: Callable[[Task], Partition]
    served: bool = True

    def fit(self, model: Model) -> Fit:
        return NATIVE if self.served else refused("it does not")

    def partition(self, task: Task) -> Partition:
        task.progress("partition", 0, task.table.rows)
        return self.answer(task)


def in_groups(count: int) -> Callable[[Task], Partition]:
    return lambda task: Partition.of(task.table, np.arange(len(task.table), dtype=np.int64) % count)


def failing(error: Exception) -> Callable[[Task], Partition]:
    def fail(task: Task) -> Partition:
        raise error

    return fail


def told(task: Task, answers: dict[str, Told], **options: str) -> Partition:
    """What auto makes of algorithms that are told what to answer; all others find nothing."""
    nothing = Told(failing(NoneFound("nothing here")))

    def make(method: Method) -> Partitioner:
        return answers.get(method.method, nothing)

    return best(AutoPartitioner(Auto.model_validate(options)).among(make), task)


@pytest.fixture
def task() -> Task:
    rows = 12
    column = column_of("q0", "tree", [row % 4 for row in range(rows)])
    secret = column_with("s", np.arange(rows) % 4, pl.Series(VALUES), Taxonomy.of(SECRETS), ordered=True)
    return task_of(rows_of((column,), (secret,)), sf.KAnonymity(2) & sf.EntropyL(2))


def test_the_least_loss_is_kept_and_told(task: Task) -> None:
    found = told(task, {"mondrian": Told(in_groups(1)), "boxes": Told(in_groups(4)), "bsgi-free": Told(in_groups(2))})
    assert int(found.groups.max()) == 3
    note, passed = found.notes
    assert passed == "auto: hilbert with polish found nothing: nothing here"
    for said in ("ran 3 methods (12 different rows, budget normal)", "mondrian with polish loses 1.0000", "boxes"):
        assert said in note
    assert note.endswith("It kept boxes with polish, the least")


def test_of_equal_losses_the_first_is_kept(task: Task) -> None:
    found = told(task, {"mondrian": Told(in_groups(2)), "boxes": Told(in_groups(2))})
    assert "kept mondrian with polish" in found.notes[0]


def test_what_finds_nothing_is_passed_over_with_its_reason(task: Task) -> None:
    errors = {"mondrian": Infeasible("not all rows"), "boxes": Refused("too large")}
    answers = {name: Told(failing(error)) for name, error in errors.items()}
    found = told(task, {**answers, "bsgi-free": Told(in_groups(2))})
    assert found.notes[0].startswith("auto ran bsgi-free with polish (12")
    assert any("mondrian with polish found nothing: not all rows" in note for note in found.notes)
    assert any("boxes with polish found nothing: too large" in note for note in found.notes)


def test_whatever_serves_is_tried_before_it_gives_up(task: Task) -> None:
    found = told(task, {"anatomy": Told(in_groups(2))}, budget="quick")
    assert "auto ran anatomy" in found.notes[0]
    asked: list[str] = []

    def make(method: Method) -> Partitioner:
        asked.append(method.method)
        return Told(failing(NoneFound(f"nothing by {method.method}", sf.DistinctL(2))))

    with pytest.raises(NoneFound, match="no method found a release") as caught:
        best(AutoPartitioner(Auto()).among(make), task)
    assert {*asked} == {*METHODS} - {"auto"}
    assert all(f"nothing by {name}" in caught.value.reason for name in asked)
    assert caught.value.nearest == sf.DistinctL(2)


def test_what_all_show_to_be_impossible_is(task: Task) -> None:
    def make(method: Method) -> Partitioner:
        return Told(failing(Infeasible("no grouping of all rows")))

    with pytest.raises(Infeasible, match="no grouping of all rows"):
        best(AutoPartitioner(Auto()).among(make), task)


def test_quick_runs_one_method(task: Task) -> None:
    answers = {name: Told(in_groups(2)) for name in METHODS}
    assert (
        "auto ran mondrian with polish (12 different rows, budget quick)"
        in told(task, answers, budget="quick").notes[0]
    )
    assert "auto ran 4 methods" in told(task, answers).notes[0]
    assert "auto ran 8 methods" in told(task, answers, budget="thorough").notes[0]


@pytest.mark.parametrize("budget", ["quick", "normal"])
def test_it_owes_what_every_partitioner_owes(budget: str) -> None:
    promises = [sf.KAnonymity(2) & sf.DistinctL(2), sf.PairwiseL(2), sf.TCloseness("1/2"), sf.TauL("3/5", 2)]
    check_partitioner(Auto.model_validate({"budget": budget}), seed=3, rounds=2, promises=promises)


def test_below_steps_it_runs_one_method(task: Task) -> None:
    found = auto_for(task, "thorough").partition(task)
    assert found.notes[-1] == "auto ran mondrian with polish (12 different rows, budget quick)"
    stepped = grouping(Auto(refine=True), binding(Facts.of(task.table)))
    assert not isinstance(stepped, Chooser)
    assert "auto ran mondrian with polish (12 different rows, budget quick)" in stepped.partition(task).notes


def test_what_would_be_no_release_is_not_kept(task: Task) -> None:
    """Whoever publishes says what a release loses, or that it would be none."""

    def make(method: Method) -> Partitioner:
        return Told(in_groups({"mondrian": 4, "boxes": 2}.get(method.method, 1)))

    def rate(found: Partition) -> float:
        if int(found.groups.max()) == 3:
            raise NoneFound("a column says nothing")
        return float(int(found.groups.max()) == 0)

    chooser = AutoPartitioner(Auto()).among(make)
    assert isinstance(chooser, Chooser)
    found = chooser.chosen(task, rate)
    assert int(found.groups.max()) == 1
    assert any("found nothing: a column says nothing" in note for note in found.notes)


def test_a_fault_of_a_method_is_not_hidden(task: Task) -> None:
    broken = Told(lambda task: Partition.of(task.table, np.full(len(task.table), 5)))
    with pytest.raises(sf.SfumatoError, match="'mondrian' is broken"):
        told(task, {"mondrian": broken, "boxes": Told(in_groups(2))})
    with pytest.raises(ZeroDivisionError):
        told(task, {"mondrian": Told(failing(ZeroDivisionError()))})


def test_groups_of_different_values_are_tried_where_boxes_may_be_worse(task: Task) -> None:
    """Boxes count different values themselves; of tested counts, and in a thorough run, both are tried."""

    def tried(promise: sf.Promise, budget: str) -> set[str]:
        model = binding(Facts.of(task.table))(promise)
        occasion = Occasion(model, 12, alike=1, persons=False, exact=False)
        return {method.method for method in promising(Auto.model_validate({"budget": budget}), occasion)}

    assert tried(sf.DistinctL(3), "normal") == {"mondrian", "boxes"}
    for promise, budget in ((sf.EntropyL(3), "normal"), (sf.DistinctL(3), "thorough"), (sf.PairwiseL(3), "normal")):
        assert tried(promise, budget) >= {"bsgi-free", "hilbert"}


def test_it_tells_which_method_runs_and_can_be_called_off(task: Task) -> None:
    seen: list[str] = []
    best(auto_for(task), replace(task, progress=lambda stage, done, rows: seen.append(stage)))
    assert {stage.partition(": ")[2] for stage in seen} >= {
        f"{name} with polish ({place} of 4)"
        for place, name in enumerate(("mondrian", "boxes", "bsgi-free", "hilbert"), 1)
    }

    def stop(stage: str, done: int, rows: int) -> None:
        if "boxes" in stage:
            raise Cancelled("that is enough")

    with pytest.raises(Cancelled):
        best(auto_for(task), replace(task, progress=stop))


@pytest.mark.parametrize("budget", ["quick", "normal", "thorough"])
def test_work_is_never_more_than_a_larger_budget_has(task: Task, budget: str) -> None:
    occasion = Occasion(task.model, 30_000, alike=1, persons=False, exact=False)
    every = [Auto.model_validate({"budget": each}) for each in ("quick", "normal", "thorough")]
    works = [{title(method): method for method in promising(options, occasion)} for options in every]
    for less, more in pairwise(works):
        assert [*less] == [*more][: len(less)]
        for name, method in less.items():
            larger = more[name].model_dump()
            assert method.steps[0].model_dump()["work"] < larger["steps"][0]["work"]
            assert _work(method) <= _work(more[name])


def _work(method: Method) -> int:
    """Of boxes for 30,000 different rows; none for others."""
    if not isinstance(method, Boxes):
        return 0
    return 30_000 * WORK if method.work is None else method.work


def test_slack_is_handed_on(task: Task) -> None:
    options = Auto(slack=2)
    assert {method.slack for method in everything(options, task.model)} == {2}
    assert {method.slack for method in promising(options, Occasion(task.model, 9, 1, False, False))} == {2}


def large(rows: int = 4_000) -> Task:
    rng = np.random.default_rng(3)
    names = [f"q{place}" for place in range(4)]
    frame = pl.DataFrame({name: rng.integers(0, 40, rows) for name in names} | {"s": rng.integers(0, 4, rows)})
    columns = {name: {"role": "quasi", "type": "integer"} for name in names} | {"s": {"role": "sensitive"}}
    promise = sf.KAnonymity(3) & sf.DistinctL(2)
    policy = {"columns": columns, "privacy": [part.as_dict() for part in promise.parts]}
    return task_of(sf.read(frame, policy).encode(), promise)


@pytest.mark.thorough
def test_time_is_kept_and_used() -> None:
    task = large()
    best(auto_for(task), task)  # compiles what is not
    losses = []
    for seconds in (1, 4) if thorough() else (0.5, 2):
        begun = monotonic()
        found = best(auto_for(task, time=f"{seconds}s"), task)
        assert monotonic() - begun < 4 * seconds + 4
        assert any(f"the time of {seconds}s decided" in note for note in found.notes)
        losses.append(loss_of(task, found))
    plain = grouping(sf.Mondrian(), binding(Facts.of(task.table)))
    assert losses[1] <= losses[0] + 0.01
    assert losses[0] < loss_of(task, plain.partition(task))


def test_the_first_method_always_ends(task: Task) -> None:
    found = best(auto_for(task, time="0.000001s"), task)
    assert len([note for note in found.notes if note.startswith("auto ran mondrian with polish")]) == 1


@pytest.mark.parametrize("wrong", ["10", "s", "-1s", "0s", "1d", "", 0, True, 1.5])
def test_a_time_is_a_time(wrong: object) -> None:
    with pytest.raises(ValueError, match="must be a time above 0, such as 10s"):
        Auto.model_validate({"time": wrong})
    assert [Auto.model_validate({"time": time}).seconds for time in ("90s", "1.5m", "0.5h", 7)] == [90, 90, 1800, 7]


@pytest.mark.parametrize("budget", ["quick", "normal"])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_table_of_a_few_rows_is_searched_to_the_end(budget: str, seed: int) -> None:
    """Three groups of five lie apart; a search that is as short as the table may stop at five and ten."""
    years = [1951, 1954, 1953, 1950, 1952, 1981, 1982, 1980, 1988, 1983, 2001, 2009, 2002, 2000, 2008]
    towns = ["61", "63", "61", "65", "67", "43", "45", "49", "47", "43", "55", "51", "53", "55", "57"]
    secret = [0, 1, 0, 2, 3, 4, 5, 6, 5, 7, 7, 8, 7, 6, 4]
    policy = {
        "columns": {
            "year": {"role": "quasi"},
            "town": {"role": "quasi", "hierarchy": {"mask": "right"}},
            "secret": {"role": "sensitive", "type": "text"},
        },
        "privacy": [{"model": "k-anonymity", "k": 5}, {"model": "entropy-l", "l": 3}],
        "partition": {"method": "auto", "budget": budget},
    }
    frame = pl.DataFrame({"year": years, "town": towns, "secret": [f"s{each}" for each in secret]})
    release = sf.publish(frame, policy=policy, seed=seed)
    assert release.published.sizes.tolist() == [5, 5, 5] and release.loss < 0.2
