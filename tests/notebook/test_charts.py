"""Pictures: they stand alone, are at most 640 px wide, and their numbers are those of the result."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest

import sfumato as sf
from sfumato.reports.wording import Wording
from tests.notebook.results import DISEASES, FRAME, POLICY, SECRET, results
from tests.notebook.test_cards import DRAWN

SVG = "{http://www.w3.org/2000/svg}"


def charts() -> dict[str, sf.Chart]:
    release = results()["Release"]
    return {
        "sizes": release.plot.sizes(),
        "losses": release.plot.losses(),
        "shares": release.plot.shares(),
        "nodes": results()["LatticeMap"].plot.nodes(),
        "tradeoff": results()["Compared"].plot.tradeoff(),
    }


@pytest.mark.parametrize("name", ["sizes", "losses", "shares", "nodes", "tradeoff"])
def test_a_picture_stands_alone(name: str, tmp_path: Path) -> None:
    chart = charts()[name]
    root = ElementTree.fromstring(chart.save(tmp_path / "a.svg").read_text(encoding="utf-8"))
    assert root.tag == f"{SVG}svg" and float(root.get("width", "")) <= 640 and chart.picture.width <= 640
    assert chart._repr_svg_() == chart.svg and "<svg" in chart._repr_html_()
    inner = [each for each in root.iter(f"{SVG}svg") if each.get("role") == "img"][1]
    title, told = inner.find(f"{SVG}title"), inner.find(f"{SVG}desc")
    assert title is not None and title.text and told is not None and told.text
    colours = {"fill", "stroke", "style", "onclick", "href"}
    assert not [each.tag for each in root.iter() if colours & {*each.attrib}]
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= DRAWN | {"style"}
    assert "prefers-color-scheme: dark" in chart.svg and repr(chart) == f"<Chart: {chart.title}>"


def test_their_numbers_are_those_of_the_result() -> None:
    release, words = results()["Release"], Wording.of("en")
    losses = charts()["losses"].svg
    for each in release.lost.quasi.values():
        assert words.percent(each.loss) in losses
    sizes = sf.report(release, measures=(), adversaries=()).facts.sizes
    for each in sizes:
        assert words.percent(each.after) in charts()["sizes"].svg
    assert "25 %" in charts()["shares"].svg and f"“{SECRET}”" in charts()["shares"].title
    assert "&lt;b&gt;flu&lt;/b&gt;" in charts()["shares"].svg and len(DISEASES) == 4


def test_what_cannot_be_drawn_or_saved_is_said(tmp_path: Path) -> None:
    plots = results()["Release"].plot
    with pytest.raises(sf.InputError, match="which column: "):
        plots.shares("nothing")
    with pytest.raises(sf.InputError, match=r"a picture ends with \.svg"):
        plots.losses().save(tmp_path / "a.png")
    assert not [*tmp_path.iterdir()]
    frame = FRAME.with_columns((pl.col("age") % 3).cast(pl.String).alias("ward"))
    policy = {**POLICY, "columns": {**POLICY["columns"], "ward": {"role": "sensitive"}}}
    two = sf.publish(frame, sf.DistinctL(2, on="ward") & sf.DistinctL(2, on=SECRET), policy=policy, seed=1)
    with pytest.raises(sf.InputError, match=r"which column: .*ward"):
        two.plot.shares()
    assert "“ward”" in two.plot.shares("ward").title
