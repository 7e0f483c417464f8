"""What promises mean for one group, by their definitions: counts of values in, yes or no out; all exact.

Counts may be whole numbers or shares; every definition here is homogeneous in them, but for those about rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from .case import inner

__all__ = ["RELAXED", "Counts", "Key", "Reference", "Tree", "about_rows", "carried", "keeps", "relaxed", "tree_of"]

Key = Any
Counts = Mapping[Key, Fraction]
RELAXED = {"pairwise-l": "simple-l", "unique-distinct-l": "simple-l", "unique-distinct-literal": "distinct-l"}
_CLOSE = Decimal(10) ** -60


@dataclass(frozen=True)
class Tree:
    """A node of a hierarchy; one without children is a value."""

    label: Key
    children: tuple[Tree, ...] = ()

    def leaves(self) -> list[Key]:
        return [leaf for child in self.children for leaf in child.leaves()] if self.children else [self.label]

    @property
    def height(self) -> int:
        return 1 + max(child.height for child in self.children) if self.children else 0

    def find(self, label: Key) -> Tree | None:
        if self.label == label:
            return self
        return next((found for child in self.children if (found := child.find(label)) is not None), None)


def tree_of(nested: Mapping[str, Any]) -> Tree:
    """A tree as a policy writes it: a single top key is the root, several stand under ``*``."""
    tops = _nodes(nested)
    return tops[0] if len(tops) == 1 else Tree("*", tuple(tops))


def _nodes(given: Any) -> list[Tree]:
    if isinstance(given, Mapping):
        return [Tree(label, tuple(_nodes(below))) for label, below in given.items()]
    return [node for each in given for node in (_nodes(each) if isinstance(each, Mapping) else [Tree(str(each))])]


@dataclass(frozen=True)
class Reference:
    """What a promise needs besides the group.

    whole     counts in the whole original table
    key       what a value that the policy names is in these counts
    order     all values of the column, smallest first, if it has an order
    tree      its hierarchy
    """

    whole: Counts
    key: Callable[[str], Key] = str
    order: Sequence[Key] = ()
    tree: Tree | None = None
    shares: Mapping[Key, Fraction] = field(default_factory=dict)


def about_rows(promise: Mapping[str, Any]) -> bool:
    """Whether it speaks of rows that cannot be told apart."""
    return bool(inner(promise)["model"] in ("k-anonymity", "alpha-k"))


def relaxed(promise: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is left of a promise for classes that merge."""
    if promise["model"] == "multi-attribute":
        return {**promise, "of": relaxed(promise["of"])}
    return {**promise, "model": RELAXED.get(promise["model"], promise["model"])}


def keeps(promise: Mapping[str, Any], counts: Counts, given: Reference) -> bool:
    """Whether a group with these counts keeps a promise about the values of one column."""
    ranked = sorted((Fraction(count) for count in counts.values() if count), reverse=True)
    return _RULES[promise["model"]](promise, counts, ranked, sum(ranked, Fraction(0)), given)


Rule = Callable[[Mapping[str, Any], Counts, list[Fraction], Fraction, Reference], bool]


def _entropy(l: Fraction, ranked: list[Fraction], rows: Fraction) -> bool:
    """Whether -sum p log p >= log l: integers where counts are whole, else digits far beyond any tie."""
    if rows.denominator == 1 and all(count.denominator == 1 for count in ranked):
        size, product = int(rows), 1
        for count in ranked:
            product *= int(count) ** int(count)
        return bool((l.denominator * size) ** size >= l.numerator**size * product)
    with localcontext() as context:
        context.prec = 90
        shares = [_decimal(count / rows) for count in ranked]
        return -sum(share * share.ln() for share in shares) >= _decimal(l).ln() - _CLOSE


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def _disclosable(c: Fraction, l: int, named: Iterable[str], counts: Counts, given: Reference) -> bool:
    """The most frequent value that may not be disclosed, against the others without their l - 2 largest."""
    allowed = {given.key(text) for text in named}
    secret = [(Fraction(count), key) for key, count in counts.items() if count and key not in allowed]
    if not secret or l == 1:
        return True
    most = max(count for count, _ in secret)
    others = [Fraction(count) for count in counts.values() if count]
    others.remove(most)
    others.sort(reverse=True)
    return most < c * sum(others[max(l - 2, 0) :], Fraction(0))


def _protected(promise: Mapping[str, Any], counts: Counts, rows: Fraction, given: Reference) -> bool:
    percent = Fraction(promise["c2"]) / 100
    return all(Fraction(counts.get(given.key(text), 0)) >= percent * rows for text in promise.get("protected", ()))


def _delta(delta: Fraction, counts: Counts, rows: Fraction, given: Reference) -> bool:
    total = sum(given.whole.values(), Fraction(0))
    for key, count in given.whole.items():
        if not count:
            continue
        share = Fraction(counts.get(key, 0)) / rows
        if not share:
            return False
        with localcontext() as context:
            context.prec = 90
            if abs(_decimal(share / (Fraction(count) / total)).ln()) >= _decimal(delta):
                return False
    return True


