"""What is printed of a value is one line that says what it is, and no dump of what it holds."""

from __future__ import annotations

from typing import Any

import pytest

import sfumato as sf
from sfumato.policy.forms import FORMS
from sfumato.policy.methods import METHODS
from sfumato.policy.promises import PROMISES
from sfumato.policy.steps import STEPS
from tests.notebook.results import CODES, SECRET, results

LINES = {
    "Audit": "<Audit: every criterion is met; 40 rows in 8 groups>",
    "Compared": "<Compared: 2 of 3 ways keep the promise; nothing beats mondrian>",
    "Job": "<Job on 40 rows: k-anonymity (k=4) and distinct-l (l=2); native; cautions: 0>",
    "Suggestions": "<Suggestions for 4 columns, of which a person has to decide 1>",
    "Taxonomy": "<Taxonomy: 40 values in 7 levels>",
    "Tried": "<Tried: mondrian: kept, loss 0.2000>",
}


@pytest.mark.parametrize("name", sorted(results()))
def test_results_say_what_they_are_in_a_line(name: str) -> None:
    line = repr(results()[name])
    assert line.startswith(f"<{name}") and "\n" not in line and len(line) < 320
    assert not [code for code in CODES if code in line] and "Fraction" not in line and "array" not in line
    assert line == LINES.get(name, line)


def test_settings_and_promises_are_printed_as_they_are_made() -> None:
    names: dict[str, Any] = {name: getattr(sf, name) for name in sf.__all__}
    made: list[Any] = [each for table in (METHODS, FORMS) for kind in table.values() for each in kind.variants()]
    made += [kind.model_validate({}) for kind in STEPS.values()] + [kind.sample() for kind in PROMISES.values()]
    made += [sf.Mondrian(steps=[{"step": "refine", "residuals": "own"}, "polish"]), sf.KAnonymity(2) & sf.DistinctL(3)]
    made += [sf.Randomized(retention="1/3"), sf.KAnonymity(3, (("age", "sex"), ("zip",)))]
    for each in made:
        if "<" not in repr(each):  # values of the data are told by their number alone
            assert eval(repr(each), names) == each
    assert repr(sf.PdRecursive(2, 2, (SECRET,))) == "PdRecursive(c=2, l=2, disclosable=<1 value>)"
    assert repr(sf.TauL("1/2", 2, {SECRET: 3})) == "TauL(tau=0.5, l=2, weights=<1 value>)"
    assert [repr(each) for each in (sf.Mondrian(), sf.Auto(), sf.Generalized())] == [
        "Mondrian()",
        "Auto()",
        "Generalized()",
    ]
