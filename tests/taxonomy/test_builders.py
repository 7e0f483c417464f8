"""Hierarchies made from values: intervals, masks, dates, flat, balanced."""

from __future__ import annotations

import math
from datetime import date, timedelta
from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import HierarchyError
from sfumato.taxonomy.balanced import balanced, cut_between, part_between
from sfumato.taxonomy.check import Source
from sfumato.taxonomy.dates import dates
from sfumato.taxonomy.flat import flat
from sfumato.taxonomy.intervals import intervals
from sfumato.taxonomy.masks import LONGEST, masks
from sfumato.taxonomy.notation import read_interval
from sfumato.taxonomy.text import text_of
from sfumato.taxonomy.tree import Taxonomy

F = Fraction


def shown(tree: Taxonomy, level: int) -> list[str]:
    return [tree.labels[node] for node in tree.at_level(level)]


class TestIntervals:
    def test_nested_widths(self) -> None:
        tree = intervals([-1, 0, 4, 5, 19, 20], [F(5), F(10), F(20)])
        assert shown(tree, 1) == ["[-5, 0)", "[0, 5)", "[0, 5)", "[5, 10)", "[15, 20)", "[20, 25)"]
        assert shown(tree, 2) == ["[-10, 0)", "[0, 10)", "[0, 10)", "[0, 10)", "[10, 20)", "[20, 30)"]
        assert shown(tree, 3) == ["[-20, 0)"] + ["[0, 20)"] * 4 + ["[20, 40)"]
        assert shown(tree, 4) == ["*"] * 6

    def test_origin_moves_the_borders(self) -> None:
        tree = intervals([1, 5, 6, 10, 11], [F(5), F(10)], F(1))
        assert shown(tree, 1) == ["[1, 6)", "[1, 6)", "[6, 11)", "[6, 11)", "[11, 16)"]
        assert shown(tree, 2) == ["[1, 11)"] * 4 + ["[11, 21)"]

    def test_decimals_fall_on_the_side_where_they_were_written(self) -> None:
        # In floating point 0.3 // 0.1 is 2.
        tree = intervals([0.1, 0.3, 0.7], [F(1, 10)])
        assert shown(tree, 1) == ["[0.1, 0.2)", "[0.3, 0.4)", "[0.7, 0.8)"]
        assert intervals([1.0], [F(1, 3)]).labels[1] == "[1, 4/3)"

    @pytest.mark.parametrize("widths", [[F(5), F(12)], [F(10), F(5)], [F(5), F(5)], [F(2), F(4), F(6)]])
    def test_widths_that_do_not_nest(self, widths: list[Fraction]) -> None:
        with pytest.raises(HierarchyError, match=r"column 'age': interval width \d+ must be a multiple of \d+"):
            intervals([1, 2], widths, source=Source("age"))

    @given(
        st.sets(st.one_of(st.integers(-(2**60), 2**60), st.floats(-1e6, 1e6)), min_size=1, max_size=20),
        st.fractions(F(1, 50), 50, max_denominator=50),
        st.lists(st.integers(2, 5), max_size=3),
        st.fractions(-5, 5, max_denominator=20),
    )
    @settings(deadline=None)
    def test_every_value_lies_in_its_intervals(
        self, values: set[float], width: Fraction, factors: list[int], origin: Fraction
    ) -> None:
        widths = [width * math.prod(factors[:size]) for size in range(len(factors) + 1)]
        ordered = sorted({value + 0.0 if isinstance(value, float) else value for value in values})
        tree = intervals(ordered, widths, origin)
        assert list(tree.leaves) == [text_of(value) for value in ordered]
        for code, value in enumerate(ordered):
            exact = F(repr(value))
            for label, size in zip(tree.path(code)[1:-1], widths, strict=True):
                interval = read_interval(label)
                assert interval is not None and interval.low is not None and interval.high is not None
                assert exact in interval
                assert interval.high - interval.low == size
                assert ((interval.low - origin) / size).denominator == 1


