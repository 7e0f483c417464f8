"""Kinds of table files that need a library: their tests are skipped, with that reason, where it is not installed."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from sfumato.table.formats import FORMATS

__all__ = ["STATISTICS", "every_kind", "needs_calamine", "needs_pyreadstat"]

STATISTICS = ("stata", "spss")

needs_pyreadstat = pytest.mark.skipif(find_spec("pyreadstat") is None, reason="needs pyreadstat: sfumato[sheets]")
needs_calamine = pytest.mark.skipif(
    find_spec("python_calamine") is None or find_spec("openpyxl") is None,
    reason="needs python-calamine and openpyxl: sfumato[sheets,dev]",
)


def every_kind() -> list[object]:
    """All kinds of table files, for `pytest.mark.parametrize`."""
    return [pytest.param(kind, marks=[needs_pyreadstat] if kind in STATISTICS else []) for kind in FORMATS]
