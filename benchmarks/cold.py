"""``python -m benchmarks.cold``: the first run on a machine, when loops have yet to be compiled; and a short one later.

Cold: every method's first release of 2,000 patients of the demo hospital, and the demo itself, each in a process of its
own with nothing compiled before. Warm: the release of Adult's 30,162 rows, k = 5, from CSV to audited CSV, when loops
and modules are known, and what of it is importing modules. The CPU time of all threads of the process counts, start
included, and the median is taken. Beside it stands the same as a multiple of importing polars and numba, measured in
the same run, which every release needs and nobody can spare it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table as Shown

from benchmarks.adult import adult
from benchmarks.contract import Rows
from benchmarks.endtoend import JOBS, as_installed, frame_of, policy_file, spent
from benchmarks.terms import patients_file
from sfumato.demo.hospital import Paths, write_demo
from sfumato.demo.symptoms import synthetic_knowledge
from sfumato.policy.load import read_policy

__all__ = ["HEAD", "METHODS", "WARM", "Figure", "lines", "main", "measured", "stored"]

STORED = Path(__file__).with_name("cold.json")
ROWS = 2000
LABELS = 3000

K = {"model": "k-anonymity", "k": 5}
DISTINCT = {"model": "distinct-l", "l": 3}
APART = {"model": "pairwise-l", "l": 3}
TAU = {"model": "tau-l", "tau": "1/2", "l": 3}

METHODS: dict[str, dict[str, Any]] = {
    "auto": {"privacy": [K, DISTINCT], "partition": {"method": "auto"}},
    "mondrian": {"privacy": [K, DISTINCT], "partition": {"method": "mondrian"}},
    "boxes": {"privacy": [K, DISTINCT], "partition": {"method": "boxes", "work": 1_000_000}},
    "lattice": {"privacy": [K, DISTINCT], "partition": {"method": "lattice"}},
    "incognito": {"privacy": [K, DISTINCT], "partition": {"method": "incognito"}},
    "hilbert": {"privacy": [APART], "partition": {"method": "hilbert"}, "form": {"publish": "anatomized"}},
    "bsgi": {"privacy": [APART], "partition": {"method": "bsgi"}, "form": {"publish": "anatomized"}},
    "bsgi-free": {"privacy": [APART], "partition": {"method": "bsgi-free"}, "form": {"publish": "anatomized"}},
    "sweep": {"privacy": [TAU], "partition": {"method": "sweep"}},
    "anatomy": {"privacy": [APART], "partition": {"method": "anatomy"}, "form": {"publish": "anatomized"}},
    "arp": {"privacy": [APART], "partition": {"method": "arp"}, "form": {"publish": "anatomized"}},
    "refine": {"privacy": [{"model": "simple-l", "l": 3}], "partition": {"method": "mondrian", "refine": True}},
    "polish": {"privacy": [K], "partition": {"method": "mondrian", "polish": {"work": 20_000}}},
}
TERMS, DEMO = "terms", "demo"
WARM, IMPORTS = "30k rows, warm", "its imports"
TARGETS = {**dict.fromkeys((*METHODS, TERMS), 10.0), DEMO: 6.0, WARM: 1.2, IMPORTS: 0.6}
"""CPU seconds."""

HEAD = ("run", "CPU s", "target", "met", "x import polars, numba")
_YARDSTICK = "import polars, numba"
_LOADED = """
import json, sys
from sfumato.cli.main import run
names, sys.argv = sys.argv[1], ["sfumato", *sys.argv[2:]]
try:
    run()
finally:
    json.dump(list(sys.modules), open(names, "w"))
"""
_IMPORTED = """
import contextlib, importlib, json, sys
from sfumato.cli.main import look_seldom
look_seldom()
for name in json.load(open(sys.argv[1])):
    with contextlib.suppress(ImportError):
        importlib.import_module(name)
