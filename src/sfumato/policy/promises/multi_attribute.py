"""The words of multi-attribute l-diversity."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar

from sfumato.policy.promise import Promise, promise
from sfumato.policy.promises import AnyPromise
from sfumato.policy.promises.conjunction import only

__all__ = ["MultiAttribute"]


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
