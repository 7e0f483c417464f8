"""Numbers in the paper's text about the table: its rows, the most frequent value, and the largest l (Corollary 1)."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.contract import Claim, Experiment, Found, Printed, Row, Verdict
from experiments.paper002.data import SENSITIVE, People, people
from experiments.shapes import number

__all__ = ["FACTS"]

_SIZES = {"column": SENSITIVE}


def measure(people: People, settings: Row) -> Sequence[Row]:
    """Rows, rows of the most frequent value, and how many of it fit into all."""
    counts = people.plain.coded[SENSITIVE].counts
    rows, most = int(counts.sum()), int(counts.max())
    return [{"rows": rows, "most": most, "values": int((counts > 0).sum()), "largest_l": rows // most}]


def _between(found: Found) -> Verdict:
    share = found.at("most", _SIZES) / found.at("rows", _SIZES)
    return Verdict(1 / 8 < share < 1 / 7, f"{share:.4f}; 1/8 is {1 / 8:.4f}, 1/7 is {1 / 7:.4f}")


FACTS = Experiment(
    paper="002",
    name="text",
    title="what the text says of the table",
    points=(_SIZES,),
    quick=(_SIZES,),
    prepare=people,
    measure=measure,
    printed=(
        Printed("rows without a missing value", 30162, number("rows", _SIZES)),
        Printed("largest l", 7, number("largest_l", _SIZES)),
    ),
    claims=(Claim("section 6.1", "the most frequent value takes between 1/8 and 1/7", _between),),
)
