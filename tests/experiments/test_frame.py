"""The frame of the experiments on a toy: points are kept, results read back, pictures drawn, claims judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from experiments import __main__ as command
from experiments import results
from experiments.contract import Chart, Claim, Experiment, Found, Printed, Row, Surface, Verdict, grid
from experiments.drawing import drawn
from experiments.judging import amiss, claim_lines, number_lines, table_of
from experiments.points import PointCache, computed
from experiments.results import disagreements, load, picture, save
from experiments.scales import Scale
from experiments.shapes import Line, all_of, below, falls, number, rises, share
from experiments.shapes import alike as alike_lines

ROWS: tuple[Row, ...] = ({"x": 1, "who": "a", "y": 2.0}, {"x": 2, "who": "a", "y": 4.0}, {"x": 1, "who": "b", "y": 2.5})
FOUND = Found((*ROWS, {"x": 2, "who": "b", "y": 3.0}))


def squared(data: int, settings: Row) -> Sequence[Row]:
    return [{"square": float(settings["x"] or 0) ** 2 + data}]


TOY = Experiment(
    paper="999",
    name="fig1",
    title="squares",
    points=grid({"x": [1, 2, 3]}),
    quick=grid({"x": [2]}),
    prepare=lambda: 0,
    measure=squared,
    charts=(Chart("fig1", "Squares", "x", "x", "square", "x²", "x"),),
    printed=(Printed("the square of 3", 9, number("square", {"x": 3})),),
    claims=(Claim("fig1", "squares rise", rises(Line("square", "x", {}))),),
)


def quiet(done: int, points: int, settings: Row) -> None:
    """Tells nobody."""


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    cache, seen = PointCache(tmp_path), list[Row]()

    def stopping(data: int, settings: Row) -> Sequence[Row]:
        if settings["x"] == 3 and len(seen) == 2:
            raise KeyboardInterrupt
        seen.append(settings)
        return squared(data, settings)

    toy = replace(TOY, measure=stopping)
    with pytest.raises(KeyboardInterrupt):
        computed(toy, toy.points, cache, fresh=False, told=quiet)
    seen.append({})  # not stopped again
    found = computed(toy, toy.points, cache, fresh=False, told=quiet)
    assert [row["x"] for row in seen if row] == [1, 2, 3]
    assert found.line("square", "x", {}) == {1: 1, 2: 4, 3: 9}
    computed(toy, toy.points, cache, fresh=True, told=quiet)
    assert len(seen) == 7


def test_nothing_is_prepared_where_all_is_kept(tmp_path: Path) -> None:
    cache = PointCache(tmp_path)
    computed(TOY, TOY.points, cache, fresh=False, told=quiet)
    computed(replace(TOY, prepare=lambda: pytest.fail("prepared")), TOY.points, cache, fresh=False, told=quiet)


def test_results_are_read_back_the_same(tmp_path: Path) -> None:
    odd = Found(({"x": 0.1, "who": "a, b", "y": None}, {"x": 10**9, "who": "c", "y": 1 / 3}))
    toy = replace(TOY, charts=())
    (file,) = save(toy, odd, tmp_path)
    assert file == tmp_path / "999" / "fig1.csv"
    assert load(toy, tmp_path) == odd
    assert load(replace(toy, name="fig2"), tmp_path) is None


def test_a_run_is_compared_point_by_point() -> None:
    stored = computed(TOY, TOY.points, None, fresh=True, told=quiet)
    same = computed(TOY, TOY.quick, None, fresh=True, told=quiet)
    assert not [*disagreements(TOY, same, stored)]
    other = computed(replace(TOY, prepare=lambda: 1), TOY.quick, None, fresh=True, told=quiet)
    (fault,) = disagreements(TOY, other, stored)
    assert "999 fig1" in fault and "'x': 2" in fault
    assert [*disagreements(TOY, same, Found(stored.rows[:1]))]


def test_pictures_have_axes_a_legend_and_their_numbers() -> None:
    chart = Chart("p", "A picture", "x", "rows", "y", "loss", "who", published={"a": {1: 2.2}}, words={"b": "Bob"})
    text = drawn(chart, FOUND)
    root = ElementTree.fromstring(text)
    words = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"A picture", "rows", "loss", "a", "Bob", "a, as printed", "1", "2", "0", "4"} <= {*words}
    assert len([*root.iter("{http://www.w3.org/2000/svg}circle")]) == 4 + 2  # dots, and those of the legend
    assert "Bob: 1 2.5, 2 3" in text


def test_a_line_is_broken_where_a_scale_of_powers_has_no_place() -> None:
    rows: tuple[Row, ...] = tuple({"x": x, "who": "a", "y": y} for x, y in enumerate((1.0, 10.0, 0.0, 100.0, 10.0)))
    root = ElementTree.fromstring(drawn(Chart("p", "t", "x", "x", "y", "y", "who", log=True), Found(rows)))
    kinds = [each.get("class") for each in root.iter("{http://www.w3.org/2000/svg}line")]
    assert kinds.count("l0") == 2 + 1  # two parts, and that of the legend
    labels = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"1", "10", "100"} <= {*labels}
    large = Found(tuple({"x": x, "who": "a", "y": x * 500_000} for x in range(4)))
    assert "1,000,000" in drawn(Chart("p", "t", "x", "x", "y", "y", "who"), large)


def test_surfaces_have_a_panel_for_each_method_and_a_figure_in_each_cell() -> None:
    rows: list[Row] = [
        {"l": l, "tau": tau, "who": who, "z": l * tau} for who in "ab" for l in (2, 3) for tau in (0.5, 0.7)
    ]
    last: Row = {**rows[-1], "z": None}
    found = Found((*rows[:-1], last))
    chart = Surface("p", "A surface", "l", "l asked for", "tau", "τ", "z", "what is lost", "who")
    text = picture(chart, found)
    words = [each.text for each in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}text")]
    assert {"A surface", "ℓ asked for", "τ", "a", "b", "2", "3", "0.5", "0.7", "1.4", "–"} <= {*words}
    assert words.count("1.0") == 2 and "what is lost:  1.0" in words  # 2 · 0.5 of both
    assert "b: 2 0.5 1, 2 0.7 1.4, 3 0.5 1.5, 3 0.7 none" in text
    head, lines = table_of(chart, found)
    assert head == ["who", "τ", "l = 2", "l = 3"] and lines[-1] == ["b", "0.7", "1.4", "–"]


def test_scales_reach_around_their_values() -> None:
    plain = Scale.of([0.2, 0.93], 300, 0)
    assert plain.marks == (0, 0.2, 0.4, 0.6, 0.8, 1.0)
    assert (plain(0), plain(1), plain(0.5)) == (300, 0, 150)
    powers = Scale.of([3, 450], 0, 30, log=True)
    assert powers.marks == (1, 10, 100, 1000)
    assert powers(10) == pytest.approx(10) and not powers.shows(0)


def test_shapes_hold_and_fail_with_evidence() -> None:
    a, b = Line("y", "x", {"who": "a"}), Line("y", "x", {"who": "b"})
    assert rises(a)(FOUND) == Verdict(True, "a: 2 at 1 to 4 at 2")
    assert falls(a)(FOUND) == Verdict(False, "a: 2 at 1 to 4 at 2; not so at 2")
    assert below(a, b)(FOUND) == Verdict(False, "a below b at 1 of 2: 2 against 2.5 at 1, 4 against 3 at 2")
    assert not all_of(rises(a), falls(a))(FOUND).holds
    assert alike_lines(a, b, within=0.25)(FOUND).holds and not alike_lines(a, b, within=0.2)(FOUND).holds
    assert share("y", {"who": "b", "x": 2}, {"who": "a", "x": 2})(FOUND) == 0.75
    with pytest.raises(LookupError):
        rises(Line("y", "x", {"who": "nobody"}))(FOUND)


def test_numbers_claims_and_tables_as_lines() -> None:
    found = computed(TOY, TOY.points, None, fresh=True, told=quiet)
    assert [*number_lines(TOY, found)] == [["fig1: the square of 3", "9", "9", "none", ""]]
    assert [*claim_lines(TOY, found)] == [["fig1", "squares rise", "holds", ": 1 at 1 to 9 at 3"]]
    head, lines = table_of(TOY.charts[0], found)
    assert head == ["x", "1", "2", "3"] and lines[1] == ["2", "–", "4", "–"]
    assert not [*amiss(TOY, found)]


def test_a_difference_wants_a_reason_and_a_contradiction_must_be_one() -> None:
    found = computed(TOY, TOY.points, None, fresh=True, told=quiet)
    off = Printed("the square of 3", 8, number("square", {"x": 3}))
    assert next(number_lines(replace(TOY, printed=(off,)), found))[3] == "+1 (+12.5%)"
    assert len([*amiss(replace(TOY, printed=(off,)), found)]) == 1
    assert not [*amiss(replace(TOY, printed=(replace(off, reason="it was 9"),)), found)]
    never = replace(off, ours=None)
    assert next(number_lines(replace(TOY, printed=(never,)), found))[2:4] == ["–", "not computed"]
    assert len([*amiss(replace(TOY, printed=(never,)), found)]) == 1
    assert not [*amiss(replace(TOY, printed=(replace(never, reason="no data"),)), found)]
    wrong = Claim("fig1", "squares fall", falls(Line("square", "x", {})))
    assert len([*amiss(replace(TOY, claims=(wrong,)), found)]) == 1
    assert not [*amiss(replace(TOY, claims=(replace(wrong, contradicted="they rise"),)), found)]
    assert len([*amiss(replace(TOY, claims=(replace(TOY.claims[0], contradicted="no"),)), found)]) == 1


def test_the_command_runs_writes_and_judges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = tmp_path / "stored"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "EXPERIMENTS", (TOY, replace(TOY, name="fig2", timed=True)))
    monkeypatch.setattr(command, "STORED", stored)
    monkeypatch.setattr(results, "STORED", stored)
    assert command.main(["999", "fig1", "--save"]) == 0
    told = capsys.readouterr()
    assert "squares rise" in told.out and "0/3  x 1" in told.err
    assert {path.name for path in (stored / "999").iterdir()} == {"fig1.csv", "fig1.svg"}
    assert command.main(["999"]) == 0
    assert "0/3" not in capsys.readouterr().err  # kept
    assert (tmp_path / "build" / "experiments" / "results" / "999" / "fig1.csv").exists()
    assert command.main(["999", "fig2"]) == 2
    assert "--times" in capsys.readouterr().err
    assert command.main(["999", "fig3"]) == 2 and command.main(["998"]) == 2


def test_a_quick_run_finds_out_that_results_are_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "EXPERIMENTS", (TOY,))
    monkeypatch.setattr(command, "load", lambda each: load(each, tmp_path))
    save(TOY, computed(TOY, TOY.points, None, fresh=True, told=quiet), tmp_path)
    assert command.main(["--quick"]) == 0
    monkeypatch.setattr(command, "EXPERIMENTS", (replace(TOY, prepare=lambda: 1),))
    assert command.main(["--quick"]) == 1
    assert "stored is" in capsys.readouterr().err
