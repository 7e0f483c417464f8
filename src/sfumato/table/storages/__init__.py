"""Kinds of storages, in one table: object stores and file systems that a release is put into by its URI.

Another kind is a `Storage` and a line below.
"""

from __future__ import annotations

import re
from pathlib import Path

from sfumato.errors import InputError
from sfumato.extension import Pieces
from sfumato.table.storages.contract import Storage
from sfumato.table.storages.uri import Uri, taken_apart

__all__ = ["STORAGES", "Storage", "Uri", "storage_of", "uri_of"]

STORAGES: Pieces[Storage] = Pieces(
    {
        "s3": "sfumato.table.storages.kinds:S3",
        "gs": "sfumato.table.storages.kinds:GOOGLE",
        "hdfs": "sfumato.table.storages.kinds:HADOOP",
        "file": "sfumato.table.storages.kinds:LOCAL",
    }
)

_BEGINS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")


def uri_of(given: object) -> Uri | None:
    """The folder in a storage that a text means; None: it is no URI of one.

    `InputError` if it is one and a wrong one; it is not repeated then, since it may hold a key.

    >>> str(uri_of("s3://clinic/open/patients/"))
    's3://clinic/open/patients/'
    >>> uri_of("patients.csv") is None, uri_of("postgresql://db/clinic?table=patients") is None
    (True, True)
    """
    if isinstance(given, Uri):
        return given
    begins = _BEGINS.match(str(given)) if isinstance(given, (str, Path)) else None
    if begins is None or begins[1].lower() not in STORAGES:
        return None
    kind = begins[1].lower()
    if not str(given)[begins.end() :].startswith("/"):
        raise InputError(f"write {STORAGES[kind].grammar}, as a text: a path has one slash where a URI has two")
    return taken_apart(kind, str(given)[begins.end() + 1 :], STORAGES[kind])


def storage_of(uri: Uri) -> Storage:
    """The kind of storage that a URI is of."""
    return STORAGES[uri.kind]
