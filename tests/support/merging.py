"""Small sensitive values, and every kind of promise that survives merging about them."""

from __future__ import annotations

import sfumato as sf
from sfumato.taxonomy.tree import Node

VALUES = ("a", "b", "c", "d")
SECRETS = Node("*", (Node("x", (Node("a"), Node("b"))), Node("c"), Node("d")))
PROMISES: list[sf.Promise] = [
    sf.KAnonymity(1),
    sf.KAnonymity(3),
    sf.DistinctL(2),
    sf.EntropyL("1.8"),
    sf.RecursiveCL(2, 2),
    sf.PdRecursive(1, 2, disclosable=("a",)),
    sf.NpdRecursive(c1=3, c2=10, l=2, protected=("b",)),
    sf.SimpleL(2),
    sf.AlphaK("2/3", 2),
    sf.TCloseness("0.3"),
    sf.TCloseness("0.3", distance="ordered"),
    sf.TCloseness("0.25", distance="hierarchical"),
    sf.DeltaDisclosure(1),
    sf.KAnonymity(2) & sf.DistinctL(2),
]
