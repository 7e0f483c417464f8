"""``python -m sfumato.testing.bounds``: every compiled loop with its indices checked, on random tables.

A compiled loop that reaches beyond an array reads or writes whatever lies there. Here all of them are compiled anew
with bounds checking, which makes an `IndexError` of that, and run: every promise with every algorithm under every loss,
forms and settings in turn, on small tables and on tables of many values. What a table does not allow is no news. A
failure names what was run and the seed that makes it again; a loop that nothing has run is one too.

It runs in a process of its own, since a loop that reaches too far may end it, and with compiled code of its own.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import polars as pl

from sfumato.auditor.audit import audit
from sfumato.auditor.matching import Kinds, OriginalRows, match
from sfumato.engine.attacking import attack
from sfumato.engine.matrix import Cell
from sfumato.engine.run import bound, publish
from sfumato.errors import SfumatoError, SfumatoWarning
from sfumato.extension import installed
from sfumato.loss.ncp import NCP
from sfumato.measures.measure import measure
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Task
from sfumato.partition.mondrian.asks import count
from sfumato.partition.mondrian.topdown import TopCuts
from sfumato.policy.losses import LOSS_METRICS
from sfumato.policy.methods import Method
from sfumato.policy.promises import read_promise
from sfumato.randomness import Randomness
from sfumato.release.spans import CellSpans
from sfumato.table import few
from sfumato.table.read import read
from sfumato.table.word_layout import WordLayout
from sfumato.testing.tables import Tables, Trial
from sfumato.testing.triple import triples
from sfumato.testing.variety import varied_method, varied_policy

__all__ = ["Run", "loops", "main", "runs", "unused"]

_WORK = 3000
"""Of polish."""
_ROWS = {"few": (0, 1), "many": (40, 400), "broad": (300, 600)}
"""Rows of tables by how many values and columns they have; those of few are as they come."""


@dataclass(frozen=True)
class Run:
    """One release to be tried."""

    cell: Cell
    metric: str
    seed: int
    shape: str

    def __str__(self) -> str:
        whose = ", persons" if self.cell.persons else ""
        what = f"{self.cell.model} x {self.cell.method} x {self.cell.form}, {self.metric}"
        return f"{what}, {self.shape}{whose}, seed {self.seed}"

    def trial(self) -> Trial:
        """The table."""
        trial = Tables.of(self.cell.promise).draw(self.seed)
        trial = trial if self.shape == "few" else _widened(trial, self.shape)
        return trial.with_persons() if self.cell.persons else trial

    def start(self) -> bool:
        """Publish, audit, ask for the bound, measure and look people up; whether there was a release.

        Anything but an answer of ours is raised.
        """
        trial = self.trial()
        rng = trial.rng(f"{self.cell.method} {self.cell.form}")
        settings = {**varied_policy(rng, trial.quasi), "loss": {"metric": self.metric}}
        try:
            method = _varied(rng, self.cell, trial, settings)
            release = trial.publish(settings, method, self.cell.publication)
            if self.shape != "broad":
                bound(release)
                measure(release, seed=self.seed)
                attack(release, only=["homogeneity"])
        except SfumatoError:
            return False
        return True


def _varied(rng: np.random.Generator, cell: Cell, trial: Trial, settings: Mapping[str, Any]) -> Method:
    """Other settings of the algorithm; those that are neither a flag nor a word are known here."""
    changes: dict[str, Any] = {}
    if rng.random() < 0.3:
        return cell.partition
    if trial.promise.about_terms and rng.random() < 0.8:
        changes["terms"] = {
            "search": str(rng.choice(["optimal", "adaptive", "dfs"])),
            "cost": str(rng.choice(["harmonic", "count"])),
            "infeasible": str(rng.choice(["merge", "withhold"])),
            "phases": str(rng.choice(["two", "one"])),
            "work": int(rng.choice([1, 1000, 100_000])),
        }
    if "balance" in type(cell.partition).model_fields and rng.random() < 0.5:
        changes["balance"] = "1/2"
    if rng.random() < 0.7:
        changes["polish"] = {"work": _WORK}
    method = type(cell.partition).model_validate({**cell.partition.in_flags(), **changes})
    return varied_method(rng, method, trial.promise, trial.read(settings).encode())


def _widened(trial: Trial, shape: str) -> Trial:
    """The same table with more rows, and three or nine quasi-identifiers of many values in place of its own."""
    rng = trial.rng(shape)
    rows = int(rng.integers(*_ROWS[shape]))
    frame = trial.frame[rng.integers(0, trial.frame.height, rows).tolist()].drop(trial.quasi)
    columns = {name: column for name, column in trial.columns.items() if column["role"] != "quasi"}
    for number in range(3 if shape == "broad" else 1):
        frame = frame.with_columns(
            pl.Series(f"age {number}", rng.integers(0, 3000, rows)),
            pl.Series(f"height {number}", rng.integers(0, 3000, rows)),
            pl.Series(f"zip {number}", [f"{each:05}" for each in rng.integers(0, 100_000, rows).tolist()]),
        )
        columns[f"age {number}"] = {"role": "quasi", "type": "integer", "hierarchy": {"intervals": [5, 50, 500]}}
        columns[f"height {number}"] = {"role": "quasi", "type": "integer"}
        columns[f"zip {number}"] = {"role": "quasi", "hierarchy": {"mask": "right"}}
    return replace(trial, frame=frame, columns=columns)


def runs(seed: int = 0, sample: int | None = None) -> tuple[Run, ...]:
    """Every promise with every algorithm that goes with it under every loss, forms in turn; or so many by chance."""
    metrics = sorted(installed(LOSS_METRICS, "sfumato.losses"))
    made: list[Run] = []
    for persons in (False, True):
        pairs: dict[tuple[str, str], list[Cell]] = {}
        for cell in triples(persons=persons):
            if cell.status != "refused":
                pairs.setdefault((cell.model, cell.method), []).append(cell)
        for shift, cells in enumerate(pairs.values()):
            for turn in range(max(len(metrics), len(cells)) if not persons else len(cells)):
                number = len(made)
                cell, metric = cells[turn % len(cells)], metrics[(turn + shift) % len(metrics)]
                shape = "broad" if number % 50 == 0 else "many" if number % 4 == 0 else "few"
                made.append(Run(cell, metric, seed + number, shape))
    if sample is None or sample >= len(made):
        return tuple(made)
    chosen = np.random.default_rng(seed).choice(len(made), sample, replace=False)
    return tuple(made[place] for place in sorted(chosen.tolist()))


@dataclass(frozen=True)
class _Job:
    """What random tables seldom come to: a table and a policy of its own."""

    name: str
    frame: pl.DataFrame
    policy: Mapping[str, Any]
    audited: bool = False

    def __str__(self) -> str:
        return self.name

    def start(self) -> bool:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SfumatoWarning)
            if self.audited:
                audit(self.frame, self.policy, whole=True)
            else:
                bound(publish(self.frame, policy=self.policy, seed=0))
        return True


@dataclass(frozen=True)
class _Matching:
    """Published rows beside original ones, all pairs at once and each kind by itself."""

    seed: int

    def __str__(self) -> str:
        return "rows beside their original"

    def start(self) -> bool:
        rng = np.random.default_rng(self.seed)
        points = OriginalRows(rng.integers(0, 40, (3000, 2)).astype(np.int32), rng.integers(1, 4, 3000))
        spans = CellSpans.listed([[*range(low, low + 3)] for low in rng.integers(0, 38, 2000).tolist()])
        kinds = Kinds((rng.permutation(2000), rng.permutation(2000)), (spans, spans), rng.integers(0, 9, 2000))
        match(kinds, points)
        match(kinds, points, most=10)
        return True


@dataclass(frozen=True)
class _TopDown:
    """Top cuts by what is counted of rows in chunks, with much room and with none to spare."""

    frame: pl.DataFrame
    policy: Mapping[str, Any]

    def __str__(self) -> str:
        return "top cuts"

    def start(self) -> bool:
        described = read(self.frame, self.policy)
        table = described.encode()
        task = Task(table, bind(described.policy.promise, Facts.of(table)), NCP(), Randomness.fixed(0))
        layout = WordLayout.of_table(table)
        words = layout.pack(table.codes)
        chunks = [(words[:1000], table.counts[:1000]), (words[1000:], table.counts[1000:])]
        for room in (1, 1 << 20):
            top = TopCuts.start(task, table.rows, layout, 100, room)
            while top.open:
                top = top.told(count(top.asks(), chunks))
            top.leaves.leaf_of(words)
        return True


def _jobs(seed: int) -> Iterator[_Job | _Matching | _TopDown]:
    """Classes that stay open so long that items are bundled, or have very many values; single rows that climb; keys of
    more than 64 bits."""
    rng = np.random.default_rng(seed)
    zips = {f"zip {at}": [f"{37 * each:05}" for each in rng.integers(0, 30, 3000).tolist()] for at in range(4)}
    columns: dict[str, Any] = {name: {"role": "quasi", "hierarchy": {"mask": "right"}} for name in zips}
    columns["s"] = {"role": "sensitive"}
    policy = {"columns": columns, "privacy": [{"model": "simple-l", "l": "39/10"}], "partition": {"method": "sweep"}}
    yield _Job("open long", pl.DataFrame({**zips, "s": list("abcd") * 750}), policy)
    pairs = {"zip 0": [f"{at // 2:05}" for at in range(4200)], "s": [f"s {at}" for at in range(4200)]}
    policy = {
        "columns": {name: columns[name] for name in pairs},
        "privacy": [{"model": "tau-l", "tau": "1/2", "l": 2}],
        "partition": {"method": "sweep", "generalize": "last"},
    }
    yield _Job("many values", pl.DataFrame(pairs), policy)
    trial = Tables.of(read_promise({"model": "tau-l", "tau": "1/2", "l": 2})).draw(0)
    yield _Job("faithful", trial.frame, trial.policy({"partition": {"method": "sweep", "faithful": True}}))
    wide = {f"q {at}": rng.permutation(3000) for at in range(7)}
    columns = {**{name: {"role": "quasi"} for name in wide}, "s": {"role": "sensitive"}}
    policy = {
        "columns": columns,
        "privacy": [{"model": "distinct-l", "l": 2}],
        "partition": {"method": "mondrian"},
    }
    yield _Job("long keys", pl.DataFrame({**wide, "s": list("abcd") * 750}), policy, audited=True)
    columns = {**columns, "zip 0": {"role": "quasi", "hierarchy": {"mask": "right"}}}
    policy = {**policy, "columns": columns}
    yield _TopDown(pl.DataFrame({**wide, "zip 0": zips["zip 0"], "s": list("abcd") * 750}), policy)
    yield _Matching(seed)


def loops() -> Mapping[str, Any]:
    """Every compiled loop by its name."""
    from numba.core.registry import CPUDispatcher

    import sfumato

    names = [each.name for each in pkgutil.walk_packages(sfumato.__path__, "sfumato.")]
    found = {}
    for module in map(importlib.import_module, [name for name in names if {"kernels", "loops"} & {*name.split(".")}]):
        for name, value in vars(module).items():
            if isinstance(value, CPUDispatcher) and value.py_func.__module__ == module.__name__:
                found[f"{module.__name__}.{name}"] = value
    return found


def unused(every: Mapping[str, Any]) -> tuple[str, ...]:
    """Loops that were not run, neither from outside nor by one that was."""
    waiting = [loop for loop in every.values() if loop.signatures]
    seen = set(map(id, waiting))
    while waiting:
        called = waiting.pop().py_func
        for name in called.__code__.co_names:
            loop = called.__globals__.get(name)
            if any(loop is each for each in every.values()) and id(loop) not in seen:
                seen.add(id(loop))
                waiting.append(loop)
    return tuple(sorted(name for name, loop in every.items() if id(loop) not in seen))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all, in another process unless this is that one; the exit code."""
    given = _parser().parse_args(arguments)
    if given.inside:
        whole = given.sample is None
        return _inside((*runs(given.seed, given.sample), *(_jobs(given.seed) if whole else ())), whole)
    with tempfile.TemporaryDirectory(prefix="sfumato-bounds-") as folder:
        environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": given.cache or folder}
        own = ["--inside", "--seed", str(given.seed), *(["--sample", str(given.sample)] if given.sample else [])]
        command = [sys.executable, "-X", "faulthandler", "-m", "sfumato.testing.bounds", *own]
        return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603


