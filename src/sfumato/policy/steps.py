"""What is done with the groups that an algorithm finds: the vocabulary of `partition.steps`.

Steps run in the order of the list. Each says what must not come before it, so that an order which cannot work is
refused when the policy is read. A third party's step brings its settings through the entry-point group
``sfumato.step_settings``.

``refine: true``, ``polish: true`` and ``terms: true`` beside the method say the same in short, in the order in which
they can run; `flags_of` and `steps_of` turn one into the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer

from sfumato.extension import Pieces
from sfumato.policy.columns import Grown
from sfumato.policy.parameters import Count, Ratio
from sfumato.policy.settings import read_settings, written

__all__ = [
    "FLAGS",
    "STEPS",
    "GeneralizeSensitive",
    "Polish",
    "Refine",
    "Residuals",
    "Step",
    "Steps",
    "TermSuppression",
    "flags_of",
    "steps_of",
]

FLAGS = ("refine", "residuals", "terms", "polish")
"""What says in short, beside the method, which steps there are."""

Residuals: TypeAlias = Literal["across", "own"]


class Step(Grown):
    """Settings of a step on top of an algorithm.

    not_after    steps that must not come before it, and why
    coarsens     it shows labels of a hierarchy for the values of sensitive columns: those in `columns`, or any
    """

    step: str = Field(description="which step")
    coarsens: ClassVar[bool] = False
    not_after: ClassVar[Mapping[str, str]] = {}


class Refine(Step):
    """Cut every group into groups of pairwise different sensitive values.

    For promises such as pairwise ℓ-diversity, that most algorithms cannot search for by themselves.

    >>> import sfumato as sf
    >>> sf.Mondrian(steps=[sf.Refine(), sf.Polish()])
    Mondrian(refine=True, polish=True)
    """

    step: Literal["refine"] = Field("refine", description="which step")
    residuals: Residuals = Field(
        "across", description="what cutting leaves over: grouped with that of neighbours, or kept in its own block"
    )
    not_after: ClassVar[Mapping[str, str]] = {
        "refine": "what is cut into groups that differ stays as it is when it is cut again",
        "polish": "refine deals the rows of every group anew, and what polish gained within them is lost",
        "suppress-terms": "terms are suppressed in groups that stay as they are, and refine cuts them",
        "generalize-sensitive": "that runs what is before it, and refine would look at values that are not shown",
    }


class Polish(Step):
    """Regroup near rows of what was found, so that less is lost.

    Groups are split, rows move to near groups, and a few groups at a time are dealt anew; only where every group still
    keeps the promise. The loss is never higher than before. Work is counted, so that the result does not hang on the
    machine.

    >>> import sfumato as sf
    >>> sf.Mondrian(polish=sf.Polish(work=10**6))
    Mondrian(polish=Polish(work=1000000))
    """

    step: Literal["polish"] = Field("polish", description="which step")
    work: Annotated[Count, Field(ge=0, le=10**18)] = Field(
        60_000_000, description="how much: rows compared with groups, about"
    )
    not_after: ClassVar[Mapping[str, str]] = {
        "polish": "give the one polish the work of both",
        "suppress-terms": "terms are suppressed in groups that stay as they are, and polish moves their rows",
        "generalize-sensitive": "that runs what is before it, and polish would look at values that are not shown",
    }


class TermSuppression(Step):
    """Suppress terms of quasi-sensitive columns, where groups do not keep their promise otherwise.

    Terms that betray something only together, such as symptoms, are *quasi-sensitive*; what each goes with is told by
    the knowledge that the policy names for the column.

    >>> import sfumato as sf
    >>> sf.Mondrian(terms=sf.TermSuppression(cost="count"))
    Mondrian(terms=TermSuppression(cost='count'))
    """

    step: Literal["suppress-terms"] = Field("suppress-terms", description="which step")
    search: Literal["optimal", "adaptive", "dfs"] = Field(
        "optimal", description="the cheapest, proven so or within a stated gap; or a search of the paper"
    )
    work: Annotated[Count, Field(ge=1, le=10**18)] = Field(
        20_000_000, description="steps for one group, after which the best so far is taken"
    )
    cost: Literal["harmonic", "count", "share", "rarity"] = Field(
        "harmonic",
        description="what a term costs: more the fewer a row has left, all the same, its share of its row, or one over"
        " the rows that have it",
    )
    weights: dict[str, dict[str, Annotated[Ratio, Field(gt=0)]]] = Field(
        default_factory=dict, description="per quasi-sensitive column, how many times as dear some of its terms are"
    )
    infeasible: Literal["merge", "withhold"] = Field(
        "merge", description="a group that no suppression helps joins the nearest one, or is suppressed whole"
    )
    phases: Literal["two", "one"] = Field(
        "two", description="suppress in the groups that are found, or find groups with an eye to what that costs"
    )
    balance: Annotated[Ratio, Field(ge=0, le=1)] = Field(
        default="1/2", validate_default=True, description="one phase: what lost terms weigh against generalization"
    )
    later: ClassVar[frozenset[str]] = frozenset({"weights"})
    not_after: ClassVar[Mapping[str, str]] = {
        "suppress-terms": "the groups that are left keep every promise about terms already",
        "generalize-sensitive": "that runs what is before it, and terms would be judged by values that are not shown",
    }


class GeneralizeSensitive(Step):
    """Show sensitive columns by a level of their hierarchies, where several are promised and less is lost so.

    >>> import sfumato as sf
    >>> sf.Mondrian(steps=[sf.GeneralizeSensitive(columns=("disease",))])
    Mondrian(steps=(GeneralizeSensitive(columns=('disease',)),))

    Machanavajjhala et al.: ℓ-Diversity: Privacy Beyond k-Anonymity. ICDE 2006, section 4.3.
    https://doi.org/10.1109/ICDE.2006.1
    """

    step: Literal["generalize-sensitive"] = Field("generalize-sensitive", description="which step")
    columns: tuple[str, ...] = Field((), description="which may be generalized; none: all that have a hierarchy")
    balance: Annotated[Ratio, Field(gt=0)] = Field(
        default="1",
        validate_default=True,
        description="how many times as dear a generalized sensitive value is as a quasi-identifier",
    )
    coarsens: ClassVar[bool] = True
    not_after: ClassVar[Mapping[str, str]] = {
        "generalize-sensitive": "one of them tries every level already",
        "suppress-terms": "terms are suppressed in groups that stay as they are, and it makes other groups",
    }


STEPS: Pieces[type[Step]] = Pieces(
    {
        "refine": "sfumato.policy.steps:Refine",
        "polish": "sfumato.policy.steps:Polish",
        "suppress-terms": "sfumato.policy.steps:TermSuppression",
        "generalize-sensitive": "sfumato.policy.steps:GeneralizeSensitive",
    }
)
_FLAGGED = (Refine, Polish, TermSuppression)
_GROUP = "sfumato.step_settings"


def _step(given: object) -> Step:
    named = {"step": given} if isinstance(given, str) else given
    if not isinstance(named, Step) and not (isinstance(named, Mapping) and "step" in named):
        raise ValueError("must be the name of a step, or a mapping of its settings, such as {step: refine}")
    return read_settings(named, "step", "refine", STEPS, _GROUP)


def _in_order(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """`ValueError` with the reason if steps come in an order in which they cannot work."""
    for place, step in enumerate(steps):
        for before in steps[:place]:
            why = step.not_after.get(before.step)
            if why is not None and before.step == step.step:
                raise ValueError(f"has the step {step.step} twice: {why}")
            if why is not None:
                raise ValueError(f"has {step.step} after {before.step}: {why}; put {step.step} first")
    return steps


AnyStep = Annotated[Step, BeforeValidator(_step), PlainSerializer(written)]
Steps = Annotated[tuple[AnyStep, ...], AfterValidator(_in_order)]


def steps_of(flags: Mapping[str, Any]) -> tuple[Step, ...]:
    """The steps that flags stand for, in the order in which they run."""
    return tuple(_flagged(flags))


def _flagged(flags: Mapping[str, Any]) -> Iterator[Step]:
    polish, terms = flags["polish"], flags["terms"]
    if flags["refine"]:
        yield Refine(residuals=flags["residuals"])
    if polish:
        yield polish if isinstance(polish, Polish) else Polish()
    if terms is not None:
        yield terms


def flags_of(steps: Sequence[Step], residuals: Residuals = "across") -> dict[str, Any]:
    """The flags that come nearest to these steps; they say all if `steps_of` gives the same steps back.

    residuals    where none of the steps says it
    """
    refine, polish, terms = (next((each for each in steps if isinstance(each, kind)), None) for kind in _FLAGGED)
    return {
        "refine": refine is not None,
        "residuals": refine.residuals if isinstance(refine, Refine) else residuals,
        "terms": terms,
        "polish": polish is not None and (polish == Polish() or polish),
    }
