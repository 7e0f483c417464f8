"""How a release is made: the vocabulary of `partition:`, `form:`, `loss:` and `suppression:`.

A third party's algorithm or form brings its own settings through the entry-point groups ``sfumato.partition_settings``
and ``sfumato.form_settings``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar, cast

from pydantic import BeforeValidator, Field, PlainSerializer, create_model

from sfumato.errors import Refused
from sfumato.extension import registered
from sfumato.policy.columns import Strict
from sfumato.policy.promises import Count, Promise, Ratio

__all__ = [
    "FORMS",
    "LOSS_METRICS",
    "METHODS",
    "AnyForm",
    "AnyMethod",
    "Form",
    "Generalized",
    "Incognito",
    "Lattice",
    "Loss",
    "Method",
    "Mondrian",
    "Suppression",
    "read_form",
]

Levels = dict[str, Annotated[Count, Field(ge=0)]]


class _Varied(Strict):
    """Settings that name the variants worth trying where the default ones do not go with a promise."""

    others: ClassVar[tuple[Mapping[str, Any], ...]] = ()

    @classmethod
    def variants(cls) -> tuple[Self, ...]:
        """The default settings, then the others."""
        return (cls.model_validate({}), *map(cls.model_validate, cls.others))


class Method(_Varied):
    """Settings of an algorithm that decides which rows share a group."""

    method: str = Field(description="which algorithm")
    slack: Annotated[Count, Field(ge=0)] = Field(
        0, description="search with every l raised by this much, promise l: guards against the minimality attack"
    )

    def searched(self, promise: Promise) -> Promise:
        """The promise that groups are searched with."""
        if not self.slack:
            return promise
        raised = promise.with_slack(self.slack)
        if raised == promise:
            raise Refused(f"partition.slack raises l, and nothing in {promise} has one that it could raise")
        return raised


class Mondrian(Method):
    """Split the table in two again and again, as long as both halves keep the promise."""

    method: Literal["mondrian"] = Field("mondrian", description="which algorithm decides who shares a group")
    relaxed: bool = Field(False, description="rows equal at the median may go to either side")


class Lattice(Method):
    """Every column at one level of its hierarchy, the same for all rows; the least loss there is."""

    method: Literal["lattice"] = Field("lattice", description="which algorithm decides who shares a group")
    choose: Literal["best", "random"] = Field(
        "best", description="the recoding of least loss, or any that keeps the promise, by secret chance"
    )
    minimum: Levels = Field(default_factory=dict, description="lowest level allowed, 0 (as it is) if not given")
    maximum: Levels = Field(default_factory=dict, description="highest level allowed, `*` if not given")


class Incognito(Method):
    """As lattice without suppression, by the algorithm of the paper: subset by subset of the columns."""

    method: Literal["incognito"] = Field("incognito", description="which algorithm decides who shares a group")
    choose: Literal["best", "random"] = Field(
        "best", description="the minimal recoding of least loss, or any that keeps the promise, by secret chance"
    )


class Form(_Varied):
    """Settings of a form of publication."""

    publish: str = Field(description="which form")


class Generalized(Form):
    """One table: quasi-identifiers generalized group by group, everything else as it is."""

    publish: Literal["generalized"] = Field("generalized", description="how a group is shown")
    group_id: bool = Field(False, description="publish a column that names the group of each row")
    others: ClassVar[tuple[Mapping[str, Any], ...]] = ({"group_id": True},)


METHODS: dict[str, type[Method]] = {"mondrian": Mondrian, "lattice": Lattice, "incognito": Incognito}
FORMS: dict[str, type[Form]] = {"generalized": Generalized}

S = TypeVar("S", bound=Strict)


def _read(given: object, key: str, default: str, table: Mapping[str, type[S]], group: str) -> S:
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

    return create_model("Unknown", **{key: Annotated[str, BeforeValidator(refuse)]})  # type: ignore[call-overload]


def _method(given: object) -> Method:
    return _read(given, "method", "mondrian", METHODS, "sfumato.partition_settings")


def read_form(given: object) -> Form:
    """The settings that a policy's `form:` stands for; `ValueError` if nothing installed knows them."""
    return _read(given, "publish", "generalized", FORMS, "sfumato.form_settings")


def _written(settings: Any) -> Any:
    return settings.model_dump(mode="json")


AnyMethod = Annotated[Method, BeforeValidator(_method), PlainSerializer(_written)]
AnyForm = Annotated[Form, BeforeValidator(read_form), PlainSerializer(_written)]

LOSS_METRICS = {
    "ncp": "share of its domain that a cell could stand for",
    "geometric": "the same, columns joined by their geometric mean: what ARX minimises",
    "discernibility": "share of the table that a row cannot be told apart from",
    "average-class-size": "rows for each class",
    "height": "levels climbed",
    "precision": "levels climbed over the height of the hierarchy",
    "non-uniform-entropy": "bits needed to get the original cell back",
    "information-utility": "one minus one over the values that a cell could stand for",
}


def _metric(given: object) -> object:
    if isinstance(given, str) and registered(LOSS_METRICS, "sfumato.losses", given) is None:
        raise ValueError(f"must be one of: {', '.join(LOSS_METRICS)}")
    return given


class Loss(Strict):
    """What to lose least of."""

    metric: Annotated[str, BeforeValidator(_metric)] = Field("ncp", description="how loss is measured")
    weights: dict[str, Annotated[Ratio, Field(ge=0)]] = Field(
        default_factory=dict, description="importance of quasi-identifiers, default 1"
    )


class Suppression(Strict):
    """How much may be left out."""

    limit: Ratio = Field(default=0, ge=0, le=1, validate_default=True, description="largest share of rows")
    keep: bool = Field(False, description="keep suppressed rows as '*'; that class must keep the promise as well")
    columns: dict[str, Annotated[Ratio, Field(ge=0, le=1)]] = Field(
        default_factory=dict, description="largest share of rows whose cell in that column says nothing ('*')"
    )
