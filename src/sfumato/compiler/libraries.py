"""The machine code of loops.

Numba optimises a function and makes machine code of it before another function that calls it is even looked at, and
then does both again for the two together. A loop that only others call never runs by itself, so it is handed on as it
was lowered, and made ready once, as part of the one that is called.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from llvmlite.binding import Linkage
from llvmlite.binding.newpassmanagers import create_new_function_pass_manager
from numba.core import config
from numba.core.codegen import JITCodeLibrary
from numba.core.environment import lookup_environment

__all__ = ["Inner", "Library"]


class Library(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
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

    def _optimize_final_module(self) -> None:
        """As numba does, in two rounds, but not to its third level: that takes longer, and loops run no faster."""
        code = self._codegen
        cheap = {"loop_vectorize": code._loopvect, "slp_vectorize": False, "opt": code._opt_level, "cost": "cheap"}
        for how in (cheap, {"opt": min(config.OPT, 2)}):
            passes, builder = code._module_pass_manager(**how)
            passes.run(self._final_module, builder)

    def finalize(self) -> None:
        self._linking_libraries = _parts(self._linking_libraries)
        super().finalize()

    def _finalize_final_module(self) -> None:
        super()._finalize_final_module()
        for name in [each.name for each in self._final_module.global_variables]:
            known = lookup_environment(name) if name.startswith("_ZN08NumbaEnv") else None
            if known is not None:  # of an inner loop: it is here that it is to be found
                self._codegen.set_env(name, known)


class Inner(Library):
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

    inner: Inner

    @property
    def _reload_init(self) -> set[Any]:
        found: set[Any] = self.inner._reload_init
        return found

    def _get_module_for_linking(self) -> Any:
        return self.inner._final_module


def _parts(libraries: Iterable[Any]) -> list[Any]:
    """Libraries, and those that they need, each once and after all that need it.

    What may be left out where nobody calls it is taken up only if somebody does who is there already.
    """
    seen: set[int] = set()
    found: list[Any] = []

    def visit(library: Any) -> None:
        if id(library) in seen:
            return
        seen.add(id(library))
        if isinstance(library, Inner):
            for each in library._linking_libraries:
                visit(each)
        found.append(_Part(library) if isinstance(library, Inner) else library)

    for each in libraries:
        visit(each)
    return found[::-1]


class _Nowhere:
    """Where the surroundings of a loop are written that has no place in memory."""

    def set_env(self, name: str, environment: object) -> None:
        pass
