"""A column that shows many texts is explained by a rule: the document stays small, and the audit the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.release.document_bytes import read_release_document

POLICY: dict[str, Any] = {
    "columns": {"income": {"role": "quasi", "type": "integer"}, "sex": {"role": "quasi"}, "ill": {"role": "sensitive"}},
    "privacy": [{"model": "k-anonymity", "k": 2}],
    "partition": {"method": "mondrian"},
}


def people(rows: int) -> pl.DataFrame:
    drawn = np.random.default_rng(5)
    return pl.DataFrame(
        {
            "income": drawn.permutation(10 * rows)[:rows],
            "sex": drawn.choice(["f", "m"], rows),
            "ill": drawn.choice(["flu", "gout", "none"], rows),
        }
    )


@pytest.mark.parametrize(("rows", "listed"), [(1_500, True), (6_000, False)])
def test_many_texts_are_not_listed_one_by_one(here: Path, rows: int, listed: bool) -> None:
    written = sf.publish(people(rows), policy=POLICY).write("out/", kind="csv")
    document, _ = read_release_document(here / "out" / "release.json")
    texts = pl.read_csv(here / "out" / "table.csv")["income"].n_unique()
    assert (texts <= 1000) == listed
    values = document.dictionary["income"].values
    assert (values is not None) == listed
    assert values is None or len(values) == texts
    assert document.dictionary["income"].technique == "generalized"
    assert document.dictionary["sex"].values is not None
    assert written.audit.holds
    assert (here / "out" / "release.json").stat().st_size < 1_000_000


def test_long_texts_are_not_listed_either(here: Path) -> None:
    towns = [f"town-{number:03d}" for number in range(900)]
    rows = pl.DataFrame({"town": sorted(towns * 2), "ill": ["flu", "gout"] * 900})
    columns: dict[str, Any] = {"town": {"role": "quasi"}, "ill": {"role": "sensitive"}}
    policy = {**POLICY, "columns": columns, "privacy": [{"model": "k-anonymity", "k": 40}]}
    sf.publish(rows, policy=policy).write("few/")
    assert read_release_document(here / "few" / "release.json")[0].dictionary["town"].values is not None
    longer = rows.with_columns(pl.col("town") + "x" * 100)
    written = sf.publish(longer, policy=policy).write("out/", kind="csv")
    assert read_release_document(here / "out" / "release.json")[0].dictionary["town"].values is None
    assert written.audit.holds


def test_the_audit_still_finds_a_cell_that_was_changed(here: Path) -> None:
    sf.publish(people(6_000), policy=POLICY).write("out/", kind="csv")
    table = here / "out" / "table.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    lines[7] = '"[1, 2]",' + lines[7].rpartition('",')[2]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert not sf.audit("out/", POLICY, "out.internal.json").holds
