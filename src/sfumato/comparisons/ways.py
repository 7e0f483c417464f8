"""Ways to make a release of one table: every method under the policy's promise, and the promise at several levels."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.errors import InputError
from sfumato.extension import installed
from sfumato.policy.document import Policy
from sfumato.policy.methods import METHODS

__all__ = ["TriedWay", "ways"]

_SWEPT = ("k", "l", "tau", "t")
"""Parameters of promises that can be tried at several levels."""


@dataclass(frozen=True)
class TriedWay:
    """One way: what a policy would say of it.

    label      method, form and what differs from the policy, for a person
    partition, form, privacy   in the words of a policy
    """

    label: str
    partition: Mapping[str, Any]
    form: Mapping[str, Any]
    privacy: tuple[Mapping[str, Any], ...]

    def key(self, of: str) -> str:
        """A name for what is found of it on one table: the same way, the same name."""
        told = json.dumps([of, self.partition, self.form, self.privacy], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()


def ways(
    policy: Policy,
    methods: Iterable[str] | None = None,
    forms: Sequence[str] = (),
    levels: Mapping[str, Sequence[int | str]] | None = None,
) -> tuple[TriedWay, ...]:
    """Every method that is installed, or some; in the policy's form, or in some; at the policy's level, or at several.

    The policy's own method and form keep its settings; others have those that they come with.

    levels   parameter to levels: ``{"l": [2, 3, 4]}`` tries every promise that has an l with each of them
    """
    known = [*installed(METHODS, "sfumato.methods")]
    chosen = known if methods is None else list(methods)
    lost = [name for name in chosen if name not in known]
    if lost:
        raise InputError(f"no such method: {', '.join(map(repr, lost))}; there are: {', '.join(known)}")
    given = policy.form.model_dump(mode="json")
    shown = [given if name == given["publish"] else {"publish": name} for name in forms] or [given]
    promises = [*_levelled(tuple(promise.as_dict() for promise in policy.privacy), levels or {})]
    own = policy.partition.in_flags()
    return tuple(
        TriedWay(_label(method, form, forms, level), _partition(method, own), form, privacy)
        for form in shown
        for level, privacy in promises
        for method in chosen
    )


def _partition(method: str, own: Mapping[str, Any]) -> Mapping[str, Any]:
    """The policy's own settings for its own method, and what every method comes with for others."""
    return own if own.get("method") == method else {"method": method}


def _label(method: str, form: Mapping[str, Any], forms: Sequence[str], level: str) -> str:
    return ", ".join(filter(None, (method, str(form["publish"]) if forms else "", level)))


def _levelled(
    privacy: tuple[Mapping[str, Any], ...], levels: Mapping[str, Sequence[int | str]]
) -> Iterator[tuple[str, tuple[Mapping[str, Any], ...]]]:
    """The promises as they are, or with one parameter at several levels."""
    unknown = [name for name in levels if name not in _SWEPT]
    if unknown:
        raise InputError(f"levels: {', '.join(map(repr, unknown))} cannot be tried; {', '.join(_SWEPT)} can")
    if not levels:
        yield "", privacy
    for name, tried in levels.items():
        if not any(name in each for each in privacy):
            raise InputError(f"levels: no promise of the policy has {name!r}")
        for level in tried:
            yield f"{name}={level}", tuple({**each, name: level} if name in each else each for each in privacy)
