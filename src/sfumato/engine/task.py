"""What a policy asks of an algorithm, in one place: the task of a job, of advice and of a look around."""

from __future__ import annotations

from sfumato.engine.limits import require_weighed
from sfumato.engine.missing import what_missing_keep
from sfumato.forms.contract import Publisher, shows_missing, shows_recoding
from sfumato.loss.registry import loss_of
from sfumato.models.contract import Facts, Model
from sfumato.partition.contract import Task
from sfumato.policy.document import Policy
from sfumato.progress import Progress, silent
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples

__all__ = ["task_of"]


def task_of(
    policy: Policy,
    table: Tuples,
    model: Model,
    form: Publisher,
    randomness: Randomness,
    progress: Progress = silent,
) -> Task:
    """Groups of these tuples that keep the model, with the policy's loss and limits, for a form.

    What the form shows decides what else is asked: of rows that are left out, if it shows who they are; of blank
    cells, if it shows what the algorithm chose.
    """
    allowed, loss = policy.suppression, loss_of(policy.loss.metric, policy.loss.weights)
    require_weighed(policy, loss)
    return Task(
        table,
        model,
        loss,
        randomness,
        progress,
        allowed.limit,
        allowed.keep,
        missed=what_missing_keep(form, policy.promise, Facts.of(table)),
        blank=allowed.columns if shows_recoding(form) else {},
        recodes=shows_recoding(form),
        exact=shows_missing(form),
    )
