"""Every tool and every way to ask it: one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.peers.contract import Way

__all__ = ["OURS", "PEERS", "POLICIES"]

PEERS: tuple[Way, ...] = (
    Way("anjana", "full domain, no suppression", "hierarchies", {"suppress": 0}),
    Way("anjana", "full domain, up to 20 % suppressed", "hierarchies", {"suppress": 20}),
    Way("anonypy", "Mondrian", "sets"),
    Way("anonypyx", "Mondrian", "sets", {"algorithm": "Mondrian"}),
    Way("anonypyx", "MDAV-generic", "sets", {"algorithm": "MDAV-generic"}, ("k = 5",)),
)

POLICIES: dict[str, Mapping[str, Any]] = {
    "Mondrian": {"partition": {"method": "mondrian"}},
    "Mondrian, polish": {"partition": {"method": "mondrian", "polish": True}},
    "boxes": {"partition": {"method": "boxes"}},
    "full domain, no suppression": {"partition": {"method": "lattice"}},
    "full domain, free suppression": {"partition": {"method": "lattice"}, "suppression": {"limit": 1}},
}
"""What our policy says beside columns and promise: a new method is a line here, and one below for each way to show."""

OURS: tuple[Way, ...] = (
    *(Way("sfumato", name, "hierarchies", policy) for name, policy in POLICIES.items()),
    Way("sfumato", "Mondrian", "sets", POLICIES["Mondrian"]),
    Way("sfumato", "Mondrian, polish", "sets", POLICIES["Mondrian, polish"]),
    Way("sfumato", "boxes", "sets", POLICIES["boxes"]),
)
