"""The lattice within the policy's other limits: columns that must tell something, ties, one value, too many nodes."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import sfumato as sf

METHODS = ["lattice", "incognito"]


def policy(
    *quasi: str, method: str = "lattice", privacy: Any = None, columns: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    roles: dict[str, Any] = {name: {"role": "quasi", **(columns or {}).get(name, {})} for name in quasi}
    return {
        "columns": {**roles, "s": {"role": "sensitive"}},
        "privacy": privacy or [{"model": "k-anonymity", "k": 2}],
        "partition": more.pop("partition", {"method": method}),
        **more,
    }


CROSSED = pl.DataFrame({"a": list("uuvv"), "b": list("xyxy"), "s": list("pqpq")})
"""Either column may be shown when the other is not."""


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("told", ["a", "b"])
def test_a_column_that_must_tell_something_is_not_hidden(method: str, told: str) -> None:
    """By loss alone the two recodings are equal, so without the limit one of them would hide this column."""
    document = policy("a", "b", method=method, suppression={"columns": {told: "1/2"}})
    release = sf.publish(CROSSED, policy=document, seed=1)
    assert release.levels[told] == (0, 1)
    found = sf.lattice(CROSSED, policy=document)
    assert found.best == {"a": int(told != "a"), "b": int(told != "b")}
    assert found.bounds == {"a": (0, int(told != "a")), "b": (0, int(told != "b"))} and found.top == {"a": 1, "b": 1}


@pytest.mark.parametrize("method", METHODS)
def test_where_columns_must_tell_too_much_that_is_said(method: str) -> None:
    document = policy("a", "b", method=method, suppression={"columns": {"a": 0, "b": 0}})
    with pytest.raises(sf.NoneFound, match=r"levels are limited by suppression\.columns"):
        sf.publish(CROSSED, policy=document, seed=1)


@pytest.mark.parametrize(
    ("partition", "form"),
    [
        ({"method": "lattice"}, {"publish": "permuted"}),
        ({"method": "lattice", "refine": True}, {"publish": "generalized"}),
    ],
)
def test_what_is_not_shown_needs_no_limit(partition: dict[str, Any], form: dict[str, Any]) -> None:
    """Only with both columns hidden do all groups have two values; neither release shows that recoding."""
    frame = pl.DataFrame({"a": list("uuvv"), "b": list("uuvv"), "s": list("ppqq")})
    document = policy(
        "a",
        "b",
        privacy=[{"model": "distinct-l", "l": 2}],
        partition=partition,
        form=form,
        suppression={"columns": {"a": "1/2", "b": "1/2"}},
    )
    assert sf.publish(frame, policy=document, seed=1).facts()["blank_cells"] == {"a": 0, "b": 0}


def test_a_minimum_that_hides_what_must_tell_is_a_mistake() -> None:
    document = policy(
        "a", "b", partition={"method": "lattice", "minimum": {"a": 1}}, suppression={"columns": {"a": "1/2"}}
    )
    with pytest.raises(sf.InputError, match=r"suppression\.columns\.a does not allow"):
        sf.publish(CROSSED, policy=document, seed=1)


def test_kept_rows_count_among_those_that_say_nothing() -> None:
    """Two of six rows fail at the bottom; kept as `*` they fill a third of every column."""
    frame = pl.DataFrame({"a": list("uuuuvw"), "s": list("pqpqpq")})
    for limit, level in (("1/3", 0), ("1/4", None)):
        document = policy("a", suppression={"limit": "1/3", "keep": True, "columns": {"a": limit}})
        best = sf.lattice(frame, policy=document).best
        assert best == (None if level is None else {"a": level})


def test_the_fewest_rows_to_suppress_are_those_of_the_best_node() -> None:
    """At the bottom 2 of 6 rows fail, elsewhere fewer or all; the search itself need not look at every node."""
    frame = pl.DataFrame({"a": list("uuuuvw"), "b": list("xxxxxy"), "s": list("pqpqpq")})
    document = policy("a", "b", privacy=[{"model": "distinct-l", "l": 3}], suppression={"limit": "0.1"})
    with pytest.raises(sf.NoneFound, match="no higher limit is known to be enough"):
        sf.publish(frame, policy=document, seed=1)
    frame = pl.DataFrame({"a": list("uuuuvw"), "s": list("pppqpp")})
    document = policy("a", privacy=[{"model": "simple-l", "l": "1.5"}], suppression={"limit": "0.1"})
    with pytest.raises(sf.NoneFound, match="no higher limit is known to be enough"):
        sf.publish(frame, policy=document, seed=1)
    frame = pl.DataFrame({"a": list("uuuuvw"), "s": list("ppqqpp")})
    document = policy("a", privacy=[{"model": "simple-l", "l": 2}], suppression={"limit": "0.1"})
    with pytest.raises(sf.NoneFound, match="the fewest are 2 of 6"):
        sf.publish(frame, policy=document, seed=1)
    kept = {**document, "suppression": {"limit": "0.1", "keep": True}}
    with pytest.raises(sf.NoneFound, match="no higher limit is known to be enough"):  # p p is no class of its own
        sf.publish(frame, policy=kept, seed=1)


@pytest.mark.parametrize("metric", ["discernibility", "average-class-size"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("heavy", ["a", "b"])
def test_weights_decide_between_nodes_of_equal_loss(metric: str, method: str, heavy: str) -> None:
    """Both recodings make two classes of two rows: the heavier column stays."""
    document = policy("a", "b", method=method, loss={"metric": metric, "weights": {heavy: 2}})
    release = sf.publish(CROSSED, policy=document, seed=1)
    assert release.levels[heavy] == (0, 1)


NAMES = ("height", "passes", "allowed", "minimal", "suppressed", "classes", "loss", "level of loss")


def test_columns_named_like_facts_keep_their_levels() -> None:
    frame = pl.DataFrame({**{name: list("uuvv") for name in NAMES[-3:]}, "s": list("pqpq")})
    nodes = sf.lattice(frame, policy=policy(*NAMES[-3:])).nodes
    assert nodes.height == 8
    assert set(nodes["level of classes"]) == {0, 1}
    assert nodes["height"].to_list() == nodes.select(pl.sum_horizontal(nodes.columns[:3])).to_series().to_list()
    assert set(nodes["loss"]) != {0, 1}
    assert len(set(nodes.columns)) == nodes.width == 10


@pytest.mark.parametrize("hierarchy", [{}, {"hierarchy": "flat"}])
def test_one_value_has_two_levels_and_nothing_to_lose(hierarchy: dict[str, Any]) -> None:
    frame = pl.DataFrame({"a": ["u"] * 4, "b": list("xxyy"), "s": list("pqpq")})
    for metric, most in (("ncp", 0.5), ("height", 1), ("precision", 0.5)):  # means of two columns; of levels there are
        hidden = policy(
            "a",
            "b",
            columns={"a": hierarchy},
            partition={"method": "lattice", "minimum": {"a": 1}},
            loss={"metric": metric},
        )
        release = sf.publish(frame, policy=hidden, seed=1)
        assert set(release.table["a"]) == {"*"}
        assert release.loss == 0
        assert release.facts()["blank_cells"]["a"] == 4
        both = {**hidden, "partition": {"method": "lattice", "minimum": {"a": 1, "b": 1}}}
        assert sf.publish(frame, policy=both, seed=1).loss == most
    shown = sf.publish(frame, policy=policy("a", "b", columns={"a": hierarchy}), seed=1)
    assert set(shown.table["a"]) == {"u"}
    with pytest.raises(sf.InputError, match=r"there is no level 2; the column has the levels 0 \(as it is\) to 1"):
        sf.publish(
            frame,
            policy=policy("a", "b", columns={"a": hierarchy}, partition={"method": "lattice", "maximum": {"a": 2}}),
            seed=1,
        )


def test_incognito_refuses_what_would_never_end() -> None:
    """Fourteen columns of two levels: 3 to the power of 14 nodes of subsets, while the lattice has 2 to that of 14."""
    names = [f"q{index}" for index in range(14)]
    frame = pl.DataFrame({**{name: list("uuvv") for name in names}, "s": list("pqpq")})
    with pytest.raises(sf.Refused, match=r"4782969 nodes of subsets.*method: lattice"):
        sf.publish(frame, policy=policy(*names, method="incognito"), seed=1)
    assert sf.publish(frame, policy=policy(*names), seed=1).loss == 0


def test_slack_of_another_method_counts_when_looking_around() -> None:
    frame = pl.DataFrame({"a": list("uuvv"), "s": list("pqpq")})
    asked = policy("a", privacy=[{"model": "distinct-l", "l": 2}], partition={"method": "incognito", "slack": 1})
    assert sf.lattice(frame, policy=asked).best is None
    asked["partition"]["slack"] = 0
    assert sf.lattice(frame, policy=asked).best == {"a": 0}