class TestMasks:
    def test_right(self) -> None:
        tree = masks(["130", "139", "148"], "right")
        assert shown(tree, 1) == ["13*", "13*", "14*"]
        assert shown(tree, 2) == ["1**"] * 3
        assert tree.height == 3

    def test_left(self) -> None:
        tree = masks(["130", "230", "148"], "left")
        assert sorted(tree.leaves) == ["130", "148", "230"]
        assert [tree.path(tree.code_of[value]) for value in ("130", "230", "148")] == [
            ["130", "*30", "**0", "*"],
            ["230", "*30", "**0", "*"],
            ["148", "*48", "**8", "*"],
        ]

    def test_lengths_meet_by_masked_characters(self) -> None:
        tree = masks(["7", "12", "13", "130", "13053"], "right")
        assert shown(tree, 1) == ["7", "1*", "1*", "13*", "1305*"]
        assert shown(tree, 2) == ["**", "**", "**", "1**", "130**"]
        assert shown(tree, 3) == ["***", "***", "***", "***", "13***"]
        assert shown(tree, 4) == ["****"] * 4 + ["1****"]
        assert shown(tree, 5) == ["*"] * 5

    def test_one_character_is_flat(self) -> None:
        assert masks(["f", "m"], "right").labels == ("f", "m", "*")

    def test_a_value_with_a_star(self) -> None:
        with pytest.raises(HierarchyError, match="column 'zip': 1 distinct value contains") as caught:
            masks(["81*77", "81677"], "right", Source("zip"))
        assert "81" not in str(caught.value)

    def test_long_text_is_no_code(self) -> None:
        with pytest.raises(HierarchyError, match="at most 64"):
            masks(["x" * (LONGEST + 1)], "right", Source("note"))

    @given(
        st.sets(st.text(st.sampled_from("01é𝄞\x00"), min_size=1, max_size=5), min_size=1, max_size=25),
        st.sampled_from(["left", "right"]),
    )
    @settings(deadline=None)
    def test_levels_by_definition(self, values: set[str], side: Literal["left", "right"]) -> None:
        tree = masks(sorted(values), side)
        longest = max(map(len, values))
        assert set(tree.leaves) == values
        assert len(set(tree.labels)) == len(tree.labels)
        for masked in range(1, longest):
            for value, label in zip(tree.leaves, shown(tree, masked), strict=True):
                kept = value[:-masked] if side == "right" else value[masked:]
                stars = "*" * masked
                expected = kept + stars if side == "right" else stars + kept
                assert label == (value if masked == 1 == len(value) else expected)


class TestDates:
    DAYS = (date(2023, 12, 31), date(2024, 3, 5), date(2024, 3, 31), date(2024, 4, 1))

    def test_all_units(self) -> None:
        tree = dates(self.DAYS, ["day", "month", "quarter", "year"])
        assert tree.leaves == ("2023-12-31", "2024-03-05", "2024-03-31", "2024-04-01")
        assert shown(tree, 1) == ["2023-12", "2024-03", "2024-03", "2024-04"]
        assert shown(tree, 2) == ["2023-Q4", "2024-Q1", "2024-Q1", "2024-Q2"]
        assert shown(tree, 3) == ["2023", "2024", "2024", "2024"]
        assert tree.height == 4

    def test_some_units(self) -> None:
        assert dates(self.DAYS, ["quarter"]).path(1) == ["2024-03-05", "2024-Q1", "*"]
        assert dates(self.DAYS, ["day"]).path(1) == ["2024-03-05", "*"]
        assert dates([date(987, 1, 2)], ["year"]).path(0) == ["0987-01-02", "0987", "*"]

    @pytest.mark.parametrize("units", [["year", "month"], ["month", "month"], ["quarter", "month"]])
    def test_units_that_do_not_coarsen(self, units: list[str]) -> None:
        with pytest.raises(HierarchyError, match="column 'admitted': unit 'month' must be coarser than"):
            dates(self.DAYS, units, Source("admitted"))


def test_flat() -> None:
    tree = flat(["a", "b"])
    assert (tree.labels, tree.height) == (("a", "b", "*"), 1)


