"""The whole of `sfumato.publish`: from a frame and a policy to a release that the auditor confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

import sfumato as sf
from benchmarks.contract import Workload
from benchmarks.enlarge import EXTRA

__all__ = ["Job", "prepare", "run"]


@dataclass(frozen=True, eq=False)
class Job:
    """A frame of values, and its policy."""

    frame: pl.DataFrame
    policy: Mapping[str, Any]


def prepare(workload: Workload) -> Job:
    rows = workload.rows
    every = (*rows.quasi, *rows.sensitive)
    frame = pl.DataFrame([column.values.gather(rows.codes[column.name]).alias(column.name) for column in every])
    extra = {EXTRA: {"role": "quasi", "type": "integer"}} if EXTRA in frame.columns else {}
    columns = {**workload.document["columns"], **extra}
    return Job(frame, {**workload.document, "columns": columns})


def run(job: Job) -> sf.Release:
    return sf.publish(job.frame, policy=job.policy, seed=0)
