"""Values that differ only in case, spaces, invisible characters or Unicode form are one secret, unless told."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.release.documents import InMemory
from sfumato.release.target import TableFile
from sfumato.table.spelling import folded

VARIANTS = ["flu", "Flu", "flu ", "flu\u00a0", "\u200bflu", "fl\u00adu", "f\ufe0flu", "\uff46lu", "\u3164flu"]
DISTINCT = {"model": "distinct-l", "l": 2}


def policy(promise: dict[str, Any] = DISTINCT, **spec: Any) -> dict[str, Any]:
    return {
        "columns": {"q": {"role": "quasi", "type": "integer"}, "s": {"role": "sensitive", **spec}},
        "privacy": [promise],
    }


def table(*values: str | None) -> pl.DataFrame:
    return pl.DataFrame({"q": range(len(values)), "s": list(values)}, schema_overrides={"s": pl.String})


def told(error: pytest.ExceptionInfo[sf.SfumatoError], *values: str) -> str:
    text = str(error.value)
    assert not any(value in text for value in values)
    return text


@pytest.mark.parametrize("other", VARIANTS[1:])
def test_a_spelling_is_no_second_value(other: str) -> None:
    with pytest.raises(sf.TableError) as error:
        sf.publish(table("flu", other, "flu", other), policy=policy(), seed=0)
    text = told(error, "flu", "Flu")
    assert "column 's': 2 values in 4 rows are 1 to a reader" in text
    assert ("same: case if" if other == "Flu" else "same: space if") in text


def test_double_spaces_and_unicode_forms_are_spellings_and_other_letters_are_not() -> None:
    assert folded("type  2", ("space",)) == folded("type 2", ("space",)) == "type 2"
    assert folded("e\u0301", ("space",)) == folded("\u00e9", ("space",))
    assert len({folded(text, ("case", "space")) for text in ("1", "1.0", "01", "fl", "flu")}) == 5


def test_both_ways_at_once_need_both_words() -> None:
    with pytest.raises(sf.TableError) as error:
        sf.publish(table("flu", "Flu ", "cold", "cold"), policy=policy(), seed=0)
    assert "same: [case, space]" in told(error, "flu", "cold")
    with pytest.raises(sf.TableError, match=r"same: \[case, space\]"):
        sf.publish(table("flu", "Flu", "flu ", "cold"), policy=policy(same="case"), seed=0)


def test_merged_values_are_published_in_one_spelling_and_count_once() -> None:
    with pytest.raises(sf.Infeasible):
        sf.publish(table(*VARIANTS), policy=policy(same=["case", "space"]), seed=0)
    release = sf.publish(
        table("flu ", "flu ", "FLU", "FLU", "flu", "cold"), policy=policy(same=["space", "case"]), seed=0
    )
    assert sorted(release.table["s"].to_list()) == ["FLU"] * 5 + ["cold"]
    assert any(
        "column 's': 2 spellings of 3 rows read as another (same: case, space)" in note for note in release.notes
    )


def test_the_word_of_the_policy_counts() -> None:
    release = sf.publish(table("flu", "Flu", "flu", "Flu"), policy=policy(same="none"), seed=0)
    assert sorted(release.table["s"].to_list()) == ["Flu", "Flu", "flu", "flu"]
    assert any("the policy says that they differ" in note for note in release.judged().notes)


@pytest.mark.parametrize(
    "named",
    [{"order": ["Cold", "Flu"]}, {"hierarchy": {"tree": {"any": ["Cold", "Flu"]}}}],
    ids=["order", "hierarchy"],
)
def test_the_spelling_is_that_of_the_policy(named: dict[str, Any]) -> None:
    release = sf.publish(table("flu", "cold", "flu ", "cold"), policy=policy(same=["case", "space"], **named), seed=0)
    assert sorted(release.table["s"].to_list()) == ["Cold", "Cold", "Flu", "Flu"]


def test_values_that_a_promise_lists_are_found_in_any_spelling() -> None:
    listed = {"model": "pd-recursive", "c": 3, "l": 2, "disclosable": ["COLD"]}
    release = sf.publish(table("cold", "cold", "flu", "gout"), policy=policy(listed, same="case"), seed=0)
    assert sorted(release.table["s"].to_list()) == ["COLD", "COLD", "flu", "gout"]
    with pytest.raises(sf.TableError, match="same: case"):
        sf.publish(table("cold", "cold", "flu", "gout"), policy=policy(listed), seed=0)


def test_leaves_of_a_hierarchy_are_spellings_too() -> None:
    tree = {"tree": {"any": {"ill": ["flu", "Flu"], "well": ["fine"]}}}
    tau = {"model": "tau-l", "tau": "1/2", "l": 2}
    with pytest.raises(sf.TableError, match="2 values in 4 rows are 1 to a reader"):
        sf.publish(table("flu", "Flu", "flu", "Flu"), policy=policy(tau, hierarchy=tree), seed=0)
    with pytest.raises(sf.PolicyError, match="more than one spelling"):
        sf.publish(table("flu", "Flu", "flu", "Flu"), policy=policy(tau, hierarchy=tree, same="case"), seed=0)


def test_weights_do_not_tell_spellings_apart() -> None:
    tree = {"tree": {"any": ["flu", "fine"]}}
    tau = {"model": "tau-l", "tau": "1/2", "l": 2, "weights": {"Flu": 2, "fine": 1}}
    with pytest.raises(sf.TableError, match="same: case"):
        sf.publish(table("flu", "fine", "flu", "fine"), policy=policy(tau, hierarchy=tree), seed=0)


def test_what_shows_nothing_is_missing() -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*missing", sf.SfumatoWarning)
        with pytest.raises(sf.TableError, match="same: space"):
            sf.publish(table(None, " ", None, "\u200b"), policy=policy(), seed=0)
        release = sf.publish(table(None, "flu", " ", "flu"), policy=policy(same="space"), seed=0)
    assert release.table["s"].null_count() == 2


def test_only_texts_that_are_secrets_have_spellings() -> None:
    for spec in ({"role": "quasi"}, {"role": "sensitive", "type": "integer"}, {"role": "insensitive"}):
        with pytest.raises(sf.PolicyError, match="only a sensitive or quasi-sensitive column of type text"):
            sf.read_policy({"columns": {"q": {"role": "quasi"}, "x": {**spec, "same": "case"}}, "privacy": [DISTINCT]})
    with pytest.raises(sf.PolicyError, match="must be case, space"):
        sf.read_policy(policy(same="cases"))


def ill(same: object = None) -> dict[str, Any]:
    terms: dict[str, Any] = {
        "role": "quasi-sensitive",
        "separator": "|",
        "knowledge": {"labels": {"flu": ["cough"], "gout": ["toe"]}},
    }
    if same is not None:
        terms["same"] = same
    return {
        "columns": {"q": {"role": "quasi", "type": "integer"}, "t": terms},
        "privacy": [{"model": "qs-cl", "c": 1, "l": 2}],
        "partition": {"method": "mondrian"},
    }


def test_a_term_that_a_reader_knows_is_not_unknown() -> None:
    rows = pl.DataFrame({"q": range(4), "t": ["Cough", "Cough", "Cough ", "toe"]})
    with pytest.raises(sf.TableError, match="1 term of the data differ from the knowledge") as error:
        sf.publish(rows, policy=ill(), seed=0)
    assert "ough" not in str(error.value)
    with pytest.raises(sf.NoneFound):
        sf.publish(rows, policy=ill("case"), seed=0)
    even = pl.DataFrame({"q": range(4), "t": ["Cough", "cough|COUGH", "toe", "TOE"]})
    release = sf.publish(even, policy=ill("case"), seed=0)
    assert sorted(release.table["t"].to_list()) == ["cough", "cough", "toe", "toe"]


def test_labels_that_differ_in_case_alone_are_not_two() -> None:
    twice = ill()
    twice["columns"]["t"]["knowledge"] = {"labels": {"flu": ["cough"], "Flu": ["cough"]}}
    with pytest.raises(sf.InputError, match="2 labels differ only in case"):
        sf.publish(pl.DataFrame({"q": range(2), "t": ["cough", "cough"]}), policy=twice, seed=0)


def audited(frame: pl.DataFrame, promise: dict[str, Any] = DISTINCT, **spec: Any) -> str:
    plain = policy(promise, **spec)
    plain["columns"]["q"] = {"role": "quasi"}
    (criterion,) = sf.audit(frame.with_columns(pl.lit("*").alias("q")), plain, whole=True).criteria
    return f"{criterion.verdict} {criterion.needs}"


@pytest.mark.parametrize("other", VARIANTS[1:])
def test_a_table_of_somebody_is_not_diverse_by_its_spellings(other: str) -> None:
    found = audited(table("flu", other))
    assert found.startswith("undecidable to know whether values that differ") and "'s' (1)" in found
    assert audited(table("flu", other), same=["case", "space"]).startswith("fails")
    assert audited(table("flu", other), same="none").startswith("holds")
    assert audited(table("flu", other, "cold")).startswith("holds")


def test_a_table_that_fails_anyhow_fails() -> None:
    assert audited(table("flu", "Flu"), {"model": "distinct-l", "l": 3}).startswith("fails")


def test_closeness_must_hold_either_way() -> None:
    close = {"model": "t-closeness", "t": "1/5"}
    rows = pl.DataFrame({"q": list("aabb"), "s": ["flu", "gout", "Flu", "gout"]})
    given = policy(close)
    given["columns"]["q"] = {"role": "quasi"}
    assert sf.audit(rows, given, whole=True).criteria[0].verdict == "fails"
    given["columns"]["s"]["same"] = "case"
    assert sf.audit(rows, given, whole=True).criteria[0].verdict == "holds"


def test_the_auditor_finds_listed_values_in_other_spellings() -> None:
    listed = {"model": "npd-recursive", "c1": 9, "c2": 30, "l": 1, "protected": ["Flu"]}
    assert audited(table("flu", "cold", "cold", "cold"), listed, same="case").startswith("fails")
    assert not audited(table("flu", "cold", "cold", "cold"), listed).startswith("holds")


def test_an_order_names_values_in_any_spelling_that_is_the_same() -> None:
    ordered = {"model": "t-closeness", "t": 1, "distance": "ordered"}
    assert audited(table("flu", "FLU", "cold"), ordered, order=["Flu", "Cold"], same="case").startswith("holds")


def test_terms_of_somebody_are_read_as_a_reader_would() -> None:
    rows = pl.DataFrame({"q": ["a"] * 4, "t": ["Cough", "Cough", "Cough", "tired"]})
    plain = ill()
    plain["columns"]["q"] = {"role": "quasi"}
    assert sf.audit(rows, plain, whole=True).criteria[0].verdict == "undecidable"
    plain["columns"]["t"]["same"] = "case"
    assert sf.audit(rows, plain, whole=True).criteria[0].verdict == "fails"
    plain["columns"]["t"]["same"] = "none"
    assert sf.audit(rows, plain, whole=True).criteria[0].verdict == "holds"


def test_a_release_in_two_spellings_is_not_what_its_policy_makes(tmp_path: Path) -> None:
    given = policy(same="case")
    release = sf.publish(table("flu", "Flu", "cold", "cold"), policy=given, seed=0)
    spelled = release.published.first.with_columns(
        pl.Series("s", [text if at else text.upper() for at, text in enumerate(release.published.first["s"])])
    )
    document = release._document("csv", {"table": TableFile("table.csv", None)})
    found = sf.audit(InMemory(document, {"table": spelled}), given)
    assert any("other spellings, which the policy makes one" in problem for problem in found.problems)
