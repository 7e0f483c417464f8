"""Tables and rules that somebody gives besides the release, as texts that are read like published cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.errors import InputError, SfumatoError
from sfumato.policy.document import Input
from sfumato.policy.yaml import parse_yaml
from sfumato.table.dictionaries import dictionary_of, mapped
from sfumato.table.formats.source import read_raw
from sfumato.table.frames import from_frame

__all__ = ["given_rules", "given_table"]


def given_table(given: object, settings: Input, what: str) -> pl.DataFrame:
    """A file or frame with a dictionary of texts in every column; what the policy calls missing is missing."""
    try:
        frame = read_raw(given, settings) if isinstance(given, (str, Path)) else from_frame(given, what, None)[0]
    except SfumatoError as error:
        raise InputError(f"{what}: {error}") from None
    if not frame.height:
        raise InputError(f"{what}: has no rows")
    absent = {"", *settings.missing_values}
    plain = [column for column in frame.get_columns() if not column.dtype.is_nested()]
    return pl.DataFrame([mapped(dictionary_of(each), lambda text: None if text in absent else text) for each in plain])


def given_rules(given: object) -> tuple[Mapping[str, Any], ...]:
    """Rules from a YAML or JSON file, or as they are, each checked to say whom it is about and what never is.

    >>> given_rules([{"where": {"sex": "male"}, "never": {"disease": "breast cancer"}}])
    ({'where': {'sex': ['male']}, 'never': {'disease': ['breast cancer']}},)
    """
    if isinstance(given, (str, Path)):
        path = Path(given)
        try:
            given = parse_yaml(path.read_text(encoding="utf-8"), path.name)
        except OSError as error:
            raise InputError(f"rules: {path}: {error.strerror}") from None
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise InputError("rules: give a list of rules, each with where: and never:")
    return tuple(_rule(rule, place) for place, rule in enumerate(given, 1))


def _rule(rule: object, place: int) -> Mapping[str, Any]:
    if not isinstance(rule, Mapping) or not {*rule} <= {"where", "never"} or not rule.get("never"):
        raise InputError(
            f"rule {place}: must be a mapping of never: (a sensitive column to values that cannot be) and where:"
            " (quasi-identifiers to values; without it, everybody is meant)"
        )
    return {part: _listed(rule.get(part) or {}, f"rule {place}, {part}:") for part in ("where", "never")}


def _listed(part: object, what: str) -> dict[str, list[str]]:
    if not isinstance(part, Mapping):
        raise InputError(f"{what} must be a mapping of columns to values")
    several = {str(name): values if isinstance(values, (list, tuple)) else [values] for name, values in part.items()}
    return {name: [str(value) for value in values] for name, values in several.items()}
