"""The settings of grouping along a line."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from sfumato.policy.method import Method

__all__ = ["Hilbert"]


class Hilbert(Method):
    """Group rows with the next ones of different sensitive value along a line: a space-filling curve, or iDistance.

    Neighbours on the line are neighbours in the table, so groups stay tight; each holds different sensitive values.

    >>> import sfumato as sf
    >>> sf.Hilbert(order="idistance")
    Hilbert(order='idistance')

    Ghinita, Karras, Kalnis, Mamoulis: Fast data anonymization with low information loss. VLDB 2007.
    https://dl.acm.org/doi/10.5555/1325851.1325938
    Jagadish, Ooi, Tan, Yu, Zhang: iDistance. ACM TODS 30(2), 2005. https://doi.org/10.1145/1071610.1071612
    """

    method: Literal["hilbert"] = Field("hilbert", description="which algorithm decides who shares a group")
    order: Literal["hilbert", "idistance"] = Field(
        "hilbert", description="how rows are lined up: along the curve, or by their distance from reference points"
    )
    later: ClassVar[frozenset[str]] = frozenset({"order"})
