"""Kinds of databases, in one table: whoever reads or writes a table that stands in one asks here, by its address.

Another kind is a file with its `Database` and a line below.
"""

from __future__ import annotations

import re
from pathlib import Path

from sfumato.errors import InputError
from sfumato.extension import Pieces
from sfumato.table.databases.address import Address
from sfumato.table.databases.contract import Database
from sfumato.table.storages import STORAGES

__all__ = ["DATABASES", "Address", "Database", "address_of", "database_of"]

DATABASES: Pieces[Database] = Pieces(
    {
        "postgresql": "sfumato.table.databases.postgresql:POSTGRESQL",
        "sqlite": "sfumato.table.databases.sqlite:SQLITE",
    }
)

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")


def address_of(given: object) -> Address | None:
    """The table of a database that a text means; None: it is no address, so it names a file.

    given    the text, or a path

    `InputError` if it is an address and a wrong one; it is not repeated then, since it may hold a password.

    >>> str(address_of("postgresql://ann:secret@db.example/clinic?table=public.patients"))
    'postgresql://ann@db.example/clinic?table=public.patients'
    >>> address_of("patients.csv") is None
    True
    """
    if isinstance(given, Address):
        return given
    if not isinstance(given, (str, Path)):
        return None
    kind, colon, rest = str(given).partition(":")
    if colon and kind in DATABASES:
        return DATABASES[kind].address(rest)
    unknown = _URL.match(str(given))
    if unknown is not None and unknown[1].lower() in STORAGES:
        called = STORAGES[unknown[1].lower()].called
        raise InputError(
            f"{unknown[1]}: tables are not read by the URI of {called}: copy their files to a folder and give that, or,"
            " of Parquet files, have a cluster read them (--engine spark)"
        )
    if unknown is not None:
        raise InputError(f"{unknown[1]}: is no kind of database that is known here; there are {', '.join(DATABASES)}")
    return None


def database_of(address: Address) -> Database:
    """The kind of database that an address is of."""
    return DATABASES[address.kind]
