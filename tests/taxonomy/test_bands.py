"""Values that are intervals themselves, such as ages in bands, in wider intervals."""

from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import HierarchyError
from sfumato.suggestions.suggest import suggest
from sfumato.taxonomy.intervals import bands
from sfumato.taxonomy.notation import read_interval

WAYS = ("[{low}-{high})", "[{low}, {high})", "[{low};{high}[", "{low}-{last}", "{low} \u2013 {last}")


@given(st.integers(1, 12), st.integers(-3, 3), st.sets(st.integers(0, 30), min_size=1), st.sampled_from(WAYS))
def test_every_band_lies_in_what_is_above_it(width: int, origin: int, places: set[int], way: str) -> None:
    lows = [origin + place * width for place in places]
    texts = [way.format(low=low, high=low + width, last=low + width - 1) for low in lows]
    tree = bands(texts, [Fraction(2 * width), Fraction(6 * width)], Fraction(origin))
    assert sorted(tree.leaves) == sorted(texts)
    for text, low in zip(texts, lows, strict=True):
        path = tree.path(tree.code_of[text])
        assert len(path) == 4 and path[-1] == "*"
        for above, wide in zip(path[1:3], (2, 6), strict=True):
            interval = read_interval(above)
            assert interval is not None and interval.low is not None and interval.high is not None
            assert interval.high - interval.low == wide * width
            assert interval.low <= low and low + width <= interval.high


def test_what_lies_across_an_edge_or_has_no_end_is_refused() -> None:
    for texts in (["[0-10)", "[15-25)"], ["0-9", "90+"], ["<10", "10-19"], ["(0, 20]"]):
        with pytest.raises(HierarchyError, match=r"1 of . intervals do not lie within one of width 20"):
            bands(texts, [Fraction(20)])
    with pytest.raises(HierarchyError, match="1 of 2 distinct values are no intervals") as caught:
        bands(["0-9", "secret"], [Fraction(20)])
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("values", "hierarchy"),
    [
        (["[0-10)", "[10-20)", "[50-60)"], {"intervals": [20, 40]}),
        (["20-29", "30-39"], {"intervals": [20, 40]}),
        (["18-22", "23-27", "28-32"], {"intervals": [10, 20], "origin": 3}),
        (["[0, 0.5)", "[1, 1.5)"], {"intervals": [1, 2]}),
        (["0-17", "18-64", "65+"], None),  # of unequal width
        (["[0-10)", "[5-15)"], None),  # one upon the other
        (["[0-10)", "teens"], None),
    ],
)
def test_a_hierarchy_is_suggested_that_takes_the_values(values: list[str], hierarchy: object) -> None:
    (found,) = suggest(pl.DataFrame({"age": values * 20}))
    assert (found.role, found.type, found.hierarchy) == ("quasi", "text", hierarchy)
    if found.hierarchy is not None and found.hierarchy != "flat":
        widths = found.hierarchy["intervals"]
        assert isinstance(widths, list)
        origin = Fraction(str(found.hierarchy.get("origin", 0)))
        assert bands(sorted(values), [Fraction(width) for width in widths], origin).height == 3
