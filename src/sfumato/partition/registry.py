"""Partitioners by name, and with their steps: one literal table and the entry-point group ``sfumato.partitioners``."""

from __future__ import annotations

from typing import Any

from sfumato.errors import Refused
from sfumato.extension import registered
from sfumato.partition.apart.anatomy import AnatomyPartitioner
from sfumato.partition.apart.arp import ArpPartitioner
from sfumato.partition.apart.bsgi import BsgiPartitioner
from sfumato.partition.apart.hilbert import HilbertPartitioner
from sfumato.partition.auto.auto import AutoPartitioner
from sfumato.partition.boxes.boxes import BoxesPartitioner
from sfumato.partition.contract import Chooser, Partitioner
from sfumato.partition.lattice.incognito import IncognitoPartitioner
from sfumato.partition.lattice.lattice import LatticePartitioner
from sfumato.partition.mondrian.mondrian import MondrianPartitioner
from sfumato.partition.sets import SetBySet
from sfumato.partition.steps.contract import Bind
from sfumato.partition.steps.registry import with_steps
from sfumato.partition.sweep.sweep import SweepPartitioner

__all__ = ["PARTITIONERS", "grouping", "partitioner"]

PARTITIONERS: dict[str, type[Partitioner]] = {
    "anatomy": AnatomyPartitioner,
    "arp": ArpPartitioner,
    "auto": AutoPartitioner,
    "boxes": BoxesPartitioner,
    "bsgi": BsgiPartitioner,
    "bsgi-free": BsgiPartitioner,
    "hilbert": HilbertPartitioner,
    "incognito": IncognitoPartitioner,
    "lattice": LatticePartitioner,
    "mondrian": MondrianPartitioner,
    "sweep": SweepPartitioner,
}


def partitioner(options: Any) -> Partitioner:
    """The algorithm that a policy's `partition:` names, with its options and without steps."""
    made: Any = registered(PARTITIONERS, "sfumato.partitioners", options.method)
    if made is None:
        raise Refused(f"partition method {options.method!r} is not installed; there are: {', '.join(PARTITIONERS)}")
    found: Partitioner = made(options)
    return found


def grouping(options: Any, bind: Bind) -> Partitioner:
    """The same with its steps, for the table on which promises are bound."""
    base = partitioner(options)
    if isinstance(base, Chooser):
        base = base.among(lambda each: grouping(each, bind))
        if not options.steps:  # what it runs goes set by set already
            return base
    return SetBySet(with_steps(base, options.steps, bind))
