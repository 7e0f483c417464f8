"""``python -m benchmarks.learnt``: five methods on Adult under one promise, with every measure and every adversary.

Who loses what, and who gives away what: each release is audited, measured and attacked as a user would do it, with the
table that it was made from. The same seed gives the same figures.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Shown

import sfumato as sf
from benchmarks.adult import adult
from benchmarks.contract import Rows
from benchmarks.endtoend import frame_of

__all__ = ["WAYS", "head", "lines", "main", "stored", "tried"]

STORED = Path(__file__).with_name("learnt.json")
PROMISE = {"model": "simple-l", "l": 3}
WAYS: Mapping[str, Mapping[str, Any]] = {
    "lattice": {"partition": {"method": "lattice"}, "form": {"publish": "generalized"}},
    "mondrian": {"partition": {"method": "mondrian"}, "form": {"publish": "generalized"}},
    "boxes": {"partition": {"method": "boxes"}, "form": {"publish": "generalized"}},
    "bsgi": {"partition": {"method": "bsgi"}, "form": {"publish": "generalized"}},
    "arp, anatomized": {"partition": {"method": "arp"}, "form": {"publish": "anatomized"}},
}
_SEED = 1

Way = dict[str, Any]
"""What was found of one way: figures by measure, and by adversary people exposed and guesses right."""


def tried(names: Sequence[str]) -> Iterator[tuple[str, Way]]:
    """Every way, one after the other."""
    table, document = adult()
    frame = frame_of(Rows.of_tuples(table))
    for name in names:
        policy = {**document, "privacy": [PROMISE], **WAYS[name]}
        release = sf.publish(frame, policy=policy, seed=_SEED)
        measured, attacked = sf.measure(release, seed=_SEED), sf.attack(release, seed=_SEED)
        figures = {
            each.name: each.lacks if each.figure is None else each.figure.value for each in measured.measurements
        }
        learnt = {each.name: each.lacks or [_learnt(found) for found in each.exposures] for each in attacked.attacks}
        yield name, {"rows": measured.rows, "measures": figures, "adversaries": learnt}


def _learnt(found: sf.Exposure) -> dict[str, Any]:
    told = {"exposed": found.exposed, "people": found.people, "surest": found.surest}
    return {**told, "right": found.right, "baseline": found.baseline}


def stored() -> dict[str, Way]:
    """What was measured when it was last saved."""
    return dict(json.loads(STORED.read_text(encoding="utf-8"))) if STORED.exists() else {}


def head(found: Mapping[str, Way]) -> list[str]:
    """The head of the table."""
    return ["", *found]


def lines(found: Mapping[str, Way]) -> Iterator[list[str]]:
    """A line per measure and per adversary, a column per way."""
    ways = [*found.values()]
    for name in dict.fromkeys(name for way in ways for name in way["measures"]):
        yield [f"`{name}`", *(_figure(way["measures"].get(name)) for way in ways)]
    for name in dict.fromkeys(name for way in ways for name in way["adversaries"]):
        yield [f"`{name}`: exposed, right", *(_exposed(way["adversaries"].get(name)) for way in ways)]


def _figure(value: float | str | None) -> str:
    if value is None or isinstance(value, str):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{round(value, 9):.4g}"


def _exposed(found: list[dict[str, Any]] | str | None) -> str:
    if found is None or isinstance(found, str):
        return "–"
    worst = max(found, key=lambda each: each["exposed"])
    if worst["right"] is None:
        return f"{worst['exposed']:,}"
    totals = "" if worst["baseline"] is None else f" ({worst['baseline']:.3f})"
    return f"{worst['exposed']:,}, {worst['right']:.3f}{totals}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if the data cannot be had."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learnt", description=__doc__)
    parser.add_argument("--way", action="append", choices=[*WAYS], help="which; all, if none is said")
    parser.add_argument("--save", action="store_true", help="store what was measured")
    asked = parser.parse_args(arguments)
    found: dict[str, Way] = {}
    with Console(stderr=True).status("") as status:
        try:
            for name, way in tried(asked.way or [*WAYS]):
                status.update(name)
                found[name] = way
        except sf.SfumatoError as error:
            Console(stderr=True).print(f"error: {error}", markup=False, highlight=False, soft_wrap=True)
            return 2
    table = Shown(*head(found))
    for line in lines(found):
        table.add_row(*line)
    Console(width=160).print(table)
    if asked.save:
        whole = {**stored(), **found}
        STORED.write_text(json.dumps({way: whole[way] for way in WAYS if way in whole}, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
