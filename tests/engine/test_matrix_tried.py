"""What the matrix declares is what a run does, settings that are not the default included."""

from __future__ import annotations

from functools import cache
from itertools import product
from operator import attrgetter
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.policy.forms import FORMS
from sfumato.policy.methods import METHODS, Method
from tests.support.examples import some

# Every value as often as any other in every place, so that no promise fails for want of rows.
FRAME = pl.DataFrame(
    [
        {"id": str(place * 8 + copy % 4), "q": str(place), "s": value, "u": other, "t": value}
        for place in range(4)
        for copy, (value, other) in enumerate(product("abcd", "abcd"))
    ]
)
SWITCHES: tuple[dict[str, Any], ...] = ({}, {"refine": True}, {"terms": True})
TREE = {"ab": ["a", "b"], "cd": ["c", "d"]}


def policy_of(promise: sf.Promise, method: Method, form: Any, persons: bool) -> dict[str, Any]:
    several, terms = promise.name == "multi-attribute", promise.about_terms
    known = {value.upper(): [value] for value in "abcd"}
    secret = {"order": list("abcd")} if promise.needs_order else {"hierarchy": {"tree": TREE}}
    columns: dict[str, Any] = {
        "id": {"role": "individual" if persons else "identifier"},
        "q": {"role": "quasi"},
        "s": {"role": "sensitive", **secret} if not terms else {"role": "insensitive"},
        "u": {"role": "sensitive" if several else "insensitive"},
        "t": {"role": "quasi-sensitive", "separator": "|", "knowledge": {"labels": known}}
        if terms
        else {"role": "insensitive"},
    }
    return {
        "columns": columns,
        "privacy": [promise.as_dict()],
        "partition": method.model_dump(mode="json", exclude_defaults=True) | {"method": method.method},
        "form": form.model_dump(mode="json", exclude_defaults=True) | {"publish": form.publish},
    }


def runs(promise: sf.Promise, method: Method, form: Any, persons: bool) -> bool:
    """Whether it is tried at all: what is refused is refused before any work."""
    try:
        sf.publish(FRAME, policy=policy_of(promise, method, form, persons), seed=1)
    except sf.NoneFound:
        return True
    except (sf.Refused, sf.PolicyError):
        return False
    return True


@cache
def matrix(persons: bool) -> sf.Matrix:
    return sf.methods(persons=persons)


@pytest.mark.parametrize("persons", some([False, True]))
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("ignore::sfumato.errors.SfumatoWarning")
def test_what_is_refused_no_switch_makes_go(method: str, persons: bool) -> None:
    wrong = []
    refused = [cell for cell in matrix(persons).cells if (cell.method, cell.status) == (method, "refused")]
    for cell in some(refused, kind=attrgetter("model")):
        for switch, form in product(SWITCHES, FORMS[cell.form].variants()):
            settings = METHODS[method].model_validate(switch)
            if runs(cell.promise, settings, form, persons):
                wrong.append((cell.model, cell.form, switch))
    assert not wrong


@pytest.mark.parametrize("persons", some([False, True]))
@pytest.mark.filterwarnings("ignore::sfumato.errors.SfumatoWarning")
def test_what_sweep_is_said_to_serve_it_serves(persons: bool) -> None:
    served = [cell for cell in matrix(persons).cells if cell.method == "sweep" and cell.status != "refused"]
    for cell in served:
        assert runs(cell.promise, cell.partition, cell.publication, persons), (cell.model, cell.form)
    refined = {cell.model for cell in served if cell.partition.refine}
    assert {"pairwise-l", "unique-distinct-l"} <= refined
    assert persons == ("simple-l" in refined)


def test_faithful_sweep_is_not_cut_by_true_values() -> None:
    with pytest.raises(sf.Refused, match="faithful SWEEP generalizes them"):
        sf.publish(
            FRAME,
            policy=policy_of(sf.TauL("3/5", 3), sf.Sweep(faithful=True, refine=True), sf.Generalized(), False),
            seed=1,
        )
