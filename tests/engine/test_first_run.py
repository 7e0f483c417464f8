"""Compiling is told, once; garbage is collected again after it."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest
from numba import njit

from sfumato.kernels.first import first_run


def _loop(plus: int) -> Any:
    def added(number: int) -> int:
        return number + plus

    return njit(added)


def test_it_is_told_once_and_only_if_something_is_compiled() -> None:
    one, other = _loop(1), _loop(2)
    told: list[tuple[Any, bool]] = []
    with first_run(lambda *said: told.append((said, gc.isenabled()))):
        assert told == []
        assert one(1) + other(1) == 5
        assert told == [(("compiling, once", 0, 1), False)]  # nothing is collected while something is compiled
        assert gc.isenabled()
    assert told[1:] == [(("compiling, once", 1, 1), True)]
    with first_run(lambda *said: told.append((said, True))):
        assert one(1) == 2
    other(np.float32(1))
    assert len(told) == 2


def test_collecting_stays_off_where_it_was() -> None:
    gc.disable()
    try:
        with first_run(lambda *said: None):
            assert _loop(3)(1) == 4
            assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_loop_that_cannot_be_compiled_leaves_no_trace() -> None:
    def wrong(number: int) -> Any:
        return number.unknown  # type: ignore[attr-defined]

    with pytest.raises(Exception, match="unknown"), first_run(lambda *said: None):
        njit(wrong)(1)
    assert gc.isenabled()
