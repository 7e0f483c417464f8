"""The settings of permuted values."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from sfumato.policy.form import Form
from sfumato.policy.phrases import Phrases

__all__ = ["Permuted"]


class Permuted(Form):
    """One table: quasi-identifiers as they are, sensitive values in a random order within every group.

    Rows can be found: what it hides is whose sensitive value is whose.

    >>> import sfumato as sf
    >>> sf.Permuted(together=False)
    Permuted(together=False)

    Zhang, Koudas, Srivastava, Yu: Aggregate query answering on anonymized tables. ICDE 2007.
    https://doi.org/10.1109/ICDE.2007.367857
    """

    publish: Literal["permuted"] = Field("permuted", description="how a group is shown")
    together: bool = Field(True, description="sensitive values of one person stay in one row; else each column apart")
    insensitive: bool = Field(False, description="publish insensitive columns, beside the quasi-identifiers")
    names_groups: ClassVar[bool] = True
    phrases: ClassVar[Phrases] = Phrases("in a random order within the group")
