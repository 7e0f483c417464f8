"""Where values of an ordered column lie on a line, exactly: numbers, days, places of an order, or bins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, Literal

from sfumato.exact import as_fraction
from sfumato.policy.columns import Column
from sfumato.taxonomy.notation import read_interval

__all__ = ["Line"]


@dataclass(frozen=True)
class Line:
    """What one step on the line is, and the places of an order.

    kind      number: as it is; date: days; place: in the policy's order; bin: between two numbers
    """

    kind: Literal["number", "date", "place", "bin"]
    places: Mapping[str, int]

    @classmethod
    def of(cls, column: Column, binned: bool) -> Line | None:
        """The line of a column; None if its values have no order."""
        if binned:
            return cls("bin", {})
        if column.order is not None:
            return cls("place", {text: place for place, text in enumerate(column.order)})
        if column.kind == "date":
            return cls("date", {})
        return cls("number", {}) if column.kind in ("integer", "number") else None

    @property
    def measured(self) -> bool:
        """Whether it has a zero, so that shares of a value make sense."""
        return self.kind in ("number", "bin")

    def bounds(self, value: Any) -> tuple[Fraction, Fraction]:
        """The least and the greatest that a value may be.

        >>> Line("number", {}).bounds(0.1), Line("bin", {}).bounds("[10, 20)")
        ((Fraction(1, 10), Fraction(1, 10)), (Fraction(10, 1), Fraction(20, 1)))
        """
        if self.kind == "bin":
            interval = read_interval(value)
            if interval is None or interval.low is None or interval.high is None:
                raise ValueError("a bin is an interval between two numbers")
            return interval.low, interval.high
        if isinstance(value, date):
            place = Fraction(value.toordinal())
        else:
            place = Fraction(self.places[value]) if self.kind == "place" else as_fraction(value)
        return place, place
