"""The address of a table in a database: what is typed, taken apart; whatever shows it shows no password.

::

    postgresql://USER@HOST:PORT/DATABASE?table=SCHEMA.NAME
    sqlite:PATH?table=NAME
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from sfumato.errors import InputError

__all__ = ["Address", "TableName", "decoded", "settings_in", "table_in"]

_NOT_REPEATED = "what was given is not repeated here, since it may hold a password"
_LOOSE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SETTING = re.compile(r"([a-z_]+)=([^&=?#]*)")
_NAME = re.compile(r'"(?:[^"]|"")+"|[^".]+')


@dataclass(frozen=True)
class TableName:
    """A table within a database; no `schema`: the kind of database knows none."""

    schema: str | None
    name: str

    @property
    def sql(self) -> str:
        """As a statement has it.

        >>> print(TableName("public", 'a "b"').sql)
        "public"."a ""b\"""
        """
        return ".".join(f'"{part.replace(chr(34), 2 * chr(34))}"' for part in (self.schema, self.name) if part)

    def called(self, name: str) -> TableName:
        """Another table beside it."""
        return TableName(self.schema, name)


@dataclass(frozen=True)
class Address:
    """A table in a database.

    kind      of database
    shown     the database as anybody may see it: no password, and no setting
    place     what tells two databases apart
    table     no schema: that which the database puts new tables into
    given     what the driver gets: it may hold a password
    secrets   what must not be repeated
    database  what the database is called
    schemas   whether a dot in the name of a table parts it from its schema
    """

    kind: str
    shown: str
    place: str
    table: TableName
    given: str = field(repr=False)
    secrets: Sequence[str] = field(default=(), repr=False)
    database: str = ""
    schemas: bool = False

    def __str__(self) -> str:
        parts = [part for part in (self.table.schema, self.table.name) if part]
        return f"{self.shown}?table={'.'.join(map(_spelled, parts) if self.schemas else parts)}"

    def beside(self, table: TableName) -> Address:
        """Another table of the same database."""
        return replace(self, table=table)

    @property
    def title(self) -> str:
        """What the table is called, for a heading or a file name."""
        return ".".join(part for part in (self.table.schema, self.table.name) if part)

    @property
    def manifest_name(self) -> str:
        """What the internal manifest of a release there is called."""
        named = ".".join(part for part in (self.database, self.title) if part)
        return re.sub(r"[/\\:]", "_", f"{named}.internal.json")

    def is_same_table(self, other: Address) -> bool:
        """Whether both name one table, as far as their texts tell."""
        return (self.kind, self.place, self.table) == (other.kind, other.place, other.table)


def settings_in(query: str, grammar: str) -> Mapping[str, str]:
    """The settings behind the question mark of an address, still encoded; `grammar` is what an error asks for."""
    found: dict[str, str] = {}
    for part in query.split("&") if query else ():
        pair = _SETTING.fullmatch(part)
        if pair is None or pair[1] in found:
            raise InputError(f"{grammar}; {_NOT_REPEATED}")
        found[pair[1]] = pair[2]
    return found


def decoded(text: str, grammar: str) -> str:
    """A part of an address with its %-codes resolved."""
    try:
        if _LOOSE.search(text) is None:
            return unquote(text, errors="strict")
    except UnicodeDecodeError:
        pass
    raise InputError(f"{grammar}; {_NOT_REPEATED}")


def table_in(settings: Mapping[str, str], grammar: str, schemas: bool) -> TableName:
    """The table that an address names: ``NAME``, or ``SCHEMA.NAME`` where there are schemas, as it is spelled there.

    >>> table_in({"table": "public.patients"}, "", True)
    TableName(schema='public', name='patients')
    >>> table_in({"table": '"with.dot"'}, "", True), table_in({"table": "with.dot"}, "", False)
    (TableName(schema=None, name='with.dot'), TableName(schema=None, name='with.dot'))
    """
    text = decoded(settings.get("table", ""), grammar)
    if not text.strip() or not text.isprintable():
        raise InputError(f"the address of a database needs the name of a table: {grammar}")
    if not schemas:
        return TableName(None, text)
    parts = _NAME.findall(text)
    if len(parts) > 2 or ".".join(parts) != text:
        raise InputError('table=: write SCHEMA.NAME or NAME; a name that holds a dot stands in double quotes: "a.b"')
    plain = [part[1:-1].replace('""', '"') if part.startswith('"') else part for part in parts]
    return TableName(plain[0] if len(plain) == 2 else None, plain[-1])


def _spelled(name: str) -> str:
    return TableName(None, name).sql if "." in name or '"' in name else name
