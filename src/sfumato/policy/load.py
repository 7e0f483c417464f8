"""Read a policy: YAML, TOML or JSON, a mapping, or a `Policy`; report every mistake at once."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ValidationError

from sfumato.errors import InputError, PolicyError, Problem
from sfumato.policy.crosscheck import crosscheck, missing_files
from sfumato.policy.document import Input, Policy, overridden
from sfumato.policy.forms import Form
from sfumato.policy.methods import Method
from sfumato.policy.problems import problems_of
from sfumato.policy.promises import Promise
from sfumato.policy.upgrade import upgraded

__all__ = ["PolicyLike", "input_settings", "read_policy"]

_DEPTH = 100
_TOO_DEEP = Problem("", "", f"is nested too deeply: settings lie at most {_DEPTH} deep in one another")
_LONG_KEY = re.compile(rf"^[\s\[]*(?:[\w-]+[ \t]*\.[ \t]*){{{_DEPTH}}}", re.MULTILINE)

PolicyLike: TypeAlias = Policy | Mapping[str, Any] | str | Path


def read_policy(
    given: PolicyLike,
    base: Path | None = None,
    *,
    promise: Promise | Mapping[str, Any] | None = None,
    partition: Method | Mapping[str, Any] | None = None,
    form: Form | Mapping[str, Any] | None = None,
) -> Policy:
    """The policy in a file, a mapping, or itself.

    given    that
    base     the folder that hierarchy files are looked up in: by default that of the policy file, or the current one
    promise, partition, form   put in before anything is checked: what they replace may be wrong or missing

    `PolicyError` lists every mistake, not only the first.
    """
    if isinstance(given, Policy):
        asked = any(each is not None for each in (promise, partition, form))
        return given.changed(promise, partition, form) if asked else given
    raw, source, folder = (given, "policy", Path()) if isinstance(given, Mapping) else _found(Path(given))
    if isinstance(raw, Mapping):
        raw = overridden(raw, promise, partition, form)
    return _validated(raw, source, base or folder)


def _found(path: Path) -> tuple[Any, str, Path]:
    return _parsed(path), str(path), path.parent


def input_settings(given: Mapping[str, Any] | None) -> Input:
    """The `input:` of a policy, alone."""
    try:
        return Input.model_validate(dict(given or {}))
    except ValidationError as error:
        raise PolicyError(problems_of(error), "input") from None


def _parsed(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: no such policy file; `sfumato init DATA` writes one") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as a policy: {error.__class__.__name__}") from None
    suffix = path.suffix.lower()
    try:
        if suffix == ".json":
            return json.loads(text, parse_float=Decimal, object_pairs_hook=_once)
        if suffix == ".toml":
            if _LONG_KEY.search(text):  # tomllib takes a time that grows with the square of its parts
                raise PolicyError([_TOO_DEEP], str(path))
            import tomllib

            return tomllib.loads(text, parse_float=Decimal)
    except RecursionError:
        raise PolicyError([_TOO_DEEP], str(path)) from None
    except PolicyError:
        raise
    except ValueError as error:
        raise PolicyError([Problem("", "", f"is not valid {suffix[1:].upper()}: {error}")], str(path)) from None
    from sfumato.policy.yaml import parse_yaml  # with the library for it

    return parse_yaml(text, str(path))


def _depth_exceeds(raw: Any, limit: int) -> bool:
    """Whether mappings and lists lie in one another more than so many deep, or in themselves."""
    level: dict[int, Any] = {id(raw): raw}
    for _ in range(limit):
        inside = [part for part in level.values() if isinstance(part, (Mapping, list, tuple))]
        below = (value for part in inside for value in (part.values() if isinstance(part, Mapping) else part))
        level = {id(value): value for value in below}  # what stands there often is looked at once
        if not level:
            return False
    return True


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        twice = next(key for index, (key, _) in enumerate(pairs) if key in dict(pairs[:index]))
        raise ValueError(f"the key {twice!r} stands twice")
    return made


def _as_written(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The promises with the key `on`, of which a reader of YAML 1.1 makes True."""
    promises = raw.get("privacy")
    return {"privacy": [_with_on(each) for each in promises]} if isinstance(promises, (list, tuple)) else {}


def _with_on(promise: Any) -> Any:
    if not isinstance(promise, Mapping):
        return promise
    made = {"on" if key is True and "on" not in promise else key: value for key, value in promise.items()}
    return made if "of" not in made else {**made, "of": _with_on(made["of"])}


def _validated(raw: Any, source: str, base: Path) -> Policy:
    if not isinstance(raw, Mapping):
        raise PolicyError([Problem("", type(raw).__name__, "a policy must be a mapping of settings")], source)
    if _depth_exceeds(raw, _DEPTH):
        raise PolicyError([_TOO_DEEP], source)
    raw = upgraded({**raw, **_as_written(raw)}, source)
    problems: list[Problem] = []
    try:
        policy = Policy.model_validate(raw)
    except ValidationError as error:
        problems += problems_of(error)
    problems += [*crosscheck(raw), *missing_files(raw, base)]
    if problems:
        raise PolicyError(problems, source)
    policy._base = base
    return policy
