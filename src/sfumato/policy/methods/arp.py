"""The settings of ARP."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sfumato.policy.method import Method
from sfumato.policy.steps import Residuals

__all__ = ["Arp"]


class Arp(Method):
    """Split by the columns that go with the sensitive one, strongest first; then cut into groups that differ.

    What goes together with the sensitive column is kept together as long as that is safe, so that it can still be
    learnt.

    >>> import sfumato as sf
    >>> sf.Arp(residuals="own")
    Arp(residuals='own')

    Zhu, Tian, Du, Xie: Anonymization on refining partition: same privacy, more utility. Columns are ordered by their
    mean square contingency (φ²) with the sensitive one.
    """

    method: Literal["arp"] = Field("arp", description="which algorithm decides who shares a group")
    order: Literal["descending", "ascending"] = Field(
        "descending", description="columns by their correlation with what is sensitive"
    )
    residuals: Residuals = Field(
        "across", description="what cutting leaves over: grouped with that of neighbours, or kept in its own block"
    )
    split_merged: bool = Field(True, description="parts that had to be merged are split by the next column")
    initial_only: bool = Field(False, description="keep the blocks as they are split, for comparison")
