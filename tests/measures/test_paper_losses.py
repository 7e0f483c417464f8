"""Measures of loss on tables of the papers and on others worked out by hand, and beside ARX's own figures."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from tests.support.golden import golden

BSGI, TAU = golden("bsgi"), golden("tau_l")

CLASSES: dict[str, Any] = {
    "columns": {
        "gender": {"role": "quasi"},
        "postcode": {"role": "quasi", "hierarchy": {"tree": {"1007*": ["10075", "10076", "10077"]}}},
        "age": {"role": "quasi", "type": "integer"},
        "illness": {"role": "sensitive"},
    },
    "privacy": [{"model": "simple-l", "l": 2}],
}


def shown(groups: list[list[int]]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """002's rows, as they are and as their groups show them."""
    rows = [(*row, ill) for row, ill in zip(BSGI["rows"], BSGI["sensitive"], strict=True)]
    names, order = (*BSGI["quasi"], "illness"), [row for group in groups for row in group]
    original = pl.DataFrame([rows[row] for row in order], names, orient="row")
    made = []
    for group in groups:
        genders, codes, ages = ({rows[row][at] for row in group} for at in range(3))
        gender = "*" if len(genders) > 1 else min(genders)
        postcode = "1007*" if len(codes) > 1 else min(codes)
        age = f"[{min(ages)}, {max(ages)}]" if len(ages) > 1 else str(min(ages))
        made += [(gender, postcode, age, rows[row][3]) for row in group]
    return original, pl.DataFrame(made, names, orient="row")


def measured(table: object, policy: Any, original: object, *only: Any) -> sf.Measured:
    return sf.measure(table, policy, original=original, only=only)


@pytest.mark.parametrize("number", ["3", "4"])
def test_the_sums_of_bsgi(number: str) -> None:
    """002, Tables 3 and 4: NCP is 7 and 59/6; the mean over cells is what others call GCP."""
    groups = BSGI[f"table{number}_groups"]
    original, table = shown(groups)
    found = measured(table, CLASSES, original, "ncp", "il")
    total, rows = Fraction(BSGI[f"ncp_table{number}"]), sum(map(len, groups))
    assert found["ncp"].details["sum over rows and columns"] == pytest.approx(float(total))
    assert found["ncp"].value == pytest.approx(float(total / (3 * rows)))
    assert found["il"].value == pytest.approx(float(total)), "in trees of one level leaves are counted alike"
    assert sum(found["il"].columns.values()) == pytest.approx(float(total))


def test_weights_of_columns() -> None:
    """Gender loses 1 in four of six rows, postcode in two, age 1/3 in two and 1/6 in two."""
    original, table = shown(BSGI["table3_groups"])
    columns = measured(table, CLASSES, original, "ncp")["ncp"].columns
    assert columns == pytest.approx({"gender": 4 / 6, "postcode": 2 / 6, "age": 1 / 6})
    heavy = {"gender": 2, "age": 0}
    figure = measured(table, CLASSES, original, {"measure": "ncp", "weights": heavy})["ncp"]
    assert figure.value == pytest.approx((2 * 4 + 2) / 6 / 3)
    loss = measured(table, CLASSES, original, {"measure": "loss", "weights": heavy})["loss"]
    assert 1 + loss.value == pytest.approx(((1 + 4 / 6) ** 2 * (1 + 2 / 6)) ** (1 / 3))
    assert measured(table, {**CLASSES, "loss": {"weights": heavy}}, original, "ncp")["ncp"].value == figure.value
    for wrong in ({"gender": -1}, {"gender": "x"}, {"other": 1}, 3):
        with pytest.raises(sf.InputError, match="weight"):
            measured(table, CLASSES, original, {"measure": "ncp", "weights": wrong})


