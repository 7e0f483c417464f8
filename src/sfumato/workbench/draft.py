"""The policy that a person is making: the one document that is run, exported, and opened again.

Every change makes a new draft. A column whose role is not decided yet has none in the document; only a draft without
such columns is a policy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.workbench.promises import ROWS, SECRETS, TERMS, kinds_for

if TYPE_CHECKING:
    import sfumato as sf
    from sfumato.workbench.jobs.look import ColumnLook, Looked

__all__ = ["ROLES", "PolicyDraft"]

ROLES = ("identifier", "quasi", "sensitive", "insensitive", "individual", "quasi-sensitive", "weight", "drop")
"""All roles, the four that most columns have first."""

_TYPED = ("quasi", "sensitive", "insensitive")
_SECRET = ("sensitive", "quasi-sensitive")
_USUAL: Mapping[str, Mapping[str, Any]] = {"individual": {"rows": "one"}}
"""Settings that a role comes with: one row of every person serves every method."""


@dataclass(frozen=True)
class PolicyDraft:
    """A policy document, perhaps not whole yet."""

    document: Mapping[str, Any]

    @classmethod
    def suggested(cls, looked: Looked) -> PolicyDraft:
        """What a first look suggests; nothing is decided that the look leaves open."""
        name, numbers = next(iter(ROWS.items()))
        privacy = [{"model": name, **{each.name: int(each.usual) for each in numbers}}]
        made = cls({"version": 1, "columns": {}, "privacy": privacy}).section("input", looked.input)
        for column in looked.columns:
            made = made._with(column.name, {}) if column.role is None else made.decided(column, column.role)
        return made

    @classmethod
    def reopened(cls, policy: sf.Policy, names: Sequence[str]) -> PolicyDraft:
        """A policy that was made before, for a table with these columns; an error if it is not for it."""
        found = policy.resolved(names)
        unsaid, unknown = _listed(names, found.names), _listed(found.names, names)
        if unsaid or unknown:
            said = [f"of the table, not in the policy: {unsaid}"] if unsaid else []
            said += [f"of the policy, not in the table: {unknown}"] if unknown else []
            raise InputError(f"columns of table and policy differ; {'; '.join(said)}")
        document = found.as_dict()
        secrets = found.sensitive
        if len(secrets) == 1:  # then a promise need not say which column it is about; here it does
            document["privacy"] = [
                {**each, "on": secrets[0]} if each["model"] in SECRETS and "on" not in each else each
                for each in document["privacy"]
            ]
        return cls(document)

    @property
    def columns(self) -> Mapping[str, Mapping[str, Any]]:
        made: Mapping[str, Mapping[str, Any]] = self.document["columns"]
        return made

    @property
    def privacy(self) -> Sequence[Mapping[str, Any]]:
        made: Sequence[Mapping[str, Any]] = self.document["privacy"]
        return made

    @property
    def undecided(self) -> tuple[str, ...]:
        return tuple(name for name, column in self.columns.items() if "role" not in column)

    def with_role(self, *roles: str) -> tuple[str, ...]:
        return tuple(name for name, column in self.columns.items() if column.get("role") in roles)

    @property
    def unknowing(self) -> tuple[str, ...]:
        """Columns of terms of which nobody said yet what they betray."""
        return tuple(name for name in self.with_role("quasi-sensitive") if "knowledge" not in self.columns[name])

    @property
    def complete(self) -> bool:
        """Whether it can be a policy: every column decided, and at least one that others may know."""
        return not self.undecided and not self.unknowing and bool(self.with_role("quasi")) and bool(self.privacy)

    def policy(self, folder: Path) -> sf.Policy:
        """The policy; `PolicyError` with every mistake if it is none."""
        import sfumato as sf

        return sf.read_policy(self.document, base=folder)

    def decided(self, column: ColumnLook, role: str) -> PolicyDraft:
        """With that role for a column, what the look suggests for it, and the promises that go with it."""
        settings: dict[str, Any] = {"role": role, **_USUAL.get(role, {})}
        if role in _TYPED and column.type != "text":
            settings["type"] = column.type
        if role == "quasi" and column.hierarchy is not None:
            settings["hierarchy"] = column.hierarchy
        if role == "quasi-sensitive" and column.separator is not None:
            settings["separator"] = column.separator
        made = self._with(column.name, settings)
        promise = _first_promise(column, role) if role in _SECRET else None
        return made._silent(column.name) if promise is None else made._promising(column.name, promise)

    def changed(self, name: str, settings: Mapping[str, Any]) -> PolicyDraft:
        """With other settings of a column; None takes one away."""
        mine = {**self.columns[name], **settings}
        return self._with(name, {key: value for key, value in mine.items() if value is not None})

    def section(self, key: str, settings: Mapping[str, Any] | str) -> PolicyDraft:
        """With another section; nothing takes it away."""
        return PolicyDraft({**self.document, key: settings}) if settings else self.without(key)

    def without(self, key: str) -> PolicyDraft:
        return PolicyDraft({name: value for name, value in self.document.items() if name != key})

    def promised(self, privacy: Sequence[Mapping[str, Any]]) -> PolicyDraft:
        """With other promises."""
        return PolicyDraft({**self.document, "privacy": [*privacy]})

    def _with(self, name: str, settings: Mapping[str, Any]) -> PolicyDraft:
        return PolicyDraft({**self.document, "columns": {**self.columns, name: dict(settings)}})

    def _promising(self, name: str, promise: Mapping[str, Any]) -> PolicyDraft:
        """With that promise about a column, unless there is one that fits its role."""
        fits = kinds_for(str(self.columns[name]["role"]))
        if any(each.get("on") == name and each["model"] in fits for each in self.privacy):
            return self
        bare = self._silent(name)
        return bare.promised([*bare.privacy, promise])

    def _silent(self, name: str) -> PolicyDraft:
        """Without promises about a column, nor weights and limits of it."""
        made = self.promised([each for each in self.privacy if each.get("on") != name])
        for key, inner in (("loss", "weights"), ("suppression", "columns")):
            section = dict(made.document.get(key, {}))
            left = {other: value for other, value in section.get(inner, {}).items() if other != name}
            others = {part: value for part, value in section.items() if part != inner}
            kept = {**others, inner: left} if left else others
            made = made.section(key, kept) if name in section.get(inner, {}) else made
        return made


def _listed(names: Sequence[str], others: Sequence[str]) -> str:
    """Names that others lack."""
    return ", ".join(repr(name) for name in names if name not in others)


def _first_promise(column: ColumnLook, role: str) -> Mapping[str, Any] | None:
    """What is promised first about a secret: what the whole table keeps, and no more than three."""
    if role == "quasi-sensitive":
        name, numbers = next(iter(TERMS.items()))
        return {"model": name, **{each.name: int(each.usual) for each in numbers}, "on": column.name}
    best = column.rows // max(column.most, 1)
    if best >= 2:
        return {"model": "entropy-l", "l": min(3, best), "on": column.name}
    return {"model": "distinct-l", "l": 2, "on": column.name} if column.distinct >= 2 else None