def _inside(planned: Sequence[Run | _Job | _Matching | _TopDown], whole: bool) -> int:
    few.FEW = 0  # small tables, too, by compiled loops
    told = list(chain.from_iterable(_failures(planned)))
    published = sum(not each for each in told)
    failed = [each for each in told if each]
    left = unused(loops()) if whole else ()
    failed += [f"never run: {name}" for name in left]
    sys.stdout.write("".join(f"FAILS  {each}\n" for each in failed))
    sys.stdout.write(f"{len(planned)} runs, {published} releases, {len(failed)} failures\n")
    return 1 if failed else 0


def _failures(planned: Sequence[Run | _Job | _Matching | _TopDown]) -> Iterator[list[str]]:
    """What failed, run by run; an empty word for a release."""
    for number, run in enumerate(planned, 1):
        sys.stderr.write(f"{number} of {len(planned)}: {run}\n")
        try:
            yield [""] if run.start() else []
        except Exception as error:
            yield [f"{run}: {error!r}"]


def _parser() -> argparse.ArgumentParser:
    summary = (__doc__ or "").partition("\n")[2]
    parser = argparse.ArgumentParser(prog="python -m sfumato.testing.bounds", description=summary)
    parser.add_argument("--seed", type=int, default=0, help="of the first random table; the next ones follow it")
    parser.add_argument("--sample", type=int, help="only so many runs, chosen by the seed")
    parser.add_argument("--cache", help="folder for what is compiled, to be used again; a temporary one otherwise")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
