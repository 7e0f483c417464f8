"""Validation errors as problems a person can act on: path, what was got, what is allowed."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from pydantic import ValidationError

from sfumato.errors import Problem

__all__ = ["problems_of"]

_SHAPES = {
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "dict_type": "must be a mapping of settings",
    "model_type": "must be a mapping of settings",
    "dataclass_type": "must be a mapping of settings",
    "string_type": "must be text; write it in quotes",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
}


def problems_of(error: ValidationError) -> list[Problem]:
    """Every mistake in a validation error, in document order.

    A list whose items are all wrong is not also "too short". Columns whose role is wrong in one way are one mistake.
    """
    items = error.errors(include_url=False, include_context=True)
    places = [item["loc"] for item in items]
    found: dict[tuple[str, ...], list[Problem]] = {}
    for item in items:
        if item["type"] != "too_short" or not any(_below(place, item["loc"]) for place in places):
            problem = Problem(_path(item["loc"]), _got(item), _allowed(item))
            alike = (problem.got, problem.allowed) if _is_role(item["loc"]) else (problem.path, "", item["type"])
            found.setdefault(alike, []).append(problem)
    return [each[0] if len(each) == 1 else _one(each) for each in found.values()]


def _is_role(loc: tuple[int | str, ...]) -> bool:
    return len(loc) == 3 and loc[0] == "columns" and loc[2] == "role"


def _one(problems: list[Problem]) -> Problem:
    """One mistake for the roles of several columns, with all their names."""
    names = ", ".join(problem.path.removeprefix("columns.").removesuffix(".role") for problem in problems)
    allowed = f"the role of {len(problems)} columns {problems[0].allowed}: {names}"
    return Problem("columns", problems[0].got, f"{allowed}; or leave them out here and say others: {{role: drop}}")


def _below(place: tuple[int | str, ...], loc: tuple[int | str, ...]) -> bool:
    return len(place) > len(loc) and place[: len(loc)] == loc


def _path(loc: tuple[int | str, ...]) -> str:
    path = ""
    for part in loc:
        if isinstance(part, int):
            path += f"[{part}]"
        else:
            path += f".{part}" if path else part
    return path


def _got(item: Any) -> str:
    """What stands there. Lists and mappings may hold values of the data: neither they nor their items are repeated."""
    given, loc = item["input"], item["loc"]
    if (
        not loc
        or item["type"] in ("missing", "missing_argument")
        or (isinstance(given, str) and isinstance(loc[-1], int))
    ):
        return ""
    if isinstance(given, dict):
        return repr(given["model"]) if isinstance(given.get("model"), str) and len(loc) == 2 else "a mapping"
    if isinstance(given, (list, tuple, set, frozenset)):
        return "a list"
    text = str(given) if isinstance(given, (Decimal, Fraction)) else repr(given)
    return text if len(text) <= 60 else text[:57] + "..."


def _allowed(item: Any) -> str:
    kind, message = item["type"], str(item["msg"])
    if kind in ("missing", "missing_argument"):
        return "is required"
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        return "is not a setting here"
    if kind == "value_error":
        return message.removeprefix("Value error, ")
    if kind in _SHAPES:
        return _SHAPES[kind]
    return message[:1].lower() + message[1:]
