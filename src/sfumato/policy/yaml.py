"""YAML as people expect it: 1.2 booleans, decimals as written, text that looks like a code stays text.

The older rules would read the key ``on`` as True, ``02000`` as 1024 and ``12:30`` as 750.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import yaml

from sfumato.errors import PolicyError, Problem

__all__ = ["NotYaml", "YamlPart", "outline", "parse_yaml", "to_yaml"]

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


class _Dumper(yaml.SafeDumper):
    """Quotes what `_Loader` would take for something else, and no more; says the same thing twice, never by a mark."""

    yaml_implicit_resolvers = _Loader.yaml_implicit_resolvers

    def ignore_aliases(self, data: Any) -> bool:
        return True


def to_yaml(document: Mapping[str, Any]) -> str:
    """A document of sections as people write it: a line for each setting, column and promise.

    >>> print(to_yaml({"version": 1, "columns": {"age": {"role": "quasi"}}, "privacy": [{"l": 3, "on": "2020"}]}))
    version: 1
    columns:
      age: {role: quasi}
    privacy:
      - {l: 3, on: '2020'}
    """
    return "\n".join(line for key, value in document.items() for line in _section(key, value))


def _section(key: str, value: Any) -> Iterator[str]:
    if value and isinstance(value, Mapping) and all(isinstance(each, Mapping) for each in value.values()):
        yield f"{_flow(key)}:"
        yield from (f"  {_flow(name)}: {_flow(each)}" for name, each in value.items())
    elif value and isinstance(value, (list, tuple)) and all(isinstance(each, Mapping) for each in value):
        yield f"{_flow(key)}:"
        yield from (f"  - {_flow(each)}" for each in value)
    else:
        yield f"{_flow(key)}: {_flow(value)}"


def _flow(value: Any) -> str:
    """A value in one line."""
    text = yaml.dump(
        value, Dumper=_Dumper, default_flow_style=True, width=float("inf"), allow_unicode=True, sort_keys=False
    )
    return text.removesuffix("\n").removesuffix("...").removesuffix("\n")


class NotYaml(Exception):
    """A text that is not YAML: what is wrong, and on which line, if that is known."""

    def __init__(self, words: str, line: int | None = None) -> None:
        super().__init__(words)
        self.words = words
        self.line = line


@dataclass(frozen=True)
class YamlPart:
    """A place in a YAML text, and the line it is on; every text is taken as it is written, whatever it looks like.

    It is looked at when asked, so a part that refers to one above it does not hold everything at once.
    """

    node: yaml.Node

    @property
    def line(self) -> int:
        return int(self.node.start_mark.line) + 1

    @property
    def text(self) -> str | None:
        """What stands there, if it is a single text, number or nothing; None if it is a mapping or a list."""
        return str(self.node.value) if isinstance(self.node, yaml.ScalarNode) else None

    @property
    def pairs(self) -> list[tuple[YamlPart, YamlPart]] | None:
        """Keys and what they stand for, one as often as it is there; None if it is no mapping."""
        if not isinstance(self.node, yaml.MappingNode):
            return None
        return [(YamlPart(key), YamlPart(value)) for key, value in self.node.value]

    @property
    def items(self) -> list[YamlPart] | None:
        """What a list holds; None if it is none."""
        return [YamlPart(item) for item in self.node.value] if isinstance(self.node, yaml.SequenceNode) else None


def outline(text: str) -> YamlPart | None:
    """What stands in a YAML text, as it is written; None if it is empty, `NotYaml` if it is none."""
    with _yaml(text):
        node = yaml.compose(text, Loader=_Loader)
    return None if node is None else YamlPart(node)


def parse_yaml(text: str, source: str) -> Any:
    """The document in a YAML text; a `PolicyError` with its line if it is not YAML."""
    try:
        with _yaml(text):
            return yaml.load(text, Loader=_Loader)  # noqa: S506 - a SafeLoader with fewer types
    except NotYaml as error:
        place = "" if error.line is None else f"line {error.line}"
        raise PolicyError([Problem(place, "", error.words)], source) from None


@contextlib.contextmanager
def _yaml(text: str) -> Iterator[None]:
    """`NotYaml` in place of what the library raises."""
    try:
        yield
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "is not valid YAML"
        if mark is not None and "\t" in (text.splitlines()[mark.line : mark.line + 1] or [""])[0][: mark.column + 1]:
            problem = "a tab stands where YAML wants spaces; indent with spaces alone"
        raise NotYaml(str(problem), None if mark is None else mark.line + 1) from None
    except RecursionError:
        raise NotYaml("is nested too deeply") from None
    except (ValueError, TypeError, AttributeError, ArithmeticError, LookupError):
        raise NotYaml("a value does not fit the type that its tag says") from None
