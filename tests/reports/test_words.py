"""Words: every language has every sentence with the same places, and none says what must not be said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import sfumato as sf
from sfumato.policy.forms import FORMS
from sfumato.policy.promises import PROMISES
from sfumato.reports.facts import ColumnFact
from sfumato.reports.html.details import treatment
from sfumato.reports.report import ADVERSARIES, QUICK
from sfumato.reports.wording import Wording, languages


def sentences(words: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in words.items():
        if isinstance(value, Mapping):
            yield from sentences(value, f"{name}.")
        else:
            yield f"{before}{name}", value


ENGLISH = dict(sentences(Wording.of("en").words))


def test_there_are_two_languages() -> None:
    assert languages() == ["en", "de"]
    with pytest.raises(sf.InputError, match="there are no words in 'la'; there are: en, de"):
        Wording.of("la")


@pytest.mark.parametrize("language", languages())
def test_every_sentence_with_its_places(language: str) -> None:
    found = dict(sentences(Wording.of(language).words))
    assert found.keys() == ENGLISH.keys()
    for place, sentence in found.items():
        assert sentence.strip() and set(re.findall(r"{(\w+)}", sentence)) == set(
            re.findall(r"{(\w+)}", ENGLISH[place])
        ), place


@pytest.mark.parametrize("language", languages())
def test_nobody_is_called_anonymous(language: str) -> None:
    """A criterion is met; that nobody can be recognised is not ours to say."""
    for place, sentence in sentences(Wording.of(language).words):
        told = sentence.replace("k-anonymity", "")
        assert not re.search("anonym", told, re.IGNORECASE), place


def test_every_promise_has_its_words() -> None:
    words = Wording.of("en")
    joined = {"all-of"}
    assert {name for name in PROMISES if not words.known(f"promise.{name}")} <= {
        *joined,
        "proximity",
        "unique-distinct-literal",
    }


@pytest.mark.parametrize("language", languages())
def test_what_reports_tell_by_default_has_words(language: str) -> None:
    words = Wording.of(language)
    assert all(words.known(f"formula.{name}") for name in QUICK)
    assert all(words.known(f"adversary.{name}") and words.known(f"adversary.{name}_knows") for name in ADVERSARIES)
    secrets = [name for name, form in FORMS.items() if form.phrases is not None and form.phrases.secret]
    assert len(secrets) == 5 and all(words.known(f"treatment.secret_{name}") for name in secrets)


def test_treatments_are_told_in_the_language() -> None:
    told = {
        ("quasi", "generalized", "dates", ("month", "year")): "vergröbert: Datum auf Monat, Jahr",
        ("quasi", "generalized", "mask", ("right",)): "vergröbert: Zeichen von rechts her verdeckt",
        ("quasi", "generalized", "intervals", ("2.5", "5")): "vergröbert: Intervalle der Breite 2,5, 5",
        ("sensitive", "published as it is", "", ()): "unverändert, durch das Versprechen geschützt",
        ("sensitive", "binned, counted by group", "", ()): "in Klassen, nach Gruppen gezählt, in einer eigenen Tabelle",
        ("sensitive", "of another package", "", ()): "of another package",
        ("identifier", "", "", ()): "entfernt",
    }
    for (role, technique, vaguer, steps), says in told.items():
        assert treatment(ColumnFact("c", role, technique, vaguer, steps), Wording.of("de")) == says


def test_numbers_are_those_of_the_language() -> None:
    english, german = map(Wording.of, ("en", "de"))
    assert (english.count(12345), german.count(12345)) == ("12,345", "12.345")
    assert (english.decimal(2.5), german.decimal(2.5)) == ("2.5", "2,5")
    assert (english.chance(0.2), german.chance(1 / 3), english.chance(1), english.chance(0.0001)) == (
        "1 in 5",
        "1 von 3",
        "certain",
        "1 in 10,000",
    )
    assert german.percent(0.996) == "99,6 %"
