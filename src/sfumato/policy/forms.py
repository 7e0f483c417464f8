"""How a group is shown: the vocabulary of `form:`.

A third party's form brings its settings through the entry-point group ``sfumato.form_settings``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, PlainSerializer

from sfumato.policy.settings import Varied, read_settings, written

__all__ = ["FORMS", "AnyForm", "Form", "Generalized", "read_form"]


class Form(Varied):
    """Settings of a form of publication."""

    publish: str = Field(description="which form")


class Generalized(Form):
    """One table: quasi-identifiers generalized group by group, everything else as it is."""

    publish: Literal["generalized"] = Field("generalized", description="how a group is shown")
    group_id: bool = Field(False, description="publish a column that names the group of each row")
    others: ClassVar[tuple[Mapping[str, Any], ...]] = ({"group_id": True},)


FORMS: dict[str, type[Form]] = {"generalized": Generalized}


def read_form(given: object) -> Form:
    """The settings that a policy's `form:` stands for; `ValueError` if nothing installed knows them."""
    return read_settings(given, "publish", "generalized", FORMS, "sfumato.form_settings")


AnyForm = Annotated[Form, BeforeValidator(read_form), PlainSerializer(written)]
