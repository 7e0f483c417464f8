"""Which rows share a group: the vocabulary of `partition:`, the settings of each algorithm in a file of its own.

A third party's algorithm brings its settings through the entry-point group ``sfumato.partition_settings``. Names are
loaded when they are first used: a policy needs the one that it names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import BeforeValidator, PlainSerializer

from sfumato.exports import lazily
from sfumato.extension import Pieces
from sfumato.policy.method import Method as Method
from sfumato.policy.settings import read_settings, written

if TYPE_CHECKING:
    from sfumato.policy.methods.anatomy import Anatomy as Anatomy
    from sfumato.policy.methods.arp import Arp as Arp
    from sfumato.policy.methods.auto import Auto as Auto
    from sfumato.policy.methods.boxes import Boxes as Boxes
    from sfumato.policy.methods.bsgi import Bsgi as Bsgi
    from sfumato.policy.methods.bsgi import BsgiFree as BsgiFree
    from sfumato.policy.methods.hilbert import Hilbert as Hilbert
    from sfumato.policy.methods.incognito import Incognito as Incognito
    from sfumato.policy.methods.lattice import Lattice as Lattice
    from sfumato.policy.methods.mondrian import Mondrian as Mondrian
    from sfumato.policy.methods.sweep import Sweep as Sweep

METHODS: Pieces[type[Method]] = Pieces(
    {
        "auto": "sfumato.policy.methods.auto:Auto",
        "mondrian": "sfumato.policy.methods.mondrian:Mondrian",
        "boxes": "sfumato.policy.methods.boxes:Boxes",
        "lattice": "sfumato.policy.methods.lattice:Lattice",
        "incognito": "sfumato.policy.methods.incognito:Incognito",
        "anatomy": "sfumato.policy.methods.anatomy:Anatomy",
        "hilbert": "sfumato.policy.methods.hilbert:Hilbert",
        "bsgi": "sfumato.policy.methods.bsgi:Bsgi",
        "bsgi-free": "sfumato.policy.methods.bsgi:BsgiFree",
        "arp": "sfumato.policy.methods.arp:Arp",
        "sweep": "sfumato.policy.methods.sweep:Sweep",
    }
)


def _method(given: object) -> Method:
    return read_settings(given, "method", "auto", METHODS, "sfumato.partition_settings")


AnyMethod = Annotated[Method, BeforeValidator(_method), PlainSerializer(written)]

__getattr__, __dir__, __all__ = lazily(__name__, METHODS.places, "METHODS", "AnyMethod", "Method")
