"""The one policy document: input of the API, the command line and every other surface. It holds no data."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, PrivateAttr

from sfumato.errors import PolicyError
from sfumato.policy.columns import Column, FileHierarchy, Grown, KnowledgeFile, Missing, Strict, Type
from sfumato.policy.forms import FORMS, AnyForm, Form
from sfumato.policy.losses import LossSettings, SuppressionSettings
from sfumato.policy.methods import METHODS, AnyMethod, Method
from sfumato.policy.naming import is_wildcard, meant, names_in
from sfumato.policy.promises import PROMISES, AllOf, AnyPromise, Promise, all_of, promise_schema
from sfumato.policy.steps import STEPS
from sfumato.table.words import counted

__all__ = ["Input", "Output", "Policy", "overridden", "policy_schema"]


def _texts(values: Any) -> Any:
    return tuple(str(value) for value in values) if isinstance(values, (list, tuple)) else values


def _first_method() -> Method:
    return METHODS["auto"].model_validate({})


def _first_form() -> Form:
    return FORMS["generalized"].model_validate({})


class Input(Grown):
    """How the data is written. Nothing is guessed that could go either way."""

    encoding: str = Field("utf-8", description="of text files")
    delimiter: str | None = Field(None, min_length=1, max_length=1, description="CSV; default: the only one that fits")
    decimal: Literal[".", ","] = Field(".", description="decimal sign of numbers in text")
    date: str = Field("%Y-%m-%d", description="strptime format of dates in text")
    missing_values: Annotated[tuple[str, ...], BeforeValidator(_texts)] = Field(
        ("",), description="texts that stand for a missing value"
    )
    sheet: str | None = Field(None, description="Excel; default: the only one there is")
    codes: Annotated[tuple[str, ...], BeforeValidator(_texts)] = Field(
        (), description="Stata and SPSS: columns read as codes though all their values have labels; `*`: all columns"
    )

    later: ClassVar[frozenset[str]] = frozenset({"sheet", "codes"})


class Output(Grown):
    """How the tables of a release are written."""

    spreadsheet: Literal["as is", "safe"] = Field(
        "as is", description="safe: put `'` before a text or name that a spreadsheet would run as a formula"
    )
    labels: Literal["keep", "drop"] = Field(
        "keep", description="labels of columns and values that a Stata or SPSS file has: publish them, or not"
    )

    later: ClassVar[frozenset[str]] = frozenset({"labels"})


class Policy(Strict):
    """Roles of the columns, the promise, the method and what may be lost.

    It holds no data, so that it can be kept with the code and handed to whoever audits. Everywhere a policy is taken it
    may be a file, a mapping or this; `sf.read_policy` checks one.

    >>> import sfumato as sf
    >>> columns = {"age": {"role": "quasi", "type": "integer"}, "disease": {"role": "sensitive"}}
    >>> sf.read_policy({"columns": columns, "privacy": [{"model": "distinct-l", "l": 3}]})
    <Policy: 2 columns (1 quasi, 1 sensitive); distinct-l (l=3); auto; generalized>
    """

    version: Literal[1] = Field(1, description="version of this document's schema")
    columns: dict[str, Column] = Field(
        min_length=1, description="every column of the data, by name, or several by a wildcard: lab_*"
    )
    others: Column | None = Field(None, description="every column that has no entry under columns:; none: an error")
    privacy: tuple[AnyPromise, ...] = Field(min_length=1, description="what is promised of every group; all of it")
    partition: AnyMethod = Field(default_factory=_first_method, description="which rows share a group")
    form: AnyForm = Field(default_factory=_first_form, description="how a group is shown")
    loss: LossSettings = Field(default_factory=LossSettings, description="what to lose least of")
    suppression: SuppressionSettings = Field(
        default_factory=SuppressionSettings, description="how much may be left out"
    )
    missing: Missing = Field("category", description="what a missing value is: a category, an error, or a dropped row")
    input: Input = Field(default_factory=Input, description="how the data is written")
    output: Output = Field(default_factory=Output, description="how the tables of a release are written")

    _base: Path = PrivateAttr(default_factory=Path)
    _written: Policy | None = PrivateAttr(None)
    _by_rule: dict[str, tuple[str, ...]] | None = PrivateAttr(None)
    _given: Policy | None = PrivateAttr(default=None)

    def __repr__(self) -> str:
        roles = Counter(column.role for column in self.columns.values())
        told = ", ".join(f"{count} {role}" for role, count in roles.items())
        columns = f"{counted(len(self.columns), 'column')} ({told})"
        return f"<Policy: {columns}; {self.promise}; {self.partition.method}; {self.form.publish}>"

    @property
    def base(self) -> Path:
        """The folder that files of hierarchies and knowledge are looked up in: that of the policy file."""
        return self._base

    @property
    def given(self) -> Policy:
        """The document as it was given, without types that come from the data."""
        return self._given or self

    def typed(self, types: Mapping[str, Type]) -> Policy:
        """The same policy, in which columns without a type have these; text where none is known.

        It stands for the document that was given: `digest` and `as_dict` are those of that one.
        """
        given = self.given
        columns = {
            name: column if column.type is not None else column.model_copy(update={"type": types.get(name, "text")})
            for name, column in given.columns.items()
        }
        made = given.model_copy(update={"columns": columns})
        made._given = given
        return made

    def with_role(self, *roles: str) -> tuple[str, ...]:
        """Names of the columns with one of these roles, in policy order."""
        return tuple(name for name, column in self.columns.items() if column.role in roles)

    @cached_property
    def quasi(self) -> tuple[str, ...]:
        return self.with_role("quasi")

    @cached_property
    def sensitive(self) -> tuple[str, ...]:
        return self.with_role("sensitive")

    @cached_property
    def sets(self) -> tuple[str, ...]:
        """Quasi-sensitive columns: a set of terms in every row."""
        return self.with_role("quasi-sensitive")

    @cached_property
    def secret(self) -> tuple[str, ...]:
        """Columns that must not be told whose they are: sensitive and quasi-sensitive ones."""
        return self.with_role("sensitive", "quasi-sensitive")

    @cached_property
    def individual(self) -> str | None:
        """The column that says whose a row is, if there is one."""
        return next(iter(self.with_role("individual")), None)

    @cached_property
    def weight(self) -> str | None:
        """The column that says how many people of the population a row stands for, if there is one."""
        return next(iter(self.with_role("weight")), None)

    @cached_property
    def promise(self) -> AllOf:
        """The whole promise, each part with the sensitive column that it is about."""
        return all_of(*self.privacy)

    @cached_property
    def coarsened(self) -> frozenset[str]:
        """Sensitive columns that a step may show by labels of their hierarchies, none of which lies above another."""
        steps = [step for step in self.partition.steps if step.coarsens]
        named = {name for step in steps for name in (getattr(step, "columns", ()) or self.sensitive)}
        return frozenset(name for name in named & {*self.sensitive} if self.columns[name].hierarchy is not None)

    @cached_property
    def unpromised(self) -> tuple[str, ...]:
        """Sensitive and quasi-sensitive columns that no promise speaks of."""
        told = {promise.about for promise in self.promise.parts if promise.about_terms}
        sets = () if None in told else tuple(name for name in self.sets if name not in told)
        return (*self._unpromised, *sets)

    @property
    def _unpromised(self) -> tuple[str, ...]:
        told = {name for name, _ in self.promise.asked_of(self.sensitive)}
        return tuple(name for name in self.sensitive if name not in told)

    def missing_rule(self, column: str) -> Missing:
        """What a missing value of that column is; an unknown person is no category, but an error or a dropped row, and
        a weight is never missing."""
        rule = self.columns[column].missing or self.missing
        never = column == self.weight or (rule == "category" and column == self.individual)
        return "error" if never else rule

    def as_dict(self) -> dict[str, Any]:
        """The document as plain JSON, defaults left out."""
        plain: dict[str, Any] = self.given.model_dump(mode="json", exclude_defaults=True)
        return {"version": self.version, **plain}

    def to_yaml(self) -> str:
        """The document as people write it, defaults left out; `sf.read_policy` reads the same policy from it."""
        from sfumato.policy.yaml import to_yaml  # with the library for it

        return f"{to_yaml(self.as_dict())}\n"

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the whole document with its defaults, and of the files of hierarchies and knowledge that it names.

        Steps that flags can say are hashed as flags, in whichever way they were written. The order of columns counts:
        it shows in a release. With wildcards, it is that of the document as written.
        """
        if self._written is not None:
            return self._written.digest
        plain = self.given.model_dump(mode="json") | {"partition": self.partition.in_flags()}
        canonical = json.dumps(plain, separators=(",", ":"))
        hashed = hashlib.sha256(canonical.encode())
        for column in (*self.columns.values(), *([] if self.others is None else [self.others])):
            for source in (column.hierarchy, column.knowledge):
                if isinstance(source, (FileHierarchy, KnowledgeFile)):
                    file = self._base / source.file
                    hashed.update(hashlib.sha256(file.read_bytes() if file.is_file() else b"").digest())
        return hashed.hexdigest()

    def changed(
        self,
        promise: Promise | Mapping[str, Any] | None = None,
        partition: Method | Mapping[str, Any] | None = None,
        form: Form | Mapping[str, Any] | None = None,
        suppression: Mapping[str, Any] | None = None,
    ) -> Policy:
        """The same policy with another promise, algorithm, form or limit, checked as a whole again.

        Each as a value, or as the mapping that stands for it in a policy.
        """
        from sfumato.policy.load import read_policy

        if self._written is not None:
            return self._written.changed(promise, partition, form, suppression).resolved(self.names)
        document = overridden(self.as_dict(), promise, partition, form)
        limits = {} if suppression is None else {"suppression": suppression}
        return read_policy({**document, **limits}, base=self._base)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that the data must have."""
        return tuple(name for key, column in self.columns.items() for name in (column.parts or (key,)))

    @property
    def by_rule(self) -> Mapping[str, tuple[str, ...]]:
        """Per wildcard, and under "" for `others:`, the columns that it stood for; known once it met the data."""
        return {} if self._by_rule is None else self._by_rule

    def resolved(self, names: Iterable[str], *, published: bool = False) -> Policy:
        """The same policy with the columns of these names instead of wildcards and `others:`, checked again.

        `published`: the names are those of a release, which may lack columns. Those that the policy names elsewhere are
        meant as well, and a wildcard whose columns must be published stays if none of them is.
        """
        from sfumato.policy.load import read_policy

        if self._written is not None or not (self.others is not None or any(map(is_wildcard, self.columns))):
            return self
        plain = self.as_dict()
        wanted = dict.fromkeys((*names, *(names_in(plain) if published else ())))
        parts = [part for column in self.columns.values() for part in column.parts]
        found = meant(self.columns, self.others, wanted, parts)
        if found.clashes or (found.idle and not published):
            raise PolicyError([*found.problems()])
        kept = {rule: self.columns[rule] for rule in found.idle if self.columns[rule].role in ("quasi", "sensitive")}
        columns = found.columns | kept
        plain["columns"] = {name: each.model_dump(mode="json", exclude_defaults=True) for name, each in columns.items()}
        plain.pop("others", None)
        made = read_policy(plain, base=self._base)
        made._written, made._by_rule = self, found.by_rule
        return made


def overridden(
    document: Mapping[str, Any],
    promise: Promise | Mapping[str, Any] | None,
    partition: Method | Mapping[str, Any] | None,
    form: Form | Mapping[str, Any] | None,
) -> dict[str, Any]:
    """A document with another promise, algorithm or form, not checked yet."""
    made = dict(document)
    if promise is not None:
        parts = promise.parts if isinstance(promise, Promise) else [promise]
        made["privacy"] = [each.as_dict() if isinstance(each, Promise) else each for each in parts]
    if partition is not None:
        made["partition"] = partition.model_dump(mode="json") if isinstance(partition, Strict) else partition
    if form is not None:
        made["form"] = form.model_dump(mode="json") if isinstance(form, Strict) else form
    return made


def policy_schema() -> dict[str, Any]:
    """JSON Schema of the policy document."""
    schema = Policy.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["properties"]["partition"] = _one_of(METHODS, "method")
    for method in schema["properties"]["partition"]["oneOf"]:
        method["properties"]["steps"]["items"] = {"anyOf": [{"enum": [*STEPS]}, *_named(STEPS.values(), "step")]}
    schema["properties"]["form"] = _one_of(FORMS, "publish")
    schema["properties"]["privacy"]["items"] = {"oneOf": [promise_schema(cls) for cls in PROMISES.values()]}
    renamed: dict[str, Any] = _bounds_renamed(schema)
    return renamed


def _one_of(table: Mapping[str, type[Strict]], key: str) -> dict[str, Any]:
    """The settings of any of several kinds; the first is meant where the key is left out."""
    first, *others = table.values()
    return {"oneOf": [first.model_json_schema(), *_named(others, key)]}


def _named(kinds: Iterable[type[Strict]], key: str) -> list[dict[str, Any]]:
    """The settings of each, by name."""
    schemas = [cls.model_json_schema() for cls in kinds]
    for schema in schemas:
        schema["required"] = [key, *schema.get("required", ())]
    return schemas


_BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}


def _bounds_renamed(part: Any) -> Any:
    """Bounds on exact numbers under the names that JSON Schema has for them."""
    if isinstance(part, dict):
        return {_BOUNDS.get(key, key): _bounds_renamed(value) for key, value in part.items()}
    return [_bounds_renamed(item) for item in part] if isinstance(part, list) else part
