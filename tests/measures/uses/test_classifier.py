"""Classifier accuracy: what is drawn to learn from, what is learnt, and how it is compared."""

from __future__ import annotations

import builtins
import importlib.util
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.measures.uses import classifier
from sfumato.measures.uses.examples import Examples
from sfumato.measures.uses.natural import features_of
from sfumato.measures.uses.strips import Strips
from sfumato.randomness import Randomness
from sfumato.release.subject import Subject
from tests.release.test_fits import POLICY, people, released

NEEDS_SCIKIT = pytest.mark.skipif(
    importlib.util.find_spec("sklearn") is None, reason="scikit-learn is not installed: the extra `learn`"
)
LEARNERS = ["id3", *(pytest.param(name, marks=NEEDS_SCIKIT) for name in ("tree", "logistic"))]


def hospital() -> pl.DataFrame:
    """Old women have a, old men b, young people c; of each 20 rows, and 5 more of old women who have b."""
    kinds = [(70, "f", "a")] * 20 + [(70, "m", "b")] * 20 + [(30, "f", "c")] * 10 + [(30, "m", "c")] * 10
    rows = kinds + [(70, "f", "b")] * 5
    return pl.DataFrame(
        {
            "age": [age for age, _, _ in rows],
            "zip": ["10"] * len(rows),
            "sex": [sex for _, sex, _ in rows],
            "disease": [disease for _, _, disease in rows],
        }
    )


def measured(shown: pl.DataFrame, **settings: Any) -> sf.Figure:
    asked = [{"measure": "classifier-accuracy", **settings}]
    return sf.measure(shown, POLICY, original=hospital(), only=asked, seed=1)["classifier-accuracy"]


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_ratio_by_hand(learner: str) -> None:
    """All that is wrong of 65 rows: learnt from the table 5; without sexes the 25 old women or 20 old men."""
    frame = hospital()
    same = measured(frame, learner=learner)
    assert same.value == 1.0 and same.details["times learnt"] == 1
    assert same.details["accuracy learnt from the original"] == pytest.approx(60 / 65)
    assert same.details["accuracy of the most frequent value"] == pytest.approx(25 / 65)
    halves = frame.with_columns(sex=pl.lit("*"))
    # Of the 45 old ones 25 have b and 20 a; what a star stands for is drawn, and tells the young ones all the same.
    found = measured(halves, learner=learner)
    assert found.value < 1.0 and found.details["accuracy learnt from the release"] >= 20 / 65
    if learner != "id3":
        assert found.details["accuracy learnt from the release"] == pytest.approx((25 + 20) / 65)
    nothing = frame.with_columns(age=pl.lit("*"), sex=pl.lit("*"), zip=pl.lit("*"))
    assert measured(nothing, learner=learner).value < found.value


def test_suppressed_rows_are_asked_about() -> None:
    """Without the young, nobody knows of c: 40 of 65 rows are right, relative to 60."""
    assert measured(hospital().filter(pl.col("age") > 30)).value == pytest.approx(40 / 60)


def test_any_column_may_be_the_target() -> None:
    """Sex by age and zip: 35 old women and young women… of 65 rows the old are 25 f and 20 m, the young 10 each."""
    found = measured(hospital(), target="sex")
    assert found.details["accuracy learnt from the original"] == pytest.approx((25 + 10) / 65)
    with pytest.raises(sf.InputError, match="target 'name' is neither a sensitive column nor a quasi-identifier"):
        measured(hospital(), target="name")


def test_general_values_become_any_of_their_leaves() -> None:
    frame = pl.DataFrame({"age": [1, 2, 3], "zip": ["10"] * 3, "sex": ["f", "m", "x"], "disease": ["a", "b", "c"]})
    shown = pl.DataFrame(
        {"age": ["[1, 2]"] * 900, "zip": ["10"] * 900, "sex": ["{f, x}"] * 900, "disease": ["a"] * 300 + ["*"] * 600}
    )
    subject = Subject.of(shown, POLICY, original=pl.concat([frame] * 300))
    features = [subject.domain(name) for name in ("age", "zip", "sex")]
    table = Strips.published(subject, ["age", "zip", "sex", "disease"])
    rows = Examples.drawn(table, features, subject.domain("disease"), 10_000, Randomness.fixed(1))
    codes = rows.codes(Randomness.fixed(2))
    assert len(rows) == 900
    for found, wanted in zip(codes, ({0: 450, 1: 450}, {0: 900}, {0: 450, 2: 450}), strict=True):
        assert Counter(found.tolist()) == pytest.approx(wanted, abs=60)
    assert Counter(rows.targets.tolist()) == pytest.approx({0: 500, 1: 200, 2: 200}, abs=60)


