"""What the parameters of promises may be: counts, exact numbers, values of a column and weights of them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema

from sfumato.exact import as_fraction, as_text

__all__ = ["ColumnSets", "Count", "OfColumn", "OfTerms", "Prior", "Ratio", "Ratios", "Values", "Weights"]


def _whole(number: object) -> int:
    fraction = as_fraction(number)
    if fraction.denominator != 1:
        raise ValueError("must be a whole number")
    return int(fraction)


def _plain(fraction: Fraction) -> int | str:
    return int(fraction) if fraction.denominator == 1 else as_text(fraction)


def _words(values: object) -> object:
    if isinstance(values, (list, tuple, set, frozenset)):
        plain = [str(value) if isinstance(value, (int, Decimal)) else value for value in values]
        return tuple(sorted(plain)) if all(isinstance(value, str) for value in plain) else plain
    return values


def _pairs(given: object) -> object:
    """A mapping of values to numbers as pairs in order of the values, so that the promise can be hashed."""
    if given == "table":
        return given
    if isinstance(given, Mapping):
        given = tuple(given.items())
    if not isinstance(given, tuple):
        raise ValueError("must be a mapping of values to numbers, or 'table'")
    pairs = [(str(value), as_fraction(number)) for value, number in given]
    if any(number <= 0 for _, number in pairs):
        raise ValueError("every weight must be above 0; leave out a value that does not occur")
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a value stands twice")
    return tuple(sorted(pairs))


def _shares(given: object) -> object:
    """As `_pairs`, summing to 1; or that the knowledge has them."""
    if given == "knowledge":
        return given
    pairs = _pairs(given)
    if isinstance(pairs, tuple) and sum(share for _, share in pairs) != 1:
        raise ValueError("must sum to 1; write thirds as '1/3'")
    return pairs


def _sets(given: object) -> object:
    """Sets of columns: none empty, no column twice in one, no set twice in whatever order."""
    if not isinstance(given, (list, tuple)) or any(not isinstance(each, (list, tuple)) for each in given):
        raise ValueError("must be a list of lists of columns, such as [[age, sex], [zip]]")
    sets = [tuple(each) for each in given]
    if any(not isinstance(name, str) for each in sets for name in each):
        raise ValueError("must be a list of lists of columns, such as [[age, sex], [zip]]")
    if not all(sets):
        raise ValueError("a set is empty: who knows nothing tells nobody apart")
    if any(len({*each}) < len(each) for each in sets):
        raise ValueError("a column stands twice in a set")
    if len({frozenset(each) for each in sets}) < len(sets):
        raise ValueError("a set stands twice")
    return tuple(sets)


def _mapping(pairs: Any) -> Any:
    return pairs if isinstance(pairs, str) else {value: _plain(number) for value, number in pairs}


_NUMBER: dict[str, Any] = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^-?[0-9.]+(/[0-9]+)?$"}]}
_WEIGHTS: dict[str, Any] = {"anyOf": [{"type": "object", "additionalProperties": _NUMBER}, {"const": "table"}]}

_PRIOR: dict[str, Any] = {
    "anyOf": [{"type": "object", "additionalProperties": _NUMBER}, {"const": "table"}, {"const": "knowledge"}]
}

Count = Annotated[int, BeforeValidator(_whole, json_schema_input_type=int)]
if TYPE_CHECKING:
    Ratio: TypeAlias = Any  # an int, a decimal or '1/3' when given; always a Fraction when read
    Ratios: TypeAlias = Any  # several of them
    Weights: TypeAlias = Any  # a mapping when given; pairs of text and Fraction when read
    Prior: TypeAlias = Any  # likewise
else:
    Ratio = Annotated[Fraction, BeforeValidator(as_fraction), PlainSerializer(_plain), WithJsonSchema(_NUMBER)]
    Ratios = tuple[Ratio, ...]
    Weights = Annotated[
        Literal["table"] | tuple[tuple[str, Fraction], ...],
        BeforeValidator(_pairs),
        PlainSerializer(_mapping),
        WithJsonSchema(_WEIGHTS),
    ]
    Prior = Annotated[
        Literal["table", "knowledge"] | tuple[tuple[str, Fraction], ...],
        BeforeValidator(_shares),
        PlainSerializer(_mapping),
        WithJsonSchema(_PRIOR),
    ]
Values = Annotated[tuple[str, ...], BeforeValidator(_words)]
ColumnSets = Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_sets)]
OfColumn = Annotated[
    str | None, Field(description="the sensitive column that it is about; needed only where there are several")
]
OfTerms = Annotated[
    str | None, Field(description="the quasi-sensitive column that it is about; needed only where there are several")
]
