"""Policies that are too deep, too long or too large: an error that says so, never a crash."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sfumato as sf

BASE: dict[str, Any] = {
    "version": 1,
    "columns": {"age": {"role": "quasi", "type": "number"}, "disease": {"role": "sensitive"}},
    "privacy": [{"model": "k-anonymity", "k": 2}],
}
TEXT = """\
version: 1
columns:
  age: {role: quasi}
  disease: {role: sensitive}
privacy:
  - {model: k-anonymity, k: K}
"""
DEEP = 20_000


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.yaml", "a: " + "[" * DEEP + "]" * DEEP),
        ("p.yaml", "{a: " * DEEP + "1" + "}" * DEEP),
        ("p.yaml", TEXT.replace("K", "[" * 900 + "]" * 900)),
        ("p.yaml", TEXT.replace("K", "{a: " * 300 + "1" + "}" * 300)),
        ("p.json", "[" * DEEP + "]" * DEEP),
        ("p.json", '{"a":' * DEEP + "1" + "}" * DEEP),
        ("p.toml", "a = " + "[" * DEEP + "]" * DEEP),
        ("p.toml", ".".join(["a"] * DEEP) + " = 1"),
        ("p.toml", "[" + ".".join(["a"] * DEEP) + "]"),
    ],
    ids=lambda given: given[:10],
)
def test_a_policy_that_is_nested_too_deeply(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(sf.PolicyError, match="nested too deeply"):
        sf.read_policy(tmp_path / name)


def test_a_tree_that_is_nested_too_deeply() -> None:
    tree: Any = ["1", "2"]
    for level in range(400):
        tree = {f"n{level}": tree}
    columns = {**BASE["columns"], "age": {"role": "quasi", "hierarchy": {"tree": tree}}}
    with pytest.raises(sf.PolicyError, match="nested too deeply"):
        sf.read_policy({**BASE, "columns": columns})


def test_a_policy_that_contains_itself() -> None:
    loop: dict[str, Any] = dict(BASE)
    loop["columns"] = loop
    with pytest.raises(sf.PolicyError, match="nested too deeply"):
        sf.read_policy(loop)


@pytest.mark.parametrize(
    "number", ["1" * 5000, "-" + "9" * 4301, "'" + "1" * 5000 + "'"], ids=["plain", "minus", "text"]
)
def test_a_number_with_too_many_digits(tmp_path: Path, number: str) -> None:
    (tmp_path / "p.yaml").write_text(TEXT.replace("K", number), encoding="utf-8")
    with pytest.raises(sf.PolicyError, match="too many digits"):
        sf.read_policy(tmp_path / "p.yaml")


@pytest.mark.parametrize("value", ["!!int abc", "!!float abc", "!!bool abc", "!!timestamp abc", "!!binary abc"])
def test_a_value_that_does_not_fit_its_tag(tmp_path: Path, value: str) -> None:
    (tmp_path / "p.yaml").write_text(TEXT.replace("K", value), encoding="utf-8")
    with pytest.raises(sf.PolicyError):
        sf.read_policy(tmp_path / "p.yaml")


def test_more_work_than_can_be_counted() -> None:
    with pytest.raises(sf.PolicyError, match="work"):
        sf.read_policy({**BASE, "partition": {"method": "mondrian", "polish": {"work": 1e30}}})


@pytest.mark.parametrize(
    "bins",
    [
        {"width": "1e-300"},
        {"width": "1e-400"},
        {"width": "1e400"},
        {"width": 10, "origin": "1e400"},
        ["-1e400", "1e400"],
    ],
    ids=str,
)
def test_bins_that_numbers_have_no_common_scale_with(bins: Any) -> None:
    import polars as pl

    columns = {"age": {"role": "sensitive", "type": "number", "bins": bins}, "disease": {"role": "quasi"}}
    policy = {**BASE, "columns": columns, "privacy": [{"model": "distinct-l", "l": 1}]}
    frame = pl.DataFrame({"age": [1e10, 2.5, 3.0, -4e20], "disease": ["a", "b", "a", "b"]})
    with pytest.raises(sf.TableError, match="column 'age': its bins are too narrow, too wide or too far off"):
        sf.publish(frame, policy=policy, seed=1)
