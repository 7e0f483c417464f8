"""Where rows are counted: in this process, or by Spark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from sfumato.errors import InputError

__all__ = ["Engine", "EngineName", "Master", "Memory"]

EngineName = Annotated[
    Literal["memory", "spark"],
    typer.Option(
        "--engine", metavar="memory|spark", help="Who counts the rows: this process, or Spark, of Parquet files."
    ),
]
Master = Annotated[
    str | None,
    typer.Option(
        "--master", metavar="MASTER", help="With --engine spark: spark://HOST:PORT, or local[2]: two threads."
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        help="Use no more than this, such as 2GB: for large tables. The table is written in parts, into a folder.",
    ),
]


@dataclass(frozen=True)
class Engine:
    """Who counts, and where that is."""

    master: str | None
    memory: str | None

    @classmethod
    def of(cls, engine: str, data: str, master: str | None, memory: str | None) -> Engine:
        """Everything that can be wrong with the options is said before the run."""
        if engine == "memory":
            if master is not None:
                raise InputError("--master is of Spark; add --engine spark, or leave it out")
        elif master is None:
            raise InputError("--engine spark needs a cluster: add --master spark://HOST:PORT, or local[2] for none")
        elif data == "-" or re.match(r"(postgresql|sqlite):", data):
            raise InputError("--engine spark reads Parquet files: give their folder, its path or a URI as hdfs://…")
        return cls(master, memory)

    def inputs(self, data: str, policy: Path) -> list[str | Path]:
        """What must not be written over."""
        return [policy] if self.master is not None and "://" in data else [data, policy]

    def read(self, data: str, policy: Path, show: Callable[[str, int, int], None]) -> object:
        """What a release is made of: the source as it is named, or its table, if Spark counts it."""
        if self.master is None:
            return data
        import sfumato as sf

        with sf.SparkTable.at(data, self.master) as found:
            return sf.read(found, policy, progress=show)

    @contextmanager
    def opened(self, data: str) -> Iterator[object]:
        """What a release in parts is made of: the source as it is named, or Spark's frame of it, for as long as rows
        may be asked for."""
        if self.master is None:
            yield data
            return
        import sfumato as sf

        with sf.SparkTable.at(data, self.master, self.memory) as found:
            yield found
