"""Publishes cases and has them judged, a JSON line for each; another before the work, so that a crash is told.

Run by `run`: ``python -m tests.attack.worker FIRST STEP COUNT FOLDER``. Only this file calls sfumato.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import sfumato as sf
from sfumato.errors import AuditFailed, Infeasible, InputError, PolicyError, Refused, SfumatoError
from sfumato.policy.columns import Column

from .case import Case, Finding, named
from .judge import judge
from .policies import make_case

__all__ = ["Outcome", "attack", "main", "outcome_of", "step_of"]


@dataclass(frozen=True)
class Outcome:
    """What became of a case: how it ended, what was judged, what is wrong."""

    seed: int
    end: str
    form: str = ""
    step: str = ""
    promises: tuple[str, ...] = ()
    left_out: int = 0
    message: str = ""
    findings: tuple[Finding, ...] = field(default_factory=tuple)


def step_of(policy: Mapping[str, Any]) -> str:
    """The steps on top of the algorithm."""
    chosen = policy["partition"]
    steps = [step for step in ("refine", "polish") if chosen.get(step)]
    steps += [f"terms {chosen['terms']['phases']}"] if chosen.get("terms") else []
    return "+".join(steps) or "plain"


def attack(case: Case, place: Path) -> Outcome:
    """Publish, write, audit and judge one case in a folder of its own."""
    outcome = Outcome(
        case.seed,
        "released",
        case.policy["form"]["publish"],
        step_of(case.policy),
        tuple(dict.fromkeys(map(named, case.policy["privacy"]))),
    )
    data = case.write_csv(place / "data.csv")
    try:
        release = sf.publish(data, policy=case.policy, seed=case.seed)
        written = release.write(place / "out", kind=case.kind)
    except SfumatoError as error:
        return _ended(outcome, error)
    except Exception as error:  # a finding, whatever it is
        crash = Finding("crash", type(error).__name__, traceback.format_exc(limit=-3))
        return Outcome(**{**vars(outcome), "end": "crash", "findings": (crash,)})
    found = [*judge(case, place / "out", written.manifest), *_audits(case, place / "out", written.manifest)]
    counted = json.loads((place / "out" / "release.json").read_text(encoding="utf-8"))["rows"]
    away = counted["dropped"] + (0 if counted["kept"] else counted["suppressed"])
    return Outcome(**{**vars(outcome), "left_out": away, "findings": tuple(found)})


def outcome_of(error: SfumatoError) -> str:
    """The name of an end without a release; outcomes that are new to this file by their exit code."""
    if isinstance(error, AuditFailed):
        return "own audit failed"
    if isinstance(error, Refused):
        return "refused"
    if isinstance(error, PolicyError):
        return "policy error"
    if isinstance(error, InputError):
        return "input error"
    if error.exit_code == 5:
        return "none found"
    return "infeasible" if isinstance(error, Infeasible) else f"exit {error.exit_code}"


def _ended(outcome: Outcome, error: SfumatoError) -> Outcome:
    end = outcome_of(error)
    odd = end == "own audit failed" or end.startswith("exit")
    found = (Finding(end, type(error).__name__, str(error)),) if odd else ()
    return Outcome(**{**vars(outcome), "end": end, "message": str(error)[:200], "findings": found})


def _audits(case: Case, folder: Path, manifest: Path) -> Iterator[Finding]:
    """The auditor holds with the manifest, and neither fails nor complains without."""
    full = sf.audit(folder, case.policy, manifest)
    if not full.holds:
        yield Finding("audit", "with manifest", full.summary())
    outside = sf.audit(folder, case.policy)
    if outside.problems or any(criterion.verdict == "fails" for criterion in outside.criteria):
        yield Finding("audit", "without manifest", outside.summary())


def understood(case: Case) -> Case:
    """The case without settings of columns that this version of sfumato does not know."""
    columns = {
        name: {key: value for key, value in column.items() if key in Column.model_fields}
        for name, column in case.columns.items()
    }
    return replace(case, policy={**case.policy, "columns": columns})


def run_case(case: Case) -> Outcome:
    """One case in a temporary folder."""
    case = understood(case)
    place = Path(tempfile.mkdtemp(prefix="attack-"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return attack(case, place)
    except Exception as error:  # the judge or the audit stumbled: that is a finding too
        crash = Finding("crash", type(error).__name__, traceback.format_exc(limit=-4))
        return Outcome(case.seed, "crash", case.policy["form"]["publish"], step_of(case.policy), findings=(crash,))
    finally:
        shutil.rmtree(place, ignore_errors=True)


def main(arguments: list[str]) -> int:
    first, step, count, folder = int(arguments[0]), int(arguments[1]), int(arguments[2]), Path(arguments[3])
    log = folder / f"outcomes-{os.getpid()}.jsonl"
    deadline = float(arguments[4]) if len(arguments) > 4 else float("inf")
    with log.open("a", encoding="utf-8") as file:
        for seed in range(first, first + step * count, step):
            if time.time() > deadline:
                break
            file.write(json.dumps({"begun": seed}) + "\n")
            file.flush()
            case = make_case(seed)
            outcome = run_case(case)
            file.write(json.dumps(asdict(outcome)) + "\n")
            file.flush()
            if outcome.findings:
                case.save(folder / f"case-{seed}.json", findings=[asdict(each) for each in outcome.findings])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
