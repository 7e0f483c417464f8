"""Numba's compiler without what no loop of ours needs.

Some passes serve what no loop has (closures, `with`, array expressions), others are run three times where once is
enough, and after many of them the lifetime of all variables is worked out, which is looked at once, in the end. All of
this reaches into numba; under a release of it that was not tried loops are compiled as it does by itself.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numba
from numba import jit
from numba.core import ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.compiler_machinery import _pass_registry as pass_registry
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.targetconfig import ConfigStack
from numba.core.transforms import canonicalize_cfg
from numba.core.typed_passes import NativeLowering
from numba.core.typing.templates import _OverloadFunctionTemplate

from sfumato.compiler.libraries import Inner, Library
from sfumato.compiler.lowering import BorrowingLowering
from sfumato.compiler.options import Options, types_of

__all__ = ["TRIED", "Lean"]

TRIED = (0, 68) <= numba.version_info.short <= (0, 68)
"""Whether this release of numba is one that was tried."""

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


class _Passes(PassManager):  # type: ignore[misc]  # numba has no types
    """Passes one after the other, without telling anybody of each of them.

    Blocks are put in order where a pass may have changed them; how long a variable lives is worked out when the code
    is made ready to be lowered, by the pass that does that.
    """

    def _runPass(self, index: int, pss: Any, internal_state: Any) -> None:  # noqa: N802  # numba's name
        pss.analysis = self._analysis
        changed = [step(internal_state) for step in (pss.run_initialization, pss.run_pass, pss.run_finalizer)]
        if any(changed) and pass_registry.get(type(pss)).mutates_CFG:
            internal_state.func_ir.blocks = canonicalize_cfg(internal_state.func_ir.blocks)


class _Compiler(CompilerBase):  # type: ignore[misc]  # numba has no types
    """Numba's own compiler with the libraries of loops, and with references counted only where they must be."""

    needless: frozenset[str] = frozenset()

    def __init__(
        self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, flags: Flags, locals: Any
    ) -> None:
        super().__init__(typingctx, targetctx, library, args, return_type, Options(flags), locals)
        self.state.typingctx = types_of(typingctx)

    def define_pipelines(self) -> list[Any]:
        state = self.state
        if state.library is None:
            kind = Inner if state.flags.no_cpython_wrapper and state.flags.no_cfunc_wrapper else Library
            state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        known = DefaultPassBuilder.define_nopython_pipeline(state)
        manager = _Passes(known.pipeline_name)
        manager.passes = [
            (BorrowingLowering, why) if made is NativeLowering else (made, why)
            for made, why in known.passes
            if made.__name__ not in self.needless
        ]
        manager.finalize()
        return [manager]


class Lean(_Compiler):
    """For loops of ours."""

    needless = _NEEDLESS


class OfNumba(_Compiler):
    """For functions of numba's own that loops call: with all passes."""


def _decorator(template: Any) -> Any:
    """How numba compiles a function of its own: as an inner loop where one of ours calls it."""
    if isinstance(ConfigStack.top_or_none(), Options):
        return partial(jit, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=OfNumba)
    return _numbas_own(template)


def _processed(work: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """What numba does after a pass, but what lives where a block begins: only generators ask for that."""
    code = work.func_ir
    if code.is_generator or not isinstance(ConfigStack.top_or_none(), Options):
        _numbas_processing(work, emit_dels, extend_lifetimes)
        return
    code.blocks = canonicalize_cfg(code.blocks)
    code.variable_lifetime, code.generator_info = VariableLifetime(code.blocks), None
    if emit_dels:
        work._insert_var_dels(extend_lifetimes=extend_lifetimes)


def _variables(step: Any, value: Any) -> list[Any]:
    """What numba asks of every step again and again: the variables in it, however deep."""
    if not isinstance(value, dict | list | tuple):
        return _numbas_variables(step, value)  # type: ignore[no-any-return]  # numba has no types
    found: list[Any] = []
    for each in value.values() if isinstance(value, dict) else value:
        kind = type(each)
        if kind is ir.Var:
            found.append(each)
        elif kind not in _PLAIN:
            found += step._rec_list_vars(each)
    return found


_PLAIN = frozenset({str, int, float, bool, type(None), ir.Loc})
_numbas_own = _OverloadFunctionTemplate._get_jit_decorator
_numbas_processing = PostProcessor.run
_numbas_variables = ir.Inst._rec_list_vars
if TRIED:
    _OverloadFunctionTemplate._get_jit_decorator = _decorator
    PostProcessor.run = _processed
    ir.Inst._rec_list_vars = _variables
register_pass(mutates_CFG=True, analysis_only=False)(BorrowingLowering)
