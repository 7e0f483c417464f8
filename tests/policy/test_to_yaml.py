"""A policy written as YAML is the policy that it was written from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.demo.hospital import write_demo
from sfumato.policy.yaml import parse_yaml, to_yaml
from tests.support.examples import examples

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8
) | st.sampled_from(["on", "null", "true", "2020", "- a", "a: b", "#", "{x}", "'", '"', " ", "1e3", "0x1", "~"])
VALUES = st.recursive(
    NAMES | st.integers() | st.booleans() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner),
    max_leaves=6,
)


@given(st.dictionaries(NAMES, VALUES, max_size=4))
@settings(max_examples=examples(200), deadline=None)
def test_what_is_written_is_read(document: dict[str, Any]) -> None:
    assert (parse_yaml(to_yaml(document), "here") or {}) == document


def test_the_demo_policy(tmp_path: Path) -> None:
    policy = sf.read_policy(write_demo(tmp_path, 10).policy)
    text = to_yaml(policy.as_dict())
    assert "  age: {role: quasi, type: integer, hierarchy: {intervals: [5, 10, 20]}}" in text
    assert "  - {model: entropy-l, l: 3, on: disease}" in text
    (tmp_path / "again.yaml").write_text(text, encoding="utf-8")
    assert sf.read_policy(tmp_path / "again.yaml").digest == policy.digest
