"""What may be promised about one secret: a choice of sentences, each with its numbers inside."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording
from sfumato.workbench.draft import PolicyDraft
from sfumato.workbench.parts import card, number
from sfumato.workbench.promises import TERMS, Number, chosen_of, kinds_for

__all__ = ["NONE", "secret_card", "secrets_of"]

NONE = "none"
"""The choice of no promise."""
_PLACE = re.compile(r"\[(\w+)\]")


def secrets_of(draft: PolicyDraft) -> list[str]:
    """Columns that must not be told whose they are; their places name the fields of the form."""
    return [*draft.with_role("sensitive"), *draft.with_role("quasi-sensitive")]


def secret_card(
    place: int, name: str, draft: PolicyDraft, known: bool, strongest: Mapping[str, str], words: Wording
) -> Markup:
    """All kinds of promises about a secret; `strongest`: the most that the table allows of each, once known."""
    kinds = kinds_for(str(draft.columns[name]["role"]))
    found = chosen_of(draft.privacy, name, kinds)
    now = NONE if found is None else str(found["model"])
    title = words("promising.secrets_terms" if kinds is TERMS else "promising.secrets_of", name=name)
    options = []
    for kind, numbers in {NONE: (), **kinds}.items():
        given = found if kind == now and found is not None else {}
        level = _most(f"most-{place}-{kind}", strongest.get(kind, ""), known, words) if kind != NONE else None
        options.append(_option(place, kind, kind == now, _numbers(place, kind, numbers, given, words), level, words))
    return card(tag("fieldset", tag("legend", tag("h2", title)), tag("div", options, class_="options")))


def _option(place: int, kind: str, chosen: bool, sentence: Child, level: Child, words: Wording) -> Markup:
    term = words(f"kinds.{kind}_term")
    mark = tag(
        "input",
        type="radio",
        name=f"kind-{place}",
        value=kind,
        id=f"kind-{place}-{kind}",
        checked="" if chosen else None,
        aria_label=term or words(f"kinds.{kind}"),
    )
    head = tag("span", sentence, " ", tag("span", term, class_="term"), class_="sentence")
    return tag("div", mark, tag("div", head, tag("p", words(f"kinds.{kind}_says"), " ", level)), class_="option")


def _numbers(
    place: int, kind: str, numbers: tuple[Number, ...], given: Mapping[str, Any], words: Wording
) -> list[Child]:
    """The sentence, with a field in place of every number."""
    fields = {each.name: each for each in numbers}
    parts: list[Child] = []
    for at, text in enumerate(_PLACE.split(words(f"kinds.{kind}"))):
        if at % 2 == 0:
            parts.append(text)
            continue
        each, name = fields[text], f"{text}-{place}-{kind}"
        label = words("kinds.number", name=text, kind=words(f"kinds.{kind}_term"))
        parts.append(number(name, str(given.get(text, each.usual)), name, each.least, each.step, label=label))
    return parts


def _most(id_: str, level: str, known: bool, words: Wording) -> Markup:
    """What the table can keep; empty where that is not known."""
    said = words("promising.most", level=words.level(_short(level))) if level else ""
    return tag("b", said, id=id_, data_waiting=None if known else "")


def _short(level: str) -> str:
    """A level with no more digits than can be read; rounded down, so that it can be kept.

    >>> _short("25.1999"), _short("28"), _short("7/3")
    ('25.19', '28', '2.33')
    """
    exact = Fraction(level)
    return str(Decimal(int(exact * 100)) / 100) if exact.denominator > 1 else level
