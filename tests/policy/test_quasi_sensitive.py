"""Quasi-sensitive columns and promises about them, as a policy says them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sfumato.errors import PolicyError
from sfumato.policy.document import Policy, policy_schema
from sfumato.policy.load import read_policy
from sfumato.policy.methods import Mondrian
from sfumato.policy.promises import QsCL, QsT
from sfumato.policy.steps import TermSuppression

LABELS = {"labels": {"flu": ["cough"], "cold": ["cough"]}}


def made(privacy: Any = None, base: Path | None = None, **column: Any) -> Policy:
    spec = {"role": "quasi-sensitive", "separator": "|", "knowledge": LABELS, **column}
    columns = {"age": {"role": "quasi"}, "terms": {key: value for key, value in spec.items() if value is not None}}
    promises = privacy or [{"model": "qs-cl", "c": 1, "l": 2}]
    return read_policy({"columns": columns, "privacy": promises}, base=base)


def mistakes(**how: Any) -> set[str]:
    with pytest.raises(PolicyError) as error:
        made(**how)
    return {problem.path for problem in error.value.problems}


def test_defaults() -> None:
    policy = made()
    column = policy.columns["terms"]
    assert (column.unknown, column.lengths, policy.sets, policy.secret) == ("drop", "hidden", ("terms",), ("terms",))
    assert read_policy(policy.as_dict()) == policy


@pytest.mark.parametrize(
    ("column", "path"),
    [
        ({"knowledge": None}, "columns.terms.knowledge"),
        ({"knowledge": {"fil": "k.csv"}}, "columns.terms.knowledge"),
        ({"knowledge": {"file": "no.csv"}}, "columns.terms.knowledge.file"),
        ({"type": "integer"}, "columns.terms.type"),
        ({"hierarchy": "flat"}, "columns.terms.hierarchy"),
        ({"order": ["a"]}, "columns.terms.order"),
        ({"separator": " "}, "columns.terms.separator"),
        ({"separator": "*"}, "columns.terms.separator"),
        ({"binary": ["age"]}, "columns.terms.binary"),
        ({"binary": ["a", "a"]}, "columns.terms.binary"),
        ({"binary": ["a"], "wide": ["b"]}, "columns.terms.wide"),
    ],
)
def test_mistakes_are_named(column: dict[str, Any], path: str) -> None:
    assert path in mistakes(**column)


def test_only_a_quasi_sensitive_column_has_its_settings() -> None:
    with pytest.raises(PolicyError, match=r"columns.age.separator"):
        columns = {"age": {"role": "quasi", "separator": "|"}}
        read_policy({"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]})


def test_a_promise_needs_its_column() -> None:
    with pytest.raises(PolicyError, match="needs a column with the role 'quasi-sensitive'"):
        read_policy({"columns": {"age": {"role": "quasi"}}, "privacy": [{"model": "qs-cl", "c": 1, "l": 2}]})
    assert mistakes(privacy=[{"model": "qs-cl", "c": 1, "l": 2, "on": "age"}]) == {"privacy[0].on"}


def test_columns_without_a_promise_are_known() -> None:
    assert made([{"model": "k-anonymity", "k": 2}]).unpromised == ("terms",)
    assert made().unpromised == ()


def test_the_digest_follows_the_knowledge_file(tmp_path: Path) -> None:
    file = tmp_path / "k.csv"
    digests = []
    for text in ("label,term\nflu,cough\n", "label,term\nflu,fever\n"):
        file.write_text(text, encoding="utf-8")
        digests.append(made(knowledge={"file": "k.csv"}, base=tmp_path).digest)
    assert digests[0] != digests[1]


def test_promises_are_exact_and_checked() -> None:
    assert made([{"model": "qs-t", "t": 0.4, "distance": "emd"}]).privacy == (QsT("2/5", distance="emd"),)
    assert QsT(1, prior={"b": "1/3", "a": "2/3"}) == QsT(1, prior={"a": "2/3", "b": "1/3"})
    for wrong in ({"a": "1/3"}, {"a": 0, "b": 1}, "guess"):
        with pytest.raises(PolicyError, match="prior"):
            QsT(1, prior=wrong)
    for c, l in ((0, 2), (1, 0)):
        with pytest.raises(PolicyError):
            QsCL(c, l)


def test_suppression_of_terms_is_a_setting_of_every_method() -> None:
    assert Mondrian(terms=True).terms == TermSuppression()
    assert Mondrian(terms=False).terms is None
    assert Mondrian.model_validate({"terms": {"search": "dfs", "balance": 0.25}}).terms is not None
    with pytest.raises(ValueError, match="balance"):
        Mondrian.model_validate({"terms": {"balance": 2}})


def test_the_schema_knows_it() -> None:
    text = str(policy_schema())
    assert "qs-cl" in text
    assert "KnowledgeFile" in text
