"""The words of all of several promises."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from sfumato.policy.promise import Promise, promise
from sfumato.policy.promises import AnyPromise

__all__ = ["AllOf", "all_of", "only"]


@promise
class AllOf(Promise):
    """Every one of several promises.

    Made with ``&``.

    >>> import sfumato as sf
    >>> len((sf.KAnonymity(5) & sf.DistinctL(3)).promises)
    2
    """

    promises: Annotated[tuple[AnyPromise, ...], Field(description="those")]
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

    def __repr__(self) -> str:
        return " & ".join(map(repr, self.promises))

    def __str__(self) -> str:
        return " and ".join(map(str, self.promises))


def all_of(*promises: Promise) -> AllOf:
    """One conjunction, nested ones opened."""
    return AllOf(tuple(part for each in promises for part in each.parts))


def only(promise: Promise) -> Promise:
    """The one promise of a conjunction that has no more; otherwise the conjunction."""
    return promise.parts[0] if len(promise.parts) == 1 else promise
