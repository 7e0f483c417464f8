"""BSGI's Incorporate by the printed rule, the least total, beside the least increase; and under any loss."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.loss.registry import loss_of
from sfumato.partition.apart.loops.bsgi import incorporate
from sfumato.partition.prices import prices_of
from sfumato.policy.losses import LOSS_METRICS
from tests.support.command import Cli
from tests.support.compiled import price
from tests.support.examples import examples, some
from tests.support.tasks import random_table


def slow(codes: Any, prices: Any, values: Any, members: list[list[int]], left: list[int], whole: bool) -> list[int]:
    """Row by row: of all groups that lack its value, the first that costs least, or that it adds least to."""

    def loss(group: list[int]) -> float:
        low, high = codes[group].min(axis=0), codes[group].max(axis=0)
        return len(group) * sum(float(price(prices, at, low[at], high[at])) for at in range(codes.shape[1]))

    groups, chosen = [list(group) for group in members], []
    for row in left:
        open_groups = [at for at, group in enumerate(groups) if values[row] not in values[group]]
        if not open_groups:
            chosen.append(-1)
            continue
        costs = [loss([*groups[at], row]) - (0.0 if whole else loss(groups[at])) for at in open_groups]
        best = open_groups[int(np.argmin(np.round(costs, 9)))]
        groups[best].append(row)
        chosen.append(best)
    return chosen


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("information", ["ncp", "heights", "loss"])
def test_what_is_left_over_joins_the_group_of_the_definition(information: Any, whole: bool) -> None:
    for seed in range(examples(40)):
        rng = np.random.default_rng(seed)
        table = random_table(rng, 21, 6, 4).each()
        metric = list(LOSS_METRICS)[seed % len(LOSS_METRICS)]
        quasi = [column for column in table.quasi if column.size > 1]
        prices = prices_of(quasi, loss_of(metric, {}), information)
        codes = np.stack([table.codes[column.name] for column in quasi], axis=1)
        values = table.codes[table.sensitive[0].name]
        order = rng.permutation(len(values))
        members: list[list[int]] = []
        for row in order.tolist():  # groups of two different values each, by the first that has room
            group = next((each for each in members if len(each) < 2 and values[row] not in values[each]), None)
            if group is None and len(members) < 7:
                members.append([row])
            elif group is not None:
                group.append(row)
        members = [group for group in members if len(group) == 2]
        left = [row for row in order.tolist() if not any(row in group for group in members)]
        none = np.zeros((len(values), 0), np.int32)
        found = incorporate(
            codes.astype(np.int32), none, prices, values, np.array(members), np.array(left), len(values), whole
        )
        expected = slow(codes, prices, values, members, left, whole)
        assert found.tolist() == expected, seed


COLUMNS: dict[str, Any] = {"n": {"role": "quasi", "type": "integer"}, "s": {"role": "sensitive"}}


def policy(**settings: Any) -> dict[str, Any]:
    return {
        "columns": COLUMNS,
        "privacy": [{"model": "pairwise-l", "l": 2}],
        "form": {"group_id": True},
        "partition": {"method": "bsgi", **settings},
    }


def test_the_printed_rule_prefers_tight_groups() -> None:
    """Groups {0, 1} and {50, 90}, and c at 44 is left over: with it the first loses 3 · 44, the second 3 · 46; it adds
    3 · 44 - 2 · 1 to the first, 3 · 46 - 2 · 40 to the second."""
    table = pl.DataFrame({"n": [0, 1, 50, 90, 44], "s": ["a", "b", "a", "b", "c"]})
    codes = np.array([[0], [1], [3], [4], [2]], np.int32)
    column = sf.read(table, {"columns": COLUMNS, "privacy": [{"model": "k-anonymity", "k": 1}]}).encode().quasi
    prices = prices_of(column, loss_of("ncp", {}), "ncp")
    none, home, members = np.zeros((5, 0), np.int32), np.array([0, 1, 0, 1, 2], np.int32), np.array([[0, 1], [2, 3]])
    joined = [incorporate(codes, none, prices, home, members, np.array([4]), 4, whole)[0] for whole in (True, False)]
    assert joined == [0, 1]


@pytest.mark.parametrize("method", ["bsgi", "bsgi-free"])
@pytest.mark.parametrize("metric", some(LOSS_METRICS, kind=lambda name: name))
def test_any_loss_can_say_what_is_near(metric: str, method: str) -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"n": rng.integers(0, 40, 61), "s": rng.integers(0, 7, 61).astype(str)})
    given = policy(method=method, information="loss", incorporate="total")
    given |= {"loss": {"metric": metric}, "suppression": {"limit": "1/5"}}
    release = sf.publish(frame, policy=given, seed=1)
    assert release.judged().holds
    for _, group in release.table.group_by("group"):
        assert group["s"].n_unique() == group.height >= 2


def test_the_default_is_what_it_was_and_hashed_as_ever() -> None:
    plain, told = sf.read_policy(policy()), sf.read_policy(policy(incorporate="increase"))
    assert plain.digest == told.digest != sf.read_policy(policy(incorporate="total")).digest
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"n": rng.integers(0, 40, 62), "s": rng.integers(0, 9, 62).astype(str)})
    one, other = (
        sf.publish(frame, policy=given, seed=4) for given in (plain.as_dict(), policy(incorporate="increase"))
    )
    assert one.table.equals(other.table)


def test_from_the_command_line(tmp_path: Path, cli: Cli) -> None:
    pl.DataFrame({"n": range(21), "s": list("abc") * 7}).write_csv(tmp_path / "people.csv")
    (tmp_path / "p.yaml").write_text(
        "version: 1\ncolumns:\n  n: {role: quasi, type: integer}\n  s: {role: sensitive}\nprivacy:\n"
        "  - {model: distinct-l, l: 2}\npartition: {method: bsgi, information: loss, incorporate: total}\n",
        encoding="utf-8",
    )
    data, given = str(tmp_path / "people.csv"), str(tmp_path / "p.yaml")
    cli.well("anonymize", data, "-p", given, "-o", str(tmp_path / "out"))
    cli.well("audit", str(tmp_path / "out"), "-p", given)
