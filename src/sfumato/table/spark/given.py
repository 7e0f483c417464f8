"""A frame of Spark as a person gives it: by itself, with settings, or by the path of its files and a cluster's name."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["SparkTable"]


@dataclass(frozen=True, eq=False)
class SparkTable:
    """A Spark DataFrame, classic or of Spark Connect, and how its rows are counted.

    frame      whose rows are counted where they are; a frame by itself is one with all that follows left out
    memory     what its different rows may take here, as ``"4GB"``; by default half of what the machine has
    called     what messages call it
    patience   seconds without any worker at work after which it is given up
    files      where it was read from, if that is on this machine: nothing is written over them
    """

    frame: Any = field(repr=False)
    memory: str | int | None = None
    called: str = "Spark DataFrame"
    patience: float = 300
    files: tuple[Path, ...] = ()

    @classmethod
    @contextlib.contextmanager
    def at(
        cls,
        path: str | Path,
        master: str,
        memory: str | int | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> Iterator[SparkTable]:
        """The Parquet files at a path, through a session of its own, which ends with the block.

        path       a folder or a file, on this machine or by a URI such as ``hdfs://HOST/FOLDER``
        master     whose workers count: ``spark://HOST:PORT``, or ``local[2]`` for two threads of this machine
        memory     as above
        settings   of Spark, besides; what is secret belongs into its own file, ``spark-defaults.conf``

        >>> with SparkTable.at("patients/", "local[2]") as patients:  # doctest: +SKIP
        ...     sf.publish(patients, policy="patients.yaml").write("out/")
        """
        from sfumato.table.memory import budget
        from sfumato.table.spark.session import frame_at, local_files, running

        given = budget(memory)
        with running(master, given, settings or {}) as session:
            yield cls(frame_at(session, str(path)), given, str(path), files=local_files(str(path)))
