"""Values kept by chance: what an adversary comes to believe, by enumerating all that could be true and be shown."""

from __future__ import annotations

import doctest
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from operator import eq
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.forms import randomized as subject
from sfumato.forms.randomized import allows, largest_retention
from sfumato.policy.sections import BlockEntry, BlocksSealed, RetentionShown
from sfumato.release.target import TableFile
from sfumato.release.views import randomized as view
from sfumato.release.views.randomized import belief, worst
from tests.support.form_tables import FRAME, policy_for, released, said

SIMPLE = {"model": "simple-l", "l": 2, "on": "disease"}
BLOCKS = ["abcd", "abc", "aabc", "aabbc", "abcde", "aabbcc"]
SHARES = [Fraction(1, 10), Fraction(1, 3), Fraction(2, 3)]


def shown_given(true: str, shown: str, retention: Fraction, several: int) -> Fraction:
    return (retention if true == shown else Fraction(0)) + (1 - retention) / several


def most_by_counts(block: str, retention: Fraction) -> Fraction:
    """Every assignment of exactly these values is as likely; the first person, over all that can be shown.

    A world weighs R to the power of the people whose own value is shown. The order of the others does not matter.
    """
    kinds, most = sorted(set(block)), Fraction(0)
    factor = shown_given("a", "a", retention, len(kinds)) / shown_given("a", "b", retention, len(kinds))
    worlds = sorted(set(permutations(block)))
    for first, rest in product(kinds, combinations_with_replacement(kinds, len(block) - 1)):
        shares: dict[str, Fraction] = defaultdict(Fraction)
        fits = Counter((world[0], sum(map(eq, world, (first, *rest)))) for world in worlds)
        for (value, matches), count in fits.items():
            shares[value] += count * factor**matches
        most = max(most, max(shares.values()) / sum(shares.values()))
    return most


def most_by_shares(block: str, retention: Fraction) -> Fraction:
    """Everybody has each value with its share, apart from the others."""
    kinds, shares = sorted(set(block)), Counter(block)
    found = Fraction(0)
    for shown in kinds:
        joint = {true: shares[true] * shown_given(true, shown, retention, len(kinds)) for true in kinds}
        found = max(found, max(joint.values()) / sum(joint.values()))
    return found


def entry(block: str) -> BlockEntry:
    counts = tuple(sorted(Counter(block).values(), reverse=True))
    return BlockEntry(combinations=len(counts), counts={"s": counts})


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("retention", SHARES, ids=str)
def test_who_knows_shares_believes_exactly_the_bound(block: str, retention: Fraction) -> None:
    assert most_by_shares(block, retention) == belief(retention, entry(block), "s", 1)


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("retention", SHARES[:2], ids=str)
def test_who_knows_counts_believes_no_more_than_the_bound(block: str, retention: Fraction) -> None:
    found = most_by_counts(block, retention)
    assert belief(retention, entry(block), "s", 1) < found <= belief(retention, entry(block), "s", 2)


@pytest.mark.parametrize(("values", "l"), [(m, l) for m in range(3, 9) for l in range(2, m)])
def test_equally_likely_values_allow_the_known_bound(values: int, l: int) -> None:
    bound = Fraction(values - l, l * (values - 1))
    assert allows(bound, values, values, 1, l, 1) and not allows(bound + Fraction(1, 10**9), values, values, 1, l, 1)
    assert bound + (1 - bound) / values == Fraction(1, l), "the probability that what is shown is true"
    assert largest_retention(values, values, 1, l, 1) == Fraction(int(bound * 100), 100)


def test_that_bound_is_too_much_if_counts_are_known() -> None:
    """Four people, four values, l = 2: by p = 1/3 the others' values tell too much of the first person's."""
    assert most_by_shares("abcd", Fraction(1, 3)) == Fraction(1, 2)
    assert most_by_counts("abcd", Fraction(1, 3)) == Fraction(114, 168)
    allowed = largest_retention(4, 4, 1, 2, 2)
    assert allowed == Fraction(15, 100), "R² = 3: p = 0.1547"
    assert most_by_counts("abcd", allowed) < Fraction(1, 2)


