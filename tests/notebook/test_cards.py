"""Cards hold what was found, nothing of the original's rows, and no markup that is not ours."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest

import sfumato as sf
from sfumato.notebook.cards import CARDS
from sfumato.reports.wording import Wording
from tests.notebook.results import CODES, FRAME, POLICY, QUASI, SECRET, results

SHOWN = sorted({*CARDS} - {"Written"})
ELEMENTS = {"div", "style", "strong", "p", "h2", "ul", "li", "span", "code", "br", "figure", "figcaption"}
ELEMENTS |= {"table", "thead", "tbody", "tr", "th", "td"}
DRAWN = {"svg", "title", "desc", "rect", "circle", "line", "text"}


def parsed(fragment: str) -> ElementTree.Element:
    """A fragment as elements; `ParseError` where one does not end."""
    return ElementTree.fromstring(fragment.replace("<br>", "<br/>"))


@pytest.mark.parametrize("name", SHOWN)
def test_a_card_is_ours_and_inert_whatever_names_are(name: str) -> None:
    text = results()[name]._repr_html_()
    card = parsed(text)
    assert {each.tag for each in card.iter()} <= ELEMENTS | DRAWN
    attributes = {key for each in card.iter() for key in each.attrib}
    assert not {key for key in attributes if key.startswith("on") or key in ("src", "href", "style")}
    assert not re.search(r"https?:|url\(|@import", text)
    assert card.get("class") == "sfumato" and len(text) < 30_000


@pytest.mark.parametrize("name", [each for each in SHOWN if each not in ("Suggestions", "Suggestion")])
def test_no_card_holds_a_row_of_the_original(name: str) -> None:
    text = results()[name]._repr_html_()
    assert not [value for value in (*CODES, *FRAME["name"], "gout", "flu") if value in text]


def test_a_release_says_what_is_promised_reached_and_lost() -> None:
    release = results()["Release"]
    said = " ".join(parsed(release._repr_html_()).itertext())
    audit, words = release.judged(), Wording.of("en")
    assert "every criterion is met" in said and "k-anonymity (k=4)" in said
    assert f"40 of 40 rows published · {audit.groups} groups · left out to keep the promise: 0" in said
    for each in release.lost.quasi.values():
        assert words.percent(each.loss) in said
    assert QUASI[:15] in said and SECRET in said


def test_a_failure_never_looks_met() -> None:
    greedy = {**POLICY, "privacy": [{"model": "k-anonymity", "k": 41}, {"model": "t-closeness", "t": "1/2"}]}
    audit = sf.audit(results()["Release"].table, greedy)
    said = " ".join(parsed(audit._repr_html_()).itertext())
    assert "✗ not every criterion is met" in said and "✗ fails" in said and "? undecidable" in said and "✓" not in said
    close = sf.audit(results()["Release"].table, {**greedy, "privacy": greedy["privacy"][1:]})
    assert "verdict open" in close._repr_html_()
    with pytest.raises(sf.Infeasible):
        sf.publish(FRAME, policy=greedy, seed=1)
    advice = sf.advise(FRAME, {**POLICY, "privacy": [{"model": "k-anonymity", "k": 41}]}, seed=1)
    assert "✗ this policy" in advice._repr_html_() and "nearest promise" in advice._repr_html_()


def test_what_was_written_names_its_files(tmp_path: Path) -> None:
    written = results()["Release"].write(tmp_path / "out")
    said = " ".join(parsed(written._repr_html_()).itertext())
    assert "release.json" in said and "do not hand it on" in said
    assert repr(written) == "<Written: 2 files and out.internal.json; every criterion is met>"


def test_a_release_with_exact_values_says_what_is_lost_instead() -> None:
    policy = {**POLICY, "privacy": [{"model": "distinct-l", "l": 2}], "form": {"publish": "permuted"}}
    release = sf.publish(FRAME, policy=policy, seed=1)
    said = " ".join(parsed(release._repr_html_()).itertext())
    assert "whose secret is whose" in said and "GLP" in said
    assert release.plot.sizes().title != results()["Release"].plot.sizes().title


def test_little_that_is_left_is_said_first() -> None:
    policy = {**POLICY, "privacy": [{"model": "k-anonymity", "k": 40}]}
    said = " ".join(parsed(sf.publish(FRAME, policy=policy, seed=1)._repr_html_()).itertext())
    assert said.index("Little is left") < said.index("k-anonymity (k=40)")


def test_a_lattice_is_drawn_where_it_can_be_read_and_listed_else() -> None:
    small = results()["LatticeMap"]
    drawn = parsed(small._repr_html_())
    boxes = [each for each in drawn.iter("rect") if each.get("class", "").startswith("node") and len(each)]
    kinds = [each.get("class", "") for each in boxes]
    assert len(boxes) == small.count == small.nodes.height
    assert sum("best" in kind for kind in kinds) == 1
    assert sum("passes" in kind for kind in kinds) == small.nodes["passes"].sum()
    assert sum("minimal" in kind for kind in kinds) == len(small.minimal)
    assert "★ " + ",".join(map(str, small.best.values())) in " ".join(drawn.itertext())
    wide = FRAME.with_columns(pl.lit(place).alias(f"c{place}") + pl.col("age") % 2 for place in range(6))
    more = {f"c{place}": {"role": "quasi", "type": "integer"} for place in range(6)}
    large = sf.lattice(wide, policy={**POLICY, "columns": {**POLICY["columns"], **more}})
    listed = parsed(large._repr_html_())
    assert not [*listed.iter("rect")] and "too many recodings to draw" in " ".join(listed.itertext())
    with pytest.raises(sf.InputError, match="too many to draw"):
        large.plot.nodes()
    nothing = sf.lattice(FRAME, sf.KAnonymity(41), policy=POLICY)
    assert "✗ No recoding keeps the promise" in nothing._repr_html_()
