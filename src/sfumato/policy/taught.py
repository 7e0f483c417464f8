"""What `help`, `dir` and completion tell of a class whose settings are checked when it is made.

Such a class says what each setting means where it is declared, by a description; from these its docstring is put
together, so that nothing is said twice. Its signature names the settings with their defaults, and its listing what is
there for users: how the checking works is no concern of theirs.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Iterator
from dataclasses import is_dataclass
from inspect import Parameter, Signature, cleandoc
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from pydantic import BaseModel

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
    from pydantic.fields import FieldInfo
else:
    ModelMetaclass = type(BaseModel)

__all__ = ["Taught", "TaughtModel", "in_short", "names_of", "teach"]

_WIDTH = 108


class Taught(ABCMeta):
    """The class of classes that tell their readers what is there for them."""

    def __dir__(cls) -> list[str]:
        """Names for users: nothing private, no declaration, and nothing of the library that checks settings."""
        return sorted(name for name in type.__dir__(cls) if not name.startswith("_") and _is_own(cls, name))

    @property
    def __signature__(cls) -> Signature:
        """Every setting with its default."""
        kind = Parameter.POSITIONAL_OR_KEYWORD if is_dataclass(cls) else Parameter.KEYWORD_ONLY
        return Signature([_parameter(name, info, kind) for name, info in _settings(cls)])

    @__signature__.setter
    def __signature__(cls, given: object) -> None:
        """The library that checks settings writes one of its own, of types that say nothing to a reader."""


class TaughtModel(Taught, ModelMetaclass):
    """The same for what is read from a document."""


def in_short(schema: dict[str, Any]) -> None:
    """A schema says what a part is; an example and where it is from are for who reads Python."""
    if "description" in schema:
        schema["description"] = schema["description"].partition("\n\n")[0]


def teach(cls: type) -> None:
    """Put the meaning of every setting into the docstring, behind its first paragraph."""
    written = vars(cls).get("__doc__")
    if not written:
        return
    first, _, rest = cleandoc(written).partition("\n\n")
    told = {name: info.description for name, info in _settings(cls) if info.description}
    wide = max(map(len, told), default=0) + 2
    lines = [fill(f"{name:<{wide}}{words}", _WIDTH, subsequent_indent=" " * wide) for name, words in told.items()]
    cls.__doc__ = "\n\n".join(filter(None, (first, "\n".join(lines), rest)))


def names_of(thing: object) -> list[str]:
    """For `dir` of one that was made: what its class tells, and its settings."""
    cls = type(thing)
    return sorted({*dir(cls), *(name for name, _ in _settings(cls))})


def _settings(cls: type) -> Iterator[tuple[str, FieldInfo]]:
    """Settings that have a choice, in the order of their declaration; one of a single value is a name."""
    for name, info in getattr(cls, "__pydantic_fields__", {}).items():
        if not (get_origin(info.annotation) is Literal and len(get_args(info.annotation)) == 1):
            yield name, info


def _is_own(cls: type, name: str) -> bool:
    """Whether it is ours, and something to be called or computed; other values declare what the class is."""
    home = next((base for base in cls.__mro__ if name in vars(base)), cls)
    return not hasattr(BaseModel, name) and hasattr(vars(home).get(name), "__get__")


def _parameter(name: str, info: FieldInfo, kind: Any) -> Parameter:
    default: Any = Parameter.empty if info.is_required() else info.get_default(call_default_factory=True)
    return Parameter(name, kind, default=default)
