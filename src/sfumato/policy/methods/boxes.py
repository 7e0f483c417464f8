"""The settings of boxes, local recoding of least loss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from sfumato.policy.method import REFINED, Method
from sfumato.policy.parameters import Count

__all__ = ["Boxes"]


class Boxes(Method):
    """Show every row as nodes of the hierarchies that keep the promise with others, at the least loss that is found.

    Every row may show any node of each hierarchy. Usually loses least, and takes longer than Mondrian; `sf.bound` says
    how far from the least loss it is.

    >>> import sfumato as sf
    >>> sf.Boxes(work=10**6)
    Boxes(work=1000000)

    Facility location with lower bounds: Karger, Minkoff: Building Steiner trees with incomplete global knowledge. FOCS
    2000. https://doi.org/10.1109/SFCS.2000.892329
    Guha, Meyerson, Munagala: Hierarchical placement and network design problems. FOCS 2000.
    https://doi.org/10.1109/SFCS.2000.892328
    """

    method: Literal["boxes"] = Field("boxes", description="which algorithm decides who shares a group")
    work: Annotated[Count, Field(ge=0, le=10**18)] | None = Field(
        None, description="how much: rows compared with boxes, about; default: 5000 for each different row"
    )
    others: ClassVar[tuple[Mapping[str, Any], ...]] = REFINED
