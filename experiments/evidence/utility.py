"""What papers 003 and 004 define, prove and compute."""

from __future__ import annotations

from experiments.evidence.contract import Evidence, items

__all__ = ["UTILITY"]

_TERMS = "knowledge/test_terms_paper.py"
_REFINE = "partition/steps/test_refine.py"

UTILITY: tuple[Evidence, ...] = (
    *items(
        "003",
        (
            "definition",
            "Def 1, l-diversity: l values, none in more than ⌊n/l⌋ rows",
            "partition/apart/arp.py",
            "partition/apart/test_arp.py::test_blocks_meet_the_demand_and_groups_differ",
        ),
        (
            "definition",
            "Def 2, the optimizing model",
            "partition/steps/refine.py",
            f"{_REFINE}::test_mean_probability_after_refinement",
        ),
        (
            "theorem",
            "Property 1, mean probability",
            "measures/probability.py",
            "measures/test_whose.py::test_property_1",
        ),
        ("definition", "φ²", "measures/association.py", "measures/test_distributions.py::test_phi2_of_the_paper"),
        (
            "algorithm",
            "Algorithm 1, the initial partition",
            "partition/apart/arp.py",
            "partition/apart/test_arp.py::test_merging_goes_on_until_every_block_meets_the_demand",
        ),
        (
            "algorithm",
            "Algorithm 2, refinement",
            "partition/steps/refine.py",
            f"{_REFINE}::test_a_block_has_as_many_groups_as_it_has_room_for",
        ),
        (
            "theorem",
            "Properties 2 to 4, residuals",
            "partition/steps/refine.py",
            f"{_REFINE}::test_two_equal_residuals_never_meet",
        ),
        (
            "theorem",
            "Properties 5 and 6, mean probability after it",
            "partition/steps/refine.py",
            f"{_REFINE}::test_mean_probability_after_refinement",
        ),
        (
            "theorem",
            "Property 7, attributes that stay",
            "partition/steps/refine.py",
            f"{_REFINE}::test_groups_across_blocks_lose_what_goes_with_the_first_column",
        ),
        (
            "theorem",
            "Property 8, remaining entropy",
            "measures/probability.py",
            "measures/test_whose.py::test_property_8",
        ),
        (
            "metric",
            "Def 3, NLP and GLP",
            "measures/correspondence.py",
            "measures/test_correspondence.py::test_worked_examples",
        ),
        (
            "algorithm",
            "AT, Anatomy",
            "partition/apart/anatomy.py",
            "partition/apart/test_apart.py::test_as_many_groups_as_can_be",
        ),
        (
            "algorithm",
            "NG, rings",
            "forms/ring_order.py",
            "forms/test_rings.py::test_a_ring_is_found_if_there_is_one_at_all",
        ),
        (
            "algorithm",
            "anatomy, slicing, randomization of sub-blocks",
            "forms/exact_quasi.py",
            "forms/test_exact.py::test_sliced_keeps_slices_whole_and_takes_others_apart",
        ),
    ),
    *items(
        "004",
        (
            "definition",
            "Defs 1 and 2, linking",
            "knowledge/linking.py",
            "knowledge/test_linking.py::test_links_are_what_sets_say",
        ),
        (
            "definition",
            "Equation 1, change of beliefs",
            "knowledge/belief.py",
            f"{_TERMS}::test_the_prior_and_distances_to_it",
        ),
        ("definition", "Def 3, QS (c,l)-diversity", "models/qs_cl.py", "models/test_qs.py::test_worked_cases"),
        ("theorem", "its bound c/(c+1)", "models/qs_cl.py", f"{_TERMS}::test_the_bound_on_beliefs_is_reached"),
        (
            "definition",
            "Def 4, QS t-closeness",
            "models/qs_t.py",
            "models/test_qs.py::test_the_prior_is_that_of_the_whole_table",
        ),
        ("metric", "Equation 2, cost T", "partition/steps/terms/costs.py", f"{_TERMS}::test_cost"),
        (
            "theorem",
            "the bound of t-closeness on every change of belief",
            "knowledge/belief.py",
            f"{_TERMS}::test_the_prior_and_distances_to_it",
        ),
        (
            "example",
            "Figures 1 and 2, a patient and what symptoms tell",
            "knowledge/linking.py",
            f"{_TERMS}::test_figure_1",
        ),
        (
            "algorithm",
            "two phases",
            "partition/steps/terms/suppression.py",
            "partition/steps/test_terms_search.py::test_many_groups_are_judged_as_one_by_one",
        ),
        (
            "algorithm",
            "adaptive search, and the baseline",
            "partition/steps/terms/tree.py",
            "partition/steps/test_terms_optimum.py::test_the_papers_search_never_beats_the_optimum",
        ),
        (
            "algorithm",
            "the optimum, ours",
            "partition/steps/terms/cheapest.py",
            "partition/steps/test_terms_optimum.py::test_the_optimum_is_what_trying_everything_finds",
        ),
        (
            "algorithm",
            "future work: one phase",
            "partition/steps/terms/onephase.py",
            "partition/steps/test_terms_costs.py::test_the_balance_prices_terms_as_the_search_does",
        ),
        (
            "algorithm",
            "future work: other costs",
            "partition/steps/terms/costs.py",
            "partition/steps/test_terms_costs.py::test_what_is_dear_stays",
        ),
        (
            "algorithm",
            "future work: knowledge that is built",
            "knowledge/build.py",
            "knowledge/test_build.py::test_an_ontology_with_broader_terms",
        ),
        (
            "metric",
            "mean change of beliefs",
            "measures/beliefs.py",
            "measures/test_terms.py::test_how_far_a_group_is_from_the_prior",
        ),
        (
            "metric",
            "count queries with terms",
            "measures/uses/workload.py",
            "measures/uses/test_count_queries.py::test_terms_left_out_are_missed",
        ),
    ),
)
