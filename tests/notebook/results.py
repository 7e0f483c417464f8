"""One small result of each kind, of a table whose names are as hostile as can be."""

from __future__ import annotations

from functools import cache
from typing import Any

import polars as pl

import sfumato as sf

__all__ = ["CODES", "FRAME", "POLICY", "QUASI", "SECRET", "results"]

QUASI, SECRET = '"><img src=x onerror=alert(1)>', "</style><script>alert(2)</script>"
CODES = [f"code{place:03}" for place in range(40)]
DISEASES = ["<b>flu</b>", "gout", "cancer", "asthma"]
FRAME = pl.DataFrame(
    {
        "name": [f"Person{place}" for place in range(40)],
        QUASI: CODES,
        "age": [20 + place * 37 % 41 for place in range(40)],
        SECRET: [DISEASES[place % 4] for place in range(40)],
    }
)
COLUMNS = {
    "name": {"role": "identifier"},
    QUASI: {"role": "quasi", "hierarchy": {"mask": "right"}},
    "age": {"role": "quasi", "type": "integer"},
    SECRET: {"role": "sensitive"},
}
PROMISES = [{"model": "k-anonymity", "k": 4}, {"model": "distinct-l", "l": 2}]
POLICY: dict[str, Any] = {"columns": COLUMNS, "privacy": PROMISES, "partition": {"method": "mondrian"}}


@cache
def results() -> dict[str, Any]:
    """By the name of the class."""
    release = sf.publish(FRAME, policy=POLICY, seed=1)
    measured = sf.measure(release, only=["ncp", "average-class-size", "belief-change", "risk"])
    ways = (
        sf.Tried(
            "mondrian", "kept", loss=0.2, overall=0.2, matches=0.25, suppressed=0, groups=9, seconds=0.1, memory=90.0
        ),
        sf.Tried(
            "lattice", "kept", loss=0.5, overall=0.5, matches=0.3, suppressed=0, groups=3, seconds=0.1, memory=90.0
        ),
        sf.Tried("anatomy", "refused", reason=f"no: {SECRET}"),
    )
    found: list[Any] = [
        release,
        release.source,
        release.source.policy,
        release.judged(),
        release.judged().criteria[0],
        measured,
        measured.risk,
        measured.measurements[0],
        sf.attack(release, only=["homogeneity", "linking", "bayes"]),
        sf.advise(FRAME, POLICY, seed=1),
        sf.lattice(FRAME, policy=POLICY),
        sf.suggest(FRAME),
        sf.suggest(FRAME)[1],
        sf.report(release, measures=(), adversaries=()),
        sf.Compared("ncp", 40, ways, 0.1),
        ways[0],
        sf.job(FRAME, policy=POLICY, seed=1),
        sf.methods(),
        sf.methods().cells[0],
        sf.build_hierarchy(FRAME, QUASI, {"mask": "right"}),
        next(iter(sf.ready_hierarchies().values())),
    ]
    made = {type(each).__name__: each for each in found}
    return made | {"Attack": made["Attacked"].attacks[0], "ColumnAdvice": made["Advice"].columns[0]}
