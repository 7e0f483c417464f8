"""The auditor on releases of several forms that were written by hand, sound and broken."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.auditor.audit import audit
from sfumato.auditor.court import Court
from sfumato.auditor.verdict import Audit
from sfumato.errors import InputError
from sfumato.policy.document import Policy
from sfumato.policy.forms import FORMS
from sfumato.policy.load import read_policy
from sfumato.policy.sections import Unread
from sfumato.release.document_bytes import to_bytes
from sfumato.release.documents import ColumnEntry, ReleaseDocument, RowCounts, TableEntry
from sfumato.release.opening import Opened
from sfumato.release.views import seen
from sfumato.table.dictionaries import as_dictionaries
from tests.support.examples import examples

Tables = dict[str, pl.DataFrame]

SIMPLE = {"model": "simple-l", "l": 2, "on": "s"}
QUASI = pl.DataFrame({"q": ["1", "2", "3", "4", "5"], "group": ["7", "7", "7", "4", "4"]})
SENSITIVE = pl.DataFrame(
    {"group": ["4", "7", "4", "7", "7"], "s": ["a", "a", "b", "b", "c"], "count": ["1", "1", "1", "1", "1"]}
)
PERMUTED = pl.DataFrame({"q": ["1", "2", "3", "4", "5"], "s": list("abcab"), "group": ["7", "7", "7", "4", "4"]})
ANATOMIZED = {"quasi": QUASI, "sensitive": SENSITIVE}


def policy_of(*promises: Mapping[str, Any], form: str = "permuted", more: Mapping[str, Any] | None = None) -> Policy:
    columns = {"q": {"role": "quasi"}, "s": {"role": "sensitive"}, **(more or {})}
    return read_policy({"columns": columns, "privacy": list(promises or (SIMPLE,)), "form": {"publish": form}})


def document_of(tables: Tables, policy: Policy, form: Mapping[str, Any], **more: Any) -> ReleaseDocument:
    columns = dict.fromkeys(name for table in tables.values() for name in table.columns)
    roles = {name: policy.columns[name].role if name in policy.columns else "group id" for name in columns}
    heights = [table.height for table in tables.values()]
    return ReleaseDocument(
        sfumato="0.1.0",
        form=dict(form),
        tables=tuple(
            TableEntry(name=name, file=f"{name}.csv", kind="csv", rows=table.height, columns=tuple(table.columns))
            for name, table in tables.items()
        ),
        group_id=more.get("group_id", "group"),
        shown=Unread.model_validate(more.get("shown", {"count": "count"} if form["publish"] == "anatomized" else {})),
        rows=RowCounts(published=heights[0]),
        promise=tuple(promise.as_dict() for promise in policy.promise.promises),
        dictionary={name: ColumnEntry(role=role, technique="published as it is") for name, role in roles.items()},
    )


def judged(folder: Path, tables: Tables, policy: Policy, **more: Any) -> Audit:
    """Write by hand, then audit the folder."""
    form = more.pop("form", {"publish": policy.form.publish})
    document = document_of(tables, policy, form, **more)
    folder.mkdir(exist_ok=True)
    entries = []
    for entry in document.tables:
        file = folder / entry.file
        tables[entry.name].write_csv(file)
        entries.append(entry.model_copy(update={"sha256": hashlib.sha256(file.read_bytes()).hexdigest()}))
    (folder / "release.json").write_bytes(to_bytes(document.model_copy(update={"tables": tuple(entries)})))
    return audit(folder, policy)


def moved(table: pl.DataFrame, row: int, group: str) -> pl.DataFrame:
    """A row in another group."""
    ids = table["group"].to_list()
    ids[row] = group
    return table.with_columns(pl.Series("group", ids))


def found(result: Audit, words: str) -> bool:
    return not result.holds and any(words in problem for problem in result.problems)


# --- permuted ---------------------------------------------------------------------------------------------------------


def test_permuted_is_judged_by_group_id(tmp_path: Path) -> None:
    result = judged(tmp_path, {"table": PERMUTED}, policy_of())
    assert result.holds and result.groups == 2 and result.rows == 5
    (criterion,) = result.criteria
    assert criterion.view == "group id" and criterion.level == 2
    assert result.reached.k == 1, "every exact age is alone"
    assert any("who knows all quasi-identifiers" in note for note in result.notes)
    assert not any("another form" in note for note in result.notes)
    other = audit(tmp_path, policy_of(form="generalized"))
    assert any("form is permuted" in problem for problem in other.problems), "exact values are no generalized ones"


def test_permuted_with_a_row_in_another_group_fails(tmp_path: Path) -> None:
    result = judged(tmp_path, {"table": moved(PERMUTED, 3, "7")}, policy_of())
    assert [criterion.verdict for criterion in result.criteria] == ["fails"], "b stands alone, a is half of the rest"
    assert (result.criteria[0].violating_groups, result.criteria[0].violating_rows) == (1, 1)


def test_a_permuted_table_without_its_document_or_id_does_not_pass(tmp_path: Path) -> None:
    assert not audit(PERMUTED.drop("group"), policy_of()).holds, "by exact values, everybody is alone"
    result = judged(tmp_path, {"table": PERMUTED.drop("group")}, policy_of(), group_id=None)
    assert [criterion.needs for criterion in result.criteria] == ["a published group id"]
    result = judged(tmp_path, {"table": PERMUTED.drop("group")}, policy_of())
    assert not result.holds and found(result, "named as the group id")


@pytest.mark.parametrize("form", ["permuted", "anatomized"])
def test_rows_are_never_promised_by_exact_quasi_identifiers(form: str, tmp_path: Path) -> None:
    tables = {"table": PERMUTED} if form == "permuted" else ANATOMIZED
    promises = ({"model": "k-anonymity", "k": 1}, {"model": "alpha-k", "alpha": "0.5", "k": 2}, SIMPLE)
    result = judged(tmp_path, tables, policy_of(*promises, form=form))
    assert [criterion.verdict for criterion in result.criteria] == ["undecidable", "undecidable", "holds"]


def test_columns_that_moved_apart_say_nothing_of_each_other(tmp_path: Path) -> None:
    table = PERMUTED.with_columns(u=pl.Series(list("xyzxy")))
    promise = {"model": "multi-attribute", "of": {"model": "distinct-l", "l": 1}}
    policy = policy_of(promise, more={"u": {"role": "sensitive"}})
    apart = judged(tmp_path, {"table": table}, policy, form={"publish": "permuted", "together": False})
    assert [criterion.verdict for criterion in apart.criteria] == ["undecidable"] * 2
    assert judged(tmp_path, {"table": table}, policy).holds


# --- anatomized -------------------------------------------------------------------------------------------------------


def test_anatomized_is_judged_by_its_counts(tmp_path: Path) -> None:
    result = judged(tmp_path, ANATOMIZED, policy_of(form="anatomized"))
    assert result.holds, result.summary()
    assert (result.rows, result.groups, result.reached.k) == (5, 2, 1)
    assert result.reached.columns["s"].distinct_l == 2


BROKEN: list[tuple[str, Tables, str]] = [
    ("a row in another group", {**ANATOMIZED, "quasi": moved(QUASI, 3, "7")}, "in one table than in the other: 2"),
    ("a row in a group of its own", {**ANATOMIZED, "quasi": moved(QUASI, 3, "9")}, "in one table than in the other: 2"),
    (
        "a row left out",
        {**ANATOMIZED, "quasi": QUASI[1:]},
        "in one table than in the other: 1",
    ),
    (
        "a count changed",
        {**ANATOMIZED, "sensitive": SENSITIVE.with_columns(count=pl.Series(list("21111")))},
        "in one table than in the other: 1",
    ),
    (
        "row numbers in both tables",
        {name: table.with_columns(row=pl.Series(list("12345"))) for name, table in ANATOMIZED.items()},
        "'row': stands in both tables",
    ),
    (
        "the sensitive column beside quasi-identifiers",
        {**ANATOMIZED, "quasi": QUASI.with_columns(s=pl.Series(list("abcab")))},
        "'s': a sensitive column stands beside",
    ),
    (
        "a quasi-identifier beside sensitive values",
        {**ANATOMIZED, "sensitive": SENSITIVE.with_columns(q=pl.Series(list("41523")))},
        "'q': stands in the table of sensitive values",
    ),
    (
        "an entry per person",
        {
            "quasi": pl.concat([QUASI, pl.DataFrame({"q": ["6", "8"], "group": ["4", "4"]})]),
            "sensitive": pl.concat([SENSITIVE, SENSITIVE.filter(group="4")]),
        },
        "entries for what another one counts already: 2",
    ),
]


@pytest.mark.parametrize(("tables", "words"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_broken_anatomized_releases_do_not_pass(tables: Tables, words: str, tmp_path: Path) -> None:
    result = judged(tmp_path, tables, policy_of(form="anatomized"))
    assert found(result, words), result.summary()


def test_both_tables_wrong_alike_still_breaks_the_promise(tmp_path: Path) -> None:
    tables = {"quasi": moved(QUASI, 3, "7"), "sensitive": moved(SENSITIVE, 2, "7")}
    tables["sensitive"] = tables["sensitive"].group_by("group", "s").agg(pl.len().cast(pl.String).alias("count"))
    result = judged(tmp_path, tables, policy_of(form="anatomized"))
    assert [criterion.verdict for criterion in result.criteria] == ["fails"]
    assert not result.problems


@pytest.mark.parametrize("count", ["0", "-1", "1.0", "x", "", "9" * 19, "99"])
def test_counts_must_be_counts(count: str, tmp_path: Path) -> None:
    wrong = SENSITIVE.with_columns(count=pl.Series([count, "1", "1", "1", "1"]))
    with pytest.raises(InputError, match="count"):
        judged(tmp_path, {**ANATOMIZED, "sensitive": wrong}, policy_of(form="anatomized"))


def test_tables_must_be_those_of_the_form(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'quasi' and 'sensitive'"):
        judged(tmp_path, {"table": PERMUTED}, policy_of(form="anatomized"))
    for form in ("permuted", "sliced", "generalized"):
        with pytest.raises(InputError, match="has one table"):
            judged(tmp_path, ANATOMIZED, policy_of(form=form))
    with pytest.raises(InputError, match="group id and count"):
        judged(tmp_path, {**ANATOMIZED, "sensitive": SENSITIVE.drop("count")}, policy_of(form="anatomized"))


def test_one_table_replaced_after_writing_is_noticed(tmp_path: Path) -> None:
    assert judged(tmp_path, ANATOMIZED, policy_of(form="anatomized")).holds
    SENSITIVE.reverse().write_csv(tmp_path / "sensitive.csv")
    result = audit(tmp_path, policy_of(form="anatomized"))
    assert found(result, "sensitive.csv: its bytes are not those")
    (tmp_path / "sensitive.csv").unlink()
    with pytest.raises(InputError, match="no such file"):
        audit(tmp_path, policy_of(form="anatomized"))


def test_a_count_is_no_way_in_for_another_column(tmp_path: Path) -> None:
    table = PERMUTED.with_columns(ssn=pl.Series(list("12345")))
    for form in ("permuted", "generalized"):
        assert found(judged(tmp_path, {"table": table}, policy_of(form=form)), "'ssn': is not in the policy")
        with pytest.raises(InputError, match="shown: Extra inputs are not permitted") as caught:
            judged(tmp_path, {"table": table}, policy_of(form=form), shown={"ssn": "ssn"})
        assert "ssn" not in str(caught.value).replace(str(tmp_path), "")
    for form in FORMS:
        with pytest.raises(InputError, match="shown: Extra inputs are not permitted"):
            judged(tmp_path, {"table": PERMUTED}, policy_of(form=form), shown={"free": "text"})
    ward = {"count": {"role": "insensitive"}}
    result = judged(tmp_path, ANATOMIZED, policy_of(form="anatomized", more=ward))
    assert found(result, "'count': named as the count")


# --- sliced -----------------------------------------------------------------------------------------------------------


def test_sliced_is_judged_by_bucket_and_by_what_stands_beside(tmp_path: Path) -> None:
    policy = policy_of(form="sliced")
    assert judged(tmp_path, {"table": PERMUTED}, policy, shown={"slices": (("q",), ("s",))}).holds
    linked = judged(tmp_path, {"table": PERMUTED}, policy, shown={"slices": (("q", "s"),)})
    assert [criterion.verdict for criterion in linked.criteria] == ["fails"], "the slice shows whose value it is"
    assert found(linked, "2 group ids, but 5 combinations")
    constant = PERMUTED.with_columns(q=pl.Series(["x", "x", "x", "y", "y"]))
    assert judged(tmp_path, {"table": constant}, policy, shown={"slices": (("q", "s"),)}).holds
    fails = judged(tmp_path, {"table": moved(PERMUTED, 3, "7")}, policy, shown={"slices": (("q",), ("s",))})
    assert [criterion.verdict for criterion in fails.criteria] == ["fails"]


@pytest.mark.parametrize("slices", [(), (("q",),), (("s",),), (("q",), ("s",), ("q",)), (("q",), ("s",), ("t",))])
def test_every_column_is_in_one_slice(slices: tuple[tuple[str, ...], ...], tmp_path: Path) -> None:
    assert found(
        judged(tmp_path, {"table": PERMUTED}, policy_of(form="sliced"), shown={"slices": slices}), "exactly one slice"
    )


# --- against a slow reference -----------------------------------------------------------------------------------------


@st.composite
def people(draw: st.DrawFn) -> list[tuple[str, str, str, str, str]]:
    """Group, two quasi-identifiers and two sensitive values per person."""
    return draw(
        st.lists(
            st.tuples(*(st.sampled_from(values) for values in ("123", "pq", "xyz", "abc", "uv"))),
            min_size=1,
            max_size=25,
        )
    )


def histograms(rows: Sequence[tuple[Any, Any]]) -> Counter[tuple[int, ...]]:
    """How many classes have which counts, by loops."""
    classes: dict[Any, Counter[Any]] = defaultdict(Counter)
    for key, value in rows:
        classes[key][value] += 1
    return Counter(tuple(sorted(each.values(), reverse=True)) for each in classes.values())


def counted(tables: Tables, policy: Policy, column: str, **more: Any) -> Counter[tuple[int, ...]]:
    """The same from the auditor."""
    document = document_of(tables, policy, {"publish": policy.form.publish}, **more)
    typed = policy.form.shown.model_validate(document.shown.model_dump())
    described = document.model_copy(update={"shown": typed})
    evidence = Opened({name: as_dictionaries(table) for name, table in tables.items()}, described)
    shown = seen(evidence, policy)
    classes = Court.of(evidence, policy, False, shown).classes(column, ())
    made: Counter[tuple[int, ...]] = Counter()
    for group in range(len(classes)):
        made[classes.shape(group, 100)] += int(classes.alike[group])
    return made


MORE = {"p": {"role": "quasi"}, "u": {"role": "sensitive"}}


@settings(max_examples=examples(60))
@given(people(), st.sampled_from("su"))
def test_views_count_what_loops_count(rows: list[tuple[str, str, str, str, str]], column: str) -> None:
    frame = pl.DataFrame(rows, schema=["group", "q", "p", "s", "u"], orient="row")
    place = {"s": 3, "u": 4}[column]
    expected = histograms([(row[0], row[place]) for row in rows])
    promise = {**SIMPLE, "on": "s"}
    assert counted({"table": frame}, policy_of(promise, more=MORE), column) == expected
    entries = Counter((row[0], row[3], row[4]) for row in rows)
    listed = [(*key, str(count)) for key, count in entries.items()]
    tables = {
        "quasi": frame.select("group", "q", "p"),
        "sensitive": pl.DataFrame(listed, schema=["group", "s", "u", "count"], orient="row"),
    }
    assert counted(tables, policy_of(promise, form="anatomized", more=MORE), column) == expected


@settings(max_examples=examples(60))
@given(people(), st.sets(st.sampled_from("qp")), st.sampled_from("su"))
def test_slices_count_what_loops_count(
    rows: list[tuple[str, str, str, str, str]], beside: set[str], column: str
) -> None:
    frame = pl.DataFrame(rows, schema=["group", "q", "p", "s", "u"], orient="row")
    places = {"q": 1, "p": 2, "s": 3, "u": 4}
    slices = (("s", *sorted(beside)), ("u",), *((name,) for name in "qp" if name not in beside))
    told = [0, *(places[name] for name in sorted(beside))]
    expected = histograms([(tuple(row[place] for place in told), row[places[column]]) for row in rows])
    policy = policy_of({**SIMPLE, "on": "s"}, form="sliced", more=MORE)
    assert counted({"table": frame}, policy, column, shown={"slices": slices}) == expected
