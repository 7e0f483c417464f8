"""One rule per promise, each from its definition; a third party's joins through the entry-point group."""

from __future__ import annotations

from sfumato.auditor.rules.contract import Case, Rule, Ruling, Undecidable
from sfumato.extension import Pieces, registered

__all__ = ["ENTRY_POINTS", "RULES", "Case", "Rule", "Ruling", "Undecidable", "rule_of"]

ENTRY_POINTS = "sfumato.rules"

RULES: Pieces[Rule] = Pieces(
    {
        "k-anonymity": "sfumato.auditor.rules.size:K_ANONYMITY",
        "distinct-l": "sfumato.auditor.rules.distinct:DISTINCT_L",
        "entropy-l": "sfumato.auditor.rules.entropy:ENTROPY_L",
        "recursive-cl": "sfumato.auditor.rules.recursive:RECURSIVE_CL",
        "pd-recursive": "sfumato.auditor.rules.disclosable:PD_RECURSIVE",
        "npd-recursive": "sfumato.auditor.rules.disclosable:NPD_RECURSIVE",
        "simple-l": "sfumato.auditor.rules.share:SIMPLE_L",
        "pairwise-l": "sfumato.auditor.rules.distinct:PAIRWISE_L",
        "unique-distinct-l": "sfumato.auditor.rules.distinct:UNIQUE_DISTINCT_L",
        "unique-distinct-literal": "sfumato.auditor.rules.distinct:UNIQUE_DISTINCT_LITERAL",
        "alpha-k": "sfumato.auditor.rules.share:ALPHA_K",
        "proximity": "sfumato.auditor.rules.proximity:PROXIMITY",
        "t-closeness": "sfumato.auditor.rules.closeness:T_CLOSENESS",
        "delta-disclosure": "sfumato.auditor.rules.delta:DELTA_DISCLOSURE",
        "tau-l": "sfumato.auditor.rules.tau_l:TAU_L",
        "qs-cl": "sfumato.auditor.rules.quasi_sensitive:QS_CL",
        "qs-t": "sfumato.auditor.rules.quasi_sensitive:QS_T",
    }
)
"""multi-attribute has no rule of its own: it is the rule of its inner promise, on finer classes."""


def rule_of(name: str) -> Rule | None:
    """The rule of that promise, built in or registered by an installed package; None if there is none."""
    found = registered(RULES, ENTRY_POINTS, name)
    return found if isinstance(found, Rule) else None
