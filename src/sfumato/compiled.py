"""How loops are compiled: the decorators of all of them, and a compiler that leaves out what none of them needs.

`compiled` is for loops that Python calls, which are kept on disk for the next run; `inner` for those that only other
loops call, which have no entrance from Python, with `inlined` and `spliced` for two ways of taking them up.

Numba optimises a function and makes machine code of it before another function that calls it is even looked at, and
then does both again for the two together. A loop that only others call never runs by itself, so it is handed on as it
was lowered, and made ready once, as part of the one that is called. Besides, some passes serve what no loop of ours
has (closures, `with`, array expressions), numba's own functions are compiled once for every set of options of their
callers, and what a call comes to is worked out anew wherever it stands, comparing options at every attempt. Doing
without takes a fifth off a first run; loops become neither faster nor slower by it.

All of this reaches into numba; under a release of it that was not tried loops are compiled as it does by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
from llvmlite.binding import Linkage
from llvmlite.binding.newpassmanagers import create_new_function_pass_manager
from numba import njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.environment import lookup_environment

__all__ = ["compiled", "inlined", "inner", "spliced"]

_TRIED = (0, 68) <= numba.version_info.short <= (0, 68)
_NEEDLESS = frozenset(
    {
        "DumpParforDiagnostics",
        "FindLiterallyCalls",
        "InlineClosureLikes",
        "LiteralPropagationSubPipelinePass",
        "LiteralUnroll",
        "MakeFunctionToJitFunction",
        "NopythonRewrites",
        "WithLifting",
    }
)
_OWN = ("no_cpython_wrapper", "no_cfunc_wrapper", "forceinline", "inline")
"""Options of a loop that are nothing to what it calls."""


class _Options(Flags):  # type: ignore[misc]  # numba has no types
    """Options of a loop; what it calls sees a copy, the same for all loops. None are the same as options of others."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(_Options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Options) and bool(self._values == other._values)

    def copy(self) -> _Options:
        made = _Options(self)
        for name in _OWN:
            made.discard(name)
        return made


class _Types:
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
def _types(context: Any) -> _Types:
    return _Types(context)


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """The code of a loop that Python calls, and of all that it calls."""

    _linking_libraries: list[Any]
    _shared_module: Any

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        passes, builder = create_new_function_pass_manager(), self._codegen._pass_builder()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def finalize(self) -> None:
        self._linking_libraries = _parts(self._linking_libraries)
        super().finalize()

    def _finalize_final_module(self) -> None:
        super()._finalize_final_module()
        for name in [each.name for each in self._final_module.global_variables]:
            known = lookup_environment(name) if name.startswith("_ZN08NumbaEnv") else None
            if known is not None:  # of an inner loop: it is here that it is to be found
                self._codegen.set_env(name, known)


class _Inner(_Library):
    """The code of a loop that only loops call: linked into theirs as it is, and neither optimised nor emitted alone."""

    @property
    def codegen(self) -> _Nowhere:
        return _Nowhere()

    def finalize(self) -> None:
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = Linkage.linkonce_odr
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """With all that it calls, for one that is not of ours."""
        if self._shared_module is None:
            whole = self._final_module.clone()
            for each in _parts(self._linking_libraries):
                whole.link_in(each._get_module_for_linking(), preserve=True)
            self._shared_module = whole
        return self._shared_module


@dataclass(frozen=True)
class _Part:
    """An inner loop without what it calls."""

    inner: _Inner

    @property
    def _reload_init(self) -> set[Any]:
        found: set[Any] = self.inner._reload_init
        return found

    def _get_module_for_linking(self) -> Any:
        return self.inner._final_module


def _parts(libraries: Iterable[Any]) -> list[Any]:
    """Libraries, and those that they need, each once."""
    found: dict[int, Any] = {}
    waiting = list(libraries)
    while waiting:
        each = waiting.pop()
        if id(each) not in found:
            found[id(each)] = _Part(each) if isinstance(each, _Inner) else each
            waiting += each._linking_libraries if isinstance(each, _Inner) else []
    return list(found.values())


class _Nowhere:
    """Where the surroundings of a loop are written that has no place in memory."""

    def set_env(self, name: str, environment: object) -> None:
        pass


class _Lean(CompilerBase):  # type: ignore[misc]
    """Numba's own compiler with fewer passes, and with the libraries above."""

    def __init__(
        self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, flags: Flags, locals: Any
    ) -> None:
        super().__init__(typingctx, targetctx, library, args, return_type, _Options(flags), locals)
        self.state.typingctx = _types(typingctx)

    def define_pipelines(self) -> list[Any]:
        state = self.state
        if state.library is None:
            kind = _Inner if state.flags.no_cpython_wrapper and state.flags.no_cfunc_wrapper else _Library
            state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        manager = DefaultPassBuilder.define_nopython_pipeline(state)
        manager.passes = [each for each in manager.passes if each[0].__name__ not in _NEEDLESS]
        return [manager]


_HOW: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True} | ({"pipeline_class": _Lean} if _TRIED else {})


def compiled(function: Callable[..., Any]) -> Any:
    """A loop that Python calls, without the lock of the interpreter; kept on disk."""
    return njit(cache=True, **_HOW)(function)


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
