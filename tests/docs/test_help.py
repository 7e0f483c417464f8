"""`help` teaches: every public name says what its parameters mean, and nothing of how it is checked."""

from __future__ import annotations

import inspect
import pydoc
import re
from collections.abc import Callable
from typing import Any

import pytest

import sfumato as sf
from sfumato.policy.columns import Strict
from sfumato.policy.promises import Promise
from sfumato.policy.sections import Part

NAMES = [name for name in sf.__all__ if name != "__version__"]
CHECKED = [
    name
    for name in NAMES
    if isinstance(getattr(sf, name), type) and issubclass(getattr(sf, name), (Strict, Promise, Part))
]
SETTINGS = [name for name in CHECKED if not issubclass(getattr(sf, name), Part) and name not in ("Policy", "Promise")]
SIMPLE = {"Auto", "Generalized", "Polish", "QsCL", "QsT", "Refine", "TermSuppression", "AllOf", "Arp"}
"""Ours, or of a paper without a DOI."""


def parameters(thing: Callable[..., Any]) -> list[str]:
    """What a call names; what another call makes and nobody passes has a ``_``."""
    made = thing.__init__ if isinstance(thing, type) and issubclass(thing, Exception) else thing
    found = inspect.signature(made).parameters.values()
    named = [each.name for each in found if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    return [name for name in named if name != "self" and not name.startswith("_")]


def untold(thing: Callable[..., Any]) -> list[str]:
    """Parameters that a docstring neither lists, at the beginning of a line, nor has in backticks."""
    text = inspect.getdoc(thing) or ""
    listed = re.findall(r"^((?:\w+, )*\w+)(?= )", text, re.MULTILINE)
    told = {name for line in listed for name in line.split(", ")} | {*re.findall(r"`(\w+)`", text)}
    return [name for name in parameters(thing) if name not in told]


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_is_told(name: str) -> None:
    thing = getattr(sf, name)
    assert inspect.getdoc(thing) and not untold(thing)


def test_a_parameter_that_is_not_told_is_found() -> None:
    def made(told: int, also: int, secret: int) -> None:
        """Make it.

        told    this one, of `also`; secret here is a word like any other
        """

    assert untold(made) == ["secret"]


@pytest.mark.parametrize("name", CHECKED)
def test_help_shows_nothing_of_the_library_that_checks(name: str) -> None:
    text = pydoc.plain(pydoc.render_doc(getattr(sf, name)))
    assert not re.search(r"model_\w|__\w+__|pydantic(?!\.main\.BaseModel$)", text, re.MULTILINE)
    assert text.count("BaseModel") <= 1  # where the classes are listed that it rests on
    assert len(text.splitlines()) < 150
    assert not [each for each in dir(getattr(sf, name)) if each.startswith(("_", "model_"))]


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_say_where_they_are_from_and_how_they_are_written(name: str) -> None:
    text = inspect.getdoc(getattr(sf, name)) or ""
    assert ">>> import sfumato as sf" in text
    assert re.search(r"https://(doi\.org|dl\.acm\.org/doi)/10\.", text) or name in SIMPLE


def test_help_on_mondrian_says_what_its_steps_mean() -> None:
    text = pydoc.plain(pydoc.render_doc(sf.Mondrian))
    assert (
        "Mondrian(*, slack=0, refine=False, residuals='across', terms=None, polish=False, steps=(), relaxed=False)"
        in text
    )
    for words in (
        "pairwise different sensitive values",
        "so that less is lost",
        "minimality attack",
        "10.1109/ICDE.2006.101",
    ):
        assert words in " ".join(text.replace("|", " ").split())
    assert [each for each in dir(sf.Mondrian()) if each.startswith(("model_", "_"))] == []


def test_what_a_schema_says_of_a_part_stays_short() -> None:
    method = sf.policy_schema()["properties"]["partition"]["oneOf"][1]
    assert method["description"] == "Split the table in two again and again, as long as both halves keep the promise."
    assert "so that less is lost" in method["properties"]["polish"]["description"]
