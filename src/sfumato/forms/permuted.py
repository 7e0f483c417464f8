"""Permuted: one table with exact quasi-identifiers, sensitive values in a random order within every group.

Guarantee: for whoever knows all quasi-identifiers, every value of a group is as likely as often as it occurs there.
Sensitive columns move together, so that their combinations stay true, unless asked otherwise; insensitive columns are
left out unless asked for, and then stay with the quasi-identifiers. The group id is published: it is all that says
which values a person may have.

Reference: Zhang, Koudas, Srivastava, Yu: Aggregate query answering on anonymized tables. ICDE 2007.
https://doi.org/10.1109/ICDE.2007.367857
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from sfumato.fit import Fit, refused
from sfumato.forms.contract import Material, Published
from sfumato.forms.exact_quasi import Exact, fit_exact
from sfumato.models.contract import Model, concerned, speaks_of_several
from sfumato.policy.forms import Permuted as Options

__all__ = ["PermutedPublisher"]


@dataclass(frozen=True)
class PermutedPublisher:
    """The publisher of `form: {publish: permuted}`."""

    options: Options
    shows_missing: ClassVar[bool] = True

    def fit(self, model: Model) -> Fit:
        if not self.options.together and speaks_of_several(model):
            who = concerned(model, speaks_of_several, "speaks", "speak")
            return refused(f"{who} of sensitive columns together (form: together: true)")
        return fit_exact(model, "permuted")

    def fit_persons(self, model: Model) -> Fit:
        return self.fit(model)

    def publish(self, material: Material) -> Published:
        exact = Exact.of(material, "permuted", self.options.model_dump_json())
        people, secret = exact.order("rows"), material.policy.secret
        pieces = [secret] if self.options.together else [(name,) for name in secret]
        columns = [*exact.pseudonyms(), *exact.cells(exact.shown(self.options.insensitive), people)]
        for piece in pieces:
            columns += exact.cells(piece, exact.order(f"sensitive values: {' '.join(piece)}"))
        notes = ("quasi-identifiers are shown as they are: whoever knows them finds a person's group",)
        return replace(exact.published(columns, people, Options.phrases), notes=notes)
