"""Rows that are left out, forms that show who is missing, and promises about several columns."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.errors import NoneFound
from tests.support.examples import examples

# Eight of twenty have one value; with l = 3 at most six can stay.
FRAME = pl.DataFrame({"age": [str(year) for year in range(20)], "s": ["hiv"] * 8 + ["a", "b", "c", "d"] * 3})
COLUMNS = {"age": {"role": "quasi"}, "s": {"role": "sensitive"}}
METHODS = ("anatomy", "hilbert", "bsgi", "bsgi-free")


def policy_of(method: str, form: str, l: int = 3, **more: Any) -> dict[str, Any]:
    return {
        "columns": COLUMNS,
        "privacy": [{"model": "simple-l", "l": l}],
        "suppression": {"limit": "0.2"},
        "partition": {"method": method},
        "form": {"publish": form},
        **more,
    }


@pytest.mark.parametrize("form", ["anatomized", "permuted", "sliced"])
@pytest.mark.parametrize("method", METHODS)
def test_nobody_is_left_out_for_a_value_where_that_shows(method: str, form: str) -> None:
    with pytest.raises(NoneFound, match="shows who is missing") as caught:
        sf.publish(FRAME, policy=policy_of(method, form), seed=1)
    assert caught.value.nearest == sf.AllOf((sf.SimpleL(2),))
    assert sf.publish(FRAME, policy=policy_of(method, form, l=2), seed=1).suppressed == 0


@pytest.mark.parametrize("method", METHODS)
def test_a_generalized_release_says_who_was_left_out(method: str) -> None:
    release = sf.publish(FRAME, policy=policy_of(method, "generalized"), seed=1)
    assert release.suppressed == 2
    assert any("2 rows of too frequent values were left out" in note for note in release.notes)


@pytest.mark.parametrize("method", METHODS)
def test_the_nearest_promise_is_named(method: str) -> None:
    policy = {**policy_of(method, "generalized"), "suppression": {"limit": 0}}
    with pytest.raises(NoneFound) as caught:
        sf.publish(FRAME, policy=policy, seed=1)
    assert caught.value.nearest == sf.AllOf((sf.SimpleL(2),))


def test_a_column_may_have_any_name() -> None:
    frame = FRAME.rename({"age": "len"})
    policy = {**policy_of("anatomy", "permuted", l=2), "columns": {"len": {"role": "quasi"}, "s": COLUMNS["s"]}}
    assert sf.publish(frame, policy=policy, seed=1).judged().reached.k == 1


def test_rows_as_they_are_are_no_generalized_release(tmp_path: Path) -> None:
    permuted = policy_of("anatomy", "permuted", l=2)
    sf.publish(FRAME, policy=permuted, seed=1).write(tmp_path / "out")
    assert sf.audit(tmp_path / "out", permuted).holds
    verdict = sf.audit(tmp_path / "out", policy_of("anatomy", "generalized", l=2))
    assert not verdict.holds and any("form is permuted" in problem for problem in verdict.problems)


def test_an_exact_form_leaves_insensitive_columns_out_or_says_so(tmp_path: Path) -> None:
    frame = FRAME.with_columns(ward=pl.Series([f"ward {row}" for row in range(20)]))
    columns = {**COLUMNS, "ward": {"role": "insensitive", "unique": "accepted"}}
    shown = policy_of("anatomy", "permuted", l=2, columns=columns)
    shown["form"] = {"publish": "permuted", "insensitive": True}
    sf.publish(frame, policy=shown, seed=1).write(tmp_path / "out")
    assert sf.audit(tmp_path / "out", shown).holds
    verdict = sf.audit(tmp_path / "out", {**shown, "form": {"publish": "permuted"}})
    assert any("column 'ward': insensitive" in problem for problem in verdict.problems)


@pytest.mark.parametrize("method", [{"method": "arp"}, {"method": "arp", "initial_only": True}])
def test_arp_keeps_promises_about_two_columns(method: dict[str, Any]) -> None:
    rows = 600
    frame = pl.DataFrame(
        {
            "q": [str(row % 20) for row in range(rows)],
            "r": [str(row // 20 % 10) for row in range(rows)],
            "s": [str(row * 7 % 9) for row in range(rows)],
            "t": [str((row // 20 % 10) * 3 % 5 if row % 3 else row % 9) for row in range(rows)],
        }
    )
    columns = {name: {"role": "quasi" if name in "qr" else "sensitive"} for name in frame.columns}
    privacy = [{"model": "simple-l", "l": 2, "on": name} for name in "st"]
    release = sf.publish(frame, policy={"columns": columns, "privacy": privacy, "partition": method}, seed=1)
    assert release.suppressed == 0 and len(release.judged().criteria) == 2


def several(form: str, method: str, keep: bool) -> dict[str, Any]:
    return {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}, "t": {"role": "sensitive"}},
        "privacy": [{"model": "simple-l", "l": 2, "on": name} for name in "st"],
        "suppression": {"limit": "0.6", "keep": keep},
        "partition": {"method": method},
        "form": {"publish": form},
    }


@pytest.mark.parametrize("form", ["anatomized", "permuted"])
@pytest.mark.parametrize("method", [*METHODS, "arp", "lattice"])
def test_what_is_left_out_keeps_the_promise_where_that_shows(method: str, form: str) -> None:
    """Who knows how often each value occurs knows what the missing hold."""
    ends = Counter[str]()
    for seed in range(examples(24)):
        rng = Random(seed)
        rows = range(rng.randint(5, 9))
        frame = pl.DataFrame(
            {"q": [str(row) for row in rows], **{name: [rng.choice("abc") for _ in rows] for name in "st"}}
        )
        try:
            release = sf.publish(frame, policy=several(form, method, False), seed=seed)
        except NoneFound as error:
            ends["shown" if "shows who is missing" in str(error) else "infeasible"] += 1
            continue
        ends["published"] += 1
        for name in "st":
            missing = Counter(frame[name].to_list()) - Counter(_values(release, name))
            assert 2 * max(missing.values(), default=0) <= missing.total() == release.suppressed
    assert ends["published"]
    assert ends["shown"] or method in ("arp", "lattice")


def _values(release: sf.Release, name: str) -> list[str]:
    """The sensitive values that are published, each as often as it is."""
    table = next(table for table in release.published.tables.values() if name in table.columns)
    counts = table["count"].to_list() if "count" in table.columns else [1] * table.height
    return [value for value, count in zip(table[name].to_list(), counts, strict=True) for _ in range(count)]
