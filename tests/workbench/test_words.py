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
