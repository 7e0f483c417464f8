"""Prefixes of codes, hierarchies that come with the package, and what the data dictionary says of their labels."""

from __future__ import annotations

import json
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli.main import app
from sfumato.errors import HierarchyError
from sfumato.taxonomy.prefixes import prefixes
from sfumato.taxonomy.ready import READY
from sfumato.taxonomy.ready.countries import _entries
from sfumato.taxonomy.ready.icd import icd9, icd10


class TestPrefixes:
    CODES = ("25", "250", "250.01", "250.83", "401", "V57", "V57.1")

    def test_codes_of_unequal_length_meet_by_how_they_begin(self) -> None:
        tree = prefixes(self.CODES, [3, 1])
        paths = [list(tree.path(code)) for code in range(tree.size)]
        assert paths[0] == ["25", "2*", "*"]  # shorter than the prefix: it stands for itself
        assert paths[1] == ["250", "250*", "2*", "*"]
        assert paths[2] == ["250.01", "250*", "2*", "*"]
        assert paths[4] == ["401", "401*", "4*", "*"]
        assert paths[6] == ["V57.1", "V57*", "V*", "*"]

    @given(st.sets(st.text("12.V", min_size=1, max_size=5), min_size=1, max_size=20))
    @settings(deadline=None)
    def test_a_node_holds_exactly_what_begins_so(self, codes: set[str]) -> None:
        tree = prefixes(sorted(codes), [3, 2, 1])
        for node in range(tree.size, tree.root):
            below = set(tree.leaves[tree.first[node] : tree.last[node] + 1])
            assert below == {code for code in codes if code.startswith(tree.labels[node].removesuffix("*"))}

    def test_lengths_must_shrink_and_stars_are_refused(self) -> None:
        with pytest.raises(HierarchyError, match="shorter than the one before"):
            prefixes(["a"], [1, 3])
        with pytest.raises(HierarchyError, match="2 distinct values contain"):
            prefixes(["a*", "b*", "c"], [1])

    def test_a_policy_asks_for_them(self) -> None:
        spec = {"role": "quasi", "hierarchy": {"prefix": [1, 3]}, "type": "integer"}
        policy = {"columns": {"code": spec}, "privacy": [{"model": "k-anonymity", "k": 2}]}
        with pytest.raises(sf.PolicyError) as caught:
            sf.read_policy(policy)
        assert "each prefix must be shorter" in str(caught.value) and "type: text" in str(caught.value)


class TestReady:
    @pytest.mark.parametrize(
        ("name", "value", "path"),
        [
            ("ages", 17, ["[15, 20)", "[15, 25)", "[15, 65)"]),
            ("ages", 101, ["[90, inf)", "[65, inf)", "[65, inf)"]),
            ("incomes", 49_999.5, ["[35000, 50000)", "[25000, 50000)", "[0, 50000)"]),
            ("countries", "Norway", ["Northern Europe", "Europe"]),
            ("countries", "JPN", ["Eastern Asia", "Asia"]),
            ("dates", date(1999, 12, 31), ["1999-12", "1999-Q4", "1999", "1990s"]),
            ("icd9", "8.45", ["008*", "001\u2013009", "001\u2013139"]),
            ("icd9", "V57", ["V57*", "V50\u2013V59", "V01\u2013V91"]),
            ("icd9", "E909", ["E909*", "E900\u2013E909", "E000\u2013E999"]),
            ("icd10", "I21.4", ["I21*", "I20\u2013I25", "I00\u2013I99"]),
            ("icd10", "c509", ["C50*", "C50*", "C00\u2013D48"]),
        ],
    )
    def test_where_a_value_belongs(self, name: str, value: Any, path: list[str]) -> None:
        assert list(READY[name].place(value) or ()) == path

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("ages", -1),
            ("countries", "Atlantis"),
            ("icd9", "25001"),
            ("icd9", "?"),
            ("icd10", "250.1"),
            ("icd10", "D49"),
        ],
    )
    def test_what_it_does_not_know(self, name: str, value: Any) -> None:
        assert READY[name].place(value) is None

    def test_every_label_means_something(self) -> None:
        for ready in READY.values():
            labels = [*ready.labels(), *(ready.place(ready.example) or ())]
            assert all(ready.meaning(label) for label in labels)
            assert ready.meaning("no such label") is None

    def test_countries_are_those_of_iso_3166(self) -> None:
        entries = _entries()
        assert len(entries) == len({two for two, *_ in entries}) == len({each[1] for each in entries}) == 249
        assert all(two.isupper() and len(two) == 2 and len(three) == 3 for two, three, *_ in entries)
        assert len({(part, region) for *_, part, region in entries}) == 23

    @pytest.mark.parametrize("scheme", [icd9(), icd10()], ids=["icd9", "icd10"])
    def test_chapters_and_blocks_nest_and_do_not_overlap(self, scheme: Any) -> None:
        chapters = [chapter for chapter, _ in scheme.chapters]
        assert len(chapters) in (19, 22)
        for parts in (chapters, *(blocks for _, blocks in scheme.chapters)):
            ends = [end for part in parts for end in (part.first, part.last)]
            assert ends == sorted(ends) and all(one.last < two.first for one, two in pairwise(parts))
        for chapter, blocks in scheme.chapters:
            assert all(block.first in chapter and block.last in chapter for block in blocks)

    def test_unknown_values_are_an_error_or_a_group(self) -> None:
        frame = pl.DataFrame({"code": ["250.1", "secret", "428"]})
        with pytest.raises(HierarchyError) as caught:
            sf.build_hierarchy(frame, "code", {"ready": "icd9"})
        assert "1 of 3 distinct values (1 rows) are not known" in str(caught.value)
        assert "secret" not in str(caught.value)
        tree = sf.build_hierarchy(frame, "code", {"ready": "icd9", "unknown": "other"})
        assert list(tree.path(2)) == ["secret", "other", "*"]

    def test_the_type_must_fit(self) -> None:
        with pytest.raises(HierarchyError, match="needs the column's type: integer or number"):
            sf.build_hierarchy(pl.DataFrame({"age": ["3"]}), "age", {"ready": "ages"}, type="text")


