"""Every definition once more, slowly: fractions and whole numbers only, one group at a time, nothing shared with the
package but the promises and the tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations

from sfumato.policy import promises
from sfumato.policy.promises import Promise
from sfumato.taxonomy.tree import Node

Counts = Mapping[int, int]


def keeps(
    promise: Promise,
    group: Counts,
    whole: Counts | None = None,
    names: Sequence[str] = (),
    tree: Node | None = None,
) -> bool:
    """Whether a non-empty group keeps a promise; `names` are the texts of codes, `whole` the original table."""
    counts = sorted((count for count in group.values() if count), reverse=True)
    n, m = sum(counts), len(counts)
    assert n > 0
    match promise:
        case promises.KAnonymity(k=k):
            return n >= k
        case promises.DistinctL(l=l):
            return m >= l
        case promises.EntropyL(l=l):
            return entropy(counts, l)
        case promises.RecursiveCL(c=c, l=l):
            return recursive(counts, c, l)
        case promises.PdRecursive(c=c, l=l, disclosable=disclosable):
            return pd(group, c, l, {names.index(text) for text in disclosable})
        case promises.NpdRecursive(c1=c1, c2=c2, l=l, disclosable=disclosable, protected=protected):
            enough = all(group.get(names.index(text), 0) * 100 >= c2 * n for text in protected)
            return enough and pd(group, c1, l, {names.index(text) for text in disclosable})
        case promises.SimpleL(l=l):
            return bool(Fraction(counts[0], n) <= 1 / l)
        case promises.PairwiseL(l=l):
            return counts[0] == 1 and n >= l
        case promises.UniqueDistinctL(l=l):
            return counts[0] == 1 and n == l
        case promises.UniqueDistinctLiteral(l=l):
            return m == l
        case promises.AlphaK(alpha=alpha, k=k):
            return n >= k and all(Fraction(count, n) <= alpha for count in counts)
        case promises.Proximity(e=e, m=m):  # by places of codes
            guesses = [code + side for code in group for side in (-e, e)]
            near = [sum(rows for code, rows in group.items() if abs(code - guess) <= e) for guess in guesses]
            return bool(max(near) * m <= n)
        case promises.TCloseness(t=t, distance=distance):
            assert whole is not None
            return bool(emd(group, whole, distance, tree) <= t)
        case promises.DeltaDisclosure(delta=delta):
            assert whole is not None
            return within_factor(group, whole, delta)
        case promises.TauL(tau=tau, l=l, psi=psi):
            return bounded(counts, tau, l, psi)
    raise NotImplementedError(promise.name)


def bounded(counts: Sequence[int], tau: Fraction, l: int, psi: Sequence[Fraction] = ()) -> bool:
    """F(k) <= psi(k) for k up to the number of rows; counts may be any shares of one whole."""
    total = sum(counts)
    for k in range(1, len(counts) + 1):
        bound = tau + (1 - tau) * Fraction(k - 1) / (l - 1) if k <= l else Fraction(1)
        if psi and k < l:
            bound = psi[k - 1]
        if Fraction(sum(sorted(counts, reverse=True)[:k])) / total > bound:
            return False
    return True


def entropy(counts: Sequence[int], l: Fraction) -> bool:
    """(bN)^N >= a^N prod n^n, multiplied out."""
    rows, power = sum(counts), 1
    for count in counts:
        power *= count**count
    return bool((l.denominator * rows) ** rows >= l.numerator**rows * power)


def recursive(counts: Sequence[int], c: Fraction, l: int) -> bool:
    """Definition 4.2."""
    return l == 1 or counts[0] < c * sum(counts[l - 1 :])


def pd(group: Counts, c: Fraction, l: int, disclosable: set[int]) -> bool:
    """Definition 4.3 as printed, for every way to rank ties; all must agree."""
    if l == 1 or all(value in disclosable for value, count in group.items() if count):
        return True
    verdicts = set()
    for order in permutations([pair for pair in group.items() if pair[1]]):
        ranked = [count for _, count in order]
        if ranked != sorted(ranked, reverse=True):
            continue
        y = next(rank for rank, (value, _) in enumerate(order, 1) if value not in disclosable)
        r = [0, *ranked]
        if y <= l - 1:
            verdicts.add(r[y] < c * sum(r[l:]))
        else:
            verdicts.add(r[y] < c * sum(r[l - 1 : y]) + c * sum(r[y + 1 :]))
    (verdict,) = verdicts
    return verdict


def shares(counts: Counts) -> dict[int, Fraction]:
    rows = sum(counts.values())
    return {value: Fraction(count, rows) for value, count in counts.items()}


def emd(group: Counts, whole: Counts, distance: str, tree: Node | None = None) -> Fraction:
    """Earth mover's distance to the whole table."""
    p, q = shares(group), shares(whole)
    values = sorted(value for value, share in q.items() if share)
    gaps = {value: p.get(value, Fraction(0)) - q[value] for value in values}
    if distance == "equal":
        return sum((abs(gap) for gap in gaps.values()), Fraction(0)) / 2
    if distance == "ordered":
        if len(values) == 1:
            return Fraction(0)
        return sum(
            (abs(sum((gaps[v] for v in values[: i + 1]), Fraction(0))) for i in range(len(values))), Fraction(0)
        ) / (len(values) - 1)
    assert tree is not None
    return tree_distance(gaps, tree)


def tree_distance(gaps: Mapping[int, Fraction], tree: Node) -> Fraction:
    """The distance on a tree is the sum over its edges of length times flow.

    With leaves padded down to one depth H, every edge has the length 1/(2H): two leaves are then 2h edges apart when
    their lowest common ancestor is h high.
    """
    height = _height(tree)
    if height == 0:
        return Fraction(0)
    codes = iter(range(10**6))
    total = Fraction(0)

    def flow(node: Node, depth: int) -> Fraction:
        nonlocal total
        if not node.children:
            here = gaps.get(next(codes), Fraction(0))
            total += abs(here) * (height - depth)
        else:
            here = Fraction(0)
            for child in node.children:
                passed = flow(child, depth + 1)
                total += abs(passed)
                here += passed
        return here

    flow(tree, 0)
    return total / (2 * height)


def _height(node: Node) -> int:
    return 1 + max(map(_height, node.children)) if node.children else 0


def within_factor(group: Counts, whole: Counts, delta: Fraction) -> bool:
    """Every p/q strictly between e^-delta and e^delta, by the exponential series with its remainder."""
    p, q = shares(group), shares(whole)
    for value, share in q.items():
        if share == 0:
            continue
        here = p.get(value, Fraction(0))
        if here == 0:
            return False
        if not below_exp(max(here / share, share / here), delta):
            return False
    return True


def below_exp(ratio: Fraction, delta: Fraction) -> bool:
    """ratio < e^delta: partial sums from below, plus twice the next term from above once terms halve."""
    total, term, index = Fraction(0), Fraction(1), 0
    while True:
        total += term
        index += 1
        term = term * delta / index
        if ratio < total:
            return True
        if index > 2 * delta and ratio >= total + 2 * term:
            return False
