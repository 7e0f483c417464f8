"""Partitioners by name: one literal table and the entry-point group ``sfumato.partitioners``."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any, cast

from sfumato.errors import Refused
from sfumato.partition.contract import Partitioner
from sfumato.partition.mondrian import Mondrian

__all__ = ["PARTITIONERS", "partitioner"]

PARTITIONERS: dict[str, type[Partitioner]] = {"mondrian": Mondrian}


def partitioner(options: Any) -> Partitioner:
    """The algorithm that a policy's `partition:` names, with its options."""
    made: Any = PARTITIONERS.get(options.method)
    if made is None:
        found = tuple(entry_points(group="sfumato.partitioners", name=options.method))
        if not found:
            raise Refused(f"partition method {options.method!r} is not installed; there are: {', '.join(PARTITIONERS)}")
        made = found[0].load()
    return cast(Partitioner, made(options))
