"""How a group is shown: the vocabulary of `form:`, the settings of each form in a file of its own.

With its settings a form declares what it says of a release: its sections of ``release.json`` and of the manifest, and
its phrases. A third party's form brings all of it through the entry-point group ``sfumato.form_settings``. Names are
loaded when they are first used: a policy needs the one that it names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, PlainSerializer

from sfumato.exports import lazily
from sfumato.extension import Pieces, registered
from sfumato.policy.form import Form as Form
from sfumato.policy.settings import read_settings, written

if TYPE_CHECKING:
    from sfumato.policy.forms.anatomized import Anatomized as Anatomized
    from sfumato.policy.forms.generalized import Generalized as Generalized
    from sfumato.policy.forms.permuted import Permuted as Permuted
    from sfumato.policy.forms.randomized import Randomized as Randomized
    from sfumato.policy.forms.ring import Ring as Ring
    from sfumato.policy.forms.sliced import Sliced as Sliced

FORMS: Pieces[type[Form]] = Pieces(
    {
        "generalized": "sfumato.policy.forms.generalized:Generalized",
        "permuted": "sfumato.policy.forms.permuted:Permuted",
        "anatomized": "sfumato.policy.forms.anatomized:Anatomized",
        "sliced": "sfumato.policy.forms.sliced:Sliced",
        "ring": "sfumato.policy.forms.ring:Ring",
        "randomized": "sfumato.policy.forms.randomized:Randomized",
    }
)


def read_form(given: object) -> Form:
    """The settings that a policy's `form:` stands for; `ValueError` if nothing installed knows them."""
    return read_settings(given, "publish", "generalized", FORMS, "sfumato.form_settings")


def form_class(given: Mapping[str, Any]) -> type[Form] | None:
    """The kind of settings that a policy's `form:` names; None if nothing installed knows them."""
    name = given.get("publish", "generalized")
    return registered(FORMS, "sfumato.form_settings", name) if isinstance(name, str) else None


AnyForm = Annotated[Form, BeforeValidator(read_form), PlainSerializer(written)]

__getattr__, __dir__, __all__ = lazily(__name__, FORMS.places, "FORMS", "AnyForm", "Form", "form_class", "read_form")