@pytest.mark.parametrize("power", [1, 2])
def test_a_value_at_the_limit_cannot_be_kept(power: int) -> None:
    assert largest_retention(2, 2, 1, 2, power) == 0
    assert largest_retention(3, 4, 3, 2, power) == 0
    assert largest_retention(3, 3, 1, 2, power) > 0
    assert largest_retention(3, 3, 1, 1, power) == Fraction(99, 100), "nothing is promised"


def test_worst_beliefs() -> None:
    assert worst(Fraction(1, 4)) == (1, 1, 1, 1)
    assert worst(Fraction(3, 10)) == (3, 3, 3, 1)
    for most in (Fraction(1, 3), Fraction(333333333, 10**9), Fraction(123456789, 987654321), Fraction(99, 100)):
        weights = worst(most)
        reached = Fraction(max(weights), sum(weights))
        assert most <= reached <= most + Fraction(1, 10**6) and reached <= Fraction(1, int(1 / most))
    assert worst(Fraction(1)) == (1,)


def test_documented_examples() -> None:
    for module in (subject, view):
        assert doctest.testmod(module).failed == 0 and doctest.testmod(module).attempted


# --- releases ---------------------------------------------------------------------------------------------------------


def whole(form: sf.Randomized, seed: int = 0, **more: Any) -> Any:
    """The ten people as one group: disease 4 3 3, in nine combinations with income."""
    return released(form, SIMPLE, seed=seed, partition={"method": "lattice", "minimum": ALL}, **more)


ALL = {"age": 1, "sex": 1, "town": 1}


def test_a_release_says_with_which_probability_values_are_true() -> None:
    release = whole(sf.Randomized())
    # (1 - 2/5)/(2/5) = 3/2 = R², and R = 1 + 9p/(1 - p)
    combinations = FRAME.select("disease", "income").n_unique()
    expected = max(t for t in range(100) if Fraction(100 - t + t * combinations, 100 - t) ** 2 <= Fraction(6, 4))
    assert said(release.published.public, RetentionShown).retention == str(Fraction(expected, 100)) != "0"
    assert release.judged().holds
    table = release.table
    assert sorted(table.select("age", "sex", "town").rows()) == sorted(FRAME.select("age", "sex", "town").rows())
    assert set(table.select("disease", "income").rows()) <= set(FRAME.select("disease", "income").rows())
    technique = release.published.dictionary["disease"]["technique"]
    assert technique.startswith("kept with the probability `retention`")
    assert "disease" in release.published.dictionary and "ward" not in table.columns


@pytest.mark.thorough
def test_values_are_kept_as_often_as_said() -> None:
    """By p = 1/5 what is shown is true with 1/5 + 4/5 · 1/combinations, on average over people."""
    true = dict(FRAME.select("age", pl.struct("disease", "income")).iter_rows())
    right, seeds = 0, 150
    for seed in range(seeds):
        table = whole(sf.Randomized(known="shares", retention="0.04"), seed).table
        right += sum(true[age] == value for age, value in table.select("age", pl.struct("disease", "income")).rows())
    combinations = FRAME.select("disease", "income").n_unique()
    expected = 0.04 + 0.96 / combinations
    assert abs(right / (10 * seeds) - expected) < 4 * (expected * (1 - expected) / (10 * seeds)) ** 0.5


def test_what_is_too_much_says_what_is_not() -> None:
    with pytest.raises(sf.NoneFound, match=r"allow at most 0\.0\d"):
        whole(sf.Randomized(retention="1/2"))
    with pytest.raises(sf.NoneFound, match=r"groups allow no value to be kept.*slack: 1"):
        released(sf.Randomized(), SIMPLE, partition={"method": "anatomy"})
    slack = {"method": "mondrian", "slack": 1}
    release = released(sf.Randomized(), {"model": "simple-l", "l": 1, "on": "disease"}, partition=slack)
    assert release.judged().holds


@pytest.mark.parametrize(
    "promise", [{"model": "k-anonymity", "k": 2}, {"model": "t-closeness", "t": 1, "on": "disease"}]
)
def test_what_likelihoods_do_not_decide_is_refused(promise: dict[str, Any]) -> None:
    with pytest.raises(sf.Refused):
        released(sf.Randomized(), promise)


