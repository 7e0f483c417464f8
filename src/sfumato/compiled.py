"""How loops are compiled: the decorators of all of them.

`compiled` is for loops that Python calls, which are kept on disk for the next run; `inner` for those that only other
loops call, which have no entrance from Python, with `inlined` and `spliced` for two ways of taking them up. The
compiler that they use leaves out what none of them needs (`sfumato.compiler`): about half of a first run, and loops
become neither faster nor slower by it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

from sfumato.compiler.kept import KeptCode
from sfumato.compiler.pipeline import TRIED, Lean

__all__ = ["compiled", "inlined", "inner", "spliced"]

_HOW: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True} | ({"pipeline_class": Lean} if TRIED else {})


def compiled(function: Callable[..., Any]) -> Any:
    """A loop that Python calls, without the lock of the interpreter; kept on disk."""
    loop = njit(**_HOW)(function)
    loop._cache = KeptCode(function)
    return loop


def inner(function: Callable[..., Any]) -> Any:
    """A loop that only other loops call. Called from Python it would end the process."""
    return njit(no_cpython_wrapper=True, **_HOW)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """A short `inner` that is to be part of every loop that calls it, whatever the optimiser thinks of it."""
    return njit(forceinline=True, no_cpython_wrapper=True, **_HOW)(function)


def spliced(function: Callable[..., Any]) -> Any:
    """An `inner` whose text takes the place of every call before anything is typed: for those that hand on many
    arrays and are called from one or two places."""
    return njit(inline="always", no_cpython_wrapper=True, **_HOW)(function)
