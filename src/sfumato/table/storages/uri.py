"""A folder in a storage: what is typed, taken apart, strictly; whatever shows it shows no key.

::

    s3://BUCKET/FOLDER      gs://BUCKET/FOLDER      hdfs://HOST:PORT/FOLDER      file:///FOLDER
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sfumato.errors import InputError
from sfumato.table.storages.contract import Storage

__all__ = ["Uri", "taken_apart"]

_NOT_REPEATED = "what was given is not repeated here, since it may hold a key"
_SETTING = re.compile(r"([a-z_]+)=([A-Za-z0-9.:_\[\]-]+)")
_ODD = re.compile(r"[?#%\\]")


@dataclass(frozen=True)
class Uri:
    """A folder in a storage.

    kind       of storage: the scheme
    host       the bucket, or the machine; empty: this one, or the one that is configured
    folders    down to the folder itself, which is the last of them; one at least
    settings   how the storage is reached; shown nowhere
    """

    kind: str
    host: str
    folders: tuple[str, ...]
    settings: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)

    def __str__(self) -> str:
        return f"{self.kind}://{self.host}/{'/'.join(self.folders)}/"

    @property
    def name(self) -> str:
        """What the folder is called."""
        return self.folders[-1]

    @property
    def title(self) -> str:
        """What files on this machine are called that belong to it."""
        return ".".join(part for part in (re.sub(r"[^A-Za-z0-9._-]", "_", self.host), self.name) if part)

    @property
    def manifest_name(self) -> str:
        """What the internal manifest of a release there is called."""
        return f"{self.title}.internal.json"


def taken_apart(kind: str, rest: str, storage: Storage) -> Uri:
    """The URI with this behind its two slashes."""
    place, asked, query = rest.partition("?")
    host, _, path = place.partition("/")
    wrong = f"a release there is named as {storage.grammar}"
    if "@" in host and storage.host.fullmatch(host) is None:
        raise InputError(f"{wrong}, without keys and passwords: they come from {storage.keys}; {_NOT_REPEATED}")
    folders = tuple(path.removesuffix("/").split("/"))
    plain = all(name not in ("", ".", "..") and name.isprintable() and not _ODD.search(name) for name in folders)
    if storage.host.fullmatch(host) is None or not plain or (asked and not query):
        raise InputError(f"{wrong}, without %, #, empty names and names of dots; {_NOT_REPEATED}")
    settings: dict[str, str] = {}
    for part in query.split("&") if query else ():
        pair = _SETTING.fullmatch(part)
        if pair is None or pair[1] not in storage.settings or pair[1] in settings:
            known = ", ".join(sorted(storage.settings)) or "nothing"
            raise InputError(
                f"{wrong}, and behind a question mark may stand {known}; keys come from {storage.keys}; {_NOT_REPEATED}"
            )
        settings[pair[1]] = pair[2]
    return Uri(kind, host, folders, settings)
