"""What the settings of every algorithm have in common: its slack and the steps on top of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from sfumato.errors import Refused
from sfumato.policy.parameters import Count
from sfumato.policy.promise import Promise
from sfumato.policy.settings import Varied
from sfumato.policy.steps import FLAGS, Polish, Residuals, Step, Steps, TermSuppression, flags_of, steps_of

__all__ = ["REFINED", "Method"]

REFINED: tuple[Mapping[str, Any], ...] = ({"refine": True}, {"terms": True})
"""Variants worth trying for most: groups of different values, and terms suppressed."""


def _flag_or_settings(given: object) -> str | None:
    if isinstance(given, bool):
        return "flag"
    return "settings" if isinstance(given, (Mapping, Polish)) else None


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
        0,
        description="search with every l raised by this much, and promise l: guards against the minimality attack, of"
        " who knows that no more is hidden than must be",
    )
    refine: bool = Field(
        False,
        exclude=True,
        description="cut the groups that are found into groups of pairwise different sensitive values: the step refine",
    )
    residuals: Residuals = Field(
        "across",
        exclude=True,
        description="what refine leaves over: `across`, grouped with that of neighbours; `own`, kept in its own block",
    )
    terms: Annotated[TermSuppression | None, BeforeValidator(_terms)] = Field(
        None,
        exclude=True,
        description="leave out terms of quasi-sensitive columns where groups break their promise otherwise: true, or"
        " the settings of the step suppress-terms",
    )
    polish: Annotated[
        Annotated[bool, Tag("flag")] | Annotated[Polish, Tag("settings")],
        Discriminator(
            _flag_or_settings, custom_error_type="polish", custom_error_message="must be true, false or {work: ...}"
        ),
    ] = Field(
        False,
        exclude=True,
        description="regroup near rows of what was found, so that less is lost: true, or settings of the step polish",
    )
    steps: Steps = Field(
        (), description="refine, terms and polish as a list instead, and other steps: run one after the other"
    )

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

    def __repr_args__(self) -> Iterator[tuple[str, Any]]:
        """What is not the default, steps by flags where they say all."""
        flagged = steps_of({name: getattr(self, name) for name in FLAGS}) == self.steps
        unsaid = {"steps"} if flagged else {*FLAGS}
        yield from ((name, value) for name, value in super().__repr_args__() if name not in unsaid)

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
