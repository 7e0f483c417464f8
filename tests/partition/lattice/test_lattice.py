"""Full-domain recoding through the engine: what is shown, what is told, and what an adversary may reason."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Task
from sfumato.partition.lattice.lattice import LatticePartitioner
from sfumato.partition.lattice.search import LatticeSearch
from sfumato.randomness import Randomness
from sfumato.release.target import TableFile
from tests.support.handmade import column_with, rows_of

POLICY: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "type": "integer", "hierarchy": {"intervals": [10, 20]}},
        "town": {"role": "quasi", "hierarchy": {"tree": {"north": ["Kiel", "Bremen"], "south": ["Ulm"]}}},
        "sex": {"role": "quasi"},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 2}],
    "partition": {"method": "lattice"},
}
PEOPLE = pl.DataFrame(
    {
        "age": ["21", "25", "34", "38", "52", "57"],
        "town": ["Kiel", "Bremen", "Ulm", "Ulm", "Kiel", "Kiel"],
        "sex": ["F", "F", "M", "M", "F", "F"],
        "disease": ["flu", "gout", "flu", "cold", "gout", "flu"],
    }
)


def policy(**changes: Any) -> dict[str, Any]:
    return {**POLICY, **changes}


@pytest.mark.parametrize("method", ["lattice", "incognito"])
def test_every_row_shows_the_same_level(method: str) -> None:
    """Ages by ten, towns by region: Ulm is alone in the south and shown as the region all the same."""
    release = sf.publish(PEOPLE, policy=policy(partition={"method": method}), seed=1)
    assert dict(release.levels) == {"age": (1, 3), "town": (1, 2), "sex": (0, 1)}
    rows = sorted(release.table.rows())
    assert [row[:3] for row in rows] == [
        ("[20, 30)", "north", "F"),
        ("[20, 30)", "north", "F"),
        ("[30, 40)", "south", "M"),
        ("[30, 40)", "south", "M"),
        ("[50, 60)", "north", "F"),
        ("[50, 60)", "north", "F"),
    ]
    assert release.mapping["town"] == {"Kiel": "north", "Bremen": "north", "Ulm": "south"}
    assert release.mapping["sex"] == {"F": "F", "M": "M"}


def test_levels_and_mapping_stay_with_the_holder(tmp_path: Path) -> None:
    release = sf.publish(PEOPLE, policy=policy(), seed=1)
    written = release.write(tmp_path / "out")
    document = json.loads((tmp_path / "out" / "release.json").read_text(encoding="utf-8"))
    assert not {"recoding", "mapping"} & document.keys()
    manifest = json.loads(written.manifest.read_text(encoding="utf-8"))
    assert manifest["recoding"]["age"] == {"level": 1, "height": 3}
    assert manifest["mapping"]["age"]["21"] == "[20, 30)"
    assert written.audit.holds


def test_a_suppressed_row_does_not_show_in_the_document() -> None:
    """Whether the one who was left out had a longer code decides how high the hierarchy is, and nothing public."""
    documents = set()
    for left_out in ("77777", "7777777777"):
        people = pl.DataFrame({"zip": ["12345"] * 20 + [left_out], "disease": ["flu", "gout"] * 10 + ["flu"]})
        release = sf.publish(
            people,
            policy={
                "columns": {"zip": {"role": "quasi", "hierarchy": {"mask": "right"}}, "disease": {"role": "sensitive"}},
                "privacy": [{"model": "k-anonymity", "k": 2}],
                "partition": {"method": "lattice"},
                "suppression": {"limit": "0.1"},
            },
            seed=1,
        )
        assert release.suppressed == 1
        documents.add(release._document("csv", {"table": TableFile("table.csv", None)}).model_dump_json())
    assert len(documents) == 1


def test_minimum_and_maximum_levels_are_honoured() -> None:
    lowest = {"method": "lattice", "minimum": {"sex": 1, "age": 2}}
    release = sf.publish(PEOPLE, policy=policy(partition=lowest), seed=1)
    assert release.levels["sex"] == (1, 1)
    assert set(release.table["sex"]) == {"*"}
    assert release.levels["age"] == (2, 3)
    highest = {"method": "lattice", "maximum": {"age": 1}}
    assert sf.publish(PEOPLE, policy=policy(partition=highest), seed=1).levels["age"] == (1, 3)
    with pytest.raises(sf.NoneFound, match=r"fewest are 1 of 6.*partition\.maximum"):
        sf.publish(PEOPLE, policy=policy(partition={"method": "lattice", "maximum": {"town": 0}}))


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"minimum": {"age": 4}}, "partition.minimum.age"),
        ({"maximum": {"town": 3}}, "partition.maximum.town"),
        ({"minimum": {"age": 2}, "maximum": {"age": 1}}, "minimum level 2 is above the maximum 1"),
        ({"minimum": {"disease": 1}}, "partition.minimum.disease"),
        ({"minimum": {"age": -1}}, "partition.minimum.age"),
        ({"choose": "worst"}, "partition.choose"),
        ({"relaxed": True}, "partition.relaxed"),
    ],
)
def test_impossible_levels_are_named(settings: dict[str, Any], place: str) -> None:
    with pytest.raises(sf.InputError, match=place.replace(".", r"\.")):
        sf.publish(PEOPLE, policy=policy(partition={"method": "lattice", **settings}))


def test_suppression_is_used_where_it_loses_less() -> None:
    """One person of 90 among twenty of 30: suppressing him costs 1/21, to generalize every age costs more."""
    ages = ["30"] * 20 + ["90"]
    people = pl.DataFrame({"age": ages, "disease": ["flu", "gout"] * 10 + ["flu"]})
    document = {
        "columns": {"age": POLICY["columns"]["age"], "disease": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "partition": {"method": "lattice"},
    }
    assert sf.publish(people, policy=document, seed=1).levels["age"] == (3, 3)
    release = sf.publish(people, policy={**document, "suppression": {"limit": "0.05"}}, seed=1)
    assert release.levels["age"] == (0, 3)
    assert release.suppressed == 1
    assert release.table.height == 20
    assert release.loss == pytest.approx(1 / 21)
    kept = {"limit": "0.05", "keep": True}
    assert sf.publish(people, policy={**document, "suppression": kept}, seed=1).levels["age"] == (3, 3)


def test_suppressed_rows_that_are_kept_cost_the_same() -> None:
    ages = ["30"] * 20 + ["90", "50"]
    people = pl.DataFrame({"age": ages, "disease": ["flu", "gout"] * 11})
    document = {
        "columns": {"age": POLICY["columns"]["age"], "disease": {"role": "sensitive"}},
        "privacy": [{"model": "distinct-l", "l": 2}],
        "partition": {"method": "lattice"},
    }
    for metric in ("ncp", "information-utility", "discernibility"):
        losses = set()
        for keep in (False, True):
            changed = {**document, "loss": {"metric": metric}, "suppression": {"limit": "0.1", "keep": keep}}
            release = sf.publish(people, policy=changed, seed=1)
            assert release.suppressed == 2
            assert release.table.height == (22 if keep else 20)
            losses.add(release.loss)
        assert len(losses) == 1


def test_infeasible_says_what_came_nearest() -> None:
    with pytest.raises(sf.Infeasible) as caught:
        sf.publish(PEOPLE, sf.DistinctL(4), policy=policy(suppression={"limit": "0.5"}))
    assert caught.value.nearest is not None
    assert caught.value.nearest.as_dict()["model"] == "all-of"
    assert "suppression.limit allows 3" in str(caught.value)
    with pytest.raises(sf.Infeasible, match="no grouping of all 6 rows"):
        sf.publish(PEOPLE, sf.DistinctL(4), policy=policy())


def test_slack_searches_with_more_than_is_promised() -> None:
    document = policy(privacy=[{"model": "distinct-l", "l": 2}])
    plain = sf.publish(PEOPLE, policy=document, seed=1)
    slack = sf.publish(PEOPLE, policy={**document, "partition": {"method": "lattice", "slack": 1}}, seed=1)
    assert min(slack.published.sizes) >= 3 > min(plain.published.sizes)
    assert slack.judged().criteria[0].parameters == {"l": 2}
    assert any("minimality" in note for note in plain.notes)
    assert not slack.notes
    with pytest.raises(sf.Refused, match=r"partition\.slack"):
        sf.publish(PEOPLE, policy=policy(partition={"method": "lattice", "slack": 1}))


@pytest.mark.thorough
def test_chance_takes_every_allowed_node_sooner_or_later() -> None:
    document = policy(partition={"method": "lattice", "choose": "random"})
    nodes = sf.lattice(PEOPLE, policy=document).nodes
    allowed = {tuple(row) for row in nodes.filter("allowed").select("age", "town", "sex").rows()}
    seen = {
        tuple(level for level, _ in sf.publish(PEOPLE, policy=document, seed=seed).levels.values())
        for seed in range(60)
    }
    assert seen <= allowed
    assert len(seen) == len(allowed)


# --- the minimality attack -------------------------------------------------------------------------------------------

TOWNS = np.array([0, 0, 1, 1, 1, 1], dtype=np.int32)
SECRETS = (0, 0, 1, 2, 3, 4)


def searched(secrets: tuple[int, ...], l: int) -> LatticeSearch:
    quasi = column_with("town", TOWNS, pl.Series(["p", "q"]))
    secret = column_with("s", np.array(secrets, dtype=np.int32), pl.Series(list("abcde")))
    table = rows_of((quasi,), (secret,))
    return LatticeSearch.whole(Task(table, bind(sf.SimpleL(l), Facts.of(table)), NCP(), Randomness.fixed(0)))


def belief(choose: str, slack: int) -> Fraction:
    """How sure one is that the first person has the first value, seeing all towns as `*` and knowing the algorithm."""
    having = whole = Fraction(0)
    for secrets in set(permutations(SECRETS)):
        search = searched(secrets, 2 + slack)
        best, allowed = search.best(), search.allowed()
        if choose == "random":
            chance = Fraction((1,) in allowed, max(len(allowed), 1))
        else:
            chance = Fraction(best is not None and best.node == (1,))
        whole += chance
        having += chance * (secrets[0] == 0)
    return having / whole


def test_the_best_node_betrays_and_the_guards_do_not() -> None:
    assert belief("best", 0) == 1
    assert belief("random", 0) == Fraction(3, 8)
    assert belief("best", 1) == Fraction(1, 3)


def test_what_is_random_is_drawn_from_the_allowed_nodes() -> None:
    from sfumato.policy.methods import Lattice as Options

    search = searched((0, 1, 0, 2, 3, 4), 2)
    taken = {
        LatticePartitioner(Options(choose="random"))
        .partition(Task(search.task.table, search.task.model, NCP(), Randomness.fixed(seed)))
        .recoding.levels["town"]  # type: ignore[union-attr]
        for seed in range(20)
    }
    assert taken == {(0, 1), (1, 1)}


# --- exploring --------------------------------------------------------------------------------------------------------


def test_the_map_lists_nodes_with_what_they_cost() -> None:
    found = sf.lattice(PEOPLE, policy=policy())
    assert found.columns == ("age", "town", "sex")
    assert found.top == {"age": 3, "town": 2, "sex": 1}
    assert found.nodes.height == 4 * 3 * 2
    assert found.best == {"age": 1, "town": 1, "sex": 0}
    assert found.best in found.minimal
    row = found.nodes.filter(age=1, town=1, sex=0).row(0, named=True)
    assert row["passes"]
    assert row["minimal"]
    assert (row["height"], row["suppressed"], row["classes"]) == (2, 0, 3)
    release = sf.publish(PEOPLE, policy=policy(), seed=1)
    assert row["loss"] == pytest.approx(release.loss)
    bottom = found.at({})
    assert bottom.suppressed == 6
    assert not bottom.allowed
    assert found.at({"age": 1, "town": 1}).suppressed == 0


def test_the_map_previews_levels() -> None:
    shown = sf.lattice(PEOPLE, policy=policy()).levels("town")
    assert shown.columns == ["value", "level 0", "level 1", "level 2"]
    assert sorted(shown.rows()) == [
        ("Bremen", "Bremen", "north", "*"),
        ("Kiel", "Kiel", "north", "*"),
        ("Ulm", "Ulm", "south", "*"),
    ]


def test_the_map_says_what_it_cannot_do() -> None:
    found = sf.lattice(PEOPLE, policy=policy())
    with pytest.raises(sf.InputError, match="not a quasi-identifier"):
        found.levels("disease")
    with pytest.raises(sf.InputError, match=r"age 0\.\.3"):
        found.at({"age": 7})
    with pytest.raises(sf.InputError, match="does not survive merging"):
        sf.lattice(PEOPLE, sf.PairwiseL(2), policy=policy(form={"publish": "generalized", "group_id": True}))


@pytest.mark.parametrize("width", [25, 70])
def test_a_lattice_too_large_to_search_is_refused_with_a_remedy(width: int) -> None:
    columns = {f"q{index}": {"role": "quasi"} for index in range(width)}
    people = pl.DataFrame({name: ["x", "y", "x", "y"] for name in columns})
    document = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}], "partition": {"method": "lattice"}}
    with pytest.raises(sf.Refused, match="mondrian"):
        sf.publish(people, policy=document)
