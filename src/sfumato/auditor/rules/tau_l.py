"""(tau,l): the k most frequent induced values of a class fill at most psi(k) of it, for every k.

A published base value counts as itself; an inner node of the hierarchy counts for the base values below it in
proportion to their weights: as the promise gives them, else 1, or with ``weights: table`` its rows, for a value of the
original table and 0 for any other. Who does not have the original table knows the values that rows show to occur, and
has to reckon with any others; the weights of ``weights: table`` only the holder knows. Where nothing is generalized,
weights do not matter.

H. Tian, W. Zhang, "Extending l-diversity to generalize sensitive data", 2011.
https://doi.org/10.1016/j.datak.2010.09.001
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm

import numpy as np

from sfumato.auditor.exactly import Exact, Flags, largest_ratio, times, widened
from sfumato.auditor.rules.contract import Case, Rule, Ruling, Undecidable
from sfumato.auditor.secrets import Key, Secrets
from sfumato.exact import as_text
from sfumato.policy import promises
from sfumato.policy.columns import FileHierarchy, TreeHierarchy
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["TAU_L", "allowed_share", "policy_weights", "seen_weights", "stands_for_something"]

Weights = Mapping[Key, Fraction]


def judge_tau(promise: promises.TauL, case: Case) -> Ruling | Undecidable:
    """F(k) ≤ psi(k); the level is the least tau with which all classes would keep it."""
    secrets = case.secrets
    if secrets is None or not secrets.generalized:
        return _ruled(promise, case, {})
    if secrets.taxonomy is None:
        return Undecidable(f"the hierarchy of {secrets.name!r}, made from its original values: the internal manifest")
    known = policy_weights(promise.weights, secrets)
    if known is None:
        return _outside(promise, case, secrets)
    if not stands_for_something(secrets, known):
        return Undecidable(f"a weight for some value below every generalized one of {secrets.name!r}")
    return _ruled(promise, case, known)


def _outside(promise: promises.TauL, case: Case, secrets: Secrets) -> Ruling | Undecidable:
    """The verdict without the original table: whatever values occurred below the published nodes.

    Where the policy weighs none by less than 1, the fewer occurred, the worse. For some k, take the k values that
    fill most with some more present, each of which weighs 1. Give every such one of the k, from the bottom of the tree
    up, another value of the node above it, or of the next node if all of that are taken. Then every node has as much of
    the k below it as before or all it has, of less in all; so what it counts for falls to the k at least as much.
    """
    if promise.weights == "table":
        return Undecidable(f"how often the values of {secrets.name!r} occurred: the internal manifest")
    sure = seen_weights(promise.weights, secrets)
    more = _unseen(secrets, sure)
    ordered = all(weight >= 1 for weight in sure.values())
    least = _ruled(promise, case, sure) if stands_for_something(secrets, sure) else None
    if least is not None and (more == {} or (ordered and least.kept.all())):
        return least
    if ordered and more:
        most = _ruled(promise, case, {**sure, **more})
        if not most.kept.all():
            return most if least is None else least
    return Undecidable(f"to know which values of {secrets.name!r} occurred that no row shows: the internal manifest")


def _unseen(secrets: Secrets, sure: Weights) -> dict[Key, Fraction] | None:
    """Values below published nodes that may have occurred, of weight 1; None if the policy does not write them all."""
    if not isinstance(secrets.column.hierarchy, FileHierarchy | TreeHierarchy):
        return None
    missing = [None] if secrets.column.missing in (None, "category") else []
    named = dict.fromkeys((*missing, *map(secrets.read, _leaves(secrets))), Fraction(1))
    shown = (node for node, rows in zip(secrets.nodes, secrets.published.tolist(), strict=True) if node >= 0 and rows)
    below = {key for node in shown for key in _below(secrets, node, named)}
    return dict.fromkeys(below - sure.keys(), Fraction(1))


def _ruled(promise: promises.TauL, case: Case, weights: Weights) -> Ruling:
    sizes, tops = _shares(promise, case, weights)
    kept: Flags = np.ones(len(case.classes), dtype=np.bool_)
    for k, top in enumerate(tops, 1):
        most = allowed_share(promise, k)
        kept &= np.asarray(times(top, most.denominator) <= times(sizes, most.numerator), dtype=np.bool_)
    level, worst = _worst(promise, sizes, tops)
    return Ruling(kept, level, worst, f"tau at most {promise.tau} with l = {promise.l}")


def allowed_share(promise: promises.TauL, k: int) -> Fraction:
    """psi(k): as listed, or on the line from tau at 1 to 1 at l, which mixes l - k parts of tau and k - 1 of 1."""
    if k >= promise.l:
        return Fraction(1)
    if promise.psi:
        return Fraction(promise.psi[k - 1])
    return ((promise.l - k) * Fraction(promise.tau) + (k - 1)) / (promise.l - 1)


def tau_both_ways(promise: promises.TauL, case: Case) -> str | None:
    """The level under both natural weights, all values alike and by their rows; None if the table is not known."""
    secrets = case.secrets
    if secrets is None or secrets.unknown:
        return None
    even, by_rows = policy_weights((), secrets), policy_weights("table", secrets)
    if even is None or by_rows is None or not stands_for_something(secrets, even):
        return None
    levels = [as_text(_worst(promise, *_shares(promise, case, weights))[0]) for weights in (even, by_rows)]
    return f"tau-l reaches tau = {levels[0]} with equal weights and {levels[1]} with those of the table"


def policy_weights(weights: object, secrets: Secrets) -> dict[Key, Fraction] | None:
    """What a promise's weights come to on the original table; None if that is not known."""
    if secrets.original is None:
        return None
    rows = {key: count for key, count in zip(secrets.keys, secrets.original.tolist(), strict=True) if count}
    if weights == "table":
        return {key: Fraction(count) for key, count in rows.items()}
    return _given(weights, secrets, rows)


