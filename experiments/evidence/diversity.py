"""What papers 000, 001 and 002 define, prove and compute."""

from __future__ import annotations

from experiments.evidence.contract import Evidence, items

__all__ = ["DIVERSITY"]

_TAU = "models/test_tau_l.py"
_SWEEP = "partition/sweep/test_sweep.py"
_STRENGTH = "advice/test_strength.py"
_EXACT = "models/test_exact.py"

DIVERSITY: tuple[Evidence, ...] = (
    *items(
        "000",
        ("definition", "Def 1, simple l-diversity", "models/simple.py", f"{_EXACT}::test_simple"),
        ("definition", "Def 1, recursive (c,l)-diversity", "models/recursive.py", f"{_EXACT}::test_recursive"),
        (
            "definition",
            "Def 2, eligible ranges",
            "advice/feasible.py",
            "advice/test_advise.py::test_the_largest_l_of_the_paper",
        ),
        (
            "definition",
            "Def 5, what a general value covers",
            "taxonomy/tree.py",
            "taxonomy/test_tree.py::test_cover_is_the_lowest_common_ancestor",
        ),
        (
            "definition",
            "Def 6, partitions into classes",
            "partition/contract.py",
            "partition/test_partition.py::test_parts_that_share_everything_are_one_in_one_order",
        ),
        ("definition", "Def 7, induced frequencies", "models/induced.py", f"{_TAU}::test_exact_on_generalized_values"),
        ("definition", "Defs 9 and 11, ψ and (τ,l)-diversity", "models/tau_l.py", f"{_TAU}::test_psi"),
        (
            "metric",
            "Def 14, information utility",
            "measures/utility.py",
            "measures/test_paper_losses.py::test_information_utility_of_figure_3",
        ),
        (
            "theorem",
            "Thm 13, what who knows nothing else believes, and where it ends",
            "partition/sweep/sweep.py",
            "partition/sweep/test_holes.py::test_single_generalized_values_tell_which_was_too_frequent",
        ),
        (
            "theorem",
            "Thm 17, NP-hard: nothing to run; the best that sweeping reaches is compared with the paper's",
            "partition/sweep/sweep.py",
            "partition/sweep/test_utility.py::test_utility_is_near_that_of_the_paper_or_above",
        ),
        (
            "definition",
            "Def 18, Lemma 19, stronger requirements",
            "models/strength.py",
            f"{_STRENGTH}::test_what_a_promise_implies_holds_for_every_count_vector",
        ),
        (
            "theorem",
            "Thm 20, Cor 21, simple l and (τ,l)",
            "models/strength.py",
            f"{_STRENGTH}::test_what_simple_implies",
        ),
        (
            "theorem",
            "Thm 23, Cor 24, recursive (c,l) and (τ,l)",
            "models/strength.py",
            f"{_STRENGTH}::test_the_theorem_is_not_claimed_to_be_necessary",
        ),
        (
            "definition",
            "Def 26, Thm 28, order of level vectors",
            "partition/sweep/information.py",
            f"{_SWEEP}::test_level_vectors_from_the_most_informative_on",
        ),
        (
            "definition",
            "Def 30, the next class of a row",
            "partition/sweep/sweep.py",
            f"{_SWEEP}::test_the_next_class_of_a_row",
        ),
        (
            "theorem",
            "Thm 32, linear in rows: what it takes is bounded before it is begun",
            "partition/sweep/sweep.py",
            "partition/sweep/test_loops.py::test_too_much_work_is_refused",
        ),
        (
            "algorithm",
            "SWEEP",
            "partition/sweep/sweep.py",
            f"{_SWEEP}::test_the_figure_is_among_the_faithful_results",
        ),
        (
            "algorithm",
            "SWEEP, generalizing secrets first, section 4.3",
            "models/tau_l.py",
            f"{_TAU}::test_the_worked_example_step_by_step",
        ),
        (
            "algorithm",
            "CLD, Incognito for recursive (c,l)-diversity",
            "partition/lattice/incognito.py",
            "partition/lattice/test_search.py::test_optimum_and_minimal_nodes_are_those_of_every_node",
        ),
        (
            "algorithm",
            "SWEEP with several sensitive columns",
            "partition/sweep/sweep.py",
            "partition/sweep/test_loops.py::test_generalized_values_and_several_columns",
        ),
        (
            "algorithm",
            "1DLD, along a Hilbert curve",
            "partition/apart/hilbert.py",
            "partition/apart/test_bsgi_nearest.py::test_the_curve_visits_every_point_once_and_steps_to_a_neighbour",
        ),
        (
            "algorithm",
            "1DLD, iDistance",
            "partition/apart/idistance.py",
            "partition/apart/test_idistance.py::test_places_are_those_of_the_definition",
        ),
        (
            "example",
            "Figures 1, 3 and 7, Examples 4 to 34",
            "partition/sweep/sweep.py",
            f"{_SWEEP}::test_the_figure_keeps_its_promise_published",
        ),
        (
            "metric",
            "Def 35, excessive protection",
            "measures/protection.py",
            "measures/test_protection.py::test_by_hand",
        ),
        (
            "metric",
            "ratio of accuracies, ID3",
            "measures/uses/classifier.py",
            "measures/uses/test_classifier.py::test_the_ratio_by_hand",
        ),
        (
            "metric",
            "classification rules",
            "measures/uses/rules.py",
            "measures/uses/test_rules.py::test_rules_of_nursery",
        ),
        (
            "metric",
            "count queries",
            "measures/uses/count_queries.py",
            "measures/uses/test_count_queries.py::test_the_error_by_hand",
        ),
    ),
    *items(
        "001",
        (
            "definition",
            "Defs 2.1, 2.2, quasi-identifiers and k-anonymity",
            "models/k_anonymity.py",
            f"{_EXACT}::test_counting_models",
        ),
        (
            "definition",
            "Def 2.3, domain generalization",
            "taxonomy/tree.py",
            "taxonomy/test_tree.py::test_levels_go_up_step_by_step_and_never_split",
        ),
        (
            "definition",
            "homogeneity attack",
            "adversaries/homogeneity.py",
            "adversaries/test_homogeneity.py::test_homogeneity",
        ),
        (
            "definition",
            "background knowledge attack",
            "adversaries/background.py",
            "adversaries/test_background.py::test_umeko",
        ),
        (
            "theorem",
            "Thm 3.1, observed belief",
            "adversaries/bayes.py",
            "adversaries/test_bayes.py::test_against_every_world",
        ),
        (
            "definition",
            "Defs 3.1, 3.2, Principle 1, positive and negative disclosure",
            "adversaries/bayes.py",
            "adversaries/test_bayes.py::test_against_every_world",
        ),
        (
            "definition",
            "Principle 2, distinct l-diversity",
            "models/distinct.py",
            f"{_EXACT}::test_counting_models",
        ),
        ("definition", "Def 4.1, entropy l-diversity", "models/entropy.py", f"{_EXACT}::test_entropy"),
        (
            "definition",
            "Def 4.2, recursive (c,l)-diversity",
            "models/recursive.py",
            "models/test_soundness.py::test_recursive_is_strict",
        ),
        ("definition", "Def 4.3, pd-recursive", "models/pd_recursive.py", f"{_EXACT}::test_pd_recursive"),
        ("definition", "Def 4.4, npd-recursive", "models/npd_recursive.py", f"{_EXACT}::test_npd_recursive"),
        (
            "definition",
            "Def 4.5, several sensitive columns",
            "models/multi_attribute.py",
            "models/test_multi_attribute.py::test_against_the_definition",
        ),
        (
            "theorem",
            "Thm 5.1, Bayes-optimal privacy is not monotone",
            "adversaries/bayes.py",
            "adversaries/test_bayes.py::test_bayes_optimal_privacy_does_not_survive_merging",
        ),
        (
            "theorem",
            "Thms 5.2, 5.3, monotonicity",
            "models/contract.py",
            "models/test_merging.py::test_groups_that_keep_a_promise_keep_it_merged",
        ),
        (
            "algorithm",
            "Incognito for l-diversity",
            "partition/lattice/incognito.py",
            "partition/lattice/test_adult.py::test_incognito_finds_the_same_minimal_nodes",
        ),
        (
            "metric",
            "generalization height",
            "measures/levels.py",
            "measures/test_paper_losses.py::test_cells_of_an_uneven_tree",
        ),
        (
            "metric",
            "average class size, discernibility",
            "measures/classes.py",
            "measures/test_every_form.py::test_measures_of_every_form",
        ),
        (
            "example",
            "the inpatient tables",
            "models/registry.py",
            "models/test_inpatient.py::test_the_printed_tables_reach_their_level_and_no_more",
        ),
    ),
    *items(
        "002",
        (
            "definition",
            "Def 1, distinct, entropy and recursive l-diversity",
            "models/registry.py",
            "models/test_registry.py::test_every_promise_has_its_model",
        ),
        (
            "definition",
            "Def 2, unique distinct l-diversity",
            "models/unique_distinct.py",
            f"{_EXACT}::test_groups_of_different_values",
        ),
        (
            "definition",
            "its literal reading",
            "models/unique_distinct_literal.py",
            "models/test_soundness.py::test_exactly_l_different_values_bound_nothing",
        ),
        (
            "definition",
            "what BSGI keeps, pairwise l",
            "models/pairwise.py",
            "models/test_soundness.py::test_one_duplicate_breaks_one_in_l",
        ),
        (
            "theorem",
            "Thm 1, as many groups as can be",
            "partition/apart/bsgi.py",
            "partition/apart/test_apart.py::test_as_many_groups_as_can_be",
        ),
        (
            "theorem",
            "Thm 2, Cor 1, residuals",
            "partition/apart/apart.py",
            "partition/apart/test_apart.py::test_the_residual_rule",
        ),
        (
            "theorem",
            "Cor 2, exactly l, and what is left out",
            "partition/apart/apart.py",
            "partition/apart/test_apart.py::test_exactly_l_leaves_the_residual_out",
        ),
        (
            "theorem",
            "Cor 3, the best l",
            "advice/feasible.py",
            "partition/apart/test_apart.py::test_the_best_l_is_offered",
        ),
        ("algorithm", "BSGI", "partition/apart/bsgi.py", "partition/apart/test_bsgi_paper.py::test_the_printed_groups"),
        (
            "algorithm",
            "Select, nearest of its bucket",
            "partition/apart/bsgi.py",
            "partition/apart/test_bsgi_nearest.py::test_the_same_groups_as_brute_force",
        ),
        (
            "algorithm",
            "Incorporate, printed and ours",
            "policy/methods/bsgi.py",
            "partition/apart/test_incorporate.py::test_the_printed_rule_prefers_tight_groups",
        ),
        (
            "algorithm",
            "5.2, one person twice",
            "partition/apart/apart.py",
            "partition/apart/test_apart.py::test_two_rows_of_one_person_never_meet",
        ),
        (
            "algorithm",
            "5.2, several sensitive columns",
            "partition/apart/apart.py",
            "partition/apart/test_apart.py::test_several_sensitive_columns_all_differ",
        ),
        (
            "theorem",
            "Thm 3, who may be of several classes",
            "models/groups.py",
            "models/test_soundness.py::test_groups_by_id_and_groups_by_equal_cells",
        ),
        (
            "example",
            "Tables 1 to 4",
            "partition/apart/bsgi.py",
            "partition/apart/test_bsgi_paper.py::test_the_least_that_any_grouping_loses",
        ),
        ("metric", "IL", "measures/il.py", "measures/test_paper_losses.py::test_the_sums_of_bsgi"),
        ("metric", "DM", "measures/classes.py", "measures/test_every_form.py::test_measures_of_every_form"),
    ),
)
