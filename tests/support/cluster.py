"""A Spark cluster of the tests' own: a master and two workers; skipped where there is no Spark to be had."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from benchmarks.standalone import SOON, Cluster, lacking, standalone

__all__ = ["Cluster", "cluster", "lacking"]

_SETTINGS = f"""
spark.cores.max 2
spark.executor.memory 512m
spark.sql.shuffle.partitions 4
spark.driver.extraJavaOptions {SOON}
spark.executor.extraJavaOptions {SOON}
"""


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A master and two workers; skips where there is no Spark to be had."""
    if lacking():
        pytest.skip(lacking())
    with standalone(_SETTINGS, workers=2, cores=2, memory="1100m") as made:
        yield made
