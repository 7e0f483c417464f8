"""What can be promised: the vocabulary of `privacy:`, one frozen value per promise.

This file holds words only. What a promise *means* is decided twice and apart: in `sfumato.models` for the search
and in `sfumato.auditor` for the judgement. A third party's promise joins through the entry-point group
``sfumato.promises``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, Self, cast

from pydantic import BeforeValidator, Field, PlainSerializer, TypeAdapter, model_validator

from sfumato.extension import registered
from sfumato.policy.parameters import ColumnSets, Count, Prior, Ratio, Ratios, Values, Weights
from sfumato.policy.promise import Promise, promise

__all__ = [
    "PROMISES",
    "AllOf",
    "AnyPromise",
    "Count",
    "Promise",
    "Ratio",
    "Values",
    "all_of",
    "groups_of",
    "only",
    "promise",
    "promise_class",
    "promise_schema",
    "read_promise",
]


@promise
class KAnonymity(Promise):
    """At least k rows in every group; with `of`, at least k that agree in each of these sets of quasi-identifiers."""

    k: Annotated[Count, Field(ge=1)]
    of: ColumnSets = ()
    name: ClassVar[str] = "k-anonymity"
    example: ClassVar[Mapping[str, Any]] = {"k": 2}
    about_values: ClassVar[bool] = False

    @property
    def knowing(self) -> tuple[tuple[str, ...], ...]:
        return self.of


@promise
class DistinctL(Promise):
    """At least l different sensitive values in every group."""

    l: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "distinct-l"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}


@promise
class EntropyL(Promise):
    """Entropy of the sensitive values of every group at least log l; l may be any real number from 1."""

    l: Annotated[Ratio, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "entropy-l"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}


@promise
class RecursiveCL(Promise):
    """The most frequent value occurs less than c times as often as the values from the l-th on together."""

    c: Annotated[Ratio, Field(gt=0)]
    l: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "recursive-cl"
    example: ClassVar[Mapping[str, Any]] = {"c": 2, "l": 2}


@promise
class PdRecursive(Promise):
    """Recursive (c,l), except for values that may be disclosed."""

    c: Annotated[Ratio, Field(gt=0)]
    l: Annotated[Count, Field(ge=1)]
    disclosable: Values = ()
    on: str | None = None
    name: ClassVar[str] = "pd-recursive"
    example: ClassVar[Mapping[str, Any]] = {"c": 2, "l": 2, "disclosable": ["a"]}


@promise
class NpdRecursive(Promise):
    """pd-recursive (c1,l), and every protected value in at least c2 percent of each group."""

    c1: Annotated[Ratio, Field(gt=0)]
    c2: Annotated[Ratio, Field(ge=0, le=100)]
    l: Annotated[Count, Field(ge=1)]
    disclosable: Values = ()
    protected: Values = ()
    on: str | None = None
    name: ClassVar[str] = "npd-recursive"
    example: ClassVar[Mapping[str, Any]] = {"c1": 2, "c2": 5, "l": 2, "disclosable": ["a"], "protected": ["b"]}


@promise
class SimpleL(Promise):
    """No sensitive value in more than 1/l of a group; l may be any real number from 1."""

    l: Annotated[Ratio, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "simple-l"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}


@promise
class PairwiseL(Promise):
    """All sensitive values of a group different, and at least l of them. Needs a published group id."""

    l: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "pairwise-l"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}
    needs_group_id: ClassVar[bool] = True


@promise
class UniqueDistinctL(Promise):
    """Exactly l rows in every group, all sensitive values different. Needs a published group id."""

    l: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "unique-distinct-l"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}
    needs_group_id: ClassVar[bool] = True

    def with_slack(self, steps: int) -> Promise:
        return self  # exactly l: a larger l is another promise, not a stronger one


@promise
class UniqueDistinctLiteral(Promise):
    """Exactly l different sensitive values, however often each occurs: the paper's letter, which bounds nothing."""

    l: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "unique-distinct-literal"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}
    needs_group_id: ClassVar[bool] = True

    def with_slack(self, steps: int) -> Promise:
        return self  # exactly l: a larger l is another promise, not a stronger one