TREE = {"Europe": {"north": ["dk", "se"], "south": ["es", "it", "pt"]}, "Asia": ["in", "jp"]}
LANDS: dict[str, Any] = {
    "columns": {"land": {"role": "quasi", "hierarchy": {"tree": TREE}}, "ill": {"role": "sensitive"}},
    "privacy": [{"model": "k-anonymity", "k": 1}],
}
LAND = pl.DataFrame({"land": ["dk", "se", "es", "in", "jp", "jp"], "ill": list("abcdef")})
ROWS = LAND.with_columns(land=pl.Series(["north", "Europe", "es", "Asia", "*", "jp"]))
"""Of seven leaves: 2, 5, 1, 2, 7 and 1; levels 1, 2, 0, 2 (jp stands one below Asia), 3 and 0 of 3."""


@pytest.mark.parametrize(
    ("measure", "cells"),
    [
        ("ncp", [1 / 6, 4 / 6, 0, 1 / 6, 1, 0]),
        ("loss", [1 / 6, 4 / 6, 0, 1 / 6, 1, 0]),
        ("information-utility", [1 / 2, 1 / 5, 1, 1 / 2, 0, 1]),  # `*` in all quasi-identifiers: suppressed
        ("precision", [1 / 3, 2 / 3, 0, 2 / 3, 1, 0]),
        ("height", [1 / 3, 2 / 3, 0, 2 / 3, 1, 0]),
    ],
)
def test_cells_of_an_uneven_tree(measure: str, cells: list[float]) -> None:
    found = measured(ROWS, LANDS, LAND, measure)[measure]
    assert found.columns["land"] == pytest.approx(sum(cells) / 6)
    if measure == "information-utility":
        assert found.columns["ill"] == pytest.approx(5 / 6)
        assert found.value == pytest.approx((sum(cells) + 5) / 12)
    else:
        assert found.value == pytest.approx(sum(cells) / 6)
    if measure == "height":
        assert found.details["levels climbed, mean of rows"] == pytest.approx(8 / 6)
    if measure == "precision":
        assert found.details["Prec"] == pytest.approx(1 - 8 / 18)


def test_leaves_and_heights_of_il() -> None:
    by_leaves = measured(ROWS, LANDS, LAND, "il")["il"]
    assert by_leaves.value == pytest.approx(2 / 7 + 5 / 7 + 0 + 2 / 7 + 1 + 0)
    assert by_leaves.details["mean of cells"] == pytest.approx(16 / 7 / 6)
    by_height = measured(ROWS, LANDS, LAND, {"measure": "il", "by": "height"})["il"]
    assert by_height.value == pytest.approx(1 / 3 + 2 / 3 + 0 + 1 / 3 + 1 + 0), "one level is below Asia"
    with pytest.raises(sf.InputError, match="by must be leaves or height"):
        measured(ROWS, LANDS, LAND, {"measure": "il", "by": "depth"})


def test_text_without_a_hierarchy_in_il() -> None:
    policy = {**LANDS, "columns": {"land": {"role": "quasi"}, "ill": {"role": "sensitive"}}}
    table = LAND.with_columns(land=pl.Series(["{dk, se}", "{dk, es, se}", "es", "*", "jp", "jp"]))
    assert measured(table, policy, LAND, "il")["il"].value == pytest.approx(2 / 5 + 3 / 5 + 1)
    assert measured(table, policy, LAND, {"measure": "il", "by": "height"})["il"].value == 3
    assert measured(table, policy, LAND, "ncp")["ncp"].value == pytest.approx((1 / 4 + 2 / 4 + 1) / 6)


def test_bits() -> None:
    """Of a a b c: {a, b} costs two a's log2(3/2) each, and b log2 3; nothing at all is 2 log2 2 + 2 log2 4."""
    policy = {**LANDS, "columns": {"q": {"role": "quasi", "hierarchy": {"tree": {"x": ["a", "b"], "y": ["c"]}}}}}
    original = pl.DataFrame({"q": ["a", "a", "b", "c"]})
    found = measured(pl.DataFrame({"q": ["x", "x", "x", "c"]}), policy, original, "non-uniform-entropy")
    bits = 2 * 0.5849625007211562 + 1.5849625007211562
    assert found["non-uniform-entropy"].value == pytest.approx(bits / 6)
    assert found["non-uniform-entropy"].details["bits lost, mean of rows"] == pytest.approx(bits / 4)


