"""Arrays that grow inside compiled loops."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import inner

__all__ = ["longer"]


@inner
def longer(numbers: NDArray[Any], wanted: int) -> NDArray[Any]:
    """The same numbers with room for at least so many: as they are if they have it, else with twice the room."""
    if wanted <= len(numbers):
        return numbers
    more = np.empty(max(2 * len(numbers), wanted), numbers.dtype)
    for at in range(len(numbers)):
        more[at] = numbers[at]
    return more
