"""Counted tuples: the same for any order of rows, told again one by one, and combined."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.knowledge.table import Knowledge
from sfumato.table.domain import Domain, SetDomain
from sfumato.table.tally import CodedRows
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.tree import Taxonomy
from tests.support.examples import examples
from tests.support.handmade import Column, column_with, counted, moved, rows_of

SETS = ((), ("a",), ("a", "b"))
WIDE = 2**22
"""Three such columns and what stands beside them do not fit into a word."""
Row = tuple[int, int, int, int, int, int]
"""Two quasi-identifiers, a sensitive value, a set, another column, a person."""


@dataclass(frozen=True)
class Drawn:
    """Rows, and how wide their columns are."""

    rows: list[Row]
    wide: bool
    persons: bool

    def table(self) -> Tuples:
        size = WIDE if self.wide else 4
        first, second, secret, terms, other, whose = ([row[at] for row in self.rows] for at in range(6))
        known = pl.int_range(size, eager=True)
        domain = SetDomain(
            "t",
            pl.Series("t", ["", "a", "a|b"]),
            np.bincount(terms, minlength=3).astype(np.int64),
            sets=SETS,
            knowledge=Knowledge.of([("A", "a"), ("B", "b")]),
        )
        return rows_of(
            [column_with("p", first, known), column_with("q", second, known)],
            [column_with("s", secret, known)],
            sets=[Column(domain, np.array(terms, dtype=np.int32))],
            beside=[column_with("b", other, list("xyz"))],
            person=whose if self.persons else None,
        )

    def told(self) -> Counter[tuple[int, ...]]:
        return Counter(row if self.persons else row[:-1] for row in self.rows)


small = st.integers(0, 2)
drawn = st.builds(
    Drawn,
    st.lists(st.tuples(small, small, small, small, small, small), min_size=1, max_size=30),
    st.booleans(),
    st.booleans(),
)


def told(table: Tuples) -> list[tuple[int, ...]]:
    columns = [table.codes[name].tolist() for name in ("p", "q", "s", "t", "b")]
    return list(zip(*columns, *([] if table.person is None else [table.person.tolist()]), strict=True))


def equal(one: Tuples, other: Tuples) -> bool:
    pairs = zip(one.every, other.every, strict=True)
    same = one.counts.tolist() == other.counts.tolist() and one.content.tolist() == other.content.tolist()
    return same and one.codes.keys() == other.codes.keys() and all(np.array_equal(*pair) for pair in pairs)


@settings(max_examples=examples(150))
@given(drawn=drawn, data=st.data())
def test_tuples_are_the_different_rows_in_one_order(drawn: Drawn, data: st.DataObject) -> None:
    table = drawn.table()
    made = counted(table)
    assert dict(zip(told(made), made.counts.tolist(), strict=True)) == drawn.told()
    assert made.rows == len(drawn.rows) and len(made) == len(drawn.told())
    order = np.array(data.draw(st.permutations(range(len(drawn.rows)))), dtype=np.int64)
    again = counted(moved(table, order))
    assert equal(made, again)
    keys = [(p, q, s, t, b, *whose) for p, q, s, t, b, *whose in told(made)]
    assert keys == sorted(keys, key=lambda key: (key[1], key[0], *key[2:])), "the last quasi-identifier counts most"
    assert made.row is not None
    assert [told(table)[row] for row in made.row.tolist()] == told(made), "each stands for one of its rows"
    assert made.content.tolist() == list(range(len(made)))
    assert not made.alike


@settings(max_examples=examples(100))
@given(drawn=drawn)
def test_rows_one_by_one_know_which_are_equal(drawn: Drawn) -> None:
    made = counted(drawn.table())
    each = made.each()
    assert Counter(told(each)) == drawn.told()
    assert each.counts.tolist() == [1] * made.rows == [1] * each.rows
    assert told(each) == [
        row for row, count in zip(told(made), made.counts.tolist(), strict=True) for _ in range(count)
    ]
    assert len(set(zip(each.content.tolist(), told(each), strict=True))) == len(made) == len(set(each.content.tolist()))
    assert each.each() is each
    assert equal(counted(each), made)
    assert [domain.name for domain in each.domains] == ["p", "q", "s", "t"]
    assert each["b"] is made["b"] and each["p"] is made["p"]


@settings(max_examples=examples(100))
@given(drawn=drawn, names=st.permutations("pqst").flatmap(lambda all: st.integers(1, 4).map(lambda to: all[:to])))
def test_a_joint_code_is_the_place_of_a_combination(drawn: Drawn, names: list[str]) -> None:
    made = counted(drawn.table())
    combined = list(zip(*(made.codes[name].tolist() for name in names), strict=True))
    known = sorted(set(combined))
    codes, parts = made.joint(names)
    assert [tuple(each) for each in parts.tolist()] == known
    assert codes.tolist() == [known.index(each) for each in combined]
    columns = tuple(names)
    wanted = codes.tolist() if len(names) > 1 else made.codes[names[0]].tolist()
    assert made.counted_by(columns).tolist() == wanted
    assert made.size_of(columns) == (len(known) if len(names) > 1 else made[names[0]].size)


@settings(max_examples=examples(100))
@given(drawn=drawn, names=st.permutations("pqstb").flatmap(lambda all: st.integers(1, 5).map(lambda to: all[:to])))
def test_tuples_count_columns_as_rows_do(drawn: Drawn, names: list[str]) -> None:
    rows = drawn.table()
    made = counted(rows)
    found = made.count(names, first=True)
    per_row = list(zip(*(rows.codes[name].tolist() for name in names), strict=True))
    combinations = list(zip(*(codes.tolist() for codes in found.codes), strict=True))
    assert combinations == sorted(set(per_row)), "in ascending order, the first column counting most"
    assert dict(zip(combinations, found.counts.tolist(), strict=True)) == Counter(per_row)
    assert found.row is not None and [per_row[row] for row in found.row.tolist()] == combinations
    assert made.rows == CodedRows({name: (rows.codes[name], rows[name].size) for name in names}).rows


def test_what_makes_equal_rows_not_interchangeable() -> None:
    quasi, secret = column_with("q", [0, 0], ["u"]), column_with("s", [0, 0], ["v"])
    plain = counted(rows_of([quasi], [secret]))
    assert len(plain) == 1 and plain.alike
    for table in (
        rows_of([quasi], [secret], person=[0, 1]),
        rows_of([quasi], [secret], beside=[column_with("b", [0, 1], ["x", "y"])]),
    ):
        assert len(counted(table)) == 2 and not counted(table).alike
    finer = Tuples.of(
        {"q": quasi.codes, "s": secret.codes},
        [quasi.domain],
        [secret.domain],
        finer={"s": np.array([2, 1], dtype=np.int32)},
    )
    assert len(finer) == 2 and not finer.alike and finer.finer["s"].tolist() == [1, 2]


def test_a_table_without_rows() -> None:
    none = counted(rows_of([column_with("q", [], ["u"])], [column_with("s", [], ["v"])]))
    assert len(none) == none.rows == 0
    assert none.joint(("q", "s"))[1].shape == (0, 2) and len(none.each()) == 0


@pytest.mark.parametrize(("which", "shown"), list(product([[True, False], [False, True], [True, True]], repeat=2)))
def test_nodes_are_called_by_what_is_published(which: list[bool], shown: list[bool]) -> None:
    tree = Taxonomy.of_levels(["0", "1", "2"], [])
    tree = replace(tree, naming=lambda _, told: ["".join(code for code, each in zip("012", told, strict=True) if each)])
    columns = [column_with(name, [2, 0, 2], ["0", "1", "2"], tree) for name in "qs"]
    made = counted(rows_of(columns[:1], columns[1:]))
    assert made.counts.tolist() == [1, 2]
    found = made.telling(np.array(which), np.array(shown))
    for domain, told in ((found["q"], which), (found["s"], shown)):
        assert domain.taxonomy is not None
        assert domain.taxonomy.labels[-1] == "".join(code for code, each in zip("02", told, strict=True) if each)
    assert made.present("q", np.array(which)).tolist() == [which[0], False, which[1]]


def test_nothing_changes_where_nodes_have_names_of_their_own() -> None:
    made = counted(rows_of([column_with("q", [0, 1], ["u", "v"], Taxonomy.of_levels(["u", "v"], []))]))
    assert made.telling(np.array([True, False]), np.array([True, False])) is made


def test_bins_are_called_by_the_values_that_are_told() -> None:
    domain = Domain(
        "s",
        pl.Series("s", ["low", "high"]),
        np.array([2, 1]),
        naming=lambda told: pl.Series("s", [f"low {told[1]} {told[2]}", f"high {told[3]}"]),
    )
    made = Tuples.of(
        {"s": np.array([1, 0, 0], dtype=np.int32)}, (), [domain], finer={"s": np.array([3, 1, 2], dtype=np.int32)}
    )
    assert made.codes["s"].tolist() == [0, 0, 1] and made.finer["s"].tolist() == [1, 2, 3]
    nobody = np.zeros(3, dtype=np.bool_)
    found = made.telling(nobody, np.array([True, False, True]))
    assert found["s"].values.to_list() == ["low True False", "high True"]
