"""Methods side by side, in processes of their own, which end with this one."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FrameType
from typing import TYPE_CHECKING, Any

from sfumato.workbench.jobs.opened import WorkerTable

if TYPE_CHECKING:
    import sfumato as sf

__all__ = ["COMPARED", "ComparedWays", "compare"]

COMPARED = "compared"
"""The folder, in the private one, of what was tried before a stop."""


@dataclass(frozen=True)
class ComparedWays:
    """What was found, and for every way its method and its form."""

    found: sf.Compared
    pairs: tuple[tuple[str, str], ...]


def compare(given: Mapping[str, Any], bench: WorkerTable, tell: Callable[[str, int, int], None]) -> ComparedWays:
    """given: source, document, methods, forms."""
    import sfumato as sf

    path = bench.called(given["source"])
    tell("read", 0, 1)
    policy = sf.read_policy(given["document"], base=bench.folder)
    methods, forms = given["methods"], given["forms"]
    with _ending_others():
        found = sf.compare(
            path, policy, methods=methods, forms=forms, folder=bench.folder / COMPARED, keep=True, progress=tell
        )
    pairs = tuple((method, form) for form in forms for method in methods)
    shown = {publish for way, (_, publish) in zip(found.ways, pairs, strict=True) if way.kept}
    ways = tuple(
        replace(way, label=method if way.kept and len(shown) == 1 else way.label, reason=bench.told(way.reason))
        for way, (method, _) in zip(found.ways, pairs, strict=True)
    )
    return ComparedWays(replace(found, ways=ways), pairs)


@contextmanager
def _ending_others() -> Iterator[None]:
    """Whoever is told to end meanwhile leaves through all that clears up: there processes of its own are ended."""
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
