"""Groups searched side by side."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

__all__ = ["side_by_side"]


@contextmanager
def side_by_side(threads: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that are gone at the end. If something goes wrong in between, what was not begun never is."""
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
