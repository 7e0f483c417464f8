"""Rows that are left out, for whatever reason and by whatever step, where the form shows who is missing."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.errors import NoneFound, Refused
from sfumato.policy.promises import all_of
from tests.support.definitions import keeps
from tests.support.examples import examples

KNOWLEDGE = {"flu": ["x"], "gout": ["y"]}
TERMS = {"role": "quasi-sensitive", "separator": "|", "knowledge": {"labels": KNOWLEDGE}}
TOWN = {"role": "quasi"}
EXACT = ("permuted", "anatomized", "sliced", "randomized")


def published(columns: dict[str, Any], frame: pl.DataFrame, *privacy: dict[str, Any], **more: Any) -> sf.Release:
    policy = {"columns": columns, "privacy": list(privacy), "suppression": {"limit": "0.5"}, **more}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sf.SfumatoWarning)
        return sf.publish(frame, policy=policy, seed=1)


LATTICE = {"partition": {"method": "lattice"}}
TWO_TOWNS = pl.DataFrame({"town": list("AAAABB"), "sym": list("xyxyxx")})
QS = {"model": "qs-cl", "c": 1, "l": 2}


@pytest.mark.parametrize("form", ["permuted", "anatomized", "sliced"])
def test_what_is_missing_keeps_a_promise_about_terms(form: str) -> None:
    """Both people of town B left out would have the term x, so flu."""
    columns = {"town": TOWN, "sym": TERMS}
    with pytest.raises(NoneFound):
        published(columns, TWO_TOWNS, QS, form={"publish": form}, **LATTICE)
    assert published(columns, TWO_TOWNS, QS, form={"publish": "generalized"}, **LATTICE).suppressed == 2


@pytest.mark.parametrize("form", ["permuted", "anatomized"])
def test_what_is_missing_keeps_a_promise_about_several_columns(form: str) -> None:
    """Both people of town B left out have the same s: who knows their t knows it too."""
    frame = TWO_TOWNS.select("town", s="sym", t=pl.Series(list("uuvvuv")))
    columns = {"town": TOWN, "s": {"role": "sensitive"}, "t": {"role": "sensitive"}}
    asked = {"model": "multi-attribute", "of": {"model": "simple-l", "l": 2}}
    with pytest.raises(NoneFound):
        published(columns, frame, asked, form={"publish": form}, **LATTICE)
    assert published(columns, frame, asked, form={"publish": "generalized"}, **LATTICE).suppressed == 2


AGES = {"age": {"role": "quasi", "type": "integer", "missing": "drop"}, "s": {"role": "sensitive"}}
DROPPED = pl.DataFrame({"town": list("AAAABB"), "age": [1, 2, 3, 4, None, None], "s": list("xyxyxx")})
SIMPLE = {"model": "simple-l", "l": 2}


@pytest.mark.parametrize("form", EXACT)
def test_what_the_missing_rule_drops_is_missing_too(form: str) -> None:
    columns = {"town": TOWN, **AGES}
    with pytest.raises(NoneFound, match="2 rows dropped as missing, this form shows who is missing"):
        published(columns, DROPPED, SIMPLE, form={"publish": form})
    assert published(columns, DROPPED, SIMPLE).source.dropped == 2
    more = pl.DataFrame({"town": ["A"] * 8, "age": range(5, 13), "s": list("abcdefgh")}).cast(DROPPED.schema)
    other = pl.concat([DROPPED.with_columns(s=pl.Series(list("xyxyxz"))), more])  # z: a value that no other row has
    release = published(columns, other, SIMPLE, form={"publish": form}, partition={"method": "anatomy", "slack": 1})
    assert release.judged().holds and release.suppressed == 0


def test_a_sensitive_value_that_is_missing_is_a_value() -> None:
    """Who is dropped for a missing disease is known to have none recorded; beside another one, not who it is."""
    columns = {"town": TOWN, **AGES, "s": {"role": "sensitive", "missing": "drop"}}
    none = DROPPED.with_columns(age=pl.Series(range(6)), s=pl.Series([*"xyxy", None, None]))
    with pytest.raises(NoneFound, match="2 rows dropped"):
        published(columns, none, SIMPLE, form={"publish": "permuted"})
    one = DROPPED.with_columns(age=pl.Series([1, 2, 3, 4, 5, None]), s=pl.Series([*"xyxy", None, "x"]))
    assert published(columns, one, SIMPLE, form={"publish": "permuted"}).judged().holds


@pytest.mark.parametrize("form", ["permuted", "anatomized", "sliced"])
def test_a_value_that_only_dropped_rows_have_is_a_step_of_the_order(form: str) -> None:
    """What is not recorded comes after 3: (1/2 + 1) / 2 away from the table of 1 and 3, as the audit has it."""
    frame = pl.DataFrame({"town": list("ABCD"), "s": ["3", None, None, "1"]})
    columns = {"town": TOWN, "s": {"role": "sensitive", "type": "integer", "missing": "drop"}}
    close = {"model": "t-closeness", "distance": "ordered"}
    with pytest.raises(NoneFound, match="2 rows dropped as missing"):
        published(columns, frame, {**close, "t": "0.74"}, form={"publish": form}, **LATTICE)
    release = published(columns, frame, {**close, "t": "0.75"}, form={"publish": form}, **LATTICE)
    assert release.judged().holds


@pytest.mark.parametrize("form", ["permuted", "anatomized", "sliced"])
def test_bins_follow_from_dropped_rows_too(form: str, tmp_path: Path) -> None:
    """1008 was dropped, and makes 1000 and 1016 one secret; its name is made from published ones alone."""
    pay = ["1000", "1016", "2000", "1000", "2000", "2000", "1008", "2003"]
    frame = pl.DataFrame({"town": [*"AABBCC", None, None], "s": pay})
    columns = {
        "town": {**TOWN, "missing": "drop"},
        "s": {"role": "sensitive", "type": "integer", "difference": 10},
    }
    release = published(columns, frame, {"model": "distinct-l", "l": 2}, form={"publish": form}, **LATTICE)
    values = [*release.tables.values()][-1]["s"]
    assert {*values} == {"[1000, 1016]", "[2000, 2000]"}
    written = release.write(tmp_path / "out")
    assert sf.audit(tmp_path / "out", release.source.policy, written.manifest).holds


def test_each_kind_of_missing_rows_keeps_the_promise_alone() -> None:
    """Dropped rows of x and suppressed ones of y are even together; who knows whose age is unknown tells them apart."""
    frame = pl.DataFrame({"town": list("AAAABBCC"), "age": [1] * 6 + [None] * 2, "s": list("xyxyyyxx")})
    with pytest.raises(NoneFound):
        published({"town": TOWN, **AGES}, frame, SIMPLE, form={"publish": "permuted"}, **LATTICE)


@pytest.mark.parametrize("phases", ["two", "one"])
def test_terms_are_not_withheld_where_that_shows(phases: str) -> None:
    """Whoever has two terms has flu, suppressed or not. So nothing helps the group of town B: it is put together with
    the other instead of left out."""
    frame = pl.DataFrame({"town": list("AAAAAABB"), "sym": ["x|z", "y"] * 3 + ["x|z", "x|z"]})
    knowledge = {"labels": {"flu": ["x", "z"], "gout": ["y"]}}
    columns = {"town": TOWN, "sym": {**TERMS, "knowledge": knowledge, "lengths": "known"}}
    asked = {"model": "qs-cl", "c": 2, "l": 2}
    terms = {"partition": {"method": "lattice", "terms": {"infeasible": "withhold", "phases": phases}}}
    if phases == "two":
        assert published(columns, frame, asked, **terms).suppressed == 2
    release = published(columns, frame, asked, form={"publish": "permuted"}, **terms)
    assert release.suppressed == 0 and release.judged().holds


@pytest.mark.parametrize("form", ["permuted", "anatomized"])
def test_missing_rows_are_of_different_persons(form: str) -> None:
    """One person alone is missing, with both rows: their values are what the table lacks."""
    columns = {"who": {"role": "individual"}, "town": TOWN, **AGES}
    frame = DROPPED.with_columns(who=pl.Series(list("abcdee")), s=pl.Series(list("xyxyxy")))
    anatomy = {"partition": {"method": "anatomy"}}
    with pytest.raises(NoneFound, match="several rows of one person"):
        published(columns, frame, SIMPLE, form={"publish": form}, **anatomy)
    release = published(columns, frame.with_columns(who=pl.Series(list("abcdef"))), SIMPLE, form={"publish": form})
    assert release.judged().holds


# Every promise on random tables, by definitions of its own.

PROMISES: tuple[list[dict[str, Any]], ...] = (
    [{"model": "distinct-l", "l": 2, "on": "s"}],
    [{"model": "entropy-l", "l": "1.8", "on": "s"}],
    [{"model": "recursive-cl", "c": 2, "l": 2, "on": "s"}],
    [{"model": "pd-recursive", "c": 2, "l": 2, "disclosable": ["a"], "on": "s"}],
    [{"model": "npd-recursive", "c1": 3, "c2": 10, "l": 2, "disclosable": [], "protected": ["a"], "on": "s"}],
    [{"model": "simple-l", "l": 2, "on": "s"}],
    [{"model": "pairwise-l", "l": 2, "on": "s"}],
    [{"model": "unique-distinct-l", "l": 2, "on": "s"}],
    [{"model": "t-closeness", "t": "0.3", "on": "s"}],
    [{"model": "delta-disclosure", "delta": "1.5", "on": "s"}],
    [{"model": "tau-l", "tau": "0.6", "l": 3, "on": "s"}],
    [{"model": "multi-attribute", "of": {"model": "distinct-l", "l": 2}}],
    [{"model": "multi-attribute", "of": {"model": "simple-l", "l": "1.5"}}],
    [{"model": "qs-cl", "c": 2, "l": 2}],
    [{"model": "qs-t", "t": "0.3"}],
    [{"model": "qs-t", "t": "0.3", "distance": "emd"}, {"model": "distinct-l", "l": 2, "on": "t"}],
    [{"model": "simple-l", "l": "1.5", "on": "s"}, {"model": "qs-cl", "c": 3, "l": 2}],
)
METHODS: tuple[dict[str, Any], ...] = (
    {"method": "lattice"},
    {"method": "lattice", "terms": {"infeasible": "withhold"}},
    {"method": "lattice", "polish": True},
    {"method": "mondrian"},
    {"method": "mondrian", "terms": {"phases": "one", "infeasible": "withhold"}},
    {"method": "anatomy"},
    {"method": "hilbert"},
    {"method": "bsgi"},
    {"method": "lattice", "refine": True},
)
Row = dict[str, str | None]


def random_rows(rng: Random) -> list[Row]:
    """Rows with a name each among the quasi-identifiers, so that everybody sees who is missing."""
    gaps = rng.choice([0, 0, 0.15, 0.3])
    return [
        {
            "q": f"{rng.choice('abc')}{place:02}",
            "age": None if rng.random() < gaps else rng.choice("12"),
            "s": rng.choice(["a", "a", "b", "c", None] if gaps else ["a", "a", "b", "c"]),
            "t": rng.choice("uvw"),
            "sym": rng.choice(["x", "y", "x|y", "x|z", "y|z", "w"]),
        }
        for place in range(rng.randint(8, 14))
    ]


RANDOM_COLUMNS: dict[str, Any] = {
    "q": {"role": "quasi", "hierarchy": {"mask": "right"}},
    "age": {"role": "quasi", "missing": "drop"},
    "s": {"role": "sensitive"},
    "t": {"role": "sensitive"},
    "sym": {**TERMS, "knowledge": {"labels": {"flu": ["x", "z"], "gout": ["y", "z"], "cold": ["x", "y"]}}},
}


def cases(seed: int) -> Iterator[tuple[list[dict[str, Any]], str, dict[str, Any]]]:
    """A sample of all that could be asked, and everything once in a while."""
    every = list(product(PROMISES, EXACT, METHODS))
    yield from Random(seed).sample(every, 60)


def classes(rows: Sequence[Row], release: sf.Release) -> Iterator[list[Row]]:
    """The rows that nobody finds in the release: dropped ones, others, and all of them."""
    shown = {name for table in release.tables.values() if "q" in table.columns for name in table["q"].to_list()}
    missing = [row for row in rows if row["q"] not in shown]
    dropped = [row for row in missing if row["age"] is None]
    others = [row for row in missing if row["age"] is not None]
    yield from filter(None, (dropped, others, missing))


def links(row: Row) -> list[str]:
    """Labels that have all known terms of a row; none if it has no known one."""
    labels: dict[str, set[str]] = {
        name: set(terms) for name, terms in RANDOM_COLUMNS["sym"]["knowledge"]["labels"].items()
    }
    terms = set((row["sym"] or "").split("|")) & set().union(*labels.values())
    return [name for name, held in labels.items() if terms and terms <= held]


def masses(rows: Sequence[Row]) -> dict[str, Fraction]:
    found: Counter[str] = Counter()
    for row in rows:
        for label in links(row):
            found[label] += Fraction(1, len(links(row)))  # type: ignore[assignment]
    return {label: Fraction(mass) for label, mass in found.items()}


def holds(promise: Any, group: Sequence[Row], whole: Sequence[Row]) -> bool:
    """A promise of a class of missing rows; `whole` are the rows that were to be published."""
    if promise.name == "multi-attribute":
        return all(
            holds(type(promise.of)(**{**promise.of.__dict__, "on": name}), part, whole)
            for name, other in (("s", "t"), ("t", "s"))
            for part in ([row for row in group if row[other] == value] for value in {row[other] for row in group})
        )
    if promise.name in ("qs-cl", "qs-t"):
        mass = masses(group)
        linked = sum(mass.values())
        if not linked:
            return True
        if promise.name == "qs-cl":
            falling = sorted(mass.values(), reverse=True)
            return bool(falling[0] <= promise.c * sum(falling[promise.l - 1 :]))
        prior = masses(whole)
        gaps = [mass.get(label, 0) / linked - prior[label] / sum(prior.values()) for label in prior]
        if promise.distance == "emd":
            return bool(sum(gap for gap in gaps if gap > 0) <= promise.t)
        return bool(sum(gap**2 for gap in gaps) <= promise.t**2)
    if promise.name in ("pairwise-l", "unique-distinct-l"):
        promise = sf.SimpleL(Fraction(promise.l), promise.on)
    names = ["a", "b", "c", "u", "v", "w", None]
    counts = Counter(names.index(row[promise.on]) for row in group)
    before = Counter(names.index(row[promise.on]) for row in whole)
    if promise.name == "delta-disclosure" and counts.keys() - before.keys():
        return False
    return keeps(promise, counts, before, [str(name) for name in names])


@pytest.mark.parametrize("seed", range(examples(6, fewest=1)))
def test_no_promise_is_broken_by_what_is_missing(seed: int) -> None:
    ends: Counter[str] = Counter()
    for number, (privacy, form, method) in enumerate(cases(seed)):
        rng = Random(f"{seed} {number}")
        rows = random_rows(rng)
        policy = {"columns": RANDOM_COLUMNS, "privacy": privacy, "partition": method, "form": {"publish": form}}
        policy["suppression"] = {"limit": rng.choice(["0", "0.3", "0.6"])}
        frame = pl.DataFrame(rows, schema=dict.fromkeys(RANDOM_COLUMNS, pl.String))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sf.SfumatoWarning)
            try:
                release = sf.publish(frame, policy=policy, seed=number)
            except (NoneFound, Refused) as error:
                ends[type(error).__name__] += 1
                continue
        whole = [row for row in rows if row["age"] is not None]
        for group in classes(rows, release):
            ends["missing"] += 1
            for promise in all_of(release.source.policy.promise).promises:
                assert holds(promise, group, whole), (privacy, form, method, group)
        ends["published"] += 1
    assert ends["published"] >= 5


# The audit has it as a criterion.


def written(folder: Path) -> tuple[dict[str, Any], sf.Release]:
    frame = DROPPED.with_columns(s=pl.Series(list("xyxyxy")))
    policy = {"columns": {"town": TOWN, **AGES}, "privacy": [SIMPLE], "form": {"publish": "permuted"}}
    release = sf.publish(frame, policy=policy, seed=1)
    release.write(folder / "out")
    return policy, release


def test_the_audit_judges_what_is_missing(tmp_path: Path) -> None:
    policy, _ = written(tmp_path)
    outside = sf.audit(tmp_path / "out", policy)
    (criterion,) = [each for each in outside.criteria if each.model == "left-out-rows"]
    assert criterion.verdict == "undecidable" and "internal manifest" in criterion.needs
    assert not outside.holds and not outside.problems
    inside = sf.audit(tmp_path / "out", policy, tmp_path / "out.internal.json")
    (criterion,) = [each for each in inside.criteria if each.model == "left-out-rows"]
    assert inside.holds and criterion.level == 2 and criterion.parameters == {"of": "simple-l", "l": 2}


def forged(folder: Path, policy: dict[str, Any], **changed: Any) -> sf.Audit:
    """An audit with a manifest in which what left-out rows hold was changed."""
    manifest = json.loads((folder / "out.internal.json").read_text("utf-8"))
    manifest["left_out"] = {**manifest["left_out"], **changed} if changed else None
    return sf.audit(folder / "out", policy, manifest)


def test_a_manifest_that_tells_less_does_not_pass(tmp_path: Path) -> None:
    policy, _ = written(tmp_path)
    assert not forged(tmp_path, policy).holds
    fewer = forged(tmp_path, policy, dropped=[{"values": ["x"], "rows": 1}])
    assert any("that were dropped, release.json counts 2" in problem for problem in fewer.problems)
    other = forged(tmp_path, policy, columns=["t"])
    assert any("other columns of the rows that are left out" in problem for problem in other.problems)
    uneven = forged(tmp_path, policy, dropped=[{"values": ["x"], "rows": 2}])
    assert [each.verdict for each in uneven.criteria] == ["holds", "fails"]


def test_suppressed_rows_are_told_and_judged(tmp_path: Path) -> None:
    """Town B breaks distinct-l 3 and is left out; as a class it keeps simple-l 2, and so does what is published."""
    frame = pl.DataFrame({"town": list("AAAAAABB"), "s": list("xyzxyzxy")})
    policy = {
        "columns": {"town": TOWN, "s": {"role": "sensitive"}},
        "privacy": [SIMPLE],
        "partition": {"method": "lattice", "slack": 1},
        "form": {"publish": "permuted"},
        "suppression": {"limit": "0.5"},
    }
    release = sf.publish(frame, policy=policy, seed=1)
    release.write(tmp_path / "out")
    assert release.suppressed == 2
    verdict = sf.audit(tmp_path / "out", policy, tmp_path / "out.internal.json")
    assert verdict.holds
    assert [each.model for each in verdict.criteria] == ["simple-l", "left-out-rows", "suppression"]
    swapped = [{"values": ["x"], "rows": 1}, {"values": ["z"], "rows": 1}]
    problems = forged(tmp_path, policy, suppressed=swapped).problems
    assert any("do not occur as often as originally less what is published" in problem for problem in problems)


@pytest.mark.parametrize("values", [("Flu", "flu"), ("X", "x"), ("Flu", "flu ")])
def test_spellings_of_dropped_rows_are_no_different_values(values: tuple[str, str], tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"town": list("AAAABB"), "age": [1, 2, 3, 4, None, None], "sym": ["x", "y", "x", "y", *values]}
    )
    columns: dict[str, Any] = {
        "town": {"role": "quasi"},
        "age": {"role": "quasi", "type": "integer", "missing": "drop"},
        "sym": {"role": "sensitive"},
    }
    policy: dict[str, Any] = {"columns": columns, "privacy": [{"model": "simple-l", "l": 2}]}
    policy["form"] = {"publish": "permuted"}
    with pytest.raises(sf.TableError, match="would count as different secrets"):
        sf.publish(frame, policy=policy, seed=0)
    said = {**policy, "columns": {**columns, "sym": {"role": "sensitive", "same": "none"}}}
    written = sf.publish(frame, policy=said, seed=0).write(tmp_path / "out")
    assert sf.audit(tmp_path / "out", said, written.manifest).holds
    told = {**json.loads(written.manifest.read_text(encoding="utf-8")), "policy_sha256": sf.read_policy(policy).digest}
    verdicts = {each.model: each.verdict for each in sf.audit(tmp_path / "out", policy, told).criteria}
    assert verdicts["left-out-rows"] == "undecidable", "who does not say that they differ is not told that they do"
