"""What the settings of algorithms and forms have in common: they are found by name, and may come in variants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self, TypeVar, cast

from pydantic import BeforeValidator, create_model

from sfumato.extension import registered
from sfumato.policy.columns import Grown, Strict

__all__ = ["Varied", "read_settings", "written"]


class Varied(Grown):
    """Settings that name the variants worth trying where the default ones do not go with a promise."""

    others: ClassVar[tuple[Mapping[str, Any], ...]] = ()

    @classmethod
    def variants(cls) -> tuple[Self, ...]:
        """The default settings, then the others."""
        return (cls.model_validate({}), *map(cls.model_validate, cls.others))

    def told(self) -> dict[str, Any]:
        """What is not the default, as a declared variant has it if it is one."""
        words = type(self)
        variant = next((each for each in words.others if words.model_validate(each) == self), None)
        return dict(variant) if variant is not None else self.model_dump(mode="json", exclude_defaults=True)


S = TypeVar("S", bound=Strict)


def read_settings(given: object, key: str, default: str, table: Mapping[str, type[S]], group: str) -> S:
    """The settings that a mapping stands for, by the name under `key`."""
    if isinstance(given, Strict):
        return cast(S, given)
    if not isinstance(given, Mapping):
        raise ValueError(f"must be a mapping of settings, such as {{{key}: {default}}}")
    name = given.get(key, default)
    found = registered(table, group, name) if isinstance(name, str) else None
    return (found or _unknown(key, list(table))).model_validate(given)


def _unknown(key: str, names: list[str]) -> Any:
    """Settings that nothing fits: the mistake is reported at its place."""

    def refuse(given: object) -> object:
        raise ValueError(f"must be one of: {', '.join(names)}")

    return create_model("Unknown", **{key: Annotated[str, BeforeValidator(refuse)]})  # type: ignore[call-overload]  # names from a dict


def written(settings: Any) -> Any:
    """Settings as a policy holds them, defaults included."""
    return settings.model_dump(mode="json")
