"""Wrong calls, wrong numbers and wrong pieces of other packages end in an error that says what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from benchmarks.__main__ import main as benchmark
from sfumato.errors import SfumatoError
from sfumato.extend import NATIVE, Fit, Method, Model, Partition, Recoding, Task
from sfumato.partition.registry import PARTITIONERS
from sfumato.policy.methods import METHODS
from sfumato.testing.__main__ import main as conform

FRAME = pl.DataFrame({"a": list("uuvv"), "s": list("pqpq")})
POLICY: dict[str, Any] = {
    "columns": {"a": {"role": "quasi"}, "s": {"role": "sensitive", "hierarchy": {"tree": {"*": ["p", "q"]}}}},
    "privacy": [{"model": "k-anonymity", "k": 2}],
}


@pytest.mark.parametrize(
    "levels", [{"a": 1.0}, {"a": True}, {"a": "1"}, {"a": None}, {"b": 0}, {"a": 2}, {"a": -1}, "a"]
)
def test_a_node_is_named_by_whole_numbers(levels: Any) -> None:
    with pytest.raises(sf.InputError, match=r"whole numbers, are: a 0\.\.1"):
        sf.lattice(FRAME, policy=POLICY).at(levels)


def test_looking_around_takes_a_lattice_only_and_knows_its_columns() -> None:
    wrong: Any = sf.Mondrian()
    with pytest.raises(sf.InputError, match="must have the method lattice, not mondrian"):
        sf.lattice(FRAME, policy=POLICY, partition=wrong)
    with pytest.raises(sf.PolicyError, match=r"partition\.maximum\.nope"):
        sf.lattice(FRAME, policy=POLICY, partition=sf.Lattice(maximum={"nope": 1}))
    found = sf.lattice(FRAME, policy=POLICY, partition={"method": "lattice", "minimum": {"a": 1}})
    assert found.best == {"a": 1}


def test_mappings_stand_for_what_a_policy_holds() -> None:
    release = sf.publish(
        FRAME,
        {"model": "distinct-l", "l": 2},
        policy=POLICY,
        partition={"method": "lattice"},
        form={"publish": "generalized", "group_id": True},
        seed=1,
    )
    assert release.levels == {"a": (0, 1)}
    assert "group" in release.table.columns


@pytest.mark.parametrize("argument", ["promise", "partition", "form"])
@pytest.mark.parametrize("given", ["mondrian", 3, {"method": "nope", "publish": "nope", "model": "nope"}])
def test_what_stands_for_nothing_is_a_mistake(argument: str, given: Any) -> None:
    how: dict[str, Any] = {argument: given}
    with pytest.raises(sf.PolicyError):
        sf.publish(FRAME, policy=POLICY, seed=1, **how)


@pytest.mark.parametrize(
    "make",
    [
        lambda: sf.Lattice(minimum={"x": -1}),
        lambda: sf.Mondrian(slack=-1),
        lambda: sf.Generalized(group_id="perhaps"),
        lambda: sf.Sliced(width=0),
        lambda: sf.Lattice(choose="worst"),
        lambda: sf.Lattice(unknown=1),  # type: ignore[call-arg]
        lambda: sf.Policy(columns={}, privacy=()),
    ],
)
def test_settings_are_checked_when_made(make: Callable[[], object]) -> None:
    with pytest.raises(sf.PolicyError) as caught:
        make()
    assert caught.value.problems
    assert "pydantic" not in str(caught.value)


def test_a_promise_inside_another_needs_its_group_id_at_once() -> None:
    document: dict[str, Any] = {
        "columns": {"a": {"role": "quasi"}, "s": {"role": "sensitive"}, "t": {"role": "sensitive"}},
        "privacy": [{"model": "multi-attribute", "of": {"model": "pairwise-l", "l": 2}}],
    }
    with pytest.raises(sf.PolicyError, match=r"privacy\[0\]\.of: pairwise-l needs a published group id"):
        sf.read_policy(document)
    assert sf.read_policy({**document, "form": {"publish": "generalized", "group_id": True}})


@pytest.mark.parametrize("weight", ["1e400", 1e308, "1e-400", 1e101, -1, "nan"])
def test_weights_that_no_sum_could_hold_are_refused(weight: Any) -> None:
    with pytest.raises(sf.PolicyError, match=r"loss\.weights\.a"):
        sf.read_policy({**POLICY, "loss": {"weights": {"a": weight}}})


@pytest.mark.parametrize("metric", ["ncp", "geometric", "discernibility", "height", "non-uniform-entropy"])
@pytest.mark.parametrize("method", ["mondrian", "lattice", "hilbert", "bsgi"])
def test_numbers_at_the_ends_of_what_a_float_can_be(metric: str, method: str) -> None:
    """Two far groups: a wrong difference would be infinite or not a number."""
    frame = pl.DataFrame({"a": [-1.7e308, -1.7e308, 1.7e308, 1.7e308, 0.0, 0.0], "s": list("pqpqpq")})
    document = {
        "columns": {"a": {"role": "quasi", "type": "number"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "simple-l", "l": 2}],
        "partition": {"method": method},
        "loss": {"metric": metric, "weights": {"a": "1e100"}},
    }
    release = sf.publish(frame, policy=document, seed=1)
    assert release.loss == pytest.approx(1 / 3 if metric == "discernibility" else 0)
    assert json.dumps(release.facts(), allow_nan=False)
    one = sf.publish(frame, sf.KAnonymity(6), policy={**document, "partition": {"method": "mondrian"}}, seed=1)
    assert one.loss == pytest.approx(1)
    assert sf.suggest(frame)


@pytest.mark.parametrize(("difference", "secrets"), [("1", 3), ("1e308", 3), ("1.7e308", 1), ("1e400", 1)])
def test_differences_at_the_ends_of_what_a_float_can_be(difference: str, secrets: int) -> None:
    frame = pl.DataFrame({"a": list("uuvvww"), "s": [-1.7e308, -1.7e308, 1.7e308, 1.7e308, 0.0, 0.0]})
    document = {
        "columns": {"a": {"role": "quasi"}, "s": {"role": "sensitive", "type": "number", "difference": difference}},
        "privacy": [{"model": "distinct-l", "l": 1}],
    }
    assert sf.publish(frame, policy=document, seed=1).table["s"].n_unique() == secrets


class Odd(Method):
    """An algorithm of another package."""

    method: Literal["odd"] = "odd"
    what: str = "sound"


EACH, ONCE = np.arange(4), np.ones(4, dtype=np.int64)


def labelled(groups: Any, recoding: Recoding | None = None, edits: Any = None) -> Partition:
    return Partition(EACH, np.array(groups), ONCE, recoding, edits or {})


def recoded(name: str, nodes: list[int]) -> Partition:
    return labelled([0, 0, 1, 1], Recoding({name: np.array(nodes)}, {}))


RETURNED: dict[str, Callable[[], Any]] = {
    "tuples must be an array": lambda: labelled([0, 0, 0]),
    "groups must be an array of whole numbers": lambda: labelled([0.0, 0.0, 0.0, 0.0]),
    "make up all rows of each": lambda: Partition(EACH[:3], ONCE[:3] * 0, ONCE[:3]),
    "of tuples in ascending order": lambda: Partition(EACH[::-1], ONCE * 0, ONCE),
    "parts must be of tuples": lambda: Partition(EACH, ONCE * 0, 2 * ONCE),
    "without gaps": lambda: labelled([0, 0, 2, 2]),
    "numbered without gaps": lambda: labelled([0, 0, 10**15, 1]),
    "-1 for suppressed rows": lambda: labelled([0, 0, -2, 0]),
    "not a Partition": lambda: [0, 0, 1, 1],
    "which is not a quasi-identifier": lambda: recoded("nope", [0, 1]),
    "one for every group": lambda: recoded("a", [0, 1, 1]),
    "not between -1 and 1": lambda: recoded("a", [0, 7]),
    "a level of 'a'": lambda: labelled([0, 0, 1, 1], Recoding({}, {"a": (3, 1)})),
    "not a sensitive column with a hierarchy": lambda: labelled([0] * 4, edits={"a": np.zeros(4, np.int64)}),
    "edits of column 's' must be": lambda: labelled([0] * 4, edits={"s": np.zeros(2, np.int64)}),
    "edits of column 's' has nodes": lambda: labelled([0] * 4, edits={"s": np.full(4, 99)}),
    "": lambda: labelled(np.array([0, 0, 1, 1], dtype=np.int8)),
}


@dataclass(frozen=True)
class OddPartitioner:
    options: Odd

    def fit(self, model: Model) -> Fit:
        return NATIVE

    def partition(self, task: Task) -> Partition:
        made: Partition = RETURNED[self.options.what]()
        return made


@pytest.mark.parametrize("fault", RETURNED)
def test_what_an_algorithm_returns_is_looked_at(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    monkeypatch.setitem(METHODS.homes, "odd", Odd)
    monkeypatch.setitem(PARTITIONERS.homes, "odd", OddPartitioner)
    if not fault:
        assert sf.publish(FRAME, policy=POLICY, partition=Odd(what=fault), seed=1).loss == 0
        return
    with pytest.raises(SfumatoError, match="the algorithm 'odd' is broken") as caught:
        sf.publish(FRAME, policy=POLICY, partition=Odd(what=fault), seed=1)
    assert fault in str(caught.value)


@pytest.mark.parametrize("arguments", [["--rounds", "0"], ["--sample", "0"], ["--sample", "-1"], ["--seed", "-1"]])
def test_the_conformance_suite_wants_counts(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        conform(arguments)
    assert stopped.value.code == 2
    assert "or more (got" in capsys.readouterr().err


@pytest.mark.parametrize("rows", ["infM", "nan", "0", "-1k", "1e30", "many"])
def test_benchmarks_want_rows(capsys: pytest.CaptureFixture[str], rows: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        benchmark([f"--rows={rows}"])
    assert stopped.value.code == 2
    assert "a number of rows" in capsys.readouterr().err
