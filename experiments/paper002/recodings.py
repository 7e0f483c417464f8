"""Why Table 5's column of Incognito differs: how large groups are in all minimal recodings, not in one alone."""

from __future__ import annotations

from collections.abc import Sequence

import sfumato as sf
from experiments.contract import Claim, Experiment, Found, Row, Verdict, grid
from experiments.paper001.homogeneity import owners
from experiments.paper002.data import DIVERSITIES, People, people
from sfumato.policy.promises import DistinctL

__all__ = ["RECODINGS"]

_PRINTED = dict(zip(DIVERSITIES, (471, 471, 628, 942, 1005, 1005), strict=True))


def measure(data: People, settings: Row) -> Sequence[Row]:
    """How many recodings are minimal, and the smallest and the largest mean size of groups in one."""
    table = data.trees.table
    nodes = sf.lattice(table, DistinctL(int(settings["l"] or 0))).minimal
    sizes = [table.rows / (int(owners(data.trees.coded, node).max()) + 1) for node in nodes]
    return [{"minimal": len(nodes), "smallest": round(min(sizes), 4), "largest": round(max(sizes), 4)}]


def _wide(found: Found) -> Verdict:
    """Which minimal recoding is taken decides more than a factor of five, and what is printed is near the smallest."""
    ends = {l: (found.at("smallest", {"l": l}), found.at("largest", {"l": l})) for l in DIVERSITIES}
    told = ", ".join(f"{low:,.0f} to {high:,.0f} at {l}, printed {_PRINTED[l]:,}" for l, (low, high) in ends.items())
    fine = all(high >= 5 * low and 0.75 * low <= _PRINTED[l] <= high for l, (low, high) in ends.items())
    return Verdict(fine, told)


RECODINGS = Experiment(
    paper="002",
    name="recodings",
    title="rows per group of all minimal recodings for distinct l",
    points=grid({"l": DIVERSITIES}),
    quick=grid({"l": [2]}),
    prepare=people,
    measure=measure,
    claims=(
        Claim(
            "table5",
            "ours: sizes of minimal recodings differ more than five times; those printed are near the smallest",
            _wide,
        ),
    ),
)
