"""Partitioners by name, and with their steps: one literal table and the entry-point group ``sfumato.partitioners``."""

from __future__ import annotations

from typing import Any

from sfumato.errors import Refused
from sfumato.extension import Pieces, registered
from sfumato.partition.contract import Chooser, Partitioner
from sfumato.partition.sets import SetBySet
from sfumato.partition.steps.contract import Bind
from sfumato.partition.steps.registry import with_steps

__all__ = ["PARTITIONERS", "grouping", "partitioner"]

PARTITIONERS: Pieces[type[Partitioner]] = Pieces(
    {
        "anatomy": "sfumato.partition.apart.anatomy:AnatomyPartitioner",
        "arp": "sfumato.partition.apart.arp:ArpPartitioner",
        "auto": "sfumato.partition.auto.auto:AutoPartitioner",
        "boxes": "sfumato.partition.boxes.boxes:BoxesPartitioner",
        "bsgi": "sfumato.partition.apart.bsgi:BsgiPartitioner",
        "bsgi-free": "sfumato.partition.apart.bsgi:BsgiPartitioner",
        "hilbert": "sfumato.partition.apart.hilbert:HilbertPartitioner",
        "incognito": "sfumato.partition.lattice.incognito:IncognitoPartitioner",
        "lattice": "sfumato.partition.lattice.lattice:LatticePartitioner",
        "mondrian": "sfumato.partition.mondrian.mondrian:MondrianPartitioner",
        "sweep": "sfumato.partition.sweep.sweep:SweepPartitioner",
    }
)


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
