"""Steps by name: one literal table and the entry-point group ``sfumato.steps``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sfumato.errors import Refused
from sfumato.extension import Pieces, registered
from sfumato.partition.contract import Partitioner
from sfumato.partition.steps.contract import Bind, StepMaker

__all__ = ["STEP_MAKERS", "with_steps"]

STEP_MAKERS: Pieces[StepMaker] = Pieces(
    {
        "refine": "sfumato.partition.steps.refined:Refined",
        "polish": "sfumato.partition.steps.polished:Polished",
        "suppress-terms": "sfumato.partition.steps.terms.suppressed:Suppressed",
        "generalize-sensitive": "sfumato.partition.steps.coarsened:Coarsened",
    }
)


def with_steps(base: Partitioner, steps: Iterable[Any], bind: Bind) -> Partitioner:
    """An algorithm with the steps that a policy names, the last outermost."""
    for options in steps:
        maker: StepMaker | None = registered(STEP_MAKERS, "sfumato.steps", options.step)
        if maker is None:
            raise Refused(f"the step {options.step!r} is not installed; there are: {', '.join(STEP_MAKERS)}")
        base = maker(base, options, bind)
    return base
