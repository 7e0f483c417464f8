"""Partitioners by name: one literal table and the entry-point group ``sfumato.partitioners``."""

from __future__ import annotations

from typing import Any

from sfumato.errors import Refused
from sfumato.extension import registered
from sfumato.partition.apart.anatomy import AnatomyPartitioner
from sfumato.partition.apart.arp import ArpPartitioner
from sfumato.partition.apart.bsgi import BsgiPartitioner
from sfumato.partition.apart.hilbert import HilbertPartitioner
from sfumato.partition.contract import Partitioner
from sfumato.partition.lattice.incognito import IncognitoPartitioner
from sfumato.partition.lattice.lattice import LatticePartitioner
from sfumato.partition.mondrian.mondrian import MondrianPartitioner
from sfumato.partition.sweep.sweep import SweepPartitioner

__all__ = ["PARTITIONERS", "partitioner"]

PARTITIONERS: dict[str, type[Partitioner]] = {
    "anatomy": AnatomyPartitioner,
    "arp": ArpPartitioner,
    "bsgi": BsgiPartitioner,
    "bsgi-free": BsgiPartitioner,
    "hilbert": HilbertPartitioner,
    "incognito": IncognitoPartitioner,
    "lattice": LatticePartitioner,
    "mondrian": MondrianPartitioner,
    "sweep": SweepPartitioner,
}


def partitioner(options: Any) -> Partitioner:
    """The algorithm that a policy's `partition:` names, with its options."""
    made: Any = registered(PARTITIONERS, "sfumato.partitioners", options.method)
    if made is None:
        raise Refused(f"partition method {options.method!r} is not installed; there are: {', '.join(PARTITIONERS)}")
    found: Partitioner = made(options)
    return found