"""


@dataclass(frozen=True)
class Figure:
    """CPU seconds of a run, and of importing polars and numba beside it."""

    name: str
    cpu: float
    floor: float

    @property
    def ratio(self) -> float:
        return self.cpu / self.floor

    @property
    def met(self) -> bool:
        return self.cpu <= TARGETS[self.name]


def measured(names: Sequence[str], rounds: int) -> Iterator[Figure]:
    """Every run that is named, one after the other."""
    with tempfile.TemporaryDirectory(prefix="sfumato-cold-") as place:
        folder = Path(place)
        bytecode = _environment(folder / "bytecode", None)
        spent([sys.executable, "-c", _YARDSTICK], bytecode)
        floor = median(spent([sys.executable, "-c", _YARDSTICK], bytecode)[0] for _ in range(rounds))
        paths = write_demo(folder / "hospital", ROWS)
        for name in names:
            if name == WARM:
                warm, imports = _warm(folder, rounds)
                yield Figure(WARM, warm, floor)
                yield Figure(IMPORTS, imports, floor)
                continue
            program = [sys.executable, "-m", "sfumato", *_command(name, paths, folder)]
            yield Figure(name, _cold(program, folder, rounds), floor)


def _environment(bytecode: Path, compiled: Path | None) -> dict[str, str]:
    """Modules as an installation has them; loops in a folder of their own."""
    return as_installed(bytecode) | ({"NUMBA_CACHE_DIR": str(compiled)} if compiled else {})


def _command(name: str, paths: Paths, folder: Path) -> list[str]:
    """What is given to `sfumato` for a method's release of the hospital, or the demo."""
    if name == DEMO:
        return ["demo", str(folder / "demo"), "--force"]
    policy, data = folder / f"{name}.json", paths.data
    if name == TERMS:
        data = folder / "terms.csv"
        document: Mapping[str, Any] = {"version": 1, **patients_file(ROWS, data, synthetic_knowledge(0, LABELS))}
    else:
        given = read_policy(paths.policy).model_dump(mode="json", exclude_unset=True)
        given = {key: value for key, value in given.items() if key not in ("privacy", "partition", "form")}
        given["columns"]["disease"]["hierarchy"]["file"] = paths.hierarchy.relative_to(folder).as_posix()
        document = {**given, **METHODS[name], "suppression": {"limit": "1/20"}}
    policy.write_text(json.dumps(document), encoding="utf-8")
    return ["anonymize", str(data), "-p", str(policy), "-o", str(folder / name), "--force"]


def _cold(program: Sequence[str], folder: Path, rounds: int) -> float:
    """With an empty folder for what is compiled, every time; modules have been translated before."""
    took = []
    for number in range(rounds):
        with tempfile.TemporaryDirectory(dir=folder) as compiled:
            if not number:
                spent([*program[:3], "--help"], _environment(folder / "bytecode", Path(compiled)))
            took.append(spent(program, _environment(folder / "bytecode", Path(compiled)))[0])
    return median(took)


def _warm(folder: Path, rounds: int) -> tuple[float, float]:
    """The release of Adult, and importing all modules that it imports, with garbage looked for as seldom."""
    table, document = adult()
    data, names = folder / "adult.csv", folder / "modules.json"
    frame_of(Rows.of_tuples(table)).write_csv(data)
    policy = policy_file(JOBS["mondrian, k=5"], document, folder)
    given = ["anonymize", str(data), "-p", str(policy), "-o", str(folder / "adult"), "--force"]
    known = _environment(folder / "bytecode", folder / "compiled")
    program = [sys.executable, "-m", "sfumato", *given]
    spent(program, known)  # compiles, with modules that no later run loads
    spent([sys.executable, "-c", _LOADED, str(names), *given], known)
    runs = [spent(program, known)[0] for _ in range(rounds)]
    imports = [spent([sys.executable, "-c", _IMPORTED, str(names)], known)[0] for _ in range(rounds)]
    return median(runs), median(imports)


def stored() -> list[Figure]:
    return [Figure(**each) for each in json.loads(STORED.read_text(encoding="utf-8"))]


def lines(figures: Sequence[Figure]) -> Iterator[tuple[str, ...]]:
    """The figures beside their targets, a line each."""
    for each in figures:
        met = "yes" if each.met else "no"
        yield each.name, f"{each.cpu:.2f}", f"{TARGETS[each.name]:g}", met, f"{each.ratio:.1f}"


def shown(figures: Sequence[Figure]) -> Shown:
    """The figures as a table."""
    made = Shown(title="CPU seconds of first runs, with nothing compiled; and of a short one later")
    for name in HEAD:
        made.add_column(name, justify="left" if name == "run" else "right")
    for line in lines(figures):
        made.add_row(*line)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    every = [*METHODS, TERMS, DEMO, WARM]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cold", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=every, default=every)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--check", action="store_true", help="exit code 1 if a target is missed")
    parser.add_argument("--save", action="store_true", help=f"store the figures in {STORED.name}")
    given = parser.parse_args(arguments)
    figures = list(measured(given.only, given.rounds))
    Console().print(shown(figures))
    if given.save:
        STORED.write_text(json.dumps([asdict(each) for each in figures], indent=1) + "\n", encoding="utf-8")
    return int(given.check and not all(each.met for each in figures))


if __name__ == "__main__":
    raise SystemExit(main())