class TestBalanced:
    def test_numbers_at_quantiles_with_round_cuts(self) -> None:
        tree = balanced([18, 22, 31, 64])
        assert shown(tree, 1) == ["(-inf, 30)", "(-inf, 30)", "[30, inf)", "[30, inf)"]

    def test_frequencies_decide(self) -> None:
        # 60 rows of 31 against 1 + 1 + 1: the heavy value stands apart.
        tree = balanced([18, 22, 31, 64], [1, 1, 60, 1])
        assert [tree.labels[child] for child in tree.children[tree.root]] == ["(-inf, 30)", "[30, inf)"]
        assert balanced([1, 2, 3], [98, 1, 1]).as_node().children[0].label == "1"

    def test_fanout(self) -> None:
        tree = balanced(list(range(27)), fanout=3)
        assert tree.height == 3
        assert {len(children) for children in tree.children[tree.size :]} == {3}
        assert len(balanced([1, 2], fanout=5).labels) == 3

    def test_categories_between_neighbours(self) -> None:
        tree = balanced(["angina", "asthma", "flu", "fracture"])
        assert shown(tree, 1) == ["a*", "a*", "f*", "f*"]
        codes = ["249", "250.01", "250.83", "259", "401", "V57"]
        tree = balanced(codes, fanout=3)
        assert shown(tree, 1)[::2] == ["249\u2013250.0", "250.8\u2013259", "4\u2013V"]

    def test_brackets_in_texts_stay_readable(self) -> None:
        tree = balanced(["[0-10)", "[10-20)", "[70-80)", "[80-90)"])
        assert shown(tree, 1)[::2] == ["[0\u2013[1", "[7\u2013[8"]

    def test_a_text_that_begins_the_next_one(self) -> None:
        assert part_between("A", "B", "L", "La") == 'B\u2013"L"'

    def test_values_that_look_like_labels(self) -> None:
        with pytest.raises(HierarchyError, match="column 'name': 2 distinct values contain"):
            balanced(["a", "a*", "b\u2013c"], source=Source("name"))

    def test_dates(self) -> None:
        tree = balanced([date(2023, 5, 5), date(2023, 11, 2), date(2024, 2, 9), date(2024, 3, 1)])
        assert shown(tree, 1)[2] == "[2024-01-01, inf)"

    def test_one_value(self) -> None:
        assert balanced(["x"]).labels == ("x", "*")

    @given(st.integers(-(2**62), 2**62), st.integers(1, 2**20))
    @settings(deadline=None)
    def test_cut_of_integers_is_the_roundest(self, low: int, gap: int) -> None:
        cut = int(cut_between(low, low + gap))
        assert low < cut <= low + gap
        zeros = len(str(cut)) - len(str(cut).rstrip("0")) if cut else 99
        assert not any(low < (low // 10**z + 1) * 10**z <= low + gap for z in range(zeros + 1, 20))

    @given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
    @settings(deadline=None)
    def test_cut_of_floats_separates(self, one: float, two: float) -> None:
        low, high = sorted((one, two))
        if low < high:
            assert F(repr(low)) < F(cut_between(low, high)) <= F(repr(high))

    @given(st.sets(st.text("aAbB1 .[", min_size=1, max_size=5), min_size=2, max_size=12), st.data())
    @settings(deadline=None)
    def test_a_part_of_texts_holds_its_own_and_no_neighbour(self, values: set[str], data: st.DataObject) -> None:
        """Read back by the definition: from what begins with the one to what begins with the other."""
        known = sorted(values)
        start = data.draw(st.integers(0, len(known) - 1))
        stop = data.draw(st.integers(start + 1, len(known)))
        before, after = known[start - 1] if start else None, known[stop] if stop < len(known) else None
        low, dash, high = part_between(before, known[start], known[stop - 1], after).partition("\u2013")
        if not dash:
            inside = [value for value in known if value.startswith(low.removesuffix("*"))]
        elif high.startswith('"'):
            inside = [value for value in known if low <= value <= high[1:-1]]
        else:
            inside = [value for value in known if low <= value and (value <= high or value.startswith(high))]
        near = set(known[:start][-1:]) | set(known[stop:][:1])
        assert set(known[start:stop]) <= set(inside) and not near & set(inside)

    @given(
        st.dictionaries(st.integers(0, 10**6), st.integers(1, 1000), min_size=2, max_size=40),
        st.integers(2, 4),
    )
    @settings(deadline=None)
    def test_parts_are_even_as_far_as_whole_values_allow(self, tally: dict[int, int], fanout: int) -> None:
        values = sorted(tally)
        tree = balanced(values, [tally[value] for value in values], fanout)
        assert tree.leaves == tuple(map(str, values))
        assert len(set(tree.labels)) == len(tree.labels)
        for node in range(tree.size, len(tree.labels)):
            children = tree.children[node]
            assert 2 <= len(children) <= fanout
            if len(children) == 2 == fanout:
                _assert_even(tree, node, [tally[value] for value in values])
            label = read_interval(tree.labels[node])
            below = values[tree.first[node] : tree.last[node] + 1]
            if node != tree.root:
                assert label is not None
                assert [value for value in values if F(value) in label] == below


def _assert_even(tree: Taxonomy, node: int, counts: list[int]) -> None:
    """No other cut in two splits the rows more evenly."""
    low, high = int(tree.first[node]), int(tree.last[node]) + 1
    cut = int(tree.first[tree.children[node][1]])
    uneven = [abs(sum(counts[low:each]) - sum(counts[each:high])) for each in range(low + 1, high)]
    assert uneven[cut - low - 1] == min(uneven)


def test_a_long_series_of_days_builds_whole() -> None:
    days = [date(1990, 1, 1) + timedelta(each) for each in range(2000)]
    assert dates(days, ["month", "year"]).size == 2000
