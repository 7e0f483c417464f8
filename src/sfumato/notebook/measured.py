"""The cards of measures and of risk: every figure with what it means, and how likely somebody is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from sfumato.notebook.card import ENGLISH, NOTHING, bullets, card, facts, heading, table
from sfumato.reports.markup import Child, Markup, tag
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato import Measured, Measurement, Reidentification
    from sfumato.risk.believed import BestGuess, Guessed
    from sfumato.risk.report import Side

__all__ = ["measured_card", "risk_card"]

_HEAD = ("measure", "value", "what it is", "better")
_SIDES = ("", "before", "after")


def measured_card(measured: Measured) -> Markup:
    told = facts(counted(measured.rows, "row"), f"left out: {ENGLISH.count(measured.suppressed)}")
    risk = [] if measured.risk is None else [heading("Risk of being found"), *_risk(measured.risk)]
    return card(told, table(_HEAD, (_row(each) for each in measured.measurements), numbers=(1,)), *risk)


def risk_card(risk: Reidentification) -> Markup:
    return card(*_risk(risk))


def _row(each: Measurement) -> tuple[Child, ...]:
    value = NOTHING if each.figure is None else ENGLISH.decimal(each.figure.value)
    said: list[Child] = [each.about.title, tag("br"), tag("span", each.about.formula, class_="soft small")]
    if each.lacks:
        said = [f"needs {each.lacks}"]
    with_ = ", ".join(f"{key}={setting}" for key, setting in each.settings.items())
    name = [tag("strong", each.name), [tag("br"), tag("span", with_, class_="soft small")] if with_ else None]
    return name, value, said, NOTHING if each.about.better == "neither" else each.about.better


def _risk(risk: Reidentification) -> Iterator[Child]:
    if risk.before is None and risk.after is None:
        yield tag("p", f"needs {risk.lacks}")
        return
    rows = [(name, *(_told(side, tell) for side in (risk.before, risk.after))) for name, tell in _LINES]
    rows += [_guess(each) for each in risk.guesses]
    yield table(_SIDES, rows, numbers=(1, 2))
    yield bullets(risk.notes)


def _told(side: Side | None, tell: Callable[[Side], str]) -> str:
    return NOTHING if side is None else tell(side)


_LINES: tuple[tuple[str, Callable[[Side], str]], ...] = (
    (
        "who knows that somebody is in it finds their row, at worst",
        lambda side: ENGLISH.chance(side.prosecutor.largest),
    ),
    ("and on average", lambda side: ENGLISH.percent(side.prosecutor.mean)),
    ("right links to expect of who matches everybody", lambda side: ENGLISH.percent(side.marketer)),
    ("rows of the smallest class", lambda side: ENGLISH.count(side.sizes.smallest)),
    ("rows that no other equals", lambda side: ENGLISH.count(side.unique.rows)),
)


def _guess(each: Guessed) -> tuple[str, str, str]:
    totals = "" if each.totals is None else f" (by totals alone: {ENGLISH.percent(each.totals)})"
    name = f"best guess of “{each.column}” is right, on average{totals}"
    if each.lacks and not any((each.before, each.people, each.groups)):
        return f"{name}: needs {each.lacks}", NOTHING, NOTHING
    return name, _mean(each.before), _mean(each.people or each.groups)


def _mean(guess: BestGuess | None) -> str:
    return NOTHING if guess is None else ENGLISH.percent(guess.mean)
