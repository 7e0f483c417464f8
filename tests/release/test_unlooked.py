"""Rows that insensitive columns single out: counted, told, refused or accepted; never silent."""

from __future__ import annotations

import warnings
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import PolicyError, SfumatoWarning, TableError
from sfumato.release.unlooked import Unlooked
from tests.support.examples import examples

QUIET = {"role": "insensitive"}
DIVERSE = [{"model": "distinct-l", "l": 2}]
PRIVACY = [{"model": "k-anonymity", "k": 2}]
FORMS: list[dict[str, Any]] = [
    {"publish": "generalized"},
    {"publish": "anatomized", "insensitive": True},
    {"publish": "permuted", "insensitive": True},
    {"publish": "sliced", "insensitive": True},
    {"publish": "ring"},
    {"publish": "randomized", "insensitive": True, "retention": "1/20"},
]


def policy(columns: dict[str, Any], **more: Any) -> dict[str, Any]:
    known = {"age": {"role": "quasi"}, "ill": {"role": "sensitive"}}
    return {"columns": {**known, **columns}, "privacy": PRIVACY, **more}


def found(frame: pl.DataFrame, columns: dict[str, Any]) -> Unlooked:
    (only,) = sf.audit(frame, policy(columns)).insensitive
    return only


def unique(rows: list[tuple[Any, ...]]) -> int:
    counts = Counter(rows)
    return sum(counts[row] == 1 for row in rows)


def test_by_hand() -> None:
    """By a alone the fifth row is unique, by b alone none; together the second is too; with ages all but two equal."""
    frame = pl.DataFrame({"age": list("ppqqqq"), "ill": list("xyxyxy"), "a": list("112231"), "b": list("uvvvuu")})
    told = found(frame, {"a": QUIET, "b": QUIET})
    assert (told.rows, told.together, told.quasi, told.with_quasi) == (6, 2, 0, 4)
    assert {name: (each.alone, each.needed) for name, each in told.columns.items()} == {"a": (1, 2), "b": (0, 1)}


cells = st.lists(st.tuples(*[st.sampled_from(["a", "b", "c", None])] * 5), min_size=1, max_size=40)


@given(cells)
@settings(max_examples=examples(200), deadline=None)
def test_against_a_slow_count(rows: list[tuple[Any, ...]]) -> None:
    frame = pl.DataFrame(rows, schema=["age", "x", "y", "z", "w"], orient="row", infer_schema_length=None)
    frame = frame.cast(pl.String).with_columns(ill=pl.lit("flu"))
    told = found(frame, dict.fromkeys("xyzw", QUIET))
    several = [name for name in "xyzw" if len(rows) < 20 or 2 * unique([(v,) for v in frame[name]]) < len(rows)]

    def by(names: list[str]) -> int:
        return unique(frame.select(names).rows()) if names else 0

    assert told.together == by(several)
    assert told.quasi == by(["age"]) and told.with_quasi == by([*several, "age"])
    for name, column in told.columns.items():
        assert column.alone == by([name]) and column.nearly_unique == (name not in several)
        assert column.needed == (
            told.together - by([other for other in several if other != name]) if name in several else 0
        )


def table(rows: int = 400, seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.choice(["young", "old"], rows),
            "ill": rng.choice(list("vwxyz"), rows),
            "lab": rng.permutation(rows) + 7001,
            "one": rng.integers(0, 30, rows),
            "two": rng.integers(0, 30, rows),
        }
    )


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form["publish"])
def test_a_nearly_unique_column_is_an_error_until_it_is_accepted(form: dict[str, Any], tmp_path: Path) -> None:
    given = policy({"lab": QUIET}, form=form, privacy=DIVERSE, partition={"method": "lattice"})
    frame = table().drop("one", "two")
    with pytest.raises(TableError) as caught:
        sf.publish(frame, policy=given, seed=1)
    message = str(caught.value)
    assert "column 'lab': 400 of 400 rows have a value that no other row has" in message
    assert "unique: accepted" in message and "quasi" in message and "drop" in message and "7001" not in message
    given["columns"]["lab"] = {**QUIET, "unique": "accepted"}
    release = sf.publish(frame, policy=given, seed=1)
    note = "column 'lab': insensitive, and 400 of 400 rows show a value that no other row shows; the policy accepts it"
    assert note in release.facts()["notes"]
    assert "rows unique by insensitive columns: 400 of 400" in release.summary()
    written = release.write(tmp_path / "out")
    assert note in written.audit.notes and note in written.audit.summary() and note in written.audit.to_json()


@pytest.mark.parametrize("form", FORMS[1:4], ids=lambda form: form["publish"])
def test_a_form_that_leaves_such_columns_out_needs_no_word(form: dict[str, Any]) -> None:
    given = policy({"lab": QUIET}, form={"publish": form["publish"]}, privacy=DIVERSE)
    release = sf.publish(table().drop("one", "two"), policy=given, seed=1)
    assert release.singled_out == () and "unique" not in release.summary()