@pytest.mark.parametrize("form", ["anatomized", "permuted", "sliced"])
def test_secrets_are_drawn_from_the_group(form: str) -> None:
    subject = Subject.of(released(people(5, 60), form))
    names = ["age", "zip", "sex", "disease"]
    features = [subject.domain(name) for name in names[:3]]
    table, target = Strips.published(subject, names), subject.domain("disease")
    ids = str(subject.received.evidence.group_id)
    shown = [frame.cast(pl.String).to_dicts() for frame in (*subject.people, subject.seen.table)]
    met: set[tuple[str, str]] = set()
    for seed in range(30):
        rows = Examples.drawn(table, features, target, 10_000, Randomness.fixed(seed))
        assert len(rows) == 60
        ages = features[0].values.cast(pl.String).to_list()
        age = [ages[code] for code in rows.codes(Randomness.fixed(seed))[0].tolist()]
        met |= {*zip(age, (target.values[code] for code in rows.targets.tolist()), strict=True)}
    age_of = next(part for part in shown if "age" in part[0])
    every = {(one["age"], other["disease"]) for one in age_of for other in shown[-1] if one[ids] == other[ids]}
    assert met == every


def test_many_rows_are_thinned_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.concat([hospital()] * 20)
    subject = Subject.of(frame, POLICY, original=frame)
    names = ["age", "zip", "sex", "disease"]
    table, *domains = Strips.published(subject, names), *(subject.domain(name) for name in names)
    rows = Examples.drawn(table, domains[:3], domains[3], 130, Randomness.fixed(1))
    assert Counter(rows.targets.tolist()) == pytest.approx({0: 40, 1: 50, 2: 40}, abs=2)
    monkeypatch.setattr(classifier, "_MOST", {"id3": 130})
    asked = ["classifier-accuracy"]
    found = sf.measure(frame, POLICY, original=frame, only=asked)["classifier-accuracy"]
    assert found.details["rows learnt from"] == 130 and found.details["times learnt"] == 10
    assert found.value == pytest.approx(1.0, abs=0.05)


def test_which_of_several_is_meant_must_be_said() -> None:
    columns = {**POLICY["columns"], "sex": {"role": "sensitive"}}
    policy = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]}
    frame = hospital()
    found = sf.measure(frame, policy, original=frame, only=["classifier-accuracy"]).measurements[0]
    assert found.lacks == "a target: which of the sensitive columns sex, disease"
    named = sf.measure(frame, policy, original=frame, only=[{"measure": "classifier-accuracy", "target": "sex"}])
    assert named["classifier-accuracy"].value == 1.0


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    there = builtins.__import__

    def missing(name: str, *others: Any) -> Any:
        if name.startswith("sklearn"):
            raise ImportError(name)
        return there(name, *others)

    monkeypatch.setattr(builtins, "__import__", missing)
    asked = [{"measure": "classifier-accuracy", "learner": "tree"}]
    found = sf.measure(hospital(), POLICY, original=hospital(), only=asked).measurements[0]
    assert found.lacks == "scikit-learn, which comes with the extra `learn`: pip install 'sfumato[learn]'"


def test_features_keep_what_a_general_value_says() -> None:
    frame = pl.DataFrame({"age": [20, 30, 50], "zip": ["10"] * 3, "sex": ["f", "m", "x"], "disease": ["a", "b", "c"]})
    shown = frame.with_columns(age=pl.Series(["[20, 30]", "50", "*"]), sex=pl.Series(["f", "{f, x}", "*"]))
    subject = Subject.of(shown, POLICY, original=frame)
    table = Strips.published(subject, ["age", "sex"])
    ages = features_of(subject.domain("age"), table.spans["age"])
    assert ages[:, 0].tolist() == [35, 50, 25]  # of *, 50 and [20, 30]
    sexes = features_of(subject.domain("sex"), table.spans["sex"])
    assert sexes == pytest.approx(np.array([[1 / 3, 1 / 3, 1 / 3], [1, 0, 0], [1 / 2, 0, 1 / 2]]))


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("form", ["generalized", "anatomized", "randomized"])
def test_every_learner_of_several_forms(learner: str, form: str) -> None:
    slack = {"partition": {"method": "mondrian", "slack": 1}} if form == "randomized" else {}
    release = released(people(5, 80), form, **slack)
    asked = [{"measure": "classifier-accuracy", "learner": learner, "repeats": 2}]
    one, again = (sf.measure(release, only=asked, seed=3)["classifier-accuracy"] for _ in range(2))
    assert one == again and 0 < one.value <= 1


def test_settings_that_make_no_sense_are_named() -> None:
    with pytest.raises(sf.InputError, match="learner must be id3, tree or logistic, not 'forest'"):
        measured(hospital(), learner="forest")
    with pytest.raises(sf.InputError, match="repeats must be 1 or more"):
        measured(hospital(), repeats=0)