def _distance(promise: Mapping[str, Any], counts: Counts, rows: Fraction, given: Reference) -> Fraction:
    total = sum(given.whole.values(), Fraction(0))
    keys = {*counts, *given.whole}
    extra = {key: Fraction(counts.get(key, 0)) / rows - Fraction(given.whole.get(key, 0)) / total for key in keys}
    kind = promise.get("distance", "equal")
    if kind == "equal":
        return sum(map(abs, extra.values()), Fraction(0)) / 2
    if kind == "hierarchical":
        assert given.tree is not None
        return carried(given.tree, extra)
    running, moved = Fraction(0), Fraction(0)
    for key in given.order:
        running += extra.get(key, Fraction(0))
        moved += abs(running)
    return moved / (len(given.order) - 1) if len(given.order) > 1 else Fraction(0)


def carried(tree: Tree, extra: Mapping[Key, Fraction]) -> Fraction:
    """Earth mover's distance where two values are as far apart as their lowest common ancestor is high."""
    height, moved = tree.height, Fraction(0)

    def visit(node: Tree) -> Fraction:
        nonlocal moved
        if not node.children:
            return extra.get(node.label, Fraction(0))
        parts = [visit(child) for child in node.children]
        surplus = sum((part for part in parts if part > 0), Fraction(0))
        deficit = -sum((part for part in parts if part < 0), Fraction(0))
        moved += Fraction(node.height, height) * min(surplus, deficit)
        return sum(parts, Fraction(0))

    visit(tree)
    return moved


def _induced(promise: Mapping[str, Any], counts: Counts, given: Reference) -> list[Fraction]:
    """How often every base value is meant, the largest first; a general value stands for those below it by weight."""
    asked = promise.get("weights") or {}
    weights = {key: Fraction(1) for key, count in given.whole.items() if count}
    if asked == "table":
        weights = {key: Fraction(count) for key, count in given.whole.items()}
    else:
        weights |= {given.key(text): Fraction(weight) for text, weight in asked.items()}
    found: dict[Key, Fraction] = {}
    for key, count in counts.items():
        node = None if given.tree is None or key in weights else given.tree.find(key)
        below = [leaf for leaf in node.leaves() if leaf in weights] if node is not None and node.children else [key]
        whole = sum((weights.get(leaf, Fraction(1)) for leaf in below), Fraction(0))
        for leaf in below:
            found[leaf] = found.get(leaf, Fraction(0)) + count * weights.get(leaf, Fraction(1)) / whole
    return sorted(found.values(), reverse=True)


def _tau(promise: Mapping[str, Any], counts: Counts, rows: Fraction, given: Reference) -> bool:
    tau, l, sums = Fraction(promise["tau"]), int(promise["l"]), Fraction(0)
    bounds = [Fraction(bound) for bound in promise.get("psi", ())]
    for k, part in enumerate(_induced(promise, counts, given), start=1):
        sums += part
        even = tau + (1 - tau) * Fraction(k - 1, l - 1)
        if k < l and sums > (bounds[k - 1] if bounds else even) * rows:
            return False
    return True


def _nearest(promise: Mapping[str, Any], counts: Counts) -> Fraction:
    """The most rows that lie near one guess: where many do, some value is the farthest that still does, on one side."""
    e, relative = Fraction(promise["e"]), promise.get("neighbourhood") == "relative"
    numbers = [key for key in counts if key is not None]
    shares = [part * number for number in numbers for part in ((1 / (1 - e), 1 / (1 + e)) if relative else ())]
    guesses = [*shares] if relative else [number + side for number in numbers for side in (-e, e)]
    found = [
        sum((counts[x] for x in numbers if abs(x - y) <= (e * abs(y) if relative else e)), Fraction(0)) for y in guesses
    ]
    return max([*found, Fraction(counts.get(None, 0))])


_RULES: dict[str, Rule] = {
    "k-anonymity": lambda p, counts, ranked, n, given: n >= p["k"],
    "distinct-l": lambda p, counts, ranked, n, given: len(ranked) >= p["l"],
    "entropy-l": lambda p, counts, ranked, n, given: _entropy(Fraction(p["l"]), ranked, n),
    "recursive-cl": lambda p, counts, ranked, n, given: (
        p["l"] == 1 or ranked[0] < Fraction(p["c"]) * sum(ranked[p["l"] - 1 :], Fraction(0))
    ),
    "pd-recursive": lambda p, counts, ranked, n, given: _disclosable(
        Fraction(p["c"]), p["l"], p.get("disclosable", ()), counts, given
    ),
    "npd-recursive": lambda p, counts, ranked, n, given: (
        _disclosable(Fraction(p["c1"]), p["l"], p.get("disclosable", ()), counts, given)
        and _protected(p, counts, n, given)
    ),
    "simple-l": lambda p, counts, ranked, n, given: ranked[0] * Fraction(p["l"]) <= n,
    "pairwise-l": lambda p, counts, ranked, n, given: n == len(ranked) >= p["l"],
    "unique-distinct-l": lambda p, counts, ranked, n, given: n == len(ranked) == p["l"],
    "unique-distinct-literal": lambda p, counts, ranked, n, given: len(ranked) == p["l"],
    "alpha-k": lambda p, counts, ranked, n, given: n >= p["k"] and ranked[0] <= Fraction(p["alpha"]) * n,
    "proximity": lambda p, counts, ranked, n, given: _nearest(p, counts) * Fraction(p["m"]) <= n,
    "t-closeness": lambda p, counts, ranked, n, given: _distance(p, counts, n, given) <= Fraction(p["t"]),
    "delta-disclosure": lambda p, counts, ranked, n, given: _delta(Fraction(p["delta"]), counts, n, given),
    "tau-l": lambda p, counts, ranked, n, given: _tau(p, counts, n, given),
}
