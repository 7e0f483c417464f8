"""With the original, an audit sees rows that were not shuffled; those of our own releases were."""

from __future__ import annotations

import polars as pl

import sfumato as sf
from tests.measures.test_every_form import policy_of
from tests.release.test_fits import people


def test_rows_that_were_not_shuffled_are_told() -> None:
    frame = people(5, 300)
    release = sf.publish(frame, policy=policy_of("generalized"), seed=1)
    ours = sf.audit(release.table, release.source.policy, original=frame)
    assert not [leak for leak in ours.leaks if leak.kind == "original order"]
    bands = frame.with_columns(
        age=pl.format("[{}, {}]", pl.col("age") // 20 * 20, pl.col("age") // 20 * 20 + 19),
        zip=pl.lit("*"),
        sex=pl.lit("*"),
    )
    theirs = sf.audit(bands, release.source.policy, original=frame)
    assert [leak.kind for leak in theirs.leaks if leak.kind == "original order"] == ["original order"]
    assert "order of the original" in theirs.summary()
