"""The settings of rings."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from sfumato.policy.form import Form
from sfumato.policy.phrases import Phrases
from sfumato.policy.sections import RingsSealed, Section

__all__ = ["Ring"]


class Ring(Form):
    """One table: every row shows quasi-identifiers that cover several people, and the sensitive values of one.

    Shows more detail than whole groups do. Only the holder can verify it: the order of rings is in the internal
    manifest.

    >>> import sfumato as sf
    >>> sf.Ring(draw="rotation")
    Ring(draw='rotation')

    Wong, Mamoulis, Cheung: Non-homogeneous generalization in privacy preserving data publishing. SIGMOD 2010.
    https://doi.org/10.1145/1807167.1807248
    """

    publish: Literal["ring"] = Field("ring", description="how a group is shown")
    draw: Literal["matching", "rotation"] = Field(
        "matching",
        description="who carries whose values: by a random matching in small rings, or by one rotation of the group",
    )
    sealed: ClassVar[type[Section]] = RingsSealed
    phrases: ClassVar[Phrases] = Phrases("of one of the people whom the row covers")
