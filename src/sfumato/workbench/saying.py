"""Promises in plain words, those of the report; one that there are none for, in its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.reports.wording import Wording

__all__ = ["promise_said", "promises_said"]


def promise_said(promise: Mapping[str, Any], words: Wording, only: str = "") -> str:
    """One promise, as a sentence; `only` is what it is about if it does not say so."""
    settings = {key: value for key, value in promise.items() if key != "model"}
    place = f"promise.{promise['model']}"
    title = f"{promise['model']} ({', '.join(f'{key}={value}' for key, value in settings.items())})"
    values = {"on": only, "title": title, **{key: words.level(str(value)) for key, value in settings.items()}}
    if str(settings.get("k", "")).isdecimal():
        values["others"] = words.count(int(settings["k"]) - 1)
    return f"{words(place if words.known(place) else 'promise.other', **values)}."


def promises_said(promises: Sequence[Mapping[str, Any]], words: Wording, only: str = "") -> list[str]:
    return [promise_said(each, words, only) for each in promises]