def release_of(column: dict[str, Any], values: list[str], base: Path | None = None) -> sf.Release:
    frame = pl.DataFrame({"q": values, "s": ["a", "b"] * (len(values) // 2)})
    policy = {
        "columns": {"q": {"role": "quasi", **column}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": len(values)}],
    }
    if base is None:
        return sf.publish(frame, policy=policy, seed=1)
    (base / "policy.json").write_text(json.dumps(policy), encoding="utf-8")
    return sf.publish(frame, policy=base / "policy.json", seed=1)


def meanings(release: sf.Release) -> dict[str, str]:
    return dict(release.published.dictionary["q"]["values"])


class TestDictionary:
    def test_public_hierarchies_say_what_a_label_covers(self) -> None:
        assert meanings(release_of({"hierarchy": {"prefix": [3]}}, ["250.1", "250.2"])) == {
            "250*": "any value beginning with 250"
        }
        assert meanings(release_of({"hierarchy": {"ready": "icd10"}}, ["E11.9", "E10"])) == {
            "E10\u2013E14": "any code from E10 to E14"
        }
        found = meanings(release_of({"hierarchy": {"ready": "countries"}}, ["DE", "FR"]))
        assert found["Western Europe"].startswith("any of 9 countries: Austria, Belgium, France, Germany")

    def test_a_file_is_listed_only_if_the_policy_declares_it_public(self, tmp_path: Path) -> None:
        (tmp_path / "race.csv").write_text("White;*;*\nBlack;not white;*\nAsian;not white;*\n", encoding="utf-8")
        kept = {"hierarchy": {"file": "race.csv", "header": False}}
        assert meanings(release_of(kept, ["Black", "Asian"], tmp_path)) == {
            "not white": "any of 2 values of the hierarchy"
        }
        told = {"hierarchy": {**kept["hierarchy"], "public": True}}
        assert meanings(release_of(told, ["Black", "Asian"], tmp_path)) == {
            "not white": "any of 2 values of the hierarchy: Black, Asian"
        }

    @pytest.mark.parametrize(
        ("column", "values"),
        [
            ({"hierarchy": {"prefix": [3]}}, ["250.1", "250.2"]),
            ({"hierarchy": {"ready": "icd10"}}, ["E11.9", "E10"]),
            ({"hierarchy": {"ready": "countries"}}, ["DE", "FR"]),
            ({"hierarchy": {"balanced": {"fanout": 2}}}, ["b", "c", "x", "y"]),
        ],
    )
    def test_the_auditor_finds_other_words(self, column: dict[str, Any], values: list[str], tmp_path: Path) -> None:
        release = release_of(column, values)
        release.write(tmp_path / "out")
        policy = release.source.policy
        assert sf.audit(tmp_path / "out", policy).holds
        file = tmp_path / "out" / "release.json"
        document = json.loads(file.read_text(encoding="utf-8"))
        entry = document["dictionary"]["q"]["values"]
        entry[next(iter(entry))] += ", and Ann is one of them"
        file.write_text(json.dumps(document), encoding="utf-8")
        assert not sf.audit(tmp_path / "out", policy).holds


def test_the_command_lists_and_shows_them() -> None:
    listed = CliRunner().invoke(app, ["hierarchy", "ready"])
    assert listed.exit_code == 0 and all(name in listed.stdout for name in READY)
    shown = CliRunner().invoke(app, ["hierarchy", "ready", "icd10"])
    assert "World Health Organization" in shown.stdout and "E10\u2013E14  any code from E10 to E14" in shown.stdout
    wrong = CliRunner().invoke(app, ["hierarchy", "ready", "nothing"])
    assert isinstance(wrong.exception, sf.InputError) and "there are ages" in str(wrong.exception)
