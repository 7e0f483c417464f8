"""Options of loops, and what their calls come to, looked up once.

Numba compiles its own functions once for every set of options of their callers, and works out what a call comes to
anew wherever it stands, comparing options at every attempt. Here all loops hand on the same options, and what
was worked out is known to all of them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from numba import types
from numba.core.compiler import Flags

__all__ = ["Options", "types_of"]

_OWN = ("no_cpython_wrapper", "no_cfunc_wrapper", "forceinline", "inline")
"""Options of a loop that are nothing to what it calls."""


class Options(Flags):  # type: ignore[misc]  # numba has no types
    """Options of a loop; what it calls sees a copy, the same for all loops. None are the same as options of others."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(Options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and bool(self._values == other._values)

    def copy(self) -> Options:
        made = Options(self)
        for name in _OWN:
            made.discard(name)
        return made


class Types:
    """What calls, items and attributes come to, by the types that they are given: asked of numba once, whichever loop
    asks, as long as all of these types are settled."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._known: dict[Any, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
        if not isinstance(function, types.Function):  # methods and other loops
            return self._context.resolve_function_type(function, args, kws)
        return self._once("resolve_function_type", function, tuple(args), tuple(kws.items()) if kws else ())

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        return self._once("resolve_setitem", target, index, value)

    def resolve_getattr(self, kind: Any, attribute: str) -> Any:
        return self._once("resolve_getattr", kind, attribute)

    def _once(self, *asked: Any) -> Any:
        found = self._known.get(asked)
        if found is None:
            name, *given = asked
            if name == "resolve_function_type":
                given[-1] = dict(given[-1])
            found = getattr(self._context, name)(*given)
            if found is not None and not isinstance(found, types.BoundFunction) and _settled(asked):
                self._known[asked] = found
        return found


def _settled(given: Any) -> bool:
    if isinstance(given, tuple):
        return all(map(_settled, given))
    return not isinstance(given, types.Type) or bool(given.is_precise())


@cache
def types_of(context: Any) -> Types:
    return Types(context)
