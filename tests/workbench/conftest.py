"""One workbench for tests that change nothing of it, and one of their own for those that do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.workbench import Served, Visitor, served


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A workbench for all tests of a file."""
    with served(tmp_path_factory.mktemp("served"), "--language", "en") as made:
        yield made


@pytest.fixture(scope="module")
def visitor(bench: Served) -> Visitor:
    """Who came in by the link."""
    return bench.entered()


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Start another one, with these arguments."""
    with ExitStack() as stack:

        def start(*arguments: str, **environment: str) -> Served:
            return stack.enter_context(served(tmp_path, *arguments, **environment))

        yield start
