"""Phrases in texts: words are compared by their letters and digits, whatever their case and the signs between them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Vocabulary", "words_of"]

_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    """The words of a text.

    >>> words_of("Skin_rash, and COUGH!")
    ['skin', 'rash', 'and', 'cough']
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


@dataclass(frozen=True)
class Vocabulary:
    """Phrases by the words that each is made of, and how many words the longest has."""

    of_words: Mapping[tuple[str, ...], str]
    longest: int

    @classmethod
    def of(cls, phrases: Iterable[str]) -> Vocabulary:
        """Those that have a word; of two spellings of the same words the first counts."""
        made: dict[tuple[str, ...], str] = {}
        for phrase in phrases:
            words = tuple(words_of(phrase))
            if words:
                made.setdefault(words, phrase)
        return cls(made, max(map(len, made), default=0))

    def within(self, words: Sequence[str]) -> set[str]:
        """The phrases that a text has; of phrases that begin at one word the longest.

        >>> sorted(Vocabulary.of(["rash", "skin rash", "cough"]).within(words_of("a skin-rash; coughing")))
        ['skin rash']
        """
        found, at = set[str](), 0
        while at < len(words):
            lengths = range(min(self.longest, len(words) - at), 0, -1)
            phrase = next(
                (tuple(words[at : at + n]) for n in lengths if tuple(words[at : at + n]) in self.of_words), ()
            )
            if phrase:
                found.add(self.of_words[phrase])
            at += max(len(phrase), 1)
        return found
