"""Which rows share a group: the vocabulary of `partition:`.

A third party's algorithm brings its settings through the entry-point group ``sfumato.partition_settings``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Discriminator, Field, PlainSerializer, Tag, model_validator

from sfumato.errors import Refused
from sfumato.policy.promises import Count, Promise, Ratio
from sfumato.policy.settings import Varied, read_settings, written
from sfumato.policy.steps import FLAGS, Polish, Residuals, Step, Steps, TermSuppression, flags_of, steps_of

__all__ = [
    "METHODS",
    "Anatomy",
    "AnyMethod",
    "Arp",
    "Auto",
    "Boxes",
    "Bsgi",
    "BsgiFree",
    "Hilbert",
    "Incognito",
    "Lattice",
    "Method",
    "Mondrian",
    "Sweep",
]


def _flag_or_settings(given: object) -> str | None:
    if isinstance(given, bool):
        return "flag"
    return "settings" if isinstance(given, (Mapping, Polish)) else None


_REFINED: tuple[Mapping[str, Any], ...] = ({"refine": True}, {"terms": True})
Levels = dict[str, Annotated[Count, Field(ge=0)]]


def _plain(flag: Any) -> Any:
    """The value of a flag as JSON."""
    return flag.model_dump(mode="json", exclude={"step"}) if isinstance(flag, Step) else flag


def _terms(given: object) -> object:
    return TermSuppression() if given is True else None if given is False else given


class Method(Varied):
    """Settings of an algorithm that decides which rows share a group, and the steps on top of it.

    What is said by flags is in `steps` as well, and the other way round, as far as flags can say it. A document is
    written with `steps`; an algorithm that cuts groups itself has `residuals` of its own beside them.
    """

    method: str = Field(description="which algorithm")
    slack: Annotated[Count, Field(ge=0)] = Field(
        0, description="search with every l raised by this much, promise l: guards against the minimality attack"
    )
    refine: bool = Field(False, exclude=True, description="short for the step refine")
    residuals: Residuals = Field("across", exclude=True, description="short for residuals of the step refine")
    terms: Annotated[TermSuppression | None, BeforeValidator(_terms)] = Field(
        None, exclude=True, description="short for the step suppress-terms: true, or its settings"
    )
    polish: Annotated[
        Annotated[bool, Tag("flag")] | Annotated[Polish, Tag("settings")],
        Discriminator(
            _flag_or_settings, custom_error_type="polish", custom_error_message="must be true, false or {work: ...}"
        ),
    ] = Field(False, exclude=True, description="short for the step polish: true, or its settings")
    steps: Steps = Field((), description="what is done with the groups that are found, one after the other")

    @model_validator(mode="after")
    def _said_once(self) -> Self:
        given, flags = self.model_fields_set, {name: getattr(self, name) for name in FLAGS}
        own = {name for name in FLAGS if not type(self).model_fields[name].exclude}
        for name in FLAGS:
            if flags[name] and name in given - own and "steps" in given:
                raise ValueError(f"says {name} beside steps; say it there, in the order in which steps run")
        steps = self.steps or steps_of(flags)
        self.__dict__.update(flags_of(steps) | {name: flags[name] for name in own}, steps=steps)
        given.difference_update({*FLAGS} - own)
        given.add("steps")  # so that it is the same when it is looked at again
        return self

    def in_flags(self) -> dict[str, Any]:
        """As plain JSON, with flags instead of steps where they say all; whatever way it was written, the same."""
        plain: dict[str, Any] = self.model_dump(mode="json")
        flags = {name: getattr(self, name) for name in FLAGS}
        if steps_of(flags) != self.steps:
            return plain
        told = {name: _plain(each) for name, each in flags.items()} | plain
        return {name: told[name] for name in type(self).model_fields if name in told and name != "steps"}

    def suppresses_terms(self, promise: Promise) -> bool:
        """Whether terms of quasi-sensitive columns may be suppressed for a promise."""
        return self.terms is not None

    def searched(self, promise: Promise) -> Promise:
        """The promise that groups are searched with."""
        if not self.slack:
            return promise
        raised = promise.with_slack(self.slack)
        if raised == promise:
            raise Refused(f"partition.slack raises l, and nothing in {promise} has one that it could raise")
        return raised


_TIME = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(s|m|h)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}


def _time(given: object) -> object:
    text = f"{given}s" if isinstance(given, int) and not isinstance(given, bool) else given
    if text is not None and not (isinstance(text, str) and _TIME.fullmatch(text) and _seconds(text)):
        raise ValueError("must be a time above 0, such as 10s, 2m or 1h")
    return text


def _seconds(text: str) -> Fraction:
    found = _TIME.fullmatch(text)
    return Fraction(0) if found is None else Fraction(found[1]) * _SECONDS[found[2]]


class Auto(Method):
    """Run the methods that promise most for this table, and keep what loses least."""

    method: Literal["auto"] = Field("auto", description="which algorithm decides who shares a group")
    budget: Literal["quick", "normal", "thorough"] = Field(
        "normal", description="how much is tried: one method, those that promise most, or many with more work each"
    )
    time: Annotated[str | None, BeforeValidator(_time)] = Field(
        None, description="how long, about: 10s, 2m, 1h; then the clock decides, and no run need give the same again"
    )

    @property
    def seconds(self) -> float | None:
        """The time as a number; None: work is counted, and the clock is not looked at."""
        return None if self.time is None else float(_seconds(self.time))

    def suppresses_terms(self, promise: Promise) -> bool:
        return self.terms is not None or any(part.about_terms for part in promise.parts)


class Mondrian(Method):
    """Split the table in two again and again, as long as both halves keep the promise."""

    method: Literal["mondrian"] = Field("mondrian", description="which algorithm decides who shares a group")
    relaxed: bool = Field(False, description="rows equal at the median may go to either side")
    others: ClassVar[tuple[Mapping[str, Any], ...]] = _REFINED


class Lattice(Method):
    """Every column at one level of its hierarchy, the same for all rows; the least loss there is."""

    method: Literal["lattice"] = Field("lattice", description="which algorithm decides who shares a group")
    choose: Literal["best", "random"] = Field(
        "best", description="the recoding of least loss, or any that keeps the promise, by secret chance"
    )
    minimum: Levels = Field(default_factory=dict, description="lowest level allowed, 0 (as it is) if not given")
    maximum: Levels = Field(default_factory=dict, description="highest level allowed, `*` if not given")
    others: ClassVar[tuple[Mapping[str, Any], ...]] = _REFINED


class Boxes(Method):
    """Show every row as nodes of the hierarchies that keep the promise with others, at the least loss that is found."""

    method: Literal["boxes"] = Field("boxes", description="which algorithm decides who shares a group")
    work: Annotated[Count, Field(ge=0, le=10**18)] | None = Field(
        None, description="how much: rows compared with boxes, about; default: 5000 for each different row"
    )
    others: ClassVar[tuple[Mapping[str, Any], ...]] = _REFINED


class Incognito(Method):
    """As lattice without suppression, by the algorithm of the paper: subset by subset of the columns."""

    method: Literal["incognito"] = Field("incognito", description="which algorithm decides who shares a group")
    choose: Literal["best", "random"] = Field(
        "best", description="the minimal recoding of least loss, or any that keeps the promise, by secret chance"
    )
    others: ClassVar[tuple[Mapping[str, Any], ...]] = _REFINED


class Anatomy(Method):
    """Deal rows to groups of different sensitive values, by secret chance."""

    method: Literal["anatomy"] = Field("anatomy", description="which algorithm decides who shares a group")


class Hilbert(Method):
    """Group rows with the next ones of different sensitive value along a line: a space-filling curve, or iDistance."""

    method: Literal["hilbert"] = Field("hilbert", description="which algorithm decides who shares a group")
    order: Literal["hilbert", "idistance"] = Field(
        "hilbert", description="how rows are lined up: along the curve, or by their distance from reference points"
    )
    later: ClassVar[frozenset[str]] = frozenset({"order"})


class Bsgi(Method):
    """Group rows of the l most frequent sensitive values left, each the nearest of its value."""

    method: Literal["bsgi"] = Field("bsgi", description="which algorithm decides who shares a group")
    information: Literal["ncp", "heights", "loss"] = Field(
        "ncp",
        description="what is near: little of the domain, few levels of the hierarchy, or little of the policy's loss",
    )
    incorporate: Literal["increase", "total"] = Field(
        "increase", description="a row left over joins the group to which it adds least, or that loses least with it"
    )
    later: ClassVar[frozenset[str]] = frozenset({"incorporate"})


class BsgiFree(Method):
    """Group the nearest rows of different sensitive values; a frequent value only goes first when it must."""

    method: Literal["bsgi-free"] = Field("bsgi-free", description="which algorithm decides who shares a group")
    information: Literal["ncp", "heights", "loss"] = Field(
        "ncp",
        description="what is near: little of the domain, few levels of the hierarchy, or little of the policy's loss",
    )
    incorporate: Literal["increase", "total"] = Field(
        "increase", description="a row left over joins the group to which it adds least, or that loses least with it"
    )
    later: ClassVar[frozenset[str]] = frozenset({"incorporate"})


class Arp(Method):
    """Split by the columns that go with the sensitive one, strongest first; then cut into groups that differ."""

    method: Literal["arp"] = Field("arp", description="which algorithm decides who shares a group")
    order: Literal["descending", "ascending"] = Field(
        "descending", description="columns by their correlation with what is sensitive"
    )
    residuals: Residuals = Field(
        "across", description="what cutting leaves over: grouped with that of neighbours, or kept in its own block"
    )
    split_merged: bool = Field(True, description="parts that had to be merged are split by the next column")
    initial_only: bool = Field(False, description="keep the blocks as they are split, for comparison")


class Sweep(Method):
    """Close classes from the most informative levels on; what is left climbs, at last its sensitive values too."""

    method: Literal["sweep"] = Field("sweep", description="which algorithm decides who shares a group")
    faithful: bool = Field(
        False, description="sweep and generalize single rows, as the paper does; tells too much to be published"
    )
    worth: Literal["uniform", "leaves", "occurring"] = Field(
        "uniform",
        description="what a level tells: the mean over its values, each alike, by its base values, or by those of them"
        " that occur in the table",
    )
    value_weights: dict[str, dict[str, Annotated[Ratio, Field(gt=0)]]] = Field(
        default_factory=dict, description="per column, how much some of its values or labels count in that mean instead"
    )
    importance: tuple[str, ...] = Field(
        (), description="quasi-identifiers from the most important on, which settle ties; others follow"
    )
    generalize: Literal["anywhere", "last"] = Field(
        "anywhere",
        description="where sensitive values may be generalized: in any class, or in the last one alone",
    )
    balance: Annotated[Ratio, Field(gt=0)] | None = Field(
        None,
        description="how many times as dear a generalized sensitive value is as a quasi-identifier; none: as all of"
        " them together",
    )
    later: ClassVar[frozenset[str]] = frozenset({"value_weights", "generalize"})
    others: ClassVar[tuple[Mapping[str, Any], ...]] = _REFINED


METHODS: dict[str, type[Method]] = {
    "auto": Auto,
    "mondrian": Mondrian,
    "boxes": Boxes,
    "lattice": Lattice,
    "incognito": Incognito,
    "anatomy": Anatomy,
    "hilbert": Hilbert,
    "bsgi": Bsgi,
    "bsgi-free": BsgiFree,
    "arp": Arp,
    "sweep": Sweep,
}


def _method(given: object) -> Method:
    return read_settings(given, "method", "auto", METHODS, "sfumato.partition_settings")


AnyMethod = Annotated[Method, BeforeValidator(_method), PlainSerializer(written)]