def test_suppressed_rows_and_lost_columns_lose_all() -> None:
    """Two rows are left out; a column that is not there says nothing, nor does a cell that fits no value."""
    short = ROWS[:4]
    found = measured(short, LANDS, LAND, "ncp", "il", "information-utility")
    assert found["ncp"].value == pytest.approx((1 / 6 + 4 / 6 + 1 / 6 + 2) / 6)
    assert found["il"].value == pytest.approx(2 / 7 + 5 / 7 + 2 / 7 + 2)
    worth = {"land": (1 / 2 + 1 / 5 + 1 + 1 / 2) / 6, "ill": 4 / 6}
    assert found["information-utility"].columns == pytest.approx(worth)
    assert measured(ROWS.drop("ill"), LANDS, LAND, "information-utility")["information-utility"].columns["ill"] == 0
    strange = ROWS.with_columns(land=pl.Series(["north", "Europe", "es", "Asia", "*", "Africa"]))
    with pytest.warns(sf.SfumatoWarning, match="cells that stand for no value of the original table: 1"):
        assert measured(strange, LANDS, LAND, "ncp")["ncp"].value == pytest.approx(3 / 6)


def test_information_utility_of_figure_3() -> None:
    """000, Example 15: 13 of 36."""
    ages = {"[20,29]": [str(age) for age in range(20, 30)], "[30,39]": [str(age) for age in range(30, 40)]}
    zips = {f"100{ten}*": [f"100{ten}{one}" for one in range(10)] for ten in (0, 1)}
    columns = {
        "age": {"role": "quasi", "hierarchy": {"tree": {"[20,39]": ages}}},
        "zip": {"role": "quasi", "hierarchy": {"tree": {"100**": zips}}},
        "disease": {"role": "sensitive", "hierarchy": {"tree": TAU["disease_tree"]}},
    }
    policy = {"columns": columns, "privacy": [{"model": "tau-l", "tau": "1/2", "l": 3}]}
    rows = [(*row, ill) for row, ill in zip(TAU["rows"], TAU["sa"], strict=True)]
    original = pl.DataFrame(rows, ["age", "zip", "disease"], orient="row")
    told = [(*each["qi"], ill) for each in TAU["fig3_sweep"]["ecs"] for ill in each["sa"]]
    table = pl.DataFrame(told, ["age", "zip", "disease"], orient="row")
    found = measured(table, policy, original, "information-utility")["information-utility"]
    assert found.value == pytest.approx(13 / 36)
    only = {"measure": "information-utility", "weights": {"age": 0, "zip": 0}}
    assert measured(table, policy, original, only)["information-utility"].value == pytest.approx(11 / 12)


ARX = {("distinct-l", 3, 0): 0.5422, ("distinct-l", 3, 1): 0.1539, ("k-anonymity", 5, 0): 0.5916}
"""Loss that ARX 3.9.2 reports of its full-domain releases of Adult, without and with free suppression."""


@pytest.mark.data
@pytest.mark.parametrize(("model", "level", "limit"), ARX)
def test_loss_is_that_of_arx(
    adult_arx: pl.DataFrame, arx_files: dict[str, Path], model: str, level: int, limit: int
) -> None:
    """The opened release of its optimum has the figure that ARX gives for its own."""
    names = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
    names += ["occupation" if model == "k-anonymity" else "salary-class"]
    files = {name: {"file": str(arx_files[name]), "header": True} for name in names}
    columns: dict[str, Any] = {name: {"role": "quasi", "hierarchy": files[name]} for name in names}
    promise: dict[str, Any] = {"model": model, "k": level} if model == "k-anonymity" else {"model": model, "l": level}
    if model != "k-anonymity":
        columns["occupation"] = {"role": "sensitive"}
    frame = adult_arx.select(list(columns)).cast(pl.String)
    policy = {
        "columns": columns,
        "privacy": [promise],
        "partition": {"method": "lattice"},
        "loss": {"metric": "geometric"},
        "suppression": {"limit": limit},
    }
    release = sf.publish(frame, policy=policy, seed=1)
    found = measured(release.table, policy, frame, "loss")["loss"]
    assert found.value == pytest.approx(ARX[model, level, limit], abs=0.00005)
    assert found.value == pytest.approx(release.loss)
