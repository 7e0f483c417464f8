"""k-anonymity: n ≥ k rows in every class.

L. Sweeney, "k-anonymity: a model for protecting privacy", 2002. https://doi.org/10.1142/S0218488502001648
"""

from __future__ import annotations

from fractions import Fraction

from sfumato.auditor.rules.contract import Case, Ruling
from sfumato.policy.promises import KAnonymity
from sfumato.table.words import counted

__all__ = ["judge_k"]


def judge_k(promise: KAnonymity, case: Case) -> Ruling:
    """Count the rows."""
    sizes = case.classes.sizes
    worst = int(sizes.argmin())
    return Ruling(sizes >= promise.k, Fraction(int(sizes[worst])), worst, f"at least {counted(promise.k, 'row')}")
