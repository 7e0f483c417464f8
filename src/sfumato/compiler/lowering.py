"""Loops that only borrow arrays do not count who holds them.

Numba counts references to every array at every assignment, for every array of every tuple that is handed on, and has
most of that taken out again by LLVM. A loop that makes no array, gets none from what it calls and returns none works on
what its caller holds all the while: there is nothing to count. Should such a loop make an array all the same, numba
says so while it is lowered, and it is lowered with counting.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core.errors import NumbaRuntimeError
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

__all__ = ["BorrowingLowering"]

_BORROWED = frozenset(
    {
        "build_tuple",
        "cast",
        "exhaust_iter",
        "getattr",
        "getitem",
        "getiter",
        "iternext",
        "pair_first",
        "pair_second",
        "phi",
        "static_getitem",
        "typed_getitem",
    }
)
"""What makes a value of others and takes nothing of its own. `call` is none of them, nor what computes with arrays."""


class _BorrowingLower(Lower):  # type: ignore[misc]  # numba has no types
    """Lowering without counting where nothing is to be counted."""

    def lower(self) -> None:
        counting = self.context.enable_nrt
        self.context.enable_nrt = counting and not self._borrows()
        try:
            super().lower()
        finally:
            self.context.enable_nrt = counting

    def _borrows(self) -> bool:
        if self.generator_info is not None or self._counted(self.fndesc.restype):
            return False
        return not any(self._takes(each) for block in self.blocks.values() for each in block.body)

    def _takes(self, step: Any) -> bool:
        if isinstance(step, ir.Assign):
            return self._counted(self.typeof(step.target.name)) and not self._borrowed(step.value)
        if isinstance(step, ir.SetItem | ir.StaticSetItem):  # an array into an array: by way of a copy, if they overlap
            return self._counted(self.typeof(step.value.name))
        return False

    def _counted(self, kind: Any) -> bool:
        return bool(self.context.data_model_manager[kind].contains_nrt_meminfo())

    def _borrowed(self, value: Any) -> bool:
        if not isinstance(value, ir.Expr):
            return True
        if value.op == "getitem" and self._counted(self.typeof(value.index.name)):  # chosen by an array: a copy
            return False
        return value.op in _BORROWED


class BorrowingLowering(NativeLowering):  # type: ignore[misc]  # numba has no types
    """The pass of numba's that lowers, with the above."""

    @property
    def lowering_class(self) -> type[Lower]:
        return _BorrowingLower

    def run_pass(self, state: Any) -> bool:
        try:
            return bool(super().run_pass(state))
        except NumbaRuntimeError:
            return bool(NativeLowering().run_pass(state))
