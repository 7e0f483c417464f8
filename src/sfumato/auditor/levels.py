"""Numbers of an audit: exact inside, plain in JSON, readable in text."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import PlainSerializer, WithJsonSchema

from sfumato.exact import as_text

__all__ = ["Level", "readable"]


def _plain(level: Fraction | str | None) -> int | str | None:
    if isinstance(level, Fraction):
        return int(level) if level.denominator == 1 else as_text(level)
    return level


Level = Annotated[
    Fraction | str | None,
    PlainSerializer(_plain),
    WithJsonSchema(
        {
            "anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}],
            "description": "a whole number; a decimal or fraction as text; words for a promise with several parameters;"
            " null if no level is reached or it is undecidable",
        }
    ),
]


def readable(level: Fraction | str | None) -> str:
    """For a person: a fraction with about what it is.

    >>> readable(Fraction(1, 2)), readable(Fraction(1, 3))
    ('0.5', '1/3 (about 0.3333)')
    """
    text = str(_plain(level))
    return f"{text} (about {float(level):.4g})" if isinstance(level, Fraction) and "/" in text else text
