"""k-anonymity: n ≥ k rows in every class.

L. Sweeney, "k-anonymity: a model for protecting privacy", 2002. https://doi.org/10.1142/S0218488502001648
"""

from __future__ import annotations

from fractions import Fraction

from sfumato.auditor.rules.contract import Case, Rule, Ruling
from sfumato.policy import promises
from sfumato.table.words import counted

__all__ = ["K_ANONYMITY"]


def judge_k(promise: promises.KAnonymity, case: Case) -> Ruling:
    """Count the rows."""
    sizes = case.classes.sizes
    worst = int(sizes.argmin())
    return Ruling(sizes >= promise.k, Fraction(int(sizes[worst])), worst, f"at least {counted(promise.k, 'row')}")


K_ANONYMITY = Rule(judge_k, values=False, rows=True, often=False)
