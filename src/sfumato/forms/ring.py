"""Ring: every row shows quasi-identifiers that cover L people, and carries the sensitive values of one of them.

The rows of a group are put in a ring of which any L neighbours have different sensitive values; L is the number of
different values that keeps the promise. The i-th row of the ring shows the least that covers the quasi-identifiers of
rows i .. i+L-1, and carries the values of one of these. Rows are shuffled; neither ring nor group is published.

The adversary knows everybody's quasi-identifiers, the group, the order of the ring and how it is made, and finds every
assignment of the group's values to its rows equally likely before. They do not know what was drawn:

``rotation``   one of the L rotations of the whole ring, each with probability 1/L, as the paper has it. The order of
               the ring is as likely under each of them, so a person has each of L values with probability 1/L.
               But the rotation is the same for all: **who learns one person's value knows everybody's in that ring.**
``matching``   (default) the group is first cut into rings of L to 2L-1 rows whose values all differ, rows in a random
               order. Each draws a perfect matching of its own, every pair with probability 1/L, and any order and
               matching is as likely whatever the values are: again 1/L. Who learns one person's value learns nothing
               of other rings, and in a ring of L rows only that nobody else has it; in one of more rows it can be more.

Why not a matching of the paper's ring: values repeat there, and then L rows that cover a person may show a value twice.
A person's own value is among them once, always; so the repeated one is out. Of a b c a b c at L = 3 the matching that
shows a a c b c b leaves the second person b with certainty.

What would give it away (and does not happen): published in ring order, or with everybody's own value first, the
direction alone reads off everything. Only the holder can verify a release: the order of rings is in the manifest.

A group of which no ring can be made is shown whole, as `generalized` would, its values in a random order. Sensitive and
insensitive columns of one person stay together, so that every row is true of somebody it covers. No cell says less than
in `generalized` on the same groups. Where promises speak of several columns, a group has a ring if its rows all differ
in each of them.

Deviations from the paper: the cut; places in a ring are drawn, not taken from an order of quasi-identifiers, which
would cover less but depend on who has which value. Make the groups small instead.

Reference: Wong, Mamoulis, Cheung: Non-homogeneous generalization in privacy preserving data publishing. SIGMOD 2010.
https://doi.org/10.1145/1807167.1807248
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.fit import NATIVE, Fit, adapted, refused
from sfumato.forms.contract import Material, Published
from sfumato.forms.covers import NOTATION, Gathered, ShownColumn, class_sizes, dictionary_of, spans_of
from sfumato.forms.ring_order import Rings, carried, rings_of
from sfumato.forms.rows import ShownRows
from sfumato.models.contract import Model, concerned
from sfumato.policy.forms import Ring as Options
from sfumato.policy.sections import RingEntry, RingsSealed
from sfumato.randomness import Randomness
from sfumato.table.dictionaries import column_of

__all__ = ["RingPublisher"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class RingPublisher:
    """The publisher of `form: {publish: ring}`."""

    options: Options

    def fit(self, model: Model) -> Fit:
        if model.counts_rows:
            who = concerned(model, lambda part: part.counts_rows, "speaks", "speak")
            return refused(f"{who} of rows that cannot be told apart, and in a ring each shows something else")
        if not model.survives_merging:
            who = concerned(model, lambda part: not part.survives_merging, "needs", "need")
            return refused(f"{who} a published group id, and a ring publishes none")
        if model.uniform_l() is None:
            who = concerned(model, lambda part: part.uniform_l() is None)
            return refused(f"a ring shows different values, and there is no number of them that keeps {who}")
        if model.uniform_only():
            return NATIVE
        return adapted("groups of which no ring can be made are shown whole")

    def publish(self, material: Material) -> Published:
        shown = ShownRows.of(material)
        group, suppressed = shown.group, shown.suppressed
        randomness = material.bound("ring", self.options.model_dump_json())
        turn = self.options.draw == "rotation"
        rings = rings_of(np.where(group == suppressed, -1, group), *_wanted(shown), randomness, cut=not turn)
        may_be = shown.tuples[rings.rows], rings.starts, rings.width
        if suppressed is not None:
            rings = _joined(rings, np.flatnonzero(group == suppressed))
        rows, starts, shows = rings.windows()
        covers = _covers(shown, Gathered(rows, starts), len(starts) - 2 if suppressed is not None else None)
        secrets = carried(rings, randomness, turn)
        order = randomness.shuffle(len(secrets), "row order")
        at = shows[order]
        table = _table(shown, covers, at, secrets[order], randomness)
        sizes = np.bincount(at, minlength=len(starts) - 1)
        told = sizes[: len(starts) - 2] if suppressed is not None else sizes
        return Published(
            tables={"table": table},
            group_id=None,
            dictionary=dictionary_of(shown, covers, Options.phrases),
            notation=NOTATION,
            spans=spans_of(covers, told),
            sizes=class_sizes(told, covers, False),
            blank={name: int(sizes[cover.blank].sum()) for name, cover in covers.items()},
            recoded=False,
            sealed=RingsSealed(rings=_published(rings, order)),
            notes=self._notes(rings),
            rings=may_be,
        )

    def _notes(self, rings: Rings) -> tuple[str, ...]:
        narrow = rings.width < rings.length
        notes = ["rings cannot be verified from the release: their order is in the internal manifest"]
        if self.options.draw == "rotation" and narrow.any():
            people = int(rings.length[narrow].max())
            notes.append(f"draw: rotation: one person's value gives away those of all in the ring, up to {people} rows")
        return tuple(notes)


def _wanted(shown: ShownRows) -> tuple[list[Ints], int]:
    """The columns in which neighbours differ, and how many rows one shows; none if values were generalized."""
    material, model = shown.material, shown.material.model
    size = None if model is None else model.uniform_l()
    if model is None or size is None:
        raise ValueError("a ring needs a promise that a number of different values keeps")
    names = dict.fromkeys(name for columns in model.statistics for name in columns)
    if set(names) & set(material.partition.edits):
        return [], size
    return [material.table.codes[name][shown.tuples].astype(np.int64) for name in names], size


def _joined(rings: Rings, rows: Ints) -> Rings:
    """With suppressed rows as one more, shown whole."""
    starts = np.append(rings.starts, rings.starts[-1] + len(rows))
    return Rings(np.concatenate((rings.rows, rows)), starts, np.append(rings.width, len(rows)))


def _covers(shown: ShownRows, gathered: Gathered, hidden: int | None) -> dict[str, ShownColumn]:
    """How every column shows every window."""
    made = {}
    for column in shown.material.table.quasi:
        codes = shown.material.table.codes[column.name][shown.tuples]
        cover = ShownColumn.of(column, codes, shown.material.policy.columns[column.name], gathered, None)
        if hidden is not None:
            cover = cover.hiding(np.arange(len(gathered.starts) - 1) == hidden, column)
        made[column.name] = cover
    return made


def _table(
    shown: ShownRows, covers: dict[str, ShownColumn], at: Ints, secrets: Ints, randomness: Randomness
) -> pl.DataFrame:
    """What every row shows, beside what it carries."""
    columns = shown.carried(secrets, randomness)
    columns |= {name: column_of(name, cover.shown[at], cover.texts) for name, cover in covers.items()}
    return pl.DataFrame([columns[name] for name in shown.material.policy.columns if name in columns])


def _published(rings: Rings, order: Ints) -> tuple[RingEntry, ...]:
    """Rings as rows of the published table."""
    row = np.empty(len(order), dtype=np.int64)
    row[order] = np.arange(len(order))
    bounds = zip(rings.starts[:-1].tolist(), rings.starts[1:].tolist(), rings.width.tolist(), strict=True)
    return tuple(RingEntry(rows=tuple(row[begin:end].tolist()), width=width) for begin, end, width in bounds)
