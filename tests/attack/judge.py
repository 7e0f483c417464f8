"""The judge: groups rebuilt from the written files, every promise by its definition, who is missing, whose rows.

It reads the release, the policy and the original table. Of the holder's manifest it takes only what no reader can know:
the order of rings, and whose rows are whose where no column tells.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from .beliefs import keeps_about_terms, read_terms
from .case import Case, Cell, Finding, Row, inner, named
from .definitions import Reference, Tree, keeps, tree_of
from .labels import told_by_labels
from .leftout import left_out_findings
from .posterior import by_counts, by_shares, feasible
from .reading import Published, Secret, plain, read_published

__all__ = ["EXACT", "Held", "Judge", "judge"]

EXACT = ("permuted", "anatomized", "sliced", "randomized")
BY_ID = ("pairwise-l", "unique-distinct-l", "unique-distinct-literal")

Held = Mapping[str, Any]
Groups = Sequence[Sequence[Held]]


def judge(case: Case, folder: Path, manifest: Path | None = None) -> list[Finding]:
    """Everything that is wrong with a written release of the case."""
    published = read_published(folder)
    sealed = json.loads(manifest.read_text(encoding="utf-8")) if manifest is not None else {}
    strict = Judge(case, published, sealed)
    found = list(strict.findings())
    if found:  # what is wrong only since spellings are one value is called so
        literal = Judge(case, published, sealed, fold=False)
        apart = {(finding.kind, finding.about) for finding in literal.findings()}
        found = [
            each if (each.kind, each.about) in apart else Finding("spelling", each.about, each.detail) for each in found
        ]
    return found


@dataclass(frozen=True)
class Judge:
    """One release before the judge.

    fold       texts that are only spelt apart are one value
    missing    it judges people who are missing: what they hold are values of the column, whoever else has them
    """

    case: Case
    published: Published
    manifest: Mapping[str, Any]
    fold: bool = True
    missing: bool = False

    def findings(self) -> Iterator[Finding]:
        yield from self.promises()
        if self.form in EXACT:
            yield from left_out_findings(replace(self, missing=True))
        yield from self._persons()
        yield from self._accounts()
        yield from told_by_labels(self.case, self.published, self.whole)

    @property
    def form(self) -> str:
        return str(self.published.document["form"]["publish"])

    @cached_property
    def whole(self) -> list[int]:
        """Rows of the original table that the missing rule leaves."""
        gone = set(self.case.dropped())
        return [place for place in range(len(self.case.rows)) if place not in gone]

    @cached_property
    def secrets(self) -> dict[str, Secret]:
        return {
            name: Secret.of(self.case, name, self.case.rows, self.fold) for name in self.case.with_role("sensitive")
        }

    @cached_property
    def sets(self) -> dict[str, Mapping[str, Any]]:
        return {name: self.case.columns[name] for name in self.case.with_role("quasi-sensitive")}

    def held(self, row: Mapping[str, Any], original: bool = False) -> Held:
        """What a row holds that is secret, of the columns that it has."""
        made: dict[str, Any] = {}
        for name, secret in self.secrets.items():
            if name in row:
                made[name] = secret.original(row[name]) if original else secret.published(row[name])
        for name, column in self.sets.items():
            if name in row:
                made[name] = read_terms(row[name], column.get("separator", "|"))
        return made

    @cached_property
    def originals(self) -> list[Held]:
        return [self.held(row, original=True) for row in self.case.rows]

    @cached_property
    def secret_rows(self) -> list[tuple[str, Held]]:
        """Every published combination of secrets, as often as it stands for a row, with its group id."""
        document = self.published.document
        rows = list(self.published.tables.values())[-1]
        count, group = document["shown"].get("count"), self.published.group_id
        beside = self._beside
        made = []
        for row in rows:
            key = json.dumps([row[group] if group else "", *(row[name] for name in beside)])
            made += [(key, self.held(row))] * int(row[count] or 1 if count else 1)
        return made

    @property
    def _beside(self) -> list[str]:
        """What stands in one slice with a secret."""
        secret = {*self.secrets, *self.sets}
        parts = [part for part in self.published.document["shown"].get("slices", ()) if secret & set(part)]
        return [name for part in parts for name in part if name not in secret]

    def _views(self, by_id: bool) -> Iterator[tuple[str, Groups]]:
        """Groups as they can be told apart: by id where there is one, and by what they show."""
        if self.form == "ring":
            rows = [self.held(row) for row in self.published.people]
            yield "ring order", [[rows[place] for place in window] for window in self._windows()]
            return
        if self.published.group_id is not None:
            yield "group id", _grouped(self.secret_rows)
        if self.form not in EXACT and not by_id:
            quasi = self.case.with_role("quasi")
            shown = [(json.dumps([row[name] for name in quasi]), self.held(row)) for row in self.published.people]
            yield "published values", _grouped(shown)

    def _known(self, sets: Sequence[Sequence[str]]) -> Iterator[tuple[str, Groups]]:
        """Rows that show the same in one of some sets of columns."""
        for names in sets:
            shown = [(json.dumps([row[name] for name in names]), self.held(row)) for row in self.published.people]
            yield " and ".join(names), _grouped(shown)

    def _windows(self) -> Iterator[list[int]]:
        """In a ring, the neighbours of whom everybody may be each."""
        for ring in self.manifest["sealed"]["rings"]:
            rows, width = ring["rows"], ring["width"]
            for place in range(len(rows)):
                yield [rows[(place + step) % len(rows)] for step in range(width)]

    def promises(self) -> Iterator[Finding]:
        """Every promise that some group breaks."""
        for promise in self.case.policy["privacy"]:
            if self.form == "randomized":
                broken = self._randomized(promise)
                views = [("belief", broken)] if broken else []
            else:
                by_id = inner(promise)["model"] in BY_ID
                counted = [*self._known(promise["of"])] if _of_sets(promise) else [*self._views(by_id)]
                views = [(view, sum(not self.keeps(promise, group) for group in groups)) for view, groups in counted]
                if not counted:
                    yield Finding("promise", named(promise), "there is no group id to judge it by")
            for view, groups_broken in views:
                if groups_broken:
                    yield Finding("promise", named(promise), f"{groups_broken} groups break it by {view}")

    def keeps(self, promise: Mapping[str, Any], group: Sequence[Held]) -> bool:
        """Whether a group, or any class of rows, keeps a promise."""
        if not group:
            return True
        if promise["model"] == "k-anonymity":
            return len(group) >= int(promise["k"])
        if promise["model"] == "multi-attribute":
            return all(self._keeps_apart(promise["of"], name, group) for name in self.secrets)
        about = self.about(promise)
        if about in self.sets:
            whole = [self.originals[place][about] for place in self.whole]
            return keeps_about_terms(promise, self.sets[about], [row[about] for row in group], whole)
        counts = Counter(row[about] for row in group)
        return keeps(promise, _exact(counts), self.references[about])

    def _keeps_apart(self, promise: Mapping[str, Any], name: str, group: Sequence[Held]) -> bool:
        """Of rows that agree in all other sensitive columns."""
        others = [other for other in self.secrets if other != name]
        parts = _grouped([(repr([row[other] for other in others]), row) for row in group])
        return all(self.keeps({**promise, "on": name}, part) for part in parts)

    def about(self, promise: Mapping[str, Any]) -> str:
        """The column that a promise speaks of."""
        names = self.sets if promise["model"].startswith("qs") else self.secrets
        return str(promise.get("on") or next(iter(names)))

    @cached_property
    def references(self) -> dict[str, Reference]:
        return {name: self._reference(name) for name in self.secrets}

    def _reference(self, name: str) -> Reference:
        secret = self.secrets[name]
        whole = Counter(self.originals[place][name] for place in self.whole)
        found = {held[name] for held in self.originals} if self.missing else set(whole)
        present = [key for key in found if key is not None]
        if "order" in secret.column:
            listed = [secret.original(text) for text in secret.column["order"]]
            present = [key for key in listed if key in found]
        elif secret.binned or secret.column.get("type") in ("integer", "number"):
            present.sort()
        order = [*present, *([None] if None in found else [])]
        hierarchy = secret.column.get("hierarchy")
        tree = tree_of(hierarchy["tree"]) if isinstance(hierarchy, Mapping) else None
        if tree is not None and None in found:
            tree = Tree(tree.label, (*tree.children, Tree(None)))
        return Reference(_exact(whole), secret.original, order, tree)

    def _randomized(self, promise: Mapping[str, Any]) -> int:
        """Groups in which some person's values are believed more than the promise allows."""
        retention = Fraction(self.published.document["shown"]["retention"])
        known = self.published.document["form"].get("known", "counts")
        broken = 0
        for shown, true in self._dealt():
            if known == "counts" and not feasible(true):
                continue
            beliefs = (by_counts if known == "counts" else by_shares)(true, shown, retention)
            place = list(self.secrets).index(self.about(promise))
            for belief in beliefs:
                mass: dict[Any, Fraction] = {}
                for combination, chance in belief.items():
                    assert isinstance(combination, tuple)  # of keys, by column
                    mass[combination[place]] = mass.get(combination[place], Fraction(0)) + chance
                if not keeps(promise, mass, self.references[self.about(promise)]):
                    broken += 1
                    break
        return broken

    def _dealt(self) -> Iterator[tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]]:
        """Per group what is shown, and what its people really have, where the rows tell who they are."""
        group_id = self.published.group_id
        assert group_id is not None
        places = self.whose()
        if places is None:
            return
        groups: dict[Cell, list[int]] = {}
        for at, row in enumerate(self.published.people):
            groups.setdefault(row[group_id], []).append(at)
        for rows in groups.values():
            shown = [self._combination(self.held(self.published.people[at])) for at in rows]
            yield shown, [self._combination(self.originals[places[at]]) for at in rows]

    def _combination(self, held: Held) -> tuple[Any, ...]:
        return tuple(held[name] for name in self.secrets)

    def whose(self) -> list[int] | None:
        """The original row that every published person is: by the tag, or by quasi-identifiers that nobody shares."""
        people = self.published.people
        if people and "tag" in people[0]:
            place_of = {row["tag"]: place for place, row in enumerate(self.case.rows)}
            return [place_of[row["tag"]] for row in people]
        if self.form not in ("permuted", "anatomized", "randomized"):
            return None
        keys = [self.quasi_key(row) for row in self.case.rows]
        found = {key: place for place, key in enumerate(keys)}
        shown = [self.quasi_key(row) for row in people]
        if len(found) < len(keys) or any(key not in found for key in shown):
            return None
        return [found[key] for key in shown]

    def quasi_key(self, row: Row) -> tuple[Any, ...]:
        """The exact quasi-identifiers of a row."""
        names = self.case.with_role("quasi")
        return tuple(plain(row[name], self.case.columns[name].get("type", "text")) for name in names)

    def _persons(self) -> Iterator[Finding]:
        """No group holds two rows of one person."""
        column = next(iter(self.case.with_role("individual")), None)
        group_id, people = self.published.group_id, self.published.people
        if column is None:
            return
        owners = [row[column] for row in self.case.rows]
        if len(set(owners)) == len(owners):
            return
        if group_id is None:
            yield Finding("persons", column, "somebody has several rows, and there is no group id")
        elif "tag" in people[0]:
            owner = {row["tag"]: row[column] for row in self.case.rows}
            seen = Counter((row[group_id], owner[row["tag"]]) for row in people)
            if max(seen.values()) > 1:
                yield Finding("persons", column, "a group holds two rows of one person")
        else:
            sealed = (self.manifest.get("persons") or {}).get("rows", ())
            groups = [[people[place][group_id] for place in rows] for rows in sealed]
            if any(len(set(mine)) < len(mine) for mine in groups):
                yield Finding("persons", column, "a group holds two rows of one person, by the manifest")

    def _accounts(self) -> Iterator[Finding]:
        """Rows add up, no more are left out than may be, and no value was made up."""
        counted = self.published.document["rows"]
        shown = len(self.published.people)
        away = 0 if counted["kept"] else counted["suppressed"]
        if shown + away != len(self.whole) or counted["dropped"] != len(self.case.rows) - len(self.whole):
            yield Finding("accounts", "rows", "published, suppressed and dropped are not those of the table")
        limit = Fraction(str(self.case.policy["suppression"]["limit"]))
        if Fraction(counted["suppressed"], len(self.whole)) > limit:
            yield Finding("accounts", "rows", "more rows are suppressed than the policy allows")
        for name in self.secrets:
            general = any(
                promise["model"] == "tau-l" and self.about(promise) == name for promise in self.case.policy["privacy"]
            )
            seen = Counter(held[name] for _, held in self.secret_rows)
            before = Counter(self.originals[place][name] for place in self.whole)
            if self.form == "randomized":
                seen = Counter(dict.fromkeys(seen, 1))
            if seen - before and not general:
                yield Finding("accounts", name, "values occur that the table does not have, or not so often")


def _of_sets(promise: Mapping[str, Any]) -> bool:
    """Whether it asks of sets of quasi-identifiers."""
    return isinstance(promise.get("of"), list)


def _grouped(rows: Sequence[tuple[str, Held]]) -> list[list[Held]]:
    groups: dict[str, list[Held]] = {}
    for key, row in rows:
        groups.setdefault(key, []).append(row)
    return list(groups.values())


def _exact(counts: Counter[Any]) -> dict[Any, Fraction]:
    return {key: Fraction(count) for key, count in counts.items()}
