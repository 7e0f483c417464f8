"""Steps by name: one literal table and the entry-point group ``sfumato.steps``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sfumato.errors import Refused
from sfumato.extension import registered
from sfumato.partition.contract import Partitioner
from sfumato.partition.steps.coarsened import Coarsened
from sfumato.partition.steps.contract import Bind, StepMaker
from sfumato.partition.steps.polished import Polished
from sfumato.partition.steps.refined import Refined
from sfumato.partition.steps.terms.suppressed import Suppressed

__all__ = ["STEP_MAKERS", "with_steps"]

STEP_MAKERS: dict[str, StepMaker] = {
    "refine": Refined,
    "polish": Polished,
    "suppress-terms": Suppressed,
    "generalize-sensitive": Coarsened,
}


def with_steps(base: Partitioner, steps: Iterable[Any], bind: Bind) -> Partitioner:
    """An algorithm with the steps that a policy names, the last outermost."""
    for options in steps:
        maker: StepMaker | None = registered(STEP_MAKERS, "sfumato.steps", options.step)
        if maker is None:
            raise Refused(f"the step {options.step!r} is not installed; there are: {', '.join(STEP_MAKERS)}")
        base = maker(base, options, bind)
    return base
