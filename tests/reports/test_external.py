"""The external edition holds nothing but what release and policy tell, less what was before; in every form."""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.policy.forms import FORMS
from sfumato.reports.facts import ReportFacts
from sfumato.reports.report import Report
from tests.support.examples import examples

pytestmark = pytest.mark.filterwarnings("ignore::sfumato.SfumatoWarning")  # of what columns tell together

MADE = date(2026, 1, 2)
SEALED = ("ring", "randomized")
"""Forms of which only the manifest tells whether a promise is kept."""
COLUMNS: dict[str, Any] = {
    "kennung": {"role": "identifier"},
    "notiz": {"role": "drop"},
    "gewicht": {"role": "weight"},
    "lohn": {"role": "quasi", "type": "integer"},
    "ort": {"role": "quasi"},
    "plz": {"role": "quasi", "hierarchy": {"mask": "right"}},
    "station": {"role": "insensitive"},
    "befund": {"role": "sensitive"},
}
UNSHOWN = ("kennung", "notiz", "gewicht")


def table(seed: int, rows: int) -> pl.DataFrame:
    """Cells that nothing else in a report looks like, of which no secret fills more than a half; some are rare."""
    draw = random.Random(seed)
    kinds = draw.randrange(4, 8)
    secrets = [f"qzB{place % kinds}" for place in range(rows)]
    secrets[0] = "qzBseldom"
    draw.shuffle(secrets)
    alike = draw.choice([3, 50])
    return pl.DataFrame(
        {
            "kennung": [f"qzK{seed}-{place}" for place in range(rows)],
            "notiz": [f"qzN{draw.randrange(9)}" for _ in range(rows)],
            "gewicht": [draw.choice([3.1415, 2.7182]) for _ in range(rows)],
            "lohn": [7_310_000 + 137 * draw.randrange(alike) for _ in range(rows)],
            "ort": [f"qzO{draw.randrange(5)}" for _ in range(rows)],
            "plz": [f"84{draw.randrange(3)}9{draw.randrange(3)}" for _ in range(rows)],
            "station": [f"qzS{draw.randrange(2)}" for _ in range(rows)],
            "befund": secrets,
        }
    )


def policy_of(form: str) -> dict[str, Any]:
    return {
        "columns": COLUMNS,
        "privacy": [{"model": "simple-l", "l": 2}],
        "partition": {"method": "mondrian", **({"slack": 1} if form == "randomized" else {})},
        "form": {"publish": form},
        "suppression": {"limit": 1},
    }


@dataclass(frozen=True)
class Case:
    """A written release with its report as the holder makes it, and as anybody does who has release and policy."""

    source: Path
    frame: pl.DataFrame
    manifest: dict[str, Any]
    released: str
    held: Report
    again: Report


def case_of(folder: Path, form: str, seed: int, rows: int) -> Case:
    source, frame, policy = folder / "qzquelle.csv", table(seed, rows), policy_of(form)
    frame.write_csv(source)
    written = sf.publish(source, policy=policy).write(folder / "out")
    held = sf.report(folder / "out", policy, written.manifest, original=source, made=MADE)
    again = sf.report(folder / "out", policy, made=MADE)
    released = "".join(file.read_text(encoding="utf-8") for file in written.files)
    manifest = json.loads(written.manifest.read_text(encoding="utf-8"))
    return Case(source, frame, manifest, released, held, again)


def renderings(report: Report) -> Iterator[str]:
    """All that can be handed on."""
    yield report.json("external")
    for language in ("en", "de"):
        yield report.html("external", language)
        yield report.markdown("external", language)


def less_before(facts: ReportFacts) -> ReportFacts:
    """Without what only who has the original knows."""
    risk = facts.risk
    if risk is not None:
        thresholds = tuple(replace(each, before=None) for each in risk.thresholds)
        risk = replace(risk, worst_before=None, mean_before=None, alone_before=None, thresholds=thresholds)
    return replace(
        facts,
        risk=risk,
        columns=tuple(replace(each, loss=None) for each in facts.columns),
        sizes=tuple(replace(each, before=None) for each in facts.sizes),
        secrets=tuple(replace(each, before=None) for each in facts.secrets),
        loss=None,
    )


