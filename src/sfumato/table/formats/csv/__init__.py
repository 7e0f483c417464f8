"""CSV: columns of texts, every cell as it is written."""

from __future__ import annotations

from sfumato.policy.document import Input
from sfumato.table.formats.contract import Format
from sfumato.table.formats.csv.large import LargeCsv
from sfumato.table.formats.csv.length import as_long_as_its_cells
from sfumato.table.formats.csv.lines import records
from sfumato.table.formats.csv.read import CsvFile
from sfumato.table.formats.csv.reread import read_back
from sfumato.table.formats.csv.sink import DELIMITER, into

__all__ = ["CSV"]

CSV = Format(
    called="CSV",
    suffixes=(".csv",),
    opened=CsvFile.of,
    large=LargeCsv.of,
    into=into,
    reread=read_back,
    written=Input.model_construct(delimiter=DELIMITER),  # as good as checked, and nothing is built to load it
    told_by_cells=as_long_as_its_cells,
    records=records,
)
