"""What a promise is: a frozen value with a name, read from a policy and written back, joined with others by ``&``."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, dataclass_transform

import pydantic.dataclasses
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from sfumato.errors import PolicyError, one_line
from sfumato.exact import as_text
from sfumato.policy.problems import problems_of
from sfumato.policy.taught import Taught, names_of, teach
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato.policy.parameters import Weights
    from sfumato.policy.promises import AllOf

__all__ = ["Capping", "Promise", "promise", "shortly"]


@dataclasses.dataclass(frozen=True)
class Capping:
    """Words by which a promise caps what the most frequent values of a group fill.

    tau    for the most frequent one
    l      so many may fill all of it; between, evenly
    psi    or as listed, for 1 to l - 1 values
    """

    tau: Fraction
    l: int
    psi: tuple[Fraction, ...] = ()


@dataclasses.dataclass(frozen=True, repr=False)
class Promise(metaclass=Taught):
    """A statement about every group of a release. Frozen, JSON-able, joined with ``&``.

    name              what it is called in a policy
    example           parameters with which it can be shown, on the values a, b, c and d
    about_values      whether it speaks of a sensitive column, which `on` names
    about_terms       whether it speaks of a quasi-sensitive column, which `on` names
    needs_group_id    whether it can only be checked where groups have a published id
    needs_order       whether the values of its column must have an order: numbers, dates, or an `order:` list

    What else there is to know of it, it says itself: nobody asks which class it is of. A promise of another package may
    override `parts`, `of_each`, `knowing`, `weighing`, `capping`, `with_slack`, `lowered` and `weaker`; what they are
    here suits most.
    """

    name: ClassVar[str] = ""
    example: ClassVar[Mapping[str, Any]] = {}
    about_values: ClassVar[bool] = True
    about_terms: ClassVar[bool] = False
    needs_group_id: ClassVar[bool] = False
    needs_order: ClassVar[bool] = False

    def __and__(self, other: Promise) -> AllOf:
        from sfumato.policy.promises import all_of  # which lists all promises

        return all_of(self, other)

    @property
    def title(self) -> str:
        """Its name; those of its parts if it has some."""
        return self.name

    @property
    def parts(self) -> tuple[Promise, ...]:
        """The promises that it joins; itself if it joins none."""
        return (self,)

    @property
    def about(self) -> str | None:
        """The column that it names with `on`; None: it names none."""
        return getattr(self, "on", None)

    @property
    def of_each(self) -> Promise | None:
        """What every sensitive column keeps, even for who knows all the others; None: it speaks of one, or of none."""
        return None

    @property
    def knowing(self) -> tuple[tuple[str, ...], ...]:
        """Sets of quasi-identifiers of which somebody knows one, and no other column; none: all of them at once."""
        return ()

    @property
    def weighing(self) -> Weights | None:
        """By which weights a generalized value counts for the values below it; None: it does not weigh them."""
        return None

    @property
    def capping(self) -> Capping | None:
        """How it caps what the most frequent values fill, in its own words; None: it does not, or in other ones."""
        return None

    def on_column(self, name: str | None) -> Promise:
        """The same promise about that column, None: about the only one; itself if it cannot name any."""
        given: Any = self
        return cast(Promise, dataclasses.replace(given, on=name)) if hasattr(self, "on") else self

    def asked_of(self, sensitive: Sequence[str]) -> Iterator[tuple[str, Promise]]:
        """Every promise about values in it, with each of these columns that it speaks of."""
        for part in self.parts:
            inner = part.of_each
            for each in part.parts if inner is None else inner.parts:
                named = None if inner is not None else each.about
                if each.about_values:
                    yield from ((name, each) for name in sensitive if named in (None, name))

    @classmethod
    def sample(cls) -> Promise:
        """The promise with its example parameters."""
        from sfumato.policy.promises import read_promise  # which lists all promises

        return read_promise({"model": cls.name, **cls.example})

    def with_slack(self, steps: int) -> Promise:
        """The same promise with every l raised; itself where there is none."""
        given: Any = self
        return cast(Promise, dataclasses.replace(given, l=given.l + steps)) if hasattr(self, "l") else self

    def lowered(self) -> Promise:
        """The same promise with every l lower, the next whole number; itself where that would say nothing."""
        given: Any = self
        l = given.l if hasattr(self, "l") else 0
        if l <= 2:  # one value, or one group, says nothing
            return self
        try:
            lower = self.with_slack(-1) if l == ceil(l) else dataclasses.replace(given, l=ceil(l) - 1)
        except PolicyError:
            return self
        return cast(Promise, lower)

    def weaker(self, times: int) -> Promise:
        """For one about terms: a promise that asks so many times less; itself where there is none."""
        return self

    def as_dict(self) -> dict[str, Any]:
        """The promise as it stands in a policy."""
        plain = TypeAdapter(type(self)).dump_python(self, mode="json", exclude_defaults=True)
        return {"model": self.name, **plain}

    def __dir__(self) -> list[str]:
        return names_of(self)

    def __repr__(self) -> str:
        given = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        told = self.as_dict()
        words = (f"{name}={_in_code(given[name], told[name])}" for name in given if name in told)
        return f"{type(self).__name__}({', '.join(words)})"

    def __str__(self) -> str:
        words = []
        for key, value in self.as_dict().items():
            if key == "model":
                continue
            inner = getattr(self, key)
            words.append(f"{key}={one_line(str(inner if isinstance(inner, Promise) else shortly(value)))}")
        return f"{self.name} ({', '.join(words)})" if words else self.name


def shortly(value: Any) -> int | str:
    """A parameter in a word: values of the data only as their number, sets of columns by name.

    >>> shortly(5), shortly(["flu", "cancer"]), shortly([["age", "sex"], ["zip"]])
    (5, '2 values', 'age + sex, zip')
    """
    if isinstance(value, (list, tuple)) and value and all(isinstance(each, (list, tuple)) for each in value):
        return ", ".join(" + ".join(map(str, each)) for each in value)
    return counted(len(value), "value") if isinstance(value, (list, tuple, dict)) else cast(int | str, value)


def _in_code(value: Any, told: Any) -> str:
    """A parameter as code has it; values of the data only as their number."""
    if isinstance(value, Fraction):
        return as_text(value) if "/" not in as_text(value) else repr(as_text(value))
    if isinstance(value, Promise):
        return repr(value)
    columns = isinstance(told, list) and all(isinstance(each, list) for each in told)
    of_data = isinstance(told, (list, dict)) and not columns
    return f"<{shortly(told)}>" if of_data else repr(value)


P = TypeVar("P", bound=Promise)


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field, Field))
def promise(cls: type[P]) -> type[P]:
    """Make a class a promise: frozen, checked when made, readable from a policy."""
    strict = ConfigDict(extra="forbid", hide_input_in_errors=True)
    made: Any = pydantic.dataclasses.dataclass(frozen=True, repr=False, config=strict)(cls)
    names = [field.name for field in dataclasses.fields(made)]
    checked = made.__init__

    def make(self: P, *args: Any, **kwargs: Any) -> None:
        named = dict(zip(names, args, strict=False))  # so that a mistake is reported by name, not by position
        try:
            checked(self, *args[len(named) :], **named, **kwargs)
        except ValidationError as error:
            raise PolicyError(problems_of(error), f"promise {cls.name!r}") from None

    made.__init__ = make
    teach(made)
    return cast(type[P], made)
