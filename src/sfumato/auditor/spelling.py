"""One value for all texts that look the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from sfumato.auditor.lookalikes import look
from sfumato.auditor.secrets import Key

__all__ = ["Spelling"]


@dataclass(frozen=True)
class Spelling:
    """Texts by what they look like: each look is the value that was first seen to have it, and blank ones are missing.

    general    texts that are no base values, and stay as they are
    """

    ways: tuple[str, ...]
    first: Mapping[str, str]
    general: frozenset[str] = field(default=frozenset())

    @classmethod
    def of(cls, texts: Iterable[str], ways: tuple[str, ...], general: Iterable[str] = ()) -> Spelling:
        first: dict[str, str] = {}
        for text in texts:
            first.setdefault(look(text, ways), text)
        return cls(ways, first, frozenset(general))

    def __call__(self, text: str) -> str | None:
        if text in self.general:
            return text
        seen = look(text, self.ways)
        return self.first.get(seen, text) if seen else None

    def over(self, read: Callable[[str | None], Key]) -> Callable[[str | None], Key]:
        """The same reading, with every text as the value that it looks like."""

        def spelled(text: str | None) -> Key:
            key = read(text)
            return self(key) if isinstance(key, str) else key

        return spelled
