"""Drivers of databases: packages that come with an extra, loaded when the first address of their kind is opened."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from sfumato.errors import InputError

__all__ = ["driver"]


def driver(module: str) -> Any:
    """A driver; `InputError` says how to install it."""
    try:
        return import_module(module)
    except ImportError:
        pass
    raise InputError('tables in databases need their drivers: pip install "sfumato[db]"')
