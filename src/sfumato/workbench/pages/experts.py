"""For experts: method, form, and the policy as it will be run and exported."""

from __future__ import annotations

from sfumato.errors import SfumatoError
from sfumato.reports.markup import Markup, tag
from sfumato.reports.wording import Wording
from sfumato.workbench.desk import Workdesk
from sfumato.workbench.draft import PolicyDraft
from sfumato.workbench.jobs.publish import named_files
from sfumato.workbench.parts import card, link, select

__all__ = ["FORMS", "METHODS", "experts"]

METHODS = (
    "auto",
    "mondrian",
    "boxes",
    "lattice",
    "incognito",
    "hilbert",
    "bsgi",
    "bsgi-free",
    "anatomy",
    "arp",
    "sweep",
)
FORMS = ("generalized", "anatomized", "permuted", "sliced", "randomized", "ring")


def experts(desk: Workdesk, draft: PolicyDraft, words: Wording) -> Markup:
    method = str(draft.document.get("partition", {}).get("method", METHODS[0]))
    publish = str(draft.document.get("form", {}).get("publish", FORMS[0]))
    methods = [
        (each, words(f"methods.{each}") if words.known(f"methods.{each}") else each) for each in _with(METHODS, method)
    ]
    forms = [(each, words(f"forms.{each}") if words.known(f"forms.{each}") else each) for each in _with(FORMS, publish)]
    return card(
        tag(
            "details",
            tag("summary", words("promising.experts")),
            select("method", methods, method, words("promising.method"), "method"),
            select("form", forms, publish, words("promising.form"), "form"),
            tag("p", words("promising.policy"), " ", link(words("promising.policy_take"), _place(draft), "")),
            tag("pre", _written(desk, draft), tabindex="0", aria_label=words("promising.policy")),
            id="experts",
        )
    )


def _place(draft: PolicyDraft) -> str:
    return "/policy.zip" if named_files(draft.document) else "/policy.yaml"


def _with(names: tuple[str, ...], chosen: str) -> tuple[str, ...]:
    return names if chosen in names else (*names, chosen)


def _written(desk: Workdesk, draft: PolicyDraft) -> str:
    try:
        return draft.policy(desk.folder.path).to_yaml()
    except SfumatoError as error:
        return str(error)
