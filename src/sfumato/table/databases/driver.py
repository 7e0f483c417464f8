"""Drivers of databases: packages that come with an extra, loaded when the first address of their kind is opened."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from sfumato.errors import InputError

__all__ = ["from_extra"]


@contextlib.contextmanager
def from_extra() -> Iterator[None]:
    """For the import of a driver; `InputError` says how to install it."""
    try:
        yield
    except ImportError:
        raise InputError('tables in databases need their drivers: pip install "sfumato[db]"') from None
