"""Small tables and policies at random, and whether any partition of one keeps its promise: looked at, all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import polars as pl

import sfumato as sf
from sfumato.policy.forms import FORMS
from sfumato.policy.methods import METHODS
from tests.support.definitions import bounded, keeps

VALUES = "abcd"
TREE = {"ab": ["a", "b"], "cd": ["c", "d"]}
PROMISES: tuple[sf.Promise, ...] = (
    sf.SimpleL(2),
    sf.SimpleL("3/2"),
    sf.SimpleL(3),
    sf.EntropyL("1.8"),
    sf.EntropyL("2.5"),
    sf.DistinctL(2),
    sf.DistinctL(3),
    sf.RecursiveCL(1, 2),
    sf.RecursiveCL(2, 3),
    sf.AlphaK("1/2", 3),
    sf.TauL("1/2", 2),
    sf.TauL("1/2", 3),
    sf.PairwiseL(2),
    sf.PairwiseL(3),
    sf.UniqueDistinctL(2),
    sf.UniqueDistinctLiteral(2),
    sf.TCloseness("1/5"),
    sf.DeltaDisclosure("1/2"),
    sf.KAnonymity(3) & sf.DistinctL(2),
    sf.KAnonymity(4),
    sf.SimpleL(2) & sf.EntropyL("2.5"),
    sf.PairwiseL(2) & sf.DistinctL(3),
)
CHANGES: tuple[dict[str, Any], ...] = ({}, {}, {"refine": True}, {"slack": 1})
SETTINGS = tuple({"method": name, **changes} for name, changes in product(METHODS, CHANGES))
SHOWN = tuple(
    {"publish": name, **form.model_dump(mode="json", exclude_defaults=True)}
    for name, words in FORMS.items()
    for form in words.variants()
)


def drawn(rng: Random, most: int) -> tuple[pl.DataFrame, dict[str, Any]]:
    """A small table and a policy for it; what is frequent is so in most of them."""
    rows = rng.randint(3, most)
    frequent = rng.choice(("aaab", "aabbc", "abcd"))
    values = [rng.choice(frequent) for _ in range(rows)]
    persons, tree = rng.random() < 0.2, rng.random() < 0.4
    frame = pl.DataFrame(
        {
            "who": [str(rng.randrange(rows) if persons else row) for row in range(rows)],
            "q": [str(rng.randrange(4)) for _ in range(rows)],
            "s": values,
        }
    )
    columns = {
        "who": {"role": "individual" if persons else "identifier"},
        "q": {"role": "quasi"},
        "s": {"role": "sensitive", **({"hierarchy": {"tree": TREE}} if tree else {})},
    }
    promise = rng.choice(PROMISES)
    return frame, {
        "columns": columns,
        "privacy": [part.as_dict() for part in (promise.promises if isinstance(promise, sf.AllOf) else [promise])],
        "partition": rng.choice(SETTINGS),
        "form": rng.choice(SHOWN),
        "suppression": {"limit": rng.choice(("0", "0", "0.2", "0.4")), "keep": rng.random() < 0.3},
    }


def tried(frame: pl.DataFrame, policy: dict[str, Any], promise: sf.Promise | None = None) -> sf.SfumatoError | None:
    """The error of a run; None if it made a release."""
    try:
        sf.publish(frame, promise, policy=policy, seed=1)
    except sf.SfumatoError as error:
        return error
    return None


def a_partition_keeps_it(frame: pl.DataFrame, policy: dict[str, Any]) -> bool:
    """By looking at every way to leave out rows, to group the others and, for (tau,l), to generalize their values."""
    parts = sf.read_policy(policy).promise.promises
    whole = Counter(VALUES.index(value) for value in frame["s"].to_list())
    codes, people = [VALUES.index(value) for value in frame["s"].to_list()], frame["who"].to_list()
    full, persons = (1 << len(codes)) - 1, policy["columns"]["who"]["role"] == "individual"
    rows = {mask: [row for row in range(len(codes)) if mask >> row & 1] for mask in range(1, full + 1)}
    tree = "hierarchy" in policy["columns"]["s"]

    def good(mask: int) -> bool:
        mine = rows[mask]
        if persons and len({people[row] for row in mine}) < len(mine):
            return False
        tau = [part for part in parts if isinstance(part, sf.TauL)]
        if tree and len(tau) == len(parts):
            ways = induced([codes[row] for row in mine], set(codes))
            return any(all(bounded(counts, part.tau, part.l) for part in tau) for counts in ways)
        return all(keeps(part, Counter(codes[row] for row in mine), whole, VALUES) for part in parts)

    holds = {mask: good(mask) for mask in rows}
    able = {0: True}
    for mask in range(1, full + 1):
        first = mask & -mask
        able[mask] = any(holds[part] and able[mask ^ part] for part in within(mask) if part & first)
    suppression = policy["suppression"]
    most = 0 if suppression["keep"] else int(Fraction(suppression["limit"]) * len(codes))
    return any(able[full ^ left] for left in range(full) if left.bit_count() <= most)


def within(mask: int) -> Iterator[int]:
    part = mask
    while part:
        yield part
        part = (part - 1) & mask


def induced(codes: list[int], present: set[int]) -> Iterator[list[int]]:
    """What a group says of the base values, in twelfths, every value generalized as far as may be.

    It then counts alike for all below that the table has.
    """
    for shown in product(*((VALUES[code], "ab" if code < 2 else "cd", VALUES) for code in codes)):
        counts = Counter[int]()
        for node in shown:
            below = [VALUES.index(value) for value in node if VALUES.index(value) in present]
            for value in below:
                counts[value] += 12 // len(below)
        yield list(counts.values())
