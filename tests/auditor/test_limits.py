"""What may be suppressed is a criterion, and the first line of an audit says what is the matter."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.auditor.audit import audit
from sfumato.auditor.verdict import Audit
from tests.support.auditing import blocks, policy_of, write_release

K2 = {"model": "k-anonymity", "k": 2}
TABLE = blocks("a b", "a b c")


def limits(verdict: Audit) -> dict[str | None, tuple[str, object]]:
    return {each.on: (each.verdict, each.level) for each in verdict.criteria if each.model == "suppression"}


@pytest.mark.parametrize(("limit", "met"), [("0", False), ("0.28", False), ("2/7", True), ("1", True)])
@pytest.mark.parametrize("manifest", [False, True])
def test_rows_suppressed_beyond_the_limit_fail(tmp_path: Path, limit: str, met: bool, manifest: bool) -> None:
    """Two of seven, by the document's own word."""
    policy = policy_of(K2, suppression={"limit": limit})
    original = pl.concat([TABLE, blocks("a b")])
    sealed = write_release(tmp_path, TABLE, policy, suppressed=2, original=original)
    verdict = audit(tmp_path, policy, sealed if manifest else None)
    assert limits(verdict) == {None: ("holds" if met else "fails", Fraction(2, 7))}
    assert verdict.holds is met and not verdict.problems


def test_kept_rows_count_among_those_that_are_shown(tmp_path: Path) -> None:
    """Two rows of `*` among seven are two of seven, not of nine."""
    shown = pl.concat([TABLE, pl.DataFrame({"q": ["*", "*"], "s": ["a", "b"]})])
    policy = policy_of(K2, suppression={"limit": "2/7", "keep": True})
    write_release(tmp_path, shown, policy, suppressed=2, kept=True)
    assert limits(audit(tmp_path, policy))[None][0] == "holds"


def test_where_nothing_is_suppressed_there_is_nothing_to_judge(tmp_path: Path) -> None:
    policy = policy_of(K2)
    write_release(tmp_path, TABLE, policy)
    assert limits(audit(tmp_path, policy)) == {}


TREE = {"hierarchy": {"tree": {"anywhere": {"west": ["g0"], "east": ["g1"]}}}}


@pytest.mark.parametrize(("cells", "spec"), [(["*", "*", "g1", "g1"], {}), (["anywhere", "*", "east", "east"], TREE)])
@pytest.mark.parametrize(("limit", "verdict"), [("0.5", "holds"), ("0.49", "fails")])
def test_cells_that_say_nothing_are_counted(cells: list[str], spec: dict[str, Any], limit: str, verdict: str) -> None:
    """Half of the cells, whether they say `*` or what the hierarchy calls everything."""
    table = pl.DataFrame({"q": cells, "s": list("abab")})
    policy = policy_of(
        {"model": "k-anonymity", "k": 1},
        columns={"q": {"role": "quasi", **spec}},
        suppression={"columns": {"q": limit}},
    )
    assert limits(audit(table, policy))["q"][0] == verdict


def headline(verdict: Audit) -> str:
    return verdict.summary().split("\n")[0]


def test_the_first_line_says_what_is_the_matter(tmp_path: Path) -> None:
    held, close = policy_of(K2), policy_of(K2, {"model": "t-closeness", "t": 1})
    for name, policy in (("held", held), ("close", close)):
        write_release(tmp_path / name, TABLE, policy)
    size = "5 rows in 2 groups, suppressed rows: 0"
    assert headline(audit(tmp_path / "held", held)) == f"every criterion is met: {size}"
    told = "nothing fails, but 1 of 2 criteria cannot be decided"
    assert headline(audit(tmp_path / "close", close)) == f"{told}: {size}"
    for name in ("held", "close"):
        (tmp_path / name / "stray.txt").write_text("")
    fault = "the release has 1 problem"
    assert headline(audit(tmp_path / "held", held)) == f"every criterion is met, but {fault}: {size}"
    assert headline(audit(tmp_path / "close", close)) == f"{told}, and {fault}: {size}"
    strict = policy_of({"model": "k-anonymity", "k": 5})
    assert headline(audit(TABLE, strict)) == "not every criterion is met: 5 rows in 2 groups, suppressed rows: unknown"


def test_one_row_is_no_rows() -> None:
    told = headline(audit(blocks("a"), policy_of({"model": "k-anonymity", "k": 1})))
    assert told == "every criterion is met: 1 row in 1 group, suppressed rows: unknown"


@pytest.mark.parametrize(
    ("privacy", "form", "method", "told"),
    [
        (["k-anonymity", "distinct-l"], "permuted", "mondrian", "k-anonymity speaks of rows"),
        (["distinct-l", "alpha-k", "k-anonymity"], "anatomized", "mondrian", "alpha-k and k-anonymity speak of rows"),
        (["distinct-l", "k-anonymity"], "ring", "mondrian", "k-anonymity speaks of rows"),
        (["distinct-l", "pairwise-l"], "permuted", "mondrian", "survive merging; pairwise-l does not"),
        (["distinct-l", "t-closeness"], "permuted", "anatomy", "no number of them that keeps t-closeness"),
    ],
)
def test_the_promise_that_does_not_fit_is_named(privacy: list[str], form: str, method: str, told: str) -> None:
    examples: dict[str, dict[str, Any]] = {
        "k-anonymity": {"k": 2},
        "alpha-k": {"alpha": "1/2", "k": 2},
        "t-closeness": {"t": "0.5"},
    }
    asked = [{"model": name, **examples.get(name, {"l": 2})} for name in privacy]
    policy = policy_of(*asked, form={"publish": form}, partition={"method": method})
    with pytest.raises(sf.Refused) as caught:
        sf.publish(TABLE, policy=policy, seed=1)
    assert told in str(caught.value) and " and ".join(privacy) not in str(caught.value)
