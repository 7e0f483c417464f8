"""YAML as people expect it: 1.2 booleans, decimals as written, text that looks like a code stays text.

The older rules would read the key ``on`` as True, ``02000`` as 1024 and ``12:30`` as 750.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import yaml

from sfumato.errors import PolicyError, Problem

__all__ = ["parse_yaml"]


_DIGITS = 1000


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # libyaml, where it is installed
    pass


_Loader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", list("-+0123456789")),
    ("float", r"^[-+]?(?:0|[1-9][0-9]*)?(?:\.[0-9]+)(?:[eE][-+]?[0-9]+)?$", list("-+.0123456789")),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), list(_first))


def _number(loader: _Loader, node: yaml.ScalarNode) -> Decimal:
    return Decimal(str(loader.construct_scalar(node)))


def _integer(loader: _Loader, node: yaml.ScalarNode) -> int:
    text = str(loader.construct_scalar(node))
    if len(text) > _DIGITS:  # reading it would take long, and no setting is so large
        raise yaml.constructor.ConstructorError(None, None, "a number has too many digits", node.start_mark)
    return int(text)


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    """Keys are text as it is written: a column may be called 2020, or null."""
    made: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise yaml.constructor.ConstructorError(None, None, "a key must be text", key_node.start_mark)
        if key_node.value in made:
            twice = f"the key {key_node.value!r} stands twice"
            raise yaml.constructor.ConstructorError(None, None, twice, key_node.start_mark)
        made[key_node.value] = loader.construct_object(value_node, deep=True)
    return made


_Loader.add_constructor("tag:yaml.org,2002:int", _integer)
_Loader.add_constructor("tag:yaml.org,2002:float", _number)
_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)


def parse_yaml(text: str, source: str) -> Any:
    """The document in a YAML text; a `PolicyError` with its line if it is not YAML."""
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a SafeLoader with fewer types
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}" if mark is not None else ""
        problem = getattr(error, "problem", None) or "is not valid YAML"
        raise PolicyError([Problem(place, "", str(problem))], source) from None
    except RecursionError:
        raise PolicyError([Problem("", "", "is nested too deeply")], source) from None
    except (ValueError, TypeError, AttributeError, ArithmeticError, LookupError):
        raise PolicyError([Problem("", "", "a value does not fit the type that its tag says")], source) from None