@promise
class AlphaK(Promise):
    """At least k rows in every group and no sensitive value in more than alpha of them."""

    alpha: Annotated[Ratio, Field(gt=0, le=1)]
    k: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "alpha-k"
    example: ClassVar[Mapping[str, Any]] = {"alpha": "1/2", "k": 2}


@promise
class Proximity(Promise):
    """Whatever number is guessed, at most 1/m of every group have a sensitive value within e of it."""

    e: Annotated[Ratio, Field(ge=0)]
    m: Annotated[Ratio, Field(ge=1)]
    neighbourhood: Literal["absolute", "relative"] = "absolute"
    on: str | None = None
    name: ClassVar[str] = "proximity"
    example: ClassVar[Mapping[str, Any]] = {"e": "1/2", "m": 2}
    needs_order: ClassVar[bool] = True

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.neighbourhood == "relative" and self.e >= 1:
            raise ValueError(
                "e must be below 1 where it is relative: all that has the sign of a guess would be near it"
            )
        return self

    def with_slack(self, steps: int) -> Promise:
        return dataclasses.replace(self, m=self.m + steps)


@promise
class TCloseness(Promise):
    """Sensitive values of every group within distance t of the whole original table."""

    t: Annotated[Ratio, Field(ge=0, le=1)]
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    on: str | None = None
    name: ClassVar[str] = "t-closeness"
    example: ClassVar[Mapping[str, Any]] = {"t": "2/5"}


@promise
class DeltaDisclosure(Promise):
    """Every sensitive value within a factor e^delta of its share of the whole original table, in every group."""

    delta: Annotated[Ratio, Field(gt=0)]
    on: str | None = None
    name: ClassVar[str] = "delta-disclosure"
    example: ClassVar[Mapping[str, Any]] = {"delta": 1}


@promise
class TauL(Promise):
    """The k most frequent values fill at most psi(k) of every group: tau for k = 1, all for l, evenly between."""

    tau: Annotated[Ratio, Field(gt=0, lt=1)]
    l: Annotated[Count, Field(ge=2)]
    weights: Weights = ()
    psi: Ratios = ()
    on: str | None = None
    name: ClassVar[str] = "tau-l"
    example: ClassVar[Mapping[str, Any]] = {"tau": "3/5", "l": 3}

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.tau * self.l < 1:
            raise ValueError("tau must be at least 1/l: the most frequent of l values cannot be rarer")
        if self.psi and (len(self.psi) != self.l - 1 or self.psi[0] != self.tau):
            raise ValueError("psi must list the bounds for 1 to l - 1 values, beginning with tau")
        if any(low > high for low, high in pairwise((*self.psi, Fraction(1)))) or Fraction(1) in self.psi:
            raise ValueError("psi must not descend, and stay below 1")
        return self

    @property
    def weighing(self) -> Weights:
        return self.weights

    def with_slack(self, steps: int) -> Promise:
        return self if self.psi else dataclasses.replace(self, l=self.l + steps)


