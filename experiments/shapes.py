"""Shapes that papers claim of their figures, as checks with evidence: who is below whom, what rises, what is alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from experiments.contract import Found, Row, Verdict
from experiments.scales import short

__all__ = ["Judged", "Line", "alike", "all_of", "below", "changed", "falls", "number", "rises", "share"]

Judged = Callable[[Found], Verdict]
_OF_THE_PICTURE = ("figure", "data", "dims")


@dataclass(frozen=True)
class Line:
    """A figure over a setting, of the rows with some settings."""

    figure: str
    over: str
    settings: Row

    @property
    def name(self) -> str:
        """What tells it from others in the same picture."""
        return ", ".join(str(value) for key, value in self.settings.items() if key not in _OF_THE_PICTURE)

    def of(self, found: Found) -> dict[float, float]:
        made = found.line(self.figure, self.over, self.settings)
        if not made:
            raise LookupError(f"{self.figure} over {self.over}: no rows with {dict(self.settings)}")
        return made


def number(figure: str, settings: Row) -> Callable[[Found], float]:
    """The figure at one point."""
    return lambda found: found.at(figure, settings)


def share(figure: str, settings: Row, whole: Row) -> Callable[[Found], float]:
    """The figure at one point, over that at another."""
    return lambda found: found.at(figure, settings) / found.at(figure, whole)


def below(lower: Line, upper: Line, times: float = 1.0, *, since: float = float("-inf"), slack: float = 0.0) -> Judged:
    """The lower line, so many times, is nowhere above the upper one, from some place on; but for the slack."""

    def judged(found: Found) -> Verdict:
        one, other = lower.of(found), upper.of(found)
        both = [x for x in one if x in other and x >= since]
        fine = [x for x in both if one[x] * times <= other[x] + slack]
        told = ", ".join(f"{_number(one[x])} against {_number(other[x])} at {short(x)}" for x in _ends(both))
        return Verdict(fine == both, f"{lower.name} below {upper.name} at {len(fine)} of {len(both)}: {told}")

    return judged


def alike(one: Line, other: Line, within: float, slack: float = 0.0) -> Judged:
    """Nowhere further apart than a share of the larger; less than the slack is nothing."""

    def judged(found: Found) -> Verdict:
        left, right = one.of(found), other.of(found)
        both = [x for x in left if x in right]
        gaps = {x: abs(left[x] - right[x]) for x in both}
        apart = {x: 0.0 if gap <= slack else gap / max(abs(left[x]), abs(right[x])) for x, gap in gaps.items()}
        worst = max(apart, key=apart.__getitem__)
        told = f"{one.name} {_number(left[worst])}, {other.name} {_number(right[worst])} at {short(worst)}"
        return Verdict(apart[worst] <= within, f"furthest apart: {told} ({apart[worst]:.1%})")

    return judged


def rises(line: Line, slack: float = 0.0) -> Judged:
    """Every point at least as high as the one before, but for a share of it."""
    return _monotone(line, 1, slack)


def falls(line: Line, slack: float = 0.0) -> Judged:
    """Every point at most as high as the one before, but for a share of it."""
    return _monotone(line, -1, slack)


def _monotone(line: Line, sign: int, slack: float) -> Judged:
    def judged(found: Found) -> Verdict:
        made = sorted(line.of(found).items())
        wrong = [x for (_, before), (x, after) in pairwise(made) if sign * (after - before) < -slack * abs(before)]
        ends = " to ".join(f"{_number(y)} at {short(x)}" for x, y in (made[0], made[-1]))
        other = f"; not so at {', '.join(map(short, wrong))}" if wrong else ""
        return Verdict(not wrong, f"{line.name}: {ends}{other}")

    return judged


def changed(line: Line, least: float = 0.0, most: float = float("inf")) -> Judged:
    """The last point over the first is within bounds."""

    def judged(found: Found) -> Verdict:
        made = sorted(line.of(found).items())
        (low, first), (high, last) = made[0], made[-1]
        factor = last / first if first else float("inf")
        told = f"{line.name}: {_number(first)} at {short(low)}, {_number(last)} at {short(high)} ({factor:.2f} times)"
        return Verdict(least <= factor <= most, told)

    return judged


def all_of(*parts: Judged) -> Judged:
    """All of them; those that fail are told alone, and three at most."""

    def judged(found: Found) -> Verdict:
        verdicts = [part(found) for part in parts]
        failed = [each.evidence for each in verdicts if not each.holds]
        told = failed or [each.evidence for each in verdicts]
        more = [f"and {len(told) - 3} more"] if len(told) > 3 else []
        return Verdict(not failed, "; ".join([*told[:3], *more]))

    return judged


def _ends(places: Sequence[float]) -> list[float]:
    return list(dict.fromkeys([places[0], places[-1]])) if places else []


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