def seen_weights(weights: object, secrets: Secrets) -> dict[Key, Fraction]:
    """What they come to as far as everybody knows: for values that some row shows, or that the policy weighs."""
    rows = zip(secrets.keys, secrets.nodes, secrets.published.tolist(), strict=True)
    return _given(weights, secrets, [key for key, node, count in rows if node == -1 and count])


def _given(weights: object, secrets: Secrets, present: Iterable[Key]) -> dict[Key, Fraction]:
    given = weights if isinstance(weights, tuple) else ()
    return dict.fromkeys(present, Fraction(1)) | {secrets.read(text): number for text, number in given}


def stands_for_something(secrets: Secrets, weights: Weights) -> bool:
    """Whether below every generalized value some base value has a weight."""
    nodes = (node for node, rows in zip(secrets.nodes, secrets.published.tolist(), strict=True) if node >= 0 and rows)
    return all(sum(_below(secrets, node, weights).values()) for node in nodes)


def _leaves(secrets: Secrets) -> tuple[str, ...]:
    return () if secrets.taxonomy is None else secrets.taxonomy.leaves


def _below(secrets: Secrets, node: int, weights: Weights) -> dict[Key, Fraction]:
    """The base values that a node stands for, with their weights; a missing one is below the root only."""
    tree = secrets.taxonomy
    if tree is None:
        return {}
    inside = set(map(secrets.read, tree.labels[tree.first[node] : tree.last[node] + 1]))
    return {key: weight for key, weight in weights.items() if weight and _covers(tree, node, key, inside)}


def _covers(tree: Taxonomy, node: int, key: Key, inside: set[Key]) -> bool:
    return node == tree.root if key is None else key in inside


def _shares(promise: promises.TauL, case: Case, weights: Weights) -> tuple[Exact, list[Exact]]:
    """Size of every class, and for every k below l what its k most frequent values fill, in the same unit."""
    classes, secrets = case.classes, case.secrets
    steps = range(1, min(promise.l - 1, int(classes.distinct.max())) + 1)
    if secrets is None or not secrets.generalized:
        return classes.sizes, [classes.sizes - classes.tail(k) for k in steps]
    parts, unit = _parts(secrets, weights)
    sizes = times(classes.sizes, unit)
    wide = np.array([len(part) for part in parts], dtype=np.int64)[classes.values]
    owner = np.repeat(classes.owner, wide)
    flat = [pair for code in classes.values.tolist() for pair in parts[code]]
    base = np.array([value for value, _ in flat], dtype=np.int64)
    counts, amounts = widened(
        int(classes.sizes.sum()) * unit, np.repeat(classes.counts, wide), np.zeros(len(flat), int)
    )
    amounts = counts * np.array([amount for _, amount in flat], dtype=counts.dtype)
    span = int(base.max()) + 1
    keys, place = np.unique(owner * span + base, return_inverse=True)
    summed = np.zeros(len(keys), dtype=amounts.dtype)
    np.add.at(summed, place, amounts)
    order = np.argsort(-summed, kind="stable")
    order = order[np.argsort((keys // span)[order], kind="stable")]
    starts = np.searchsorted(keys // span, np.arange(len(classes) + 1))
    upto = np.concatenate((np.zeros(1, dtype=summed.dtype), np.cumsum(summed[order])))
    steps = range(1, min(promise.l - 1, int(np.diff(starts).max())) + 1)
    return sizes, [upto[np.minimum(starts[:-1] + k, starts[1:])] - upto[starts[:-1]] for k in steps]


def _parts(secrets: Secrets, weights: Weights) -> tuple[list[list[tuple[int, int]]], int]:
    """Per code, the base values that it counts for and how much; and how much a whole row is."""
    shares: list[dict[Key, Fraction]] = []
    for key, node, rows in zip(secrets.keys, secrets.nodes, secrets.published.tolist(), strict=True):
        below = _below(secrets, node, weights) if node >= 0 and rows else {key: Fraction(1)}
        total = sum(below.values())
        shares.append({value: weight / total for value, weight in below.items()})
    unit = lcm(*(share.denominator for part in shares for share in part.values()))
    place: dict[Key, int] = {}
    parts = [
        [(place.setdefault(value, len(place)), int(share * unit)) for value, share in part.items()] for part in shares
    ]
    return parts, unit


def _worst(promise: promises.TauL, sizes: Exact, tops: list[Exact]) -> tuple[Fraction, int]:
    """The largest tau that a class needs, and which one it is."""
    l, found = promise.l, []
    for k, top in enumerate(tops, 1):
        if promise.psi:
            scale = promise.tau / promise.psi[k - 1]
            found.append(largest_ratio(times(top, scale.numerator), times(sizes, scale.denominator)))
        else:
            found.append(largest_ratio(times(top, l - 1) - times(sizes, k - 1), times(sizes, l - k)))
    return max(found, key=lambda pair: pair[0])


TAU_L = Rule(judge_tau, general=True, weighed=tau_both_ways)
