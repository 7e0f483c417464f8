"""The first run on a machine: loops are compiled, and kept for all runs after it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from numba.core import event

__all__ = ["first_run"]


class _Compiling(event.Listener):  # type: ignore[misc]  # numba has no types
    """Tells once that something is compiled, and keeps what compiling makes from being looked through for garbage.

    A compiler makes millions of small objects, most of which live as long as the process does; looking through them
    again and again takes a tenth of its time.
    """

    def __init__(self, tell: Callable[[], None]) -> None:
        self.tell: Callable[[], None] | None = tell
        self.depth = 0
        self.collecting = False

    def on_start(self, event: event.Event) -> None:
        if self.depth == 0:
            self.collecting = gc.isenabled()
            gc.disable()
        self.depth += 1
        if self.tell is not None:
            tell, self.tell = self.tell, None
            tell()

    def on_end(self, event: event.Event) -> None:
        if self.depth:  # another thread may have begun before anybody listened
            self.depth -= 1
            if self.depth == 0:
                self.resume()

    def resume(self) -> None:
        """Collect garbage again, as before, of what is made from now on."""
        if self.collecting:
            self.collecting = False
            gc.freeze()
            gc.enable()


@contextmanager
def first_run(progress: Callable[[str, int, int], None]) -> Iterator[None]:
    """Whatever is done inside, `progress` is told when the first loop has to be compiled, and at the end that it is
    done; nothing if all are known."""
    listener = _Compiling(lambda: progress("compiling, once", 0, 1))
    try:
        with event.install_listener("numba:compile", listener):
            yield
    finally:
        listener.resume()
    if listener.tell is None:
        progress("compiling, once", 1, 1)
