"""Words of the workbench: every language has the same sentences, with the same places for names and numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import sfumato.workbench
from sfumato.reports.wording import languages
from sfumato.workbench.desk import words_in

PLACES = re.compile(r"\{\w+\}|\[\w+\]")
SOURCE = Path(sfumato.workbench.__file__).parent


def sentences(words: Mapping[str, Any]) -> dict[str, list[str]]:
    return {
        f"{section}.{name}": sorted(PLACES.findall(str(sentence)))
        for section, named in words.items()
        if isinstance(named, Mapping)
        for name, sentence in named.items()
    }


@pytest.mark.parametrize("language", languages())
def test_every_language_says_the_same(language: str) -> None:
    assert sentences(words_in(language).words) == sentences(words_in("en").words)
    assert words_in(language).language == language


def test_sections_of_the_workbench_hide_none_of_the_report() -> None:
    from sfumato.reports.wording import Wording

    report = Wording.of("en").words
    assert {key: value for key, value in words_in("en").words.items() if key in report} == report


def test_every_sentence_that_is_asked_for_is_there() -> None:
    known = sentences(words_in("en").words)
    asked = {
        place
        for file in SOURCE.rglob("*.py")
        for place in re.findall(r'words\(\s*"([a-z]+\.[a-z_-]+)"', file.read_text(encoding="utf-8"))
    }
    assert len(asked) > 80
    assert not asked - set(known)


def test_every_role_kind_stage_and_case_has_its_words() -> None:
    """Places that are put together from a name: one for each name of each table."""
    from sfumato.workbench.draft import ROLES
    from sfumato.workbench.pages.experts import FORMS, METHODS
    from sfumato.workbench.pages.failures import CASES
    from sfumato.workbench.pages.running import STAGES
    from sfumato.workbench.parts import STEPS
    from sfumato.workbench.promises import SECRETS, TERMS
    from sfumato.workbench.shapes import SHAPES

    wanted = {f"roles.{role}{end}" for role in ROLES for end in ("", "_then")}
    wanted |= {f"kinds.{kind}{end}" for kind in (*SECRETS, *TERMS, "none") for end in ("", "_term", "_says")}
    wanted |= {
        f"shapes.{shape.name}{end}" for shape in SHAPES.values() for end in ("", "_says", *["_asks"] * shape.asks)
    }
    wanted |= {f"failed.{case}{end}" for case in CASES for end in ("", "_title")}
    wanted |= {f"stages.{stage}" for stages in STAGES.values() for stage, _ in stages}
    wanted |= {f"methods.{name}" for name in METHODS} | {f"forms.{name}" for name in FORMS}
    wanted |= {f"frame.{step}" for step in STEPS}
    assert not wanted - set(sentences(words_in("en").words))


@pytest.mark.parametrize("kinds", ["SECRETS", "TERMS"])
@pytest.mark.parametrize("language", languages())
def test_every_number_of_a_promise_has_its_place_in_the_sentence(language: str, kinds: str) -> None:
    from sfumato.workbench import promises

    for kind, numbers in getattr(promises, kinds).items():
        assert sorted(re.findall(r"\[(\w+)\]", words_in(language)(f"kinds.{kind}"))) == sorted(
            each.name for each in numbers
        )


def test_methods_and_forms_are_those_of_the_policy() -> None:
    from sfumato.policy.forms import FORMS as ALL_FORMS
    from sfumato.policy.methods import METHODS as ALL_METHODS
    from sfumato.workbench.pages.experts import FORMS, METHODS

    assert sorted(METHODS) == sorted(ALL_METHODS) and sorted(FORMS) == sorted(ALL_FORMS)
