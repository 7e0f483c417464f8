"""Results on disk: a CSV and its pictures per experiment, in a folder per paper; and whether two runs agree."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from math import isclose
from pathlib import Path
from typing import Any

from experiments.contract import Chart, Experiment, Found, Row, Surface, Value
from experiments.drawing import drawn
from experiments.surfaces import drawn_surface

__all__ = ["STORED", "disagreements", "load", "picture", "save", "write_text"]

STORED = Path(__file__).with_name("results")


def save(experiment: Experiment[Any], found: Found, folder: Path) -> list[Path]:
    """Writes the rows, and a picture for every chart; which files."""
    home = folder / experiment.paper
    home.mkdir(parents=True, exist_ok=True)
    files = [home / f"{experiment.name}.csv"]
    write_text(files[0], csv_text(found))
    for chart in experiment.charts:
        files.append(home / f"{chart.name}.svg")
        write_text(files[-1], picture(chart, found))
    return files


def picture(chart: Chart | Surface, found: Found) -> str:
    """The text of an SVG file."""
    return drawn_surface(chart, found) if isinstance(chart, Surface) else drawn(chart, found)


def write_text(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", newline="\n")


def csv_text(found: Found) -> str:
    """Numbers as short as they can be written and read back the same."""
    names = list(dict.fromkeys(name for row in found.rows for name in row))
    room = io.StringIO()
    writer = csv.writer(room, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_written(row.get(name)) for name in names] for row in found.rows)
    return room.getvalue()


def load(experiment: Experiment[Any], folder: Path = STORED) -> Found | None:
    """What was saved; None if nothing was."""
    file = folder / experiment.paper / f"{experiment.name}.csv"
    if not file.exists():
        return None
    with file.open(encoding="utf-8", newline="") as lines:
        return Found(tuple({name: _read(text) for name, text in row.items()} for row in csv.DictReader(lines)))


def _written(value: Value) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def _read(text: str) -> Value:
    if not text:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def disagreements(experiment: Experiment[Any], found: Found, stored: Found) -> Iterator[str]:
    """Where a run differs from what is stored, as far as both have the same points."""
    for settings in experiment.points:
        ours, theirs = found.where(settings).rows, stored.where(settings).rows
        if ours and not _near(ours, theirs):
            yield f"{experiment.paper} {experiment.name} at {dict(settings)}: {list(ours)}, stored is {list(theirs)}"


def _near(ours: tuple[Row, ...], theirs: tuple[Row, ...]) -> bool:
    """Sums of floats may end differently on another machine; nothing else may."""
    if len(ours) != len(theirs):
        return False
    return all(_same(one[name], other.get(name)) for one, other in zip(ours, theirs, strict=True) for name in one)


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)
    return one == other
