"""The settings of BSGI, by its paper and free of its order."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from sfumato.policy.method import Method

__all__ = ["Bsgi", "BsgiFree"]


class Bsgi(Method):
    """Group rows of the l most frequent sensitive values left, each the nearest of its value."""

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
    """Group the nearest rows of different sensitive values; a frequent value only goes first when it must."""

    method: Literal["bsgi-free"] = Field("bsgi-free", description="which algorithm decides who shares a group")
    information: Literal["ncp", "heights", "loss"] = Field(
        "ncp",
        description="what is near: little of the domain, few levels of the hierarchy, or little of the policy's loss",
    )
    incorporate: Literal["increase", "total"] = Field(
        "increase", description="a row left over joins the group to which it adds least, or that loses least with it"
    )
    later: ClassVar[frozenset[str]] = frozenset({"incorporate"})
