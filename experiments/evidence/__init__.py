"""Every definition, theorem, algorithm and metric of the five papers: which file has it, and which test shows it.

Experiments are added from the registry. A test checks that all of them are there.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

from experiments.evidence.contract import Evidence
from experiments.evidence.diversity import DIVERSITY
from experiments.evidence.utility import UTILITY
from experiments.registry import EXPERIMENTS

__all__ = ["EVIDENCE", "HEAD", "Evidence", "lines", "of_experiments"]

HEAD = ("paper", "kind", "what", "file", "shown by")
EVIDENCE = (*DIVERSITY, *UTILITY)
_ROOT = Path(__file__).parents[2]


def of_experiments() -> Iterator[Evidence]:
    """Every experiment of the registry: its measure, and the test of its paper on a small table."""
    for each in EXPERIMENTS:
        file = Path(inspect.getfile(each.measure)).relative_to(_ROOT).as_posix()
        what = f"{', '.join(each.names)}: {each.title}"
        yield Evidence(each.paper, "experiment", what, file, f"tests/experiments/test_paper{each.paper}.py")


def lines() -> Iterator[list[str]]:
    """The table, paper by paper."""
    every = (*EVIDENCE, *of_experiments())
    for paper in sorted({each.paper for each in every}):
        for each in every:
            if each.paper == paper:
                yield [f"[{paper}](papers/{paper}.md)", each.kind, each.what, f"`{each.file}`", f"`{each.test}`"]
