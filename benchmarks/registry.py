"""Every kernel that is measured."""

from __future__ import annotations

from typing import Any

from benchmarks.contract import Kernel, Target
from benchmarks.kernels import apart, arp, audit, floor, lattice, mondrian, polish, publish, sweep, terms, tuples
from benchmarks.terms import PROMISES
from sfumato.policy.methods import Anatomy, Bsgi, BsgiFree, Hilbert

__all__ = ["FLOOR", "KERNELS", "SIZES"]

SIZES = {"30k": 30_162, "1M": 1_000_000, "4.6M": 4_600_000}
"""The smallest is Adult itself."""

_SMALL = SIZES["30k"]

# A column of a hundred thousand values without a hierarchy is no case for full-domain recoding: measured, not promised.
_NO_LATTICE = {"hard": None}

# A row is visited at up to 4,320 level vectors, or 25,920 with postcodes, and few classes are closed at a weak promise.
_NO_SWEEP = {"hard": None}
_REPEATING = {"perturbed": None, "hard": None}

FLOOR = Kernel("floor", floor.prepare, floor.run)

KERNELS: tuple[Kernel[Any], ...] = (
    FLOOR,  # against itself: how far the ratios of this run can be trusted
    Kernel("tuples", tuples.prepare, tuples.run),
    Kernel("audit", audit.prepare, audit.run, Target(ratio=1)),
    Kernel("mondrian strict", mondrian.strict, mondrian.run, Target(ratio=6, on={"duplicated": 2})),
    Kernel("mondrian relaxed", mondrian.relaxed, mondrian.run, Target(ratio=8)),
    Kernel("mondrian taxonomy", mondrian.taxonomy, mondrian.run, Target(ratio=7)),
    Kernel("anatomy", apart.by(Anatomy()), apart.run, Target(ratio=1)),
    Kernel("hilbert", apart.by(Hilbert()), apart.run, Target(ratio=4)),
    Kernel("bsgi", apart.by(Bsgi()), apart.run, Target(60, 150)),
    Kernel("bsgi-free", apart.by(BsgiFree()), apart.run, Target(ratio=80)),
    Kernel("lattice minimal", lattice.distinct, lattice.minimal, Target(2, 15, _NO_LATTICE)),
    Kernel("lattice optimum", lattice.distinct, lattice.optimum, Target(2, 10, _NO_LATTICE)),
    Kernel("lattice optimum k", lattice.k, lattice.optimum, Target(2, 10, _NO_LATTICE)),
    Kernel("lattice suppressing", lattice.distinct, lattice.suppressing, Target(ms=50), largest=_SMALL),
    Kernel("lattice suppressing k", lattice.k, lattice.suppressing, Target(ms=50), largest=_SMALL),
    Kernel("arp", arp.prepare, arp.run, Target(ratio=4)),
    Kernel("polish", polish.prepare, polish.run, largest=SIZES["1M"]),
    Kernel("sweep (.5, 3)", sweep.of("0.5", 3, False), sweep.run, Target(5, on=_REPEATING)),
    Kernel("sweep (.2, 7)", sweep.of("0.2", 7, False), sweep.run, Target(20, on=_NO_SWEEP)),
    Kernel("sweep faithful (.5, 3)", sweep.of("0.5", 3, True), sweep.run, Target(5, on=_REPEATING)),
    Kernel("sweep faithful (.2, 7)", sweep.of("0.2", 7, True), sweep.run, Target(20, on=_NO_SWEEP)),
    # Ten milliseconds a group, whatever the table.
    *(
        Kernel(f"terms {name}", terms.of(name), terms.run, Target(ms=10 * terms.GROUPS), largest=_SMALL)
        for name in PROMISES
    ),
    Kernel("publish", publish.prepare, publish.run, largest=_SMALL),
)
