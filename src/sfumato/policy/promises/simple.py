"""The words of simple l-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["SimpleL"]


@promise
class SimpleL(Promise):
    """No sensitive value in more than 1/l of a group; l may be any real number from 1."""

    l: Annotated[Ratio, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "simple-l"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}
