"""Reports of every outcome: of the demo hospital, and of runs and releases that do not keep their promise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import sfumato as sf
from sfumato.demo.hospital import write_demo
from tests.measures.test_every_form import policy_of
from tests.release.test_fits import people

__all__ = ["MADE", "OUTCOMES", "demo_report"]

MADE = date(2026, 1, 2)


def demo_report(folder: Path) -> sf.Report:
    """Of the release that the demo makes."""
    paths = write_demo(folder)
    return sf.report(sf.publish(sf.read(paths.data, paths.policy), seed=1).write(folder / "out"), made=MADE)


def _promising(*promises: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    return {**policy_of("generalized"), "privacy": [*promises], **changes}


def _judged(folder: Path, policy: Mapping[str, Any]) -> sf.Report:
    """A release that was made under another promise."""
    release = sf.publish(people(11, 90), policy=_promising({"model": "simple-l", "l": 2}), seed=1)
    return sf.report(release.write(folder / "out").files[0].parent, policy, made=MADE)


def _failed(folder: Path) -> sf.Report:
    return _judged(folder, _promising({"model": "simple-l", "l": 4}, {"model": "k-anonymity", "k": 2}))


def _undecidable(folder: Path) -> sf.Report:
    release = sf.publish(people(11, 90), policy=policy_of("generalized"), seed=1)
    return sf.report(release.table, _promising({"model": "t-closeness", "t": "1/2"}), made=MADE)


def _without(policy: Mapping[str, Any]) -> sf.Report:
    try:
        sf.publish(people(11, 90), policy=policy, seed=1)
    except sf.SfumatoError as error:
        return sf.report(error, made=MADE)
    raise AssertionError("there was to be no release")


def _infeasible(folder: Path) -> sf.Report:
    return _without(_promising({"model": "distinct-l", "l": 9}))


def _refused(folder: Path) -> sf.Report:
    return _without(_promising({"model": "k-anonymity", "k": 2}, form={"publish": "anatomized"}))


def _none_found(folder: Path) -> sf.Report:
    strict = {"partition": {"method": "mondrian", "slack": 1}, "suppression": {"limit": 0}}
    return _without(_promising({"model": "simple-l", "l": 5}, **strict))


OUTCOMES: Mapping[str, Callable[[Path], sf.Report]] = {
    "met": demo_report,
    "not met": _failed,
    "undecidable": _undecidable,
    "refused": _refused,
    "infeasible": _infeasible,
    "none found": _none_found,
}
"""By outcome, a report in a new folder."""