def looked_up(document: Any, key: str = "") -> Iterator[float]:
    """Every figure for which the original was looked at."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from looked_up(value, name if name != "value" else key)
    elif isinstance(document, list):
        for value in document:
            yield from looked_up(value, key)
    elif isinstance(document, (int, float)) and ("before" in key or key in ("loss", "correspondence")):
        yield document


def in_whole_percents(share: float) -> bool:
    return round(share, 2) == share and 0 <= share <= 1


def stands_in(told: str, text: str) -> bool:
    """Whether a cell is there, and not only its digits within those of a share such as 37/44."""
    return re.search(rf"(?<![\d.]){re.escape(told)}(?!\d)", text) is not None


def tells_nothing_else(case: Case) -> None:
    key, digest, of_policy = case.manifest["key_id"], case.manifest["input"]["sha256"], case.manifest["policy_sha256"]
    hidden = [case.source.stem, str(case.source.parent), key, digest[:8], of_policy[:8], *UNSHOWN]
    cells = {str(cell) for name in case.frame.columns for cell in case.frame[name].to_list()}
    unshown = {cell for cell in cells if cell not in case.released}
    assert len(unshown) >= case.frame.height  # at least everybody's identifier
    for text in renderings(case.held):
        assert not [each for each in (*hidden, *unshown) if stands_in(each, text)]
        assert not re.search("anonym", text, re.IGNORECASE)
    assert all(each in case.held.json() for each in (key, digest, case.source.stem))  # and the holder's has it
    figures = [*looked_up(json.loads(case.held.json("external")))]
    assert figures and all(map(in_whole_percents, figures))


def is_made_again(case: Case, form: str) -> None:
    """To the byte, less what was before; and, where only the manifest can judge, less that."""
    shared, found = case.held.shared, case.again.shared
    assert case.held.facts.outcome == shared.outcome == "met"
    if form in SEALED:
        assert found.outcome == "undecidable" and all(each.by_holder and not each.level for each in shared.criteria)
        assert shared.risk is not None
        figures = [shared.risk.mean, *(share for each in shared.secrets for share in (each.mean, each.worst))]
        assert all(map(in_whole_percents, (*figures, *(each.after for each in shared.risk.thresholds))))
        shared = replace(shared, outcome=found.outcome, criteria=found.criteria, risk=found.risk, secrets=found.secrets)
    else:
        assert not any(each.by_holder for each in shared.criteria)
    less = Report(case.held.facts, lambda: less_before(shared))
    for mine, theirs in zip(renderings(less), renderings(case.again), strict=True):
        assert mine == theirs


@pytest.mark.parametrize("form", [*FORMS])
@settings(max_examples=examples(40, 2))
@given(seed=st.integers(0, 10**6), rows=st.integers(12, 60))
def test_nothing_is_told_but_what_release_and_policy_tell(form: str, seed: int, rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        case = case_of(Path(folder), form, seed, rows)
        tells_nothing_else(case)
        is_made_again(case, form)


def test_what_only_the_holder_can_judge_is_said() -> None:
    """t-closeness to a table of which rows were left out is decided by the manifest."""
    policy = {
        **policy_of("generalized"),
        "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "t-closeness", "t": "1/2"}],
        "partition": {"method": "lattice"},
        "suppression": {"limit": 0.5},
    }
    release = sf.publish(table(7, 60), policy=policy, seed=1)
    assert release.suppressed
    report = sf.report(release, made=MADE)
    told = {each.promise: (each.by_holder, each.level) for each in report.shared.criteria}
    assert told["k-anonymity"] == (False, report.facts.criteria[0].level) and told["t-closeness"] == (True, "")
    assert "the release alone cannot show it" in report.html("external")
    assert "the release alone cannot show it" not in report.html()