@pytest.mark.parametrize(
    ("rows", "alone", "refused"),
    [(19, 19, False), (20, 10, True), (20, 9, False), (40, 19, False)],
)
def test_the_bar(rows: int, alone: int, refused: bool) -> None:
    labs = [*range(alone), *[-1] * (rows - alone)]
    frame = pl.DataFrame({"age": ["a"] * rows, "ill": ["x", "y"] * (rows // 2) + ["x"] * (rows % 2), "lab": labs})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SfumatoWarning)
        if refused:
            with pytest.raises(TableError, match=f"'lab': {alone} of {rows} rows"):
                sf.publish(frame, policy=policy({"lab": QUIET}), seed=1)
        else:
            assert sf.publish(frame, policy=policy({"lab": QUIET}), seed=1).singled_out[0].columns["lab"].alone == alone


def test_it_is_the_published_rows_that_count() -> None:
    """Every value is that of two rows, of which suppression leaves one."""
    frame = pl.DataFrame({"age": [*["a"] * 40, *[f"b{row}" for row in range(40)]], "ill": ["x", "y"] * 40})
    frame = frame.with_columns(lab=pl.Series([*range(40), *range(40)]))
    given = policy({"lab": QUIET}, suppression={"limit": "1/2"}, partition={"method": "lattice"})
    given["columns"]["age"] = {"role": "quasi", "hierarchy": "flat"}
    with pytest.raises(TableError, match="column 'lab': 40 of 40 rows"):
        sf.publish(frame, policy=given, seed=1)
    given["columns"]["lab"] = {**QUIET, "unique": "accepted"}
    assert sf.publish(frame, policy=given, seed=1).suppressed == 40


def test_what_several_do_together_is_a_warning() -> None:
    given = policy({"one": QUIET, "two": QUIET})
    with pytest.warns(SfumatoWarning) as caught:
        release = sf.publish(table().drop("lab"), policy=given, seed=1)
    (only,) = release.singled_out
    assert 200 < only.together < 400
    said = [str(each.message) for each in caught]
    assert any(f"insensitive columns together: {only.together} of 400 rows" in text for text in said)
    assert any("'one' (" in text and "'two' (" in text for text in said)
    assert set(said) <= set(release.judged().notes) and set(said) <= set(release.facts()["notes"])
    assert release.judged().holds


def test_with_quasi_identifiers() -> None:
    """A column that singles nobody out by itself does where groups are small."""
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"age": np.arange(300) // 3, "ill": rng.choice(list("xyz"), 300), "one": np.arange(300) % 3})
    with pytest.warns(SfumatoWarning, match="with the published quasi-identifiers: 300 of 300 rows") as caught:
        release = sf.publish(frame, policy=policy({"one": QUIET}), partition={"method": "mondrian"}, seed=1)
    assert len(caught) == 1
    (only,) = release.singled_out
    assert (only.together, only.quasi, only.with_quasi) == (0, 0, 300)


def test_a_column_that_links_the_rows_of_a_person() -> None:
    people = np.repeat(np.arange(30), 3)
    rng = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "who": people,
            "age": rng.choice(["young", "old"], 90),
            "ill": rng.choice(list("vwxyz"), 90),
            "token": people * 7 + 1,
            "ward": rng.integers(0, 3, 90),
        }
    )
    given = policy({"who": {"role": "individual"}, "token": QUIET, "ward": QUIET}, form={"group_id": True})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        release = sf.publish(frame, policy=given, partition={"method": "hilbert"}, promise=sf.PairwiseL(2), seed=1)
    (only,) = release.singled_out
    assert only.persons == 30
    assert {name: each.links for name, each in only.columns.items()} == {"token": 30, "ward": 0}
    assert any("column 'token'" in str(each.message) and "30 of 30 people" in str(each.message) for each in caught)
    shown = release.held[0]
    (outsider,) = sf.audit(shown, release.source.policy).insensitive
    assert outsider.persons is None and outsider.columns["token"].links is None


def test_only_an_insensitive_column_can_accept_it() -> None:
    for role, word in product(("quasi", "sensitive", "drop", "identifier"), ("accepted", "yes")):
        with pytest.raises(PolicyError, match=r"columns.x.unique"):
            sf.read_policy(policy({"x": {"role": role, "unique": word}}))
    plain, said = (sf.read_policy(policy({"x": each})) for each in (QUIET, {**QUIET, "unique": "accepted"}))
    assert plain.digest != said.digest and said.columns["x"].unique == "accepted"
    assert "unique" not in plain.model_dump(mode="json")["columns"]["x"], "digests stay what they were"
    assert sf.read_policy(said.as_dict()).digest == said.digest


def test_a_table_of_another_tool_is_told_the_same() -> None:
    told = sf.audit(table().drop("one", "two"), policy({"lab": QUIET}))
    assert "column 'lab': insensitive, and 400 of 400 rows show a value that no other row shows" in told.notes
