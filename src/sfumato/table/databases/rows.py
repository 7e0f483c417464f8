"""Rows of a table in a database, block by block, as columns with the types that they have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from sfumato.errors import TableError
from sfumato.table.arrow import is_plain_text
from sfumato.table.databases.address import TableName
from sfumato.table.databases.contract import Convert
from sfumato.table.databases.session import Session

__all__ = ["blocks"]


def blocks(session: Session, table: TableName, wanted: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Some columns of all rows; texts have a dictionary for every block. There is at least one block."""
    sql, convert = session.kind.selected(session, table, wanted)
    ahead, seen = session.kind.ahead, False
    for batch in session.stream(sql):
        left_out, ahead = min(ahead, len(batch)), max(ahead - len(batch), 0)
        columns = [_converted(session, name, batch.column(at), convert) for at, name in enumerate(wanted)]
        yield pa.record_batch(columns, names=list(wanted)).slice(left_out)
        seen = True
    if not seen:
        fields = session.kind.fields(session, table)
        kinds = [pa.dictionary(pa.int32(), pa.string()) if is_plain_text(kind) else kind for kind in fields.types]
        by_name = dict(zip(fields.names, kinds, strict=True))
        yield pa.record_batch([pa.array([], by_name[name]) for name in wanted], names=list(wanted))


def _converted(session: Session, name: str, column: pa.Array, convert: Mapping[str, Convert]) -> pa.Array:
    change = convert.get(name)
    try:
        made = column if change is None else change(column)
        if is_plain_text(made.type):
            made.validate(full=True)
            return made.dictionary_encode()
    except pa.ArrowException:
        reason = "holds bytes that are no UTF-8 text; correct them"
    except ValueError as error:
        reason = str(error)
    else:
        return made
    raise TableError(f"{session.address}: column {name!r}: {reason}")