@promise
class QsCL(Promise):
    """Of the labels that a group's terms may stand for, the likeliest is at most c times those from the l-th on."""

    c: Annotated[Ratio, Field(gt=0)]
    l: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "qs-cl"
    example: ClassVar[Mapping[str, Any]] = {"c": 1, "l": 2}
    about_values: ClassVar[bool] = False
    about_terms: ClassVar[bool] = True

    def weaker(self, times: int) -> Promise:
        return dataclasses.replace(self, l=max(self.l // times, 1), c=max(self.c, Fraction(1)))


@promise
class QsT(Promise):
    """Beliefs about labels, by the terms of every group, within distance t of what is believed beforehand."""

    t: Annotated[Ratio, Field(ge=0)]
    prior: Prior = "table"
    distance: Literal["euclidean", "emd", "hierarchical"] = "euclidean"
    on: str | None = None
    name: ClassVar[str] = "qs-t"
    example: ClassVar[Mapping[str, Any]] = {"t": "2/5"}
    about_values: ClassVar[bool] = False
    about_terms: ClassVar[bool] = True

    def weaker(self, times: int) -> Promise:
        return dataclasses.replace(self, t=self.t * times)


def read_promise(given: object) -> Promise:
    """The promise that a policy entry such as ``{model: k-anonymity, k: 5}`` stands for."""
    if isinstance(given, Promise):
        return given
    if not isinstance(given, Mapping) or not isinstance(given.get("model"), str):
        raise ValueError("must be a mapping with a 'model', such as {model: k-anonymity, k: 5}")
    cls = promise_class(given["model"])
    made: Promise = TypeAdapter(cls).validate_python({key: value for key, value in given.items() if key != "model"})
    return made


AnyPromise = Annotated[
    Promise, BeforeValidator(read_promise), PlainSerializer(lambda given: cast(Promise, given).as_dict())
]


@promise
class MultiAttribute(Promise):
    """Every sensitive column keeps `of` even for who knows all the others (Definition 4.5)."""

    of: AnyPromise
    name: ClassVar[str] = "multi-attribute"
    example: ClassVar[Mapping[str, Any]] = {"of": {"model": "distinct-l", "l": 2}}
    about_values: ClassVar[bool] = False

    @property
    def of_each(self) -> Promise:
        return self.of

    def with_slack(self, steps: int) -> Promise:
        return dataclasses.replace(self, of=self.of.with_slack(steps))

    def lowered(self) -> Promise:
        return dataclasses.replace(self, of=only(self.of).lowered())


@promise
class AllOf(Promise):
    """Every one of several promises."""

    promises: tuple[AnyPromise, ...]
    name: ClassVar[str] = "all-of"

    @property
    def title(self) -> str:
        return " and ".join(each.title for each in self.promises)

    @property
    def parts(self) -> tuple[Promise, ...]:
        return tuple(part for each in self.promises for part in each.parts)

    def on_column(self, name: str | None) -> Promise:
        return all_of(*(each.on_column(name) for each in self.promises))

    def with_slack(self, steps: int) -> Promise:
        return all_of(*(each.with_slack(steps) for each in self.promises))

    def lowered(self) -> Promise:
        return all_of(*(each.lowered() for each in self.promises))

    def __str__(self) -> str:
        return " and ".join(map(str, self.promises))


def all_of(*promises: Promise) -> AllOf:
    """One conjunction, nested ones opened."""
    return AllOf(tuple(part for each in promises for part in each.parts))


def only(promise: Promise) -> Promise:
    """The one promise of a conjunction that has no more; otherwise the conjunction."""
    return promise.parts[0] if len(promise.parts) == 1 else promise


def groups_of(rows: int) -> KAnonymity:
    """At least so many rows in every group; with 1, nothing that a group could break."""
    return KAnonymity(rows)


PROMISES: dict[str, type[Promise]] = {
    cls.name: cls
    for cls in (
        KAnonymity,
        DistinctL,
        EntropyL,
        RecursiveCL,
        PdRecursive,
        NpdRecursive,
        SimpleL,
        PairwiseL,
        UniqueDistinctL,
        UniqueDistinctLiteral,
        AlphaK,
        Proximity,
        TCloseness,
        DeltaDisclosure,
        TauL,
        MultiAttribute,
        QsCL,
        QsT,
    )
}


def promise_schema(cls: type[Promise]) -> dict[str, Any]:
    """JSON Schema of a policy entry that makes this promise."""
    schema = TypeAdapter(cls).json_schema()
    schema["properties"] = {"model": {"const": cls.name}, **schema["properties"]}
    schema["required"] = ["model", *schema.get("required", ())]
    return schema


def promise_class(name: str) -> type[Promise]:
    """The promise of that name, built in or registered by an installed package."""
    found = registered(PROMISES, "sfumato.promises", name)
    if found is None:
        raise ValueError(f"must be one of: {', '.join(PROMISES)}")
    return found
