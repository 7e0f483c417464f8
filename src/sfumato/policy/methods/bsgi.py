"""The settings of BSGI, by its paper and free of its order."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from sfumato.policy.method import Method

__all__ = ["Bsgi", "BsgiFree"]


class Bsgi(Method):
    """Group rows of the l most frequent sensitive values left, each the nearest of its value.

    Groups of rows whose sensitive values all differ; `BsgiFree` keeps the same promise and loses less.

    >>> import sfumato as sf
    >>> sf.Bsgi(information="loss")
    Bsgi(information='loss')

    Ye, Liu, Lv, Feng: BSGI: An Effective Algorithm towards Stronger l-Diversity. DEXA 2008.
    https://doi.org/10.1007/978-3-540-85654-2_3
    """

    method: Literal["bsgi"] = Field("bsgi", description="which algorithm decides who shares a group")
    information: Literal["ncp", "heights", "loss"] = Field(
        "ncp",
        description="what is near: little of the domain, few levels of the hierarchy, or little of the policy's loss",
    )
    incorporate: Literal["increase", "total"] = Field(
        "increase", description="a row left over joins the group to which it adds least, or that loses least with it"
    )
    later: ClassVar[frozenset[str]] = frozenset({"incorporate"})


class BsgiFree(Method):
    """Group the nearest rows of different sensitive values; a frequent value only goes first when it must.

    BSGI without its order of values, which costs detail: as many groups, all of whose sensitive values differ.

    >>> import sfumato as sf
    >>> sf.BsgiFree()
    BsgiFree()

    Ye, Liu, Lv, Feng: BSGI: An Effective Algorithm towards Stronger l-Diversity. DEXA 2008.
    https://doi.org/10.1007/978-3-540-85654-2_3
    """

    method: Literal["bsgi-free"] = Field("bsgi-free", description="which algorithm decides who shares a group")
    information: Literal["ncp", "heights", "loss"] = Field(
        "ncp",
        description="what is near: little of the domain, few levels of the hierarchy, or little of the policy's loss",
    )
    incorporate: Literal["increase", "total"] = Field(
        "increase", description="a row left over joins the group to which it adds least, or that loses least with it"
    )
    later: ClassVar[frozenset[str]] = frozenset({"incorporate"})
