"""The words of entropy l-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["EntropyL"]


@promise
class EntropyL(Promise):
    """Entropy of the sensitive values of every group at least log l; l may be any real number from 1."""

    l: Annotated[Ratio, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "entropy-l"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}