def test_an_outsider_cannot_decide_and_the_holder_can(tmp_path: Any) -> None:
    release = whole(sf.Randomized())
    written = release.write(tmp_path / "out")
    policy = release.source.policy
    outsider = sf.audit(tmp_path / "out", policy)
    assert [criterion.verdict for criterion in outsider.criteria] == ["undecidable"] and not outsider.problems
    assert "internal manifest" in outsider.criteria[0].needs and not outsider.reached.columns
    holder = sf.audit(tmp_path / "out", policy, written.manifest)
    assert holder.holds and holder.criteria[0].view == "group id" and holder.reached.k == 1
    assert any("how often each value occurs" in note for note in holder.notes)


def audited(release: Any, manifest: dict[str, Any] | None = None, document: dict[str, Any] | None = None) -> sf.Audit:
    """The release with other documents."""
    from sfumato.release.documents import InMemory, Manifest

    made = release._document("csv", {name: TableFile(f"{name}.csv", None) for name in release.tables})
    sealed = release._manifest(made)
    made = made.model_copy(update=document or {})
    if document:
        sealed = sealed.model_copy(update={"release_sha256": release._manifest(made).release_sha256})
    sealed = Manifest.model_validate({**sealed.model_dump(), **(manifest or {})})
    return sf.audit(InMemory(made, release.tables), release.source.policy, sealed)


def test_a_higher_probability_or_other_groups_do_not_pass() -> None:
    release = whole(sf.Randomized())
    assert audited(release).holds
    more = audited(release, document={"shown": RetentionShown(retention="1/2")})
    assert [criterion.verdict for criterion in more.criteria] == ["fails"] and not more.problems
    none = audited(release, document={"shown": RetentionShown()})
    assert not none.holds and any("no probability" in problem for problem in none.problems)
    ((group, block),) = said(release.published.sealed, BlocksSealed).blocks.items()
    other = {"combinations": 9, "counts": {"disease": (3, 3, 3), "income": (4, 3, 3)}}
    for blocks, words in (
        ({group: other}, "values than the manifest tells: 1"),
        ({"77": {"combinations": block.combinations, "counts": dict(block.counts)}}, "other groups than"),
        (
            {group: {"combinations": 1, "counts": dict(block.counts)}},
            "values than the manifest tells: 1",
        ),
    ):
        found = audited(release, {"sealed": {"blocks": blocks}})
        assert not found.holds and any(words in problem for problem in found.problems)
    with pytest.raises(sf.InputError, match="shown: Extra inputs are not permitted"):
        audited(release, document={"form": {"publish": "permuted"}})


def test_a_manifest_that_does_not_know_a_column_decides_nothing() -> None:
    release = whole(sf.Randomized())
    ((group, block),) = said(release.published.sealed, BlocksSealed).blocks.items()
    sealed = release._manifest(release._document("csv", {"table": TableFile("table.csv", None)}))
    known = {"disease": sealed.sensitive["disease"].model_dump()}
    blocks = {group: {"combinations": block.combinations, "counts": {"disease": block.counts["disease"]}}}
    found = audited(release, {"sensitive": known, "sealed": {"blocks": blocks}})
    assert not found.holds and found.criteria[0].verdict == "holds", "its column is known, another is not"
    known = {"income": sealed.sensitive["income"].model_dump()}
    blocks = {group: {"combinations": block.combinations, "counts": {"income": block.counts["income"]}}}
    found = audited(release, {"sensitive": known, "sealed": {"blocks": blocks}})
    assert [each.needs for each in found.criteria] == ["what groups held of the column 'disease'"]


def test_policy_settings() -> None:
    for retention in ("0", "1", "-1"):
        with pytest.raises(sf.PolicyError):
            sf.read_policy(
                policy_for(sf.Randomized(), SIMPLE) | {"form": {"publish": "randomized", "retention": retention}}
            )


def test_a_release_without_its_sensitive_columns_has_problems() -> None:
    """The holder audits a table from which the columns were taken away."""
    from sfumato.release.documents import InMemory

    release = whole(sf.Randomized())
    made = release._document("csv", {"table": TableFile("table.csv", None)})
    bare = {name: table.drop("disease", "income") for name, table in release.tables.items()}
    found = sf.audit(InMemory(made, bare), release.source.policy, release._manifest(made))
    assert not found.holds
    assert any("'disease': has the role sensitive and is missing" in problem for problem in found.problems)
