"""Before and after in the terminal."""

from __future__ import annotations

import polars as pl
from rich.console import Console

from sfumato.demo.hospital import hospital
from sfumato.demo.show import before_after

QUASI = ["zip", "age", "sex", "admission"]


def published(frame: pl.DataFrame) -> pl.DataFrame:
    """Ages by twenties, three digits, months, both sexes: by hand, rows shuffled."""
    low = pl.col("age") // 20 * 20
    return frame.select(
        zip=pl.col("zip").str.slice(0, 3) + "**",
        age=pl.format("[{}, {})", low, low + 20),
        sex=pl.lit("{F, M}"),
        admission=pl.col("admission").dt.strftime("%Y-%m"),
        ward="ward",
        disease="disease",
    ).sample(fraction=1, shuffle=True, seed=1)


def drawn(original: pl.DataFrame, release: pl.DataFrame, columns: list[str], rows: int = 8) -> tuple[str, str]:
    console = Console(width=120, color_system=None)
    with console.capture() as capture:
        console.print(before_after(original, release, columns, rows))
    before, _, after = capture.get().partition("after:")
    return before, after


def test_one_whole_group_with_its_people() -> None:
    frame = hospital(2000, 0)
    release = published(frame)
    before, after = drawn(frame, release, QUASI)
    rows = [line.split() for line in after.splitlines() if "**" in line]
    assert 2 <= len(rows) <= 8
    prefix, low, high, month = rows[0][0], rows[0][1], rows[0][2], rows[0][5]
    assert all((row[0], row[1], row[2], row[5]) == (prefix, low, high, month) for row in rows)
    start = int(low.strip("[,"))
    members = frame.filter(
        pl.col("zip").str.starts_with(prefix.strip("*")),
        pl.col("age").is_between(start, start + 19),
        pl.col("admission").dt.strftime("%Y-%m") == month,
    )
    assert members.height == len(rows)  # the whole group
    for person in members.iter_rows(named=True):
        assert person["name"] in before
        assert person["name"] not in after


def test_groups_too_large_are_cut() -> None:
    frame = hospital(200, 0)
    release = published(frame).with_columns(pl.lit("*").alias(name) for name in QUASI)
    before, after = drawn(frame, release, QUASI, rows=3)
    assert len([line for line in after.splitlines() if "*" in line]) == 3
    assert "before: 3 of 200 rows" in before


def test_labels_that_cannot_be_read() -> None:
    frame = hospital(50, 0)
    release = published(frame).with_columns(zip=pl.lit("somewhere"))
    before, _ = drawn(frame, release, QUASI)
    assert "the first rows" in before
    assert frame["name"][0] in before


def test_names_and_values_that_look_like_markup() -> None:
    frame = pl.DataFrame({"[red]q": ["a", "b"], "size": ["[bold]", "[/bold]"]})
    before, after = drawn(frame, frame.with_columns(pl.lit("*").alias("[red]q")), ["[red]q"])
    assert "[red]q" in before
    assert "[/bold]" in after
    drawn(frame.clear(), frame.clear(), ["[red]q"])
