"""Runs of a session side by side."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording
from sfumato.workbench.desk import KeptRun
from sfumato.workbench.parts import form, hidden

__all__ = ["runs_table"]


def runs_table(runs: Sequence[KeptRun], shown: KeptRun, words: Wording) -> Markup:
    """A row for each: what was promised, how, what is kept, given away and left out."""
    names = ("promise", "smallest", "kept", "matches", "left")
    head = [
        tag("th", words(f"runs.{name}"), class_="number" if name in names[1:] else None, scope="col") for name in names
    ]
    head.append(tag("th", tag("span", words("runs.show"), class_="hush"), scope="col"))
    return tag(
        "table",
        tag("thead", tag("tr", head)),
        tag("tbody", (_row(run, run is shown, words) for run in runs)),
        class_="runs",
    )


def _row(run: KeptRun, shown: bool, words: Wording) -> Markup:
    facts = run.made.facts
    titles = words("numbers.and").join(each.title for each in facts.criteria if each.asked)
    loss = words("numbers.nothing") if facts.loss is None else words.percent(1 - facts.loss.value)
    left = words("numbers.nothing") if facts.rows is None else words.count(facts.rows.suppressed)
    matches = words("numbers.nothing") if facts.risk is None else words.percent(facts.risk.mean)
    choose: Child = tag("b", words("runs.shown"))
    if not shown:
        label = tag("span", f" {run.number}", class_="hush")
        choose = form("/show", hidden("run", str(run.number)), tag("button", words("runs.show"), label, class_="plain"))
    return tag(
        "tr",
        tag("td", titles, tag("br"), tag("span", f"{facts.method}, {facts.form}", class_="soft"), class_="small"),
        tag("td", words.count(facts.smallest), class_="number"),
        tag("td", loss, class_="number"),
        tag("td", matches, class_="number"),
        tag("td", left, class_="number"),
        tag("td", choose),
    )
