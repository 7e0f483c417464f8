"""Words of a language, from its file: sentences with places for names and numbers, and how numbers are written.

A lawyer may revise the file, and another language is another file; no code holds a sentence of a report.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from sfumato.errors import InputError

__all__ = ["Wording", "languages"]

_HOME = "sfumato.reports"


def languages() -> list[str]:
    """The languages that there are words in, English first."""
    folder = files(_HOME) / "words"
    found = sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))
    return sorted(found, key=lambda name: name != "en")


@dataclass(frozen=True)
class Wording:
    """The words of one language."""

    words: Mapping[str, Any]

    @classmethod
    def of(cls, language: str) -> Wording:
        """`InputError` if there are none in that language."""
        if language not in languages():
            raise InputError(f"there are no words in {language!r}; there are: {', '.join(languages())}")
        return cls(_read(language))

    def beside(self, package: str) -> Wording:
        """These, and those of the same language of another package of ours, in sections of their own."""
        return Wording({**self.words, **_read(self.language, package)})

    @property
    def language(self) -> str:
        return str(self.words["language"])

    def __call__(self, place: str, **values: object) -> str:
        """The sentence at a place, such as ``sheet.title``, with its values.

        >>> Wording.of("en")("numbers.one_in", number=5)
        '1 in 5'
        """
        section, _, name = place.partition(".")
        sentence = str(self.words[section][name])
        return sentence.format(**values) if values else sentence

    def known(self, place: str) -> bool:
        """Whether there is a sentence of that name."""
        section, _, name = place.partition(".")
        return name in self.words[section]

    def count(self, number: int) -> str:
        """A whole number."""
        return f"{number:,}".replace(",", str(self.words["numbers"]["thousands"]))

    def decimal(self, number: float, digits: int = 4) -> str:
        """A number with so many digits that count, and never fewer than those before the point."""
        if abs(number) >= 10**digits:
            return self.count(round(number))
        return f"{number:.{digits}g}".replace(".", str(self.words["numbers"]["decimal"]))

    def level(self, text: str) -> str:
        """A number that is known as text, such as the level of a promise, as the language writes it.

        >>> Wording.of("de").level("1/3 (about 0.3333)")
        '1/3 (etwa 0,3333)'
        """
        about = text.replace("(about ", f"({self('numbers.about')} ")
        return re.sub(r"(?<=\d)\.(?=\d)", str(self.words["numbers"]["decimal"]), about)

    def percent(self, share: float) -> str:
        """A share in percent: never 0 where there is something, nor 100 where something lacks.

        >>> words = Wording.of("en")
        >>> [words.percent(share) for share in (0, 0.0004, 0.0049, 0.24, 0.996, 0.9999, 1)]
        ['0 %', '<0.1 %', '0.5 %', '24 %', '99.6 %', '>99.9 %', '100 %']
        """
        if 0 < share < 0.001:
            return self("numbers.below", number=self.decimal(0.1))
        if 0.9995 <= share < 1:
            return self("numbers.above", number=self.decimal(99.9))
        fine = 0 < share < 0.01 or 0.99 < share < 1
        return self("numbers.percent", number=self.decimal(round(100 * share, 1 if fine else 0)))

    def chance(self, share: float) -> str:
        """A chance as one in so many."""
        if share >= 1:
            return self("numbers.certain")
        if share <= 0:
            return self("numbers.nothing")
        many = 1 / share
        return self("numbers.one_in", number=self.count(round(many)) if many >= 100 else self.decimal(many, 3))


@cache
def _read(language: str, package: str = _HOME) -> Mapping[str, Any]:
    return tomllib.loads((files(package) / "words" / f"{language}.toml").read_text(encoding="utf-8"))
