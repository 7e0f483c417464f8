"""What sampling weights say of a population that nobody has: how many of its people fit, and how sure a link is then.

A row with weight w stands for w people, so the rows of a class stand for the sum of their weights. By Benedetti and
Franconi, given f rows in the sample, the size F of the class in the population follows the negative binomial
distribution of the f-th success with probability p = f / (sum of weights). The risk of its rows is the mean of 1/F,

    p · ∫ s^(f-1) / (p + (1-p) s) ds  over 0 … 1,       for f = 1:  p / (1-p) · log(1/p),

and a row that is unique in the sample is unique in the population with the probability p. By Skinner and Elliot, and
Skinner and Carter for unequal weights, a match with a sample unique is right with the probability
n1 / (n1 + Σ over classes of two rows of (their weights - 2)), n1 being the number of sample uniques: it assumes no
distribution.

Assumptions: weights are one over the probability of being drawn, so that they sum to the population; people were drawn
independently of each other, and whether one was drawn depends on nothing that quasi-identifiers tell beyond the weight.
Weights that were scaled to sum to the number of rows claim that everybody is in the sample. They are estimates, and no
promise ever rests on them.

References: Franconi, Polettini: Individual risk estimation in µ-Argus: a review. PSD 2004, after Benedetti, Franconi
(NTTS 1998). https://doi.org/10.1007/978-3-540-25955-8_20
Skinner, Elliot: A measure of disclosure risk for microdata. JRSS B 64, 2002. https://doi.org/10.1111/1467-9868.00365
Skinner, Carter: Estimation of a measure of disclosure risk for survey microdata under unequal probability sampling.
Survey Methodology 29, 2003.
Deviation: the integral is computed for every f, where the review has approximations from f = 4 on; weights of a class
that sum to less than its rows count as these.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["mean_share", "right_if_unique", "uniques_of_population"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_NODES = 40
_NEARLY_ALL = 1e-3
"""Where nearly everybody was drawn, the closed form divides by almost nothing."""


def mean_share(rows: Ints, weights: Floats) -> Floats:
    """The mean of 1/F for classes of so many rows with such a sum of weights.

    >>> mean_share(np.array([1, 1, 2]), np.array([1.0, 10.0, 20.0])).round(4).tolist()
    [1.0, 0.2558, 0.0827]
    """
    p = rows / np.maximum(weights, rows)
    q = 1 - p
    found = _integrated(rows.astype(np.float64), p, q)
    simple = (rows <= 2) & (q > _NEARLY_ALL)
    ratio, log = p[simple] / q[simple], -np.log(p[simple])
    found[simple] = np.where(rows[simple] == 1, ratio * log, ratio - ratio**2 * log)
    return found


def _integrated(rows: Floats, p: Floats, q: Floats) -> Floats:
    """By s = exp(-x / f) it is p / f · ∫ exp(-x) / (p + q exp(-x / f)) dx, smooth for few and for many rows."""
    nodes, shares = np.polynomial.laguerre.laggauss(_NODES)
    total = np.zeros(len(rows))
    for node, share in zip(nodes.tolist(), shares.tolist(), strict=True):
        total += share / (p + q * np.exp(-node / rows))
    return np.asarray(p / rows * total)


def uniques_of_population(rows: Ints, weights: Floats) -> float:
    """How many of the sample's unique rows are expected to be unique in the population."""
    unique = rows == 1
    return float((1 / np.maximum(weights[unique], 1)).sum())


def right_if_unique(rows: Ints, weights: Floats) -> float | None:
    """How likely a match with a sample unique is right; None if nobody is unique."""
    unique, pairs = int((rows == 1).sum()), rows == 2
    others = float(np.maximum(weights[pairs] - 2, 0).sum())
    return unique / (unique + others) if unique else None
