"""The settings of randomized values."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from sfumato.policy.form import Form
from sfumato.policy.parameters import Ratio
from sfumato.policy.phrases import Phrases
from sfumato.policy.sections import BlocksSealed, RetentionShown, Section

__all__ = ["Randomized"]


class Randomized(Form):
    """One table: quasi-identifiers as they are, sensitive values kept by chance, else drawn from those of the group.

    Only the holder can verify it: what groups held is in the internal manifest.

    >>> import sfumato as sf
    >>> sf.Randomized(retention="1/4")
    Randomized(retention='0.25')

    Warner: Randomized response. JASA 60, 1965. https://doi.org/10.1080/01621459.1965.10480775
    """

    publish: Literal["randomized"] = Field("randomized", description="how a group is shown")
    known: Literal["counts", "shares"] = Field(
        "counts",
        description="what the adversary knows of a group: how often each value occurs, or only how likely each is",
    )
    retention: Annotated[Ratio, Field(gt=0, lt=1)] | None = Field(
        None, description="the probability to keep a value; default: the largest hundredth that the promise allows"
    )
    insensitive: bool = Field(False, description="publish insensitive columns, beside the quasi-identifiers")
    names_groups: ClassVar[bool] = True
    shown: ClassVar[type[Section]] = RetentionShown
    sealed: ClassVar[type[Section]] = BlocksSealed
    phrases: ClassVar[Phrases] = Phrases(
        "kept with the probability `retention`, else drawn from the combinations of values in the group"
    )
