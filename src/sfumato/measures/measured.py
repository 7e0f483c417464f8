"""What `sf.measure` answers: every figure with what it means, and what could not be measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from sfumato.displayed import Displayed
from sfumato.measures.contract import About, Figure
from sfumato.risk.report import Reidentification
from sfumato.table.words import counted

__all__ = ["Measured", "Measurement"]


@dataclass(frozen=True)
class Measurement:
    """One measure of a release: its figure, or what it lacks.

    name       of the measure
    about      what it means: title, formula, range, which direction is better, where it is from
    settings   what it was measured with, where it has settings
    figure     what was measured; None where something lacks
    lacks      what that is
    """

    name: str
    about: About
    settings: Mapping[str, Any] = field(default_factory=dict)
    figure: Figure | None = None
    lacks: str = ""

    def __repr__(self) -> str:
        return f"<Measurement: {' '.join(self.line().split())}>"

    def line(self) -> str:
        """One line for a person."""
        with_settings = ", ".join(f"{key}={value}" for key, value in self.settings.items())
        name = f"{self.name} ({with_settings})" if with_settings else self.name
        if self.figure is None:
            return f"{name:<32} needs {self.lacks}"
        better = "" if self.about.better == "neither" else f" ({self.about.better} is better)"
        return f"{name:<32} {_short(self.figure.value)}  {self.about.title}{better}"

    def as_dict(self) -> dict[str, Any]:
        figure = None if self.figure is None else _plain(self.figure)
        return {
            "measure": self.name,
            "settings": dict(self.settings),
            "figure": figure,
            "lacks": self.lacks,
            "about": asdict(self.about),
        }


@dataclass(frozen=True)
class Measured(Displayed):
    """All measurements of a release, and its risk. `version` counts breaking changes of its JSON form.

    rows           of the table, `suppressed` ones among them
    measurements   one for each measure; ``measured["ncp"]`` is the figure of one
    risk           how likely somebody is found, before and after; None if it was not asked for
    """

    rows: int
    suppressed: int
    measurements: tuple[Measurement, ...]
    risk: Reidentification | None = None
    version: int = 1

    def __repr__(self) -> str:
        known = sum(each.figure is not None for each in self.measurements)
        risk = "" if self.risk is None else " and the risk"
        return (
            f"<Measured: {known} of {counted(len(self.measurements), 'measure')}{risk}, on {counted(self.rows, 'row')}>"
        )

    def __getitem__(self, name: str) -> Figure:
        """The figure of a measure. `KeyError` if it was not measured."""
        found = [each.figure for each in self.measurements if each.name == name and each.figure is not None]
        if not found:
            raise KeyError(name)
        return found[0]

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "version": self.version,
            "rows": self.rows,
            "suppressed": self.suppressed,
            "measures": [each.as_dict() for each in self.measurements],
            "risk": None if self.risk is None else self.risk.to_dict(),
        }

    def summary(self) -> str:
        """A line for each, and a few for the risk."""
        lines = [f"rows of the table: {self.rows}, of these suppressed: {self.suppressed}"]
        risk = [] if self.risk is None else [*self.risk.lines()]
        return "\n".join([*lines, *(each.line() for each in self.measurements), *risk])


def _plain(figure: Figure) -> dict[str, Any]:
    return {"value": figure.value, "columns": dict(figure.columns), "details": dict(figure.details)}


def _short(value: float) -> str:
    return f"{value:>12,.0f}" if abs(value) >= 10_000 and value == int(value) else f"{value:>12.6g}"
