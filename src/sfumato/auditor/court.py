"""A release before the court: groups as a recipient sees them, every promise by its rule, the worse view counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from sfumato.auditor.lookalikes import ALL, surplus
from sfumato.auditor.reached import column_reached
from sfumato.auditor.rules import ENTRY_POINTS, Case, Rule, rule_of
from sfumato.auditor.ruling import RANK, Hearing, View, parameters_of, worse
from sfumato.auditor.secrets import Key, Secrets, reader_of
from sfumato.auditor.trees import taxonomy_of
from sfumato.auditor.verdict import Criterion, Reached
from sfumato.policy.columns import Column
from sfumato.policy.document import Input, Policy
from sfumato.policy.promise import Promise
from sfumato.release.classes import Classes
from sfumato.release.codes import Codes
from sfumato.release.opening import JOINT, Opened
from sfumato.release.views.contract import Seen
from sfumato.table.tally import CodedRows, Shardable

if TYPE_CHECKING:
    from sfumato.auditor.original import Original
    from sfumato.auditor.terms import TermColumn

__all__ = ["Court"]

_VALUES: View = "published values"
_ROWS, _RING = "", "*"
"""Among what is counted, just rows, and what a row of a ring shows: no column is called so."""


@dataclass(frozen=True, eq=False)
class Court:
    """The release, its sensitive columns, and what a recipient tells rows apart by.

    quasi    columns by whose values rows are told apart
    tally    counts those, the group id, and sensitive and quasi-sensitive columns
    listed   how many groups of every promise are to be listed
    merged   whether values that look the same are one, also where the policy does not say so
    original  the table that it was made from, if it is given
    """

    evidence: Opened
    policy: Policy
    secrets: Mapping[str, Secrets]
    quasi: tuple[str, ...]
    group_id: str | None
    whole: bool
    seen: Seen
    sets: Mapping[str, TermColumn] = field(default_factory=dict)
    merged: bool = False
    original: Original | None = None
    listed: int = 0
    tally: Shardable = field(default_factory=lambda: CodedRows({}))
    _counted: dict[tuple[View, str, tuple[str, ...]], Classes] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        evidence: Opened,
        policy: Policy,
        whole: bool,
        seen: Seen,
        merged: bool = False,
        original: Original | None = None,
        listed: int = 0,
    ) -> Court:
        table, document = seen.table, evidence.document
        apart = seen.beside if seen.exact else policy.quasi
        quasi = tuple(name for name in apart if name in table.columns)
        named = None if document is None else document.group_id
        group_id = named if named in table.columns else None
        made = cls(evidence, policy, {}, quasi, group_id, whole, seen, {}, merged, original, listed)
        columns = {name: made._column(table[name]) for name in policy.sensitive if name in table.columns}
        sets = {name: made._set(table[name]) for name in policy.sets if name in table.columns}
        return replace(made, secrets=columns, sets=sets, tally=made._rows({**columns, **sets}))

    def _rows(self, secrets: Mapping[str, Secrets | TermColumn]) -> CodedRows:
        """What can be counted: rows as they stand, or in a ring all that one of them shows."""
        windows, table = self.seen.windows, self.seen.table
        held = {name: each.codes for name, each in secrets.items()}
        if windows is not None:
            rows, ring = windows
            columns = {name: (codes.rows[rows], codes.size) for name, codes in held.items()}
            return CodedRows({**columns, _RING: (ring, int(ring.max(initial=-1)) + 1), _ROWS: (np.zeros_like(ring), 1)})
        shown = [*self.quasi, *([] if self.group_id is None else [self.group_id])]
        every = {**{name: Codes.alone(table[name]) for name in shown}, **held}
        columns = {name: (codes.rows, codes.size) for name, codes in every.items()}
        return CodedRows({**columns, _ROWS: (np.zeros(table.height, dtype=np.uint8), 1)})

    def _joint(self, name: str) -> str | None:
        """What parts the terms of a set, if it is not the column's separator."""
        return JOINT if name in self.evidence.lists else None

    @cached_property
    def doubtful(self) -> Mapping[str, int]:
        """Per column, values or terms that look like another, of which the policy does not say what they are."""
        found = {name: terms.alike for name, terms in self.sets.items()}
        for name, column in self.secrets.items():
            named = [key for key in map(column.read, self._listed(name)) if column.texts and isinstance(key, str)]
            found[name] = surplus(dict.fromkeys((*column.texts, *named, *self._missing(column))))
        told = {name for name in found if self.policy.columns[name].same == "none"}
        return {name: count for name, count in found.items() if count and name not in told}

    def _ways(self, column: Column) -> tuple[str, ...]:
        """What values may differ in and be the same."""
        return () if column.same == "none" or column.kind != "text" else ALL if self.merged else column.merged

    def _column(self, published: pl.Series) -> Secrets:
        column = self.policy.columns[published.name]
        found, ways = self._read(published, self._reader(column)), self._ways(column)
        if not ways:
            return found
        missing = self._missing(found)
        if not surplus(dict.fromkeys((*found.texts, *found.named, *self._listed(published.name), *missing)), ways):
            return found
        from sfumato.auditor.spelling import Spelling  # where a policy, or a doubt, makes values one

        kept = (key for key in found.keys if isinstance(key, str) and key not in found.texts)
        spelling = Spelling.of((*found.named, *filter(None, found.texts), *missing), ways, kept)
        made = self._read(published, spelling.over(found.read))
        shown = (key for key, rows in zip(found.keys, found.published, strict=True) if rows and isinstance(key, str))
        return replace(made, respelled=sum(spelling(text) != text for text in shown))

    def _set(self, published: pl.Series, whole: bool = False) -> TermColumn:
        """A quasi-sensitive column as it is published, or of the whole original table."""
        from sfumato.auditor.terms import TermColumn  # with knowledge, for tables that have such a column

        column, bare = self.policy.columns[published.name], self.evidence.document is None
        absent = self.policy.input.missing_values if bare else ()
        joint = None if whole else self._joint(published.name)
        read = TermColumn.of(published, column, self.policy.base, joint, absent)
        return read.spelled(self._ways(column))

    def _missing(self, column: Secrets) -> list[str]:
        """Texts of a column that rows hold which are left out, as the manifest tells."""
        manifest = self.evidence.manifest
        told = None if manifest is None else manifest.left_out
        if told is None or not column.texts or column.name not in told.columns:
            return []
        at = told.columns.index(column.name)
        keys = [column.read(held.values[at]) for held in (*told.suppressed, *told.dropped)]
        return [key for key in keys if isinstance(key, str) and not column.is_general(key)]

    def _listed(self, name: str) -> Iterator[str]:
        """Values of a column that promises list or weigh."""
        for _, promise in self.policy.promise.asked_of([name]):
            for item in (item for listed in vars(promise).values() if isinstance(listed, tuple) for item in listed):
                text = item[0] if isinstance(item, tuple) else item
                if isinstance(text, str):
                    yield text

    def _read(self, published: pl.Series, read: Callable[[str | None], Key]) -> Secrets:
        column, manifest = self.policy.columns[published.name], self.evidence.manifest
        known = {} if manifest is None else manifest.sensitive
        original = (known if self.original is None else self.original.sensitive).get(published.name)
        made = Secrets.of(published, column, read, original)
        seen = replace(made, taxonomy=taxonomy_of(made, self.policy.base))
        if original is None and self.whole and self.may_be_whole and not seen.generalized:
            made = replace(made, original=made.published)
            return replace(made, taxonomy=taxonomy_of(made, self.policy.base))
        return seen

    def _reader(self, column: Column) -> Callable[[str | None], Key]:
        """A release is written in its own notation; a bare table may be in that of the policy's data."""
        document, given = self.evidence.document, self.policy.input
        if document is not None:
            return reader_of(column, Input(), ("", document.notation.missing))
        return reader_of(column, given, ("", *given.missing_values))

    @property
    def may_be_whole(self) -> bool:
        """Whether the release does not itself say that rows are missing from it."""
        document = self.evidence.document
        return document is None or not (document.rows.left_out or document.rows.dropped)

    @property
    def views(self) -> Mapping[View, tuple[str, ...]]:
        """What tells groups apart; where quasi-identifiers are exact, equal values say nothing of who shares one."""
        if self.seen.windows is not None:
            return {"ring order": (_RING,)}
        if self.seen.exact:
            return {"group id": self.quasi if self.group_id is None else (*self.quasi, self.group_id)}
        by_values: dict[View, tuple[str, ...]] = {"published values": self.quasi}
        return by_values if self.group_id is None else {**by_values, "group id": (*self.quasi, self.group_id)}

    def classes(self, column: str, others: tuple[str, ...], view: View | None = None) -> Classes:
        """Classes under a view (default: the finest) and equal `others`, counted by a column ("": just rows)."""
        chosen = view or list(self.views)[-1]
        key = (chosen, column, others)
        if key not in self._counted:
            self._counted[key] = self._counts(column, others, chosen)
        return self._counted[key]

    def _counts(self, column: str, others: tuple[str, ...], view: View) -> Classes:
        beliefs, apart = self.seen.beliefs, (*self.views[view], *others)
        if column and beliefs is not None:
            return beliefs[column]
        if column:
            held = self.secrets.get(column) or self.sets[column]
            return Classes.of(self.tally, apart, column, held.codes.size)
        names = self.secrets.keys() - set(others) if beliefs is None else ()
        for name in names:  # counted sooner or later: whichever it is has all rows
            return self.classes(name, others, view).just_rows()
        return Classes.of(self.tally, apart, _ROWS, 1)

    def case(self, column: str, others: tuple[str, ...], view: View | None = None) -> Case:
        """What a rule gets to see."""
        return self.case_of(column, self.classes(column, others, view))

    def case_of(self, column: str, classes: Classes) -> Case:
        """The same of classes that were counted elsewhere."""
        if not column:
            return Case(classes)
        if column in self.sets:
            prior = self._prior(column)
            needs = f"the prior of {column!r} estimated from the original table, which the internal manifest holds"
            return Case(classes, terms=self.sets[column], prior=prior, needs="" if prior is not None else needs)
        secrets = self.secrets[column]
        known = secrets.original is not None and int(secrets.original.sum()) > 0
        needs = f"the original distribution of {column!r}: the internal manifest, or whole=True if nothing was left out"
        return Case(
            classes,
            secrets,
            secrets.original if known else None,
            "" if known else needs,
            self._left_out,
        )

    @property
    def _left_out(self) -> int | None:
        """Rows that the table does not show, if that is known."""
        if self.evidence.document is not None:
            return self.evidence.document.rows.left_out
        return None if self.original is None else max(self.original.rows - self.seen.table.height, 0)

    def _prior(self, column: str) -> Mapping[str, Fraction] | None:
        """Of the labels of a quasi-sensitive column: the manifest's, or that of a table which is the whole of it."""
        manifest, document = self.evidence.manifest, self.evidence.document
        stated = None if manifest is None else manifest.priors.get(column)
        if stated is not None:
            return {label: Fraction(share) for label, share in stated.items()}
        if self.original is not None:
            return self._set(self.original.sets(column), whole=True).estimated()
        untouched = document is None or column not in document.suppressed_terms
        return self.sets[column].estimated() if self.whole and self.may_be_whole and untouched else None

    def criteria(self) -> Iterator[Criterion]:
        """Every promise of the policy, several sensitive columns of a multi-attribute one apart."""
        for name, promise, about, others in self.asked():
            yield self._judged(promise, name, about, others)

    def asked(self) -> Iterator[tuple[str, Promise, str, tuple[str, ...]]]:
        """Every promise with the name under which it is asked, the column that it is about, and the columns whose
        values split its classes. Without a column ("") it is not known which it is about."""
        for promise in self.policy.promise.parts:
            if promise.of_each is None:
                rule = rule_of(promise.name)
                candidates = self.policy.sets if rule is not None and rule.terms else self.policy.sensitive
                about = promise.about or (candidates[0] if len(candidates) == 1 else "")
                yield promise.name, promise, about, ()
                continue
            for each in promise.of_each.parts:
                for column in self.policy.sensitive:
                    others = tuple(other for other in self.policy.sensitive if other != column)
                    yield promise.name, each, column, others

    def _judged(self, promise: Promise, name: str, about: str, others: tuple[str, ...]) -> Criterion:
        rule = rule_of(promise.name)
        column = about if rule is None or rule.values or rule.terms else ""
        blank = Criterion(
            model=name,
            parameters=parameters_of(promise, name),
            on=(about if others else column) or None,
            verdict="undecidable",
        )
        needs = self._lacking(promise, rule, column, others)
        if rule is None or needs:
            return blank.model_copy(update={"needs": needs})
        if rule.values and (self._unfit(rule, column) or any(self._mixed(rule, each) for each in others)):
            return blank.model_copy(update={"verdict": "fails"})
        if promise.knowing:  # of rows that show the same in a set, whatever else tells them apart
            sets = [self._known(column, (*names, *others)) for names in promise.knowing]
            hearings = [Hearing(promise, rule, blank, case, _VALUES, shown) for case, shown in sets]
            return self.listing(max(hearings, key=lambda hearing: worse(hearing.judged)))
        views: list[View] = [view for view in self.views if view == "group id" or not rule.by_id]
        hearings = [
            Hearing(promise, rule, blank, self.case(column, others, view), view, (*self.views[view], *others))
            for view in views
        ]
        return self.listing(max(reversed(hearings), key=lambda hearing: RANK[hearing.judged.verdict]))

    def listing(self, hearing: Hearing) -> Criterion:
        """The judgement, with the worst groups if they are asked for."""
        judged, believed = hearing.judged, self.seen.beliefs is not None
        if believed:  # what was counted are shares of a belief, and nobody's rows
            judged = judged.model_copy(update={"worst": None, "violating_rows": None})
        if not self.listed or judged.verdict == "undecidable":
            return judged
        from sfumato.auditor.worst import worst_groups  # for who asks which groups they are

        return judged.model_copy(update={"groups": worst_groups(hearing, self.listed, self)})

    def _known(self, column: str, names: tuple[str, ...]) -> tuple[Case, tuple[str, ...]]:
        """What a rule gets to see of rows that agree in these columns, as far as they are published; and which are."""
        shown = tuple(name for name in names if name in self.quasi or name in self.secrets)
        held = self.secrets.get(column)
        counted_by, size = (_ROWS, 1) if held is None else (column, held.codes.size)
        return self.case_of(column, Classes.of(self.tally, shown, counted_by, size)), shown

    def _unfit(self, rule: Rule, column: str) -> int:
        """Rows whose value the rule cannot count."""
        secrets = self.secrets[column]
        if rule.general:
            return 0 if secrets.untold else secrets.unknown
        return self._mixed(rule, column)

    def _mixed(self, rule: Rule, column: str) -> int:
        """Rows whose value may be another row's as well: generalized, unless to labels that do not overlap."""
        secrets = self.secrets[column]
        labelled = rule.coarse and column in self.policy.coarsened and secrets.apart
        return 0 if labelled else secrets.generalized

    def _lacking(self, promise: Promise, rule: Rule | None, column: str, others: tuple[str, ...]) -> str:
        """What there is not, without which nothing can be judged."""
        if rule is None:
            return f"an audit rule for {promise.name} (entry points {ENTRY_POINTS!r})"
        if self.seen.table.height == 0:
            return "at least one row"
        if (rule.values or rule.terms) and not column:
            return f"to know which {'quasi-' * rule.terms}sensitive column it is about"
        known = self.sets if rule.terms else self.secrets
        absent = [each for each in (column, *others) if each and each not in known]
        if absent:
            return f"the column {', '.join(map(repr, absent))} in the release"
        if self.seen.needs:
            return self.seen.needs
        by_rows = rule.rows or not (rule.values or rule.terms)
        if self.seen.windows is not None and by_rows:
            return "a form whose groups share what they show: in a ring, rows are told apart"
        if self.seen.beliefs is not None and column and column not in self.seen.beliefs:
            return f"what groups held of the column {column!r}"
        if self.seen.changed and (not rule.shape or others):
            return "a form that does not change values: which of them are likely is not told, only how likely"
        if self.seen.exact and by_rows:
            return "a form that does not show quasi-identifiers as they are: by them, rows of a group are told apart"
        if not self.seen.linked(frozenset((column, *others))):
            return "sensitive columns that are shown together: which of their values belong to one person is not told"
        return "a published group id" if (rule.by_id or self.seen.exact) and self.group_id is None else ""

    def reached(self) -> Reached:
        """Every level, asked or not, under the finest view."""
        if self.seen.table.height == 0:
            return Reached(k=0, columns={})
        told = not self.seen.needs and not self.seen.changed
        columns = {
            name: column_reached(self.case(name, ()))
            for name, column in self.secrets.items()
            if told and not column.generalized
        }
        smallest = self.seen.smallest if self.seen.exact or self.seen.singled else int(self.classes("", ()).sizes.min())
        return Reached(k=smallest, columns=columns)
