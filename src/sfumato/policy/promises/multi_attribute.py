"""The words of multi-attribute l-diversity."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.promise import Promise, promise
from sfumato.policy.promises import AnyPromise
from sfumato.policy.promises.conjunction import only

__all__ = ["MultiAttribute"]


@promise
class MultiAttribute(Promise):
    """Every sensitive column keeps `of` even for who knows all the others (Definition 4.5).

    >>> import sfumato as sf
    >>> sf.MultiAttribute(sf.DistinctL(2))
    MultiAttribute(of=DistinctL(l=2))

    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: ℓ-diversity. TKDD 1(1), 2007.
    https://doi.org/10.1145/1217299.1217302
    """

    of: Annotated[AnyPromise, Field(description="what each of them keeps, as a promise that names no column")]
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
