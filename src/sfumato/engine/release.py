"""A release: tables that keep a promise, with what a recipient and the holder must know about them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from sfumato import __version__
from sfumato.advice.worthless import worthless
from sfumato.auditor.audit import audit
from sfumato.auditor.verdict import Audit
from sfumato.displayed import Displayed
from sfumato.engine.priors import estimated_priors
from sfumato.engine.protecting import protection_of
from sfumato.engine.telling import alarm, loss_lines, singled_out_lines
from sfumato.engine.written import Written
from sfumato.errors import InputError, one_line
from sfumato.forms.contract import Published
from sfumato.measures.lost import Losses
from sfumato.policy.columns import Type
from sfumato.release.document_bytes import to_bytes
from sfumato.release.documents import (
    ColumnEntry,
    Distribution,
    EarlierEntry,
    InMemory,
    InputFacts,
    LeftOut,
    LevelEntry,
    LossEntry,
    Manifest,
    Notation,
    Persons,
    ReleaseDocument,
    RowCounts,
    TableEntry,
    ValueLabel,
)
from sfumato.release.like import categories_of
from sfumato.release.persons import rows_of_persons
from sfumato.release.target import Files, Place, TableFile, Target
from sfumato.release.unlooked import Unlooked
from sfumato.release.weights import public_weights
from sfumato.table.dictionaries import as_dictionaries, as_texts, dictionary_of, values_of
from sfumato.table.domain import Domain
from sfumato.table.formats import FORMATS, PLAIN, kind_for
from sfumato.table.frames import give_back
from sfumato.table.labels import Labels, LabelsOf
from sfumato.table.sets import as_lists
from sfumato.table.spreadsheet import harmless, harmless_text
from sfumato.table.table import Table
from sfumato.table.tuples import Tuples
from sfumato.table.types import is_text
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato.notebook.plots import ReleasePlots
    from sfumato.partition.boxes.bound import Bound

__all__ = ["Drafted", "Release"]


@dataclass(frozen=True, eq=False)
class Release(Displayed):
    """An audited release in memory. `write` puts it in place, and has what is written audited.

    suppressed   rows that no group could take
    loss         what was lost under the policy's metric, 0 (nothing) to 1 (all)
    lost         the same column by column, what was done to sensitive values beside, and what the form hides instead
    remedies     what would help, if the release is worthless
    levels       per quasi-identifier, the level that all rows show and the highest there is, if that is so
    mapping      likewise what every value of the data became
    generalized  sensitive columns of which some values are shown as nodes of their hierarchy
    notes        what the holder should know
    cautions     what the holder was warned of
    suppressed_terms   per quasi-sensitive column, terms of the published rows that are not shown
    term_costs   per quasi-sensitive column, what the terms cost that are not shown, those of rows left out included: T
    left_out     for the holder: what rows hold that are missing, if the form shows who is
    source       the table that it was made from, under its policy
    tuples       what was grouped, by the names that are published
    published    what the form made of it; `table` and `tables` are for users
    key_id       which key its chance comes from
    before       for the holder: what was published before, and compared with
    verdict      the audit of what was written, where the tables were written part by part and are not held
    """

    source: Table
    tuples: Tuples
    published: Published
    suppressed: int
    loss: float
    key_id: str
    levels: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    mapping: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    generalized: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    suppressed_terms: Mapping[str, int] = field(default_factory=dict)
    term_costs: Mapping[str, float] = field(default_factory=dict)
    left_out: LeftOut | None = field(default=None, repr=False)
    lost: Losses | None = None
    remedies: tuple[str, ...] = ()
    before: tuple[EarlierEntry, ...] = field(default=(), repr=False)
    verdict: Audit | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        rows, policy = counted(self.published.rows, "row"), self.source.policy
        lost = f"loss {self.loss:.4f} ({policy.loss.metric}), rows left out: {self.suppressed}"
        return f"<Release of {rows}: {policy.promise}; {lost}>"

    @property
    def worthless(self) -> tuple[str, ...]:
        """What says nothing though the promise is kept, see `advice.worthless`; empty: the release says something."""
        return () if self.lost is None else worthless(self.lost)

    @cached_property
    def bound(self) -> Bound:
        """What no release of this table under its policy loses less than, see `sf.bound`. It takes seconds, once."""
        from sfumato.engine.bound import bound_under  # with the search for boxes, which few ask for

        return bound_under(self.source)

    @property
    def plot(self) -> ReleasePlots:
        """Pictures of it: `sizes()`, `losses()` and `shares(column)`, each of which shows itself and can be saved."""
        from sfumato.notebook.plots import ReleasePlots

        return ReleasePlots(self)

    @property
    def table(self) -> Any:
        """The published table, of the same frame type as the input (polars for files), if the form has only one."""
        names = self.published.tables
        if len(names) > 1:
            raise InputError(f"this form has {len(names)} tables: {', '.join(names)}; use release.tables")
        return give_back(next(iter(self.tables.values())), self.source.origin)

    @property
    def tables(self) -> Mapping[str, pl.DataFrame]:
        """Every published table as polars, texts as texts; sets of terms are lists if they came as lists."""
        return {name: as_texts(frame) for name, frame in self._shown(self.source.lists).items()}

    @cached_property
    def _coded(self) -> Mapping[str, pl.DataFrame]:
        """The tables as they are published, with a dictionary for every column of texts."""
        return {name: as_dictionaries(frame) for name, frame in self.published.tables.items()}

    def _shown(self, lists: Iterable[str]) -> Mapping[str, pl.DataFrame]:
        """The same, with these sets of terms as lists, and safe for spreadsheets if the policy asks for that."""
        policy, names = self.source.policy, tuple(lists)
        tables = {name: as_lists(frame, policy, names) for name, frame in self._coded.items()}
        return {name: harmless(frame) for name, frame in tables.items()} if self._safe else tables

    @property
    def _safe(self) -> bool:
        """Whether a spreadsheet must find nothing to run in it."""
        return self.source.policy.output.spreadsheet == "safe"

    def _name(self, text: str) -> str:
        """A name or value as the tables have it."""
        return harmless_text(text) if self._safe else text

    @cached_property
    def protection(self) -> float | None:
        """Excessive protection under a promise that caps shares; None: there is none, or the form shows no classes."""
        return None if self.verdict is not None else protection_of(self._in_memory, self.source)

    @cached_property
    def _in_memory(self) -> InMemory:
        """The release as if it was written."""
        files = {name: TableFile(f"{name}{FORMATS[PLAIN].suffix}", None) for name in self.published.tables}
        return InMemory(self._document(PLAIN, files), self._shown(()))

    @cached_property
    def held(self) -> tuple[InMemory, Manifest]:
        """The release as if it was written, and the manifest: for who judges or measures it in memory."""
        return self._in_memory, self._manifest(self._in_memory.document)

    def judged(self) -> Audit:
        """The auditor's judgement of the tables in memory."""
        return self._judged

    @cached_property
    def _judged(self) -> Audit:
        if self.verdict is not None:
            return self.verdict
        shown, manifest = self.held
        return audit(shown, self.source.policy, manifest)

    @property
    def singled_out(self) -> tuple[Unlooked, ...]:
        """How many rows insensitive columns single out, which no promise speaks of."""
        return self._judged.insensitive

    def write(
        self,
        target: str | Path | Target,
        *,
        force: bool = False,
        kind: str | None = None,
    ) -> Written:
        """Write to a folder, file, database or storage, audit what was written, then put everything in place at once.

        Raises `AuditFailed` if it does not keep the promise; an existing release is then left as it was. A
        `KeyboardInterrupt` says whether the release was written: what is begun is finished first.
        """
        place = target if isinstance(target, Target) else Target.of(target, force, kind)
        place.require_room(len(self.published.tables))
        place.require_other_than(self.source.inputs)
        put = place.put(Drafted(self))
        held = InMemory(put.document, self._in_memory.tables), put.sealed
        return Written(put.files, place.manifest, put.verdict, held, self.source, put.tables, put.uris)

    def _document(self, kind: str, files: Files) -> ReleaseDocument:
        policy, made = self.source.policy, self.published
        return ReleaseDocument(
            sfumato=__version__,
            form=policy.form.model_dump(mode="json"),
            tables=tuple(
                TableEntry(
                    name=name,
                    file=files[name].file,
                    kind=kind,
                    rows=frame.height if made.height is None else made.height,
                    columns=tuple(map(self._name, frame.columns)),
                    sha256=files[name].sha256,
                    parts=files[name].parts,
                )
                for name, frame in made.tables.items()
            ),
            group_id=made.group_id,
            shown=made.public.renamed(self._name),
            rows=RowCounts(
                published=made.rows,
                suppressed=self.suppressed,
                kept=policy.suppression.keep,
                dropped=self.source.dropped,
            ),
            promise=tuple(promise.as_dict() for promise in policy.privacy),
            notation=Notation(**made.notation),
            dictionary={self._name(name): self._entry(name, entry) for name, entry in made.dictionary.items()},
            weights={
                self._name(name): {self._name(text): weight for text, weight in weights.items()}
                for name, weights in public_weights(policy, self.generalized, self.tuples, made.tables.values()).items()
            },
            suppressed_terms=tuple(self._name(name) for name, lost in self.suppressed_terms.items() if lost),
        )

    def _entry(self, name: str, entry: Mapping[str, Any]) -> ColumnEntry:
        told = self._labels.get(name, Labels())
        labels = tuple(ValueLabel(code=code, label=label) for code, label in told.values)
        made = ColumnEntry(**entry, type=self._own_type(name), label=told.label, labels=labels)
        values = None if made.values is None else {self._name(text): says for text, says in made.values.items()}
        return made.model_copy(update={"values": values})

    @cached_property
    def _labels(self) -> LabelsOf:
        """By published column, its label and those of values that it shows; none if the policy drops them."""
        if self.source.policy.output.labels == "drop":
            return {}
        known, made = self.source.origin.labels, {}
        for column in (column for frame in self._coded.values() for column in frame.get_columns()):
            if column.name in known:
                told, texts = known[column.name], values_of(dictionary_of(column)).to_list()
                by_label = is_text(self.source.columns[column.name].values.dtype)
                made[column.name] = told.shown_in(texts) if by_label else told.coded_in(texts)
        return made

    def _own_type(self, name: str) -> Type | None:
        """The type of a column that the policy gives none, if it is not text; of one that stands for it, the same."""
        policy = self.source.policy
        shown = {name: owner for owner, names in self.published.public.stands_for.items() for name in names[:2]}
        owner = shown.get(name, name)
        column, given = policy.columns.get(owner), policy.given.columns.get(owner)
        open_ = column is not None and given is not None and given.type is None
        return column.kind if column is not None and open_ and column.kind != "text" else None

    def _manifest(self, document: ReleaseDocument) -> Manifest:
        table = self.source
        return Manifest(
            release_sha256=hashlib.sha256(to_bytes(document)).hexdigest(),
            input=InputFacts(
                rows=table.rows + table.dropped + table.repeated,
                sha256=table.digest,
                columns=table.policy.names,
                repeated=table.repeated,
            ),
            policy_sha256=table.policy.digest,
            key_id=self.key_id,
            sensitive={domain.name: _distribution(domain) for domain in self.tuples.sensitive},
            recoding={name: LevelEntry(level=level, height=top) for name, (level, top) in self.levels.items()},
            mapping={name: dict(values) for name, values in self.mapping.items()},
            persons=self._persons(),
            sealed=self.published.sealed,
            priors=estimated_priors(table),
            suppressed_terms=dict(self.suppressed_terms),
            left_out=self.left_out,
            categories=categories_of(table),
            loss=None if self.lost is None else LossEntry(**self._loss(), worthless=self.worthless),
            before=self.before,
        )

    def _persons(self) -> Persons | None:
        column = self.source.policy.individual
        return None if column is None else rows_of_persons(column, self.tuples.person, self.published.people)

    def _loss(self) -> dict[str, Any]:
        metric = {"metric": self.source.policy.loss.metric, "value": self.loss}
        beside = {"protection": self.protection, "terms": dict(self.term_costs)}
        return metric if self.lost is None else {**metric, **self.lost.as_dict(), **beside}

    def facts(self) -> dict[str, Any]:
        """What was done, as plain values."""
        return {
            "worthless": list(self.worthless),
            "remedies": list(self.remedies),
            "rows": self.published.rows,
            "suppressed": self.suppressed,
            "dropped": self.source.dropped,
            "repeated": self.source.repeated,
            "loss": self._loss(),
            "blank_cells": dict(self.published.blank),
            "suppressed_terms": dict(self.suppressed_terms),
            "levels": {name: {"level": level, "height": top} for name, (level, top) in self.levels.items()},
            "notes": [
                *self.notes,
                *self.cautions,
                *(each.sentence for each in self._judged.lopsided),
                *(said for each in self.singled_out for said in each.sentences()),
            ],
        }

    def summary(self) -> str:
        """What was done, in a few lines; warnings were given already, and are not repeated."""
        facts = self.facts()
        rows = counted(facts["rows"], "row")
        lines = list(alarm(self.worthless, self.remedies))
        lines.append(f"{rows} published, {self.suppressed} suppressed, {self.source.dropped} dropped as missing")
        lines += loss_lines(facts["loss"]["metric"], self.loss, self.lost)
        if self.protection is not None:
            lines.append(f"excessive protection: {self.protection:.4f}")
        for name, lost in self.suppressed_terms.items():
            cost = f", at a cost (T) of {self.term_costs[name]:.4f} of 1" if name in self.term_costs else ""
            lines.append(f"column {name!r}: terms suppressed: {lost}{cost}")
        if self.levels:
            lines.append(
                "levels: " + ", ".join(f"{one_line(name)} {at} of {top}" for name, (at, top) in self.levels.items())
            )
        lines += singled_out_lines(self.singled_out)
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def _distribution(domain: Domain) -> Distribution:
    pairs = zip(domain.published.cast(pl.String).to_list(), domain.counts.tolist(), strict=True)
    held = sorted((text is None, text or "", count) for text, count in pairs if count)
    values = tuple(None if missing else text for missing, text, _ in held)
    return Distribution(values=values, counts=tuple(count for _, _, count in held))


@dataclass(frozen=True, eq=False)
class Drafted:
    """A release as a target asks for it."""

    release: Release

    @property
    def kind(self) -> str:
        return kind_for(self.release.source.origin)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.release.published.tables)

    @property
    def labels(self) -> LabelsOf:
        return {self.release._name(name): each for name, each in self.release._labels.items()}

    def tables(self, lists: bool) -> Mapping[str, pl.DataFrame]:
        return self.release._shown(self.release.source.policy.sets if lists else ())

    def written(self, place: Place) -> Files:
        return {name: place.whole(name, frame, self.labels) for name, frame in self.tables(place.lists).items()}

    def document(self, kind: str, files: Files) -> ReleaseDocument:
        return self.release._document(kind, files)

    def manifest(self, document: ReleaseDocument) -> Manifest:
        return self.release._manifest(document)

    def audited(self, written: object, manifest: Path) -> Audit:
        return audit(written, self.release.source.policy, manifest).raise_for_failure()
