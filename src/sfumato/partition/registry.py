"""Partitioners by name: one literal table and the entry-point group ``sfumato.partitioners``."""

from __future__ import annotations

from typing import Any

from sfumato.errors import Refused
from sfumato.extension import registered
from sfumato.partition.apart.anatomy import Anatomy
from sfumato.partition.apart.arp import Arp
from sfumato.partition.apart.bsgi import Bsgi
from sfumato.partition.apart.hilbert import Hilbert
from sfumato.partition.contract import Partitioner
from sfumato.partition.lattice.incognito import Incognito
from sfumato.partition.lattice.lattice import Lattice
from sfumato.partition.mondrian.mondrian import Mondrian
from sfumato.partition.sweep.sweep import Sweep

__all__ = ["PARTITIONERS", "partitioner"]

PARTITIONERS: dict[str, type[Partitioner]] = {
    "anatomy": Anatomy,
    "arp": Arp,
    "bsgi": Bsgi,
    "bsgi-free": Bsgi,
    "hilbert": Hilbert,
    "incognito": Incognito,
    "lattice": Lattice,
    "mondrian": Mondrian,
    "sweep": Sweep,
}


def partitioner(options: Any) -> Partitioner:
    """The algorithm that a policy's `partition:` names, with its options."""
    made: Any = registered(PARTITIONERS, "sfumato.partitioners", options.method)
    if made is None:
        raise Refused(f"partition method {options.method!r} is not installed; there are: {', '.join(PARTITIONERS)}")
    found: Partitioner = made(options)
    return found
