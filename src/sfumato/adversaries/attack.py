"""Every adversary on a release, one after the other."""

from __future__ import annotations

from collections.abc import Iterable

from sfumato.adversaries.attacked import Attack, Attacked
from sfumato.adversaries.contract import Adversary, Arms
from sfumato.extension import settings_of
from sfumato.release.subject import Lacking, Subject

__all__ = ["attacked"]


def attacked(subject: Subject, chosen: Iterable[Adversary], arms: Arms) -> Attacked:
    """What every adversary that was chosen learns, or what they lack."""
    every, found = tuple(chosen), []
    for place, each in enumerate(every):
        arms.progress(f"attack: {each.name}", place, len(every))
        found.append(_one(subject, each, arms))
    arms.progress("attack", len(every), len(every))
    return Attacked(subject.rows, subject.suppressed, tuple(found))


def _one(subject: Subject, each: Adversary, arms: Arms) -> Attack:
    settings = settings_of(each)
    try:
        found = each.attack(subject, arms)
        return Attack(each.name, each.persona, settings, found, "" if found else "a published sensitive column")
    except Lacking as lacks:
        return Attack(each.name, each.persona, settings, lacks=str(lacks))
