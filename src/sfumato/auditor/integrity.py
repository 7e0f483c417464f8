"""Whether a release is what its documents say: columns, rows, counts, values. Findings hold names and counts only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from sfumato.auditor.cells import cell_findings
from sfumato.auditor.labelling import label_findings
from sfumato.auditor.rules import rule_of
from sfumato.auditor.rules.tau_l import seen_weights
from sfumato.auditor.secrets import Secrets
from sfumato.auditor.termfaults import set_findings
from sfumato.auditor.wording import wording
from sfumato.policy.document import Policy
from sfumato.policy.forms import Form, read_form
from sfumato.policy.parameters import Weights
from sfumato.policy.promises import read_promise
from sfumato.release.documents import ReleaseDocument
from sfumato.release.opening import Opened
from sfumato.release.views.contract import Seen
from sfumato.table.dictionaries import values_of
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato.auditor.terms import TermColumn

__all__ = ["findings"]

_PSEUDONYM = "^[0-9a-f]{32}$"


def findings(
    evidence: Opened,
    seen: Seen,
    policy: Policy,
    secrets: Mapping[str, Secrets],
    sets: Mapping[str, TermColumn],
    groups: int,
) -> Iterator[str]:
    """Every problem; any of them keeps the audit from holding. `groups` counts those that a recipient tells apart."""
    yield from evidence.problems
    yield from seen.problems
    yield from _columns(evidence, policy)
    if seen.table.height == 0:
        yield "the release has no rows"
    yield from _document(evidence, seen)
    yield from _form(evidence, seen, policy)
    yield from _dictionary(evidence, policy)
    if evidence.document is not None:
        yield from wording(evidence.document, policy)
    yield from _manifest(evidence, seen, policy)
    yield from cell_findings(evidence, seen, policy)
    yield from _weights(evidence.document, policy, secrets)
    for column in secrets.values():
        yield from _counts(evidence, seen, column)
        general = _may_be_general(policy, column.name)
        labelled = column.name in policy.coarsened and column.apart
        if (column.unknown and not column.untold) if general or labelled else column.generalized:
            yield (
                f"column {column.name!r}: sensitive values generalized or not of its kind in"
                f" {counted(column.generalized, 'row')}; values at different heights are not different values"
            )
        if column.respelled and evidence.document is not None:
            yield f"column {column.name!r}: {column.respelled} values in other spellings, which the policy makes one"
        if column.too_close:
            yield f"column {column.name!r}: bins no further apart than its difference: {column.too_close}"
    yield from set_findings(evidence, sets)
    yield from _group_ids(evidence, seen, groups)


def _columns(evidence: Opened, policy: Policy) -> Iterator[str]:
    tables, document = evidence.tables.values(), evidence.document
    group_id = document.group_id if document is not None else None
    own = {} if document is None else document.shown.own
    extra = {group_id, *own}
    for name, role in own.items():
        if name in policy.columns:
            yield f"column {name!r}: named as the {role}, but it has another role in the policy"
    if group_id is not None and (group_id in policy.columns or any(group_id not in table.columns for table in tables)):
        yield f"column {group_id!r}: named as the group id, but it is missing or has another role in the policy"
    shown = _shown(evidence)
    for name in shown:
        if name not in policy.columns and name not in extra:
            yield f"column {name!r}: is not in the policy"
    for name, column in policy.columns.items():
        if column.role in ("quasi", "sensitive", "quasi-sensitive") and name not in shown:
            yield f"column {name!r}: has the role {column.role} and is missing from the release"
        if column.role == "individual" and name in shown:
            yield f"column {name!r}: it says whose a row is, and is published"
        if column.role == "weight" and name in shown:
            yield f"column {name!r}: it holds sampling weights, and is published"
        if column.role == "drop" and name in shown:
            yield f"column {name!r}: the policy drops it, and it is published"
        if column.role == "identifier" and name in shown:
            names = shown[name]
            if not column.pseudonym:
                yield f"column {name!r}: an identifier is published"
            elif len(values_of(names)) < len(names):
                yield f"column {name!r}: pseudonyms are missing or not all different"
            elif document is not None and not values_of(names).str.contains(_PSEUDONYM).all():
                yield f"column {name!r}: has other things than random names of 32 hexadecimal digits"


def _shown(evidence: Opened) -> dict[str, pl.Series]:
    """Every published column, of the first table that has it."""
    found: dict[str, pl.Series] = {}
    for table in evidence.tables.values():
        found = {**{column.name: column for column in table.get_columns()}, **found}
    return found


def _group_ids(evidence: Opened, seen: Seen, groups: int) -> Iterator[str]:
    group_id = evidence.document.group_id if evidence.document is not None else None
    if group_id is not None and group_id in seen.table.columns:
        ids = seen.table[group_id].n_unique()
        if ids != groups:
            yield f"column {group_id!r}: {ids} group ids, but {groups} combinations of them with published values"


def _document(evidence: Opened, seen: Seen) -> Iterator[str]:
    document, published = evidence.document, seen.table.height
    if document is None:
        return
    for entry in document.tables:
        table = evidence.tables[entry.name]
        which = "the table" if len(evidence.tables) == 1 else f"the table {entry.name!r}"
        if list(entry.columns) != table.columns:
            columns = f"{counted(len(table.columns), 'column')}, not those {len(entry.columns)}"
            yield f"{which} has {columns} listed in release.json"
        if entry.rows != table.height:
            yield f"{which} has {counted(table.height, 'row')}, release.json says {entry.rows}"
    if document.rows.published != published:
        yield f"the table has {counted(published, 'row')}, release.json counts {document.rows.published} published"
    yield from _words(document)


def _form(evidence: Opened, seen: Seen, policy: Policy) -> Iterator[str]:
    """The release has the form that the policy asks for: what one form may show, another may not."""
    if evidence.document is None:
        return
    form = str(evidence.document.form.get("publish"))
    if form != policy.form.publish:
        yield (
            f"release.json: its form is {form}, and that of the policy {policy.form.publish}; judge a release with the"
            " policy that it was made under"
        )
        return
    if _settings(evidence.document.form) not in (None, policy.form):
        yield "release.json: its form has other settings than that of the policy"
    if seen.exact and not getattr(policy.form, "insensitive", True):
        for name in _shown(evidence):
            if name in policy.columns and policy.columns[name].role == "insensitive":
                yield f"column {name!r}: insensitive, and the policy's form leaves such columns out"


def _settings(form: Mapping[str, Any]) -> Form | None:
    """None: no policy knows them."""
    try:
        return read_form(form)
    except ValueError:
        return None


def _words(document: ReleaseDocument) -> Iterator[str]:
    """Form and promise are those of a policy: a free text could hold anything."""
    if _settings(document.form) is None:
        yield "release.json: its form has settings that a policy does not know"
    for promise in document.promise:
        try:
            read_promise(promise)
        except ValueError:
            yield "release.json: it states a promise that a policy does not know"


def _dictionary(evidence: Opened, policy: Policy) -> Iterator[str]:
    document, table = evidence.document, _shown(evidence)
    if document is None:
        return
    notation = document.notation
    quasi = [name for name in policy.quasi if name in table]
    for name in quasi:
        entry = document.dictionary.get(name)
        if entry is None:
            yield f"column {name!r}: the data dictionary does not explain it"
        elif entry.values is not None:
            shown = set(values_of(table[name]).to_list()) - {notation.missing, notation.suppressed}
            unknown = len(shown - entry.values.keys())
            if unknown:
                yield f"column {name!r}: published values that are not in the data dictionary: {unknown}"
            more = len(entry.values.keys() - shown - {notation.suppressed})
            if more:
                yield f"column {name!r}: the data dictionary explains {counted(more, 'value')} not published"
    for name, entry in document.dictionary.items():
        if name not in table:
            yield f"column {name!r}: the data dictionary explains it, but it is not published"
        elif name not in quasi and entry.values is not None:
            yield f"column {name!r}: the data dictionary lists values of a column that is not generalized"
        else:
            wanted = policy.output.labels == "keep" and name in policy.columns
            shown = set(values_of(table[name]).to_list()) if entry.labels else set()
            yield from label_findings(name, entry, shown, wanted)
    people = next(iter(evidence.tables.values()))
    starring = [name for name in quasi if name in people.columns]
    if document.rows.kept and document.rows.suppressed and starring:
        stars = [(people[name] == notation.suppressed).alias("") for name in starring]
        starred = pl.select(pl.all_horizontal(stars)).to_series().sum()
        if starred < document.rows.suppressed:
            yield f"suppressed rows that were kept: {document.rows.suppressed} by release.json, {starred} in the table"


def _manifest(evidence: Opened, seen: Seen, policy: Policy) -> Iterator[str]:
    manifest, document, published = evidence.manifest, evidence.document, seen.table.height
    if manifest is None:
        return
    if manifest.policy_sha256 != policy.digest:
        yield "the manifest belongs to another policy than the one given"
    for name in policy.sensitive:
        if name not in manifest.sensitive:
            yield f"column {name!r}: the manifest does not know its original distribution"
    if manifest.persons is not None and manifest.persons.column != policy.individual:
        yield f"column {manifest.persons.column!r}: the manifest takes it for the one that says whose a row is"
    if document is None:
        if published > manifest.input.rows:
            found = counted(published, "row")
            yield f"the table has {found}, more than the {manifest.input.rows} of the manifest's input"
        return
    if evidence.document_sha256 is not None and manifest.release_sha256 != evidence.document_sha256:
        yield "the manifest belongs to another release.json than the one found"
    rows = document.rows
    again = manifest.input.repeated
    if published + rows.left_out + rows.dropped + again != manifest.input.rows:
        beside = f", {again} beside another of their person" if again else ""
        yield (
            f"rows do not add up: {published} published, {rows.left_out} suppressed and {rows.dropped} dropped{beside}"
            f" are not the {manifest.input.rows} of the manifest's input"
        )


def _counts(evidence: Opened, seen: Seen, column: Secrets) -> Iterator[str]:
    """Sensitive values against the original table: none more often, and none less if nothing was left out."""
    manifest, document = evidence.manifest, evidence.document
    if manifest is None or column.name not in manifest.sensitive or column.original is None:
        return
    more = int(((column.published > 0) & (column.original == 0)).sum()) if seen.changed else 0
    if more:
        yield f"column {column.name!r}: values that do not occur originally: {more}"
    if not seen.changed:
        yield from _compared(document, column)
    if document is not None and int(column.original.sum()) != seen.table.height + document.rows.left_out:
        yield f"column {column.name!r}: its original counts do not add up to the published and suppressed rows"


def _compared(document: ReleaseDocument | None, column: Secrets) -> Iterator[str]:
    """Values that were not changed, one by one."""
    if column.original is None:
        return
    more = int((column.published > column.original)[np.array(column.nodes) == -1].sum())
    if more:
        yield f"column {column.name!r}: values that occur more often than originally: {more}"
    over = _overfull(column)
    if over:
        yield f"column {column.name!r}: nodes of its hierarchy that stand for more rows than originally: {over}"
    if document is None:
        return
    left_out = document.rows.left_out
    fewer = int((column.published < column.original).sum())
    if fewer and left_out == 0 and not column.generalized:
        yield f"column {column.name!r}: values that occur less often than originally, yet nothing was left out: {fewer}"


def _overfull(column: Secrets) -> int:
    """Nodes with more published rows at or below them than originally."""
    tree, leaves = column.taxonomy, column.places
    if tree is None or leaves is None or column.original is None or not column.generalized:
        return 0
    gap = column.published - column.original
    first, last = tree.first[leaves], tree.last[leaves]
    inner = range(tree.size, len(tree.labels))
    return sum(int(gap[(tree.first[node] <= first) & (last <= tree.last[node])].sum()) > 0 for node in inner)


def _may_be_general(policy: Policy, column: str) -> bool:
    """Whether a promise about the column knows how to count generalized values; any other one fails by itself."""
    asked = (promise for promise in policy.promise.parts if promise.about in (None, column))
    return any(rule is not None and rule.general for rule in (rule_of(promise.name) for promise in asked))


def _weights(document: ReleaseDocument | None, policy: Policy, secrets: Mapping[str, Secrets]) -> Iterator[str]:
    """The weights that ``release.json`` states follow from the policy and the published rows."""
    for place, name in enumerate(() if document is None else document.weights, 1):
        if name not in secrets:
            yield f"release.json: weights of something that is no sensitive column of the release (entry {place})"
    for column in secrets.values():
        stated = None if document is None else document.weights_of(column.name)
        if stated is not None:
            yield from _stated(stated, _weighings(policy, column.name), column)


def _stated(stated: Mapping[str, Fraction], asked: Sequence[Weights], column: Secrets) -> Iterator[str]:
    meant = {column.read(text) if text else None: weight for text, weight in stated.items()}
    if not asked:
        yield f"release.json: weights of column {column.name!r}, of which no promise needs any"
    for weights in asked:
        if weights == "table":
            yield f"release.json: weights of column {column.name!r} say how often values occurred, also hidden ones"
        elif meant != seen_weights(weights, column) or len(meant) < len(stated):
            yield f"release.json: other weights of column {column.name!r} than the policy and the published rows give"


def _weighings(policy: Policy, column: str) -> list[Weights]:
    """The weights by which promises count generalized values of a column."""
    asked = (promise.weighing for _, promise in policy.promise.asked_of([column]))
    return [weights for weights in asked if weights is not None]
