"""One rule per promise, each from its definition; a third party's joins through the entry-point group."""

from __future__ import annotations

from sfumato.auditor.rules.closeness import judge_t
from sfumato.auditor.rules.contract import Case, Rule, Ruling, Undecidable
from sfumato.auditor.rules.delta import judge_delta
from sfumato.auditor.rules.disclosable import judge_npd, judge_pd
from sfumato.auditor.rules.distinct import (
    at_least_l,
    at_most_one_in_l,
    judge_distinct,
    judge_literal,
    judge_pairwise,
    judge_unique,
)
from sfumato.auditor.rules.entropy import judge_entropy
from sfumato.auditor.rules.proximity import judge_proximity
from sfumato.auditor.rules.quasi_sensitive import judge_qs_cl, judge_qs_t
from sfumato.auditor.rules.recursive import judge_recursive
from sfumato.auditor.rules.share import judge_alpha_k, judge_simple
from sfumato.auditor.rules.size import judge_k
from sfumato.auditor.rules.tau_l import judge_tau, tau_both_ways
from sfumato.extension import registered

__all__ = ["ENTRY_POINTS", "RULES", "Case", "Rule", "Ruling", "Undecidable", "rule_of"]

ENTRY_POINTS = "sfumato.rules"

RULES: dict[str, Rule] = {
    "k-anonymity": Rule(judge_k, values=False, rows=True),
    "distinct-l": Rule(judge_distinct, coarse=True, shape=True),
    "entropy-l": Rule(judge_entropy, coarse=True, shape=True),
    "recursive-cl": Rule(judge_recursive, coarse=True, shape=True),
    "pd-recursive": Rule(judge_pd),
    "npd-recursive": Rule(judge_npd),
    "simple-l": Rule(judge_simple, coarse=True, shape=True),
    "pairwise-l": Rule(judge_pairwise, by_id=True, merged=at_most_one_in_l),
    "unique-distinct-l": Rule(judge_unique, by_id=True, merged=at_most_one_in_l),
    "unique-distinct-literal": Rule(judge_literal, by_id=True, merged=at_least_l),
    "alpha-k": Rule(judge_alpha_k, rows=True, coarse=True),
    "proximity": Rule(judge_proximity),
    "t-closeness": Rule(judge_t),
    "delta-disclosure": Rule(judge_delta),
    "tau-l": Rule(judge_tau, general=True, weighed=tau_both_ways),
    "qs-cl": Rule(judge_qs_cl, values=False, terms=True),
    "qs-t": Rule(judge_qs_t, values=False, terms=True),
}
"""multi-attribute has no rule of its own: it is the rule of its inner promise, on finer classes."""


def rule_of(name: str) -> Rule | None:
    """The rule of that promise, built in or registered by an installed package; None if there is none."""
    found = registered(RULES, ENTRY_POINTS, name)
    return found if isinstance(found, Rule) else None
