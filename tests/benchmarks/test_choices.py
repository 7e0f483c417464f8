"""`python -m benchmarks.choices`: what is stored says what the page says, and a table measured again keeps to it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

import pytest

from benchmarks.choices.run import METHODS, Choice, measured_here
from benchmarks.choices.show import markdown, stored
from benchmarks.choices.tables import PROMISES, TABLES


def test_auto_loses_no_more_than_any_single_method() -> None:
    cells = groupby(stored(), key=lambda each: (each.table, each.promise))
    seen = set()
    for cell, choices in cells:
        found = {each.method: each for each in choices}
        assert {*found} == {*METHODS}
        mine = found["auto"].loss
        assert mine is not None
        for each in found.values():
            assert each.loss is None or mine <= each.loss + 1e-9, (cell, each.method)
            assert each.loss is not None or each.told in ("refused", "none found", "too long")
        seen.add(cell)
    assert seen <= {(table, promise) for table in TABLES for promise in PROMISES}


def test_the_page_shows_what_auto_kept() -> None:
    told = "auto ran 2 methods (9 different rows, budget normal): mondrian with polish loses 0.5000; boxes with polish"
    told += " loses 0.2500. It kept boxes with polish, the least"
    every = [Choice("CMC", "k = 5", name, None, 0.0, "refused") for name in METHODS if name not in ("auto", "boxes")]
    every += [Choice("CMC", "k = 5", "auto", 0.25, 7.04, told), Choice("CMC", "k = 5", "boxes", None, 9.0, "too long")]
    ((_, (head, (line,))),) = markdown(every).items()
    shown = dict(zip(head, line, strict=True))
    assert shown["auto"] == "**0.2500**" and shown["CPU s"] == "7.0" and shown["it kept"] == "boxes with polish"
    assert shown["boxes"] == "too long" and shown["mondrian"] == "–"
    alone = "auto ran mondrian (relaxed) with polish (9 different rows, budget quick)"
    ((_, (head, (line,))),) = markdown([*every[:-2], Choice("CMC", "k = 5", "auto", 0.5, 1, alone), every[-1]]).items()
    assert dict(zip(head, line, strict=True))["it kept"] == "mondrian (relaxed) with polish"


@pytest.mark.data
def test_a_table_measured_again(real: Callable[[Callable[[], Any]], Any]) -> None:
    assert real(TABLES["CMC"]).frame.height == 1473
    found = {each.method: each for each in measured_here("CMC", "entropy 3", ["auto", "mondrian", "hilbert, polish"])}
    losses = [each.loss for each in found.values()]
    assert None not in losses and found["auto"].loss == min(loss for loss in losses if loss is not None)
    assert "It kept" in found["auto"].told
