"""Belief change: how far the terms of a class move what is believed of labels.

Whoever finds somebody's class believes in a label as much as its linked rows do on average (β); before, as much as the
linked rows of the original table (α), or as the knowledge says. The change is the Euclidean distance of the two over
all labels, and no single belief changes by more. Its mean over rows is the average difference of beliefs that Figures 9
to 11 of the paper show; in a class without linked rows nothing is believed, and a suppressed row changes nothing.

Reference: P. Shi, L. Xiong and B. C. M. Fung, Anonymizing Data with Quasi-Sensitive Attribute Values, CIKM 2010,
Equation 1 and Definition 4.
Deviation: beliefs are taken over linked rows, as the prior is; the paper would divide by all rows of the group.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.knowledge.linking import Links, TermSets, link
from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.measures.terms import ShownSets, set_columns
from sfumato.release.subject import Lacking, Subject
from sfumato.table.domain import SetDomain
from sfumato.table.packing import Packed

__all__ = ["BeliefChange"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_ROOM = 2_000_000
"""Beliefs that are held at a time."""


@dataclass(frozen=True)
class BeliefChange:
    """Mean over rows of the distance between what is believed after and before.

    prior   from the linked rows of the original table, or that of the knowledge
    """

    prior: Literal["table", "knowledge"] = "table"
    name: ClassVar[str] = "belief-change"
    about: ClassVar[About] = About(
        title="how far classes move what is believed of labels",
        formula="mean over rows of sqrt(sum over labels of (belief by the class - prior)²)",
        range="0 (nobody learns anything) to the square root of 2",
        better="neither",
        reference="Shi, Xiong, Fung, CIKM 2010, Equation 1, Definition 4",
        needs=("the original table", "a quasi-sensitive column"),
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        rows, classes = subject.seen.windows or (np.arange(subject.seen.table.height), subject.classes[1])
        found: dict[str, float] = {}
        worst, of_classes = 0.0, []
        for column in set_columns(subject):
            shown = ShownSets.of(subject, column)
            packed = Packed.of_rows([(shown.codes[rows], len(shown.sets)), (classes, int(classes.max(initial=-1)) + 1)])
            sizes = np.bincount(classes)
            change = _changes(_linked(column, shown), packed, self._prior(column), len(sizes))
            found[column.name] = float(change @ sizes) / max(len(rows), 1) * subject.published / max(subject.rows, 1)
            worst = max(worst, float(change.max(initial=0.0)))
            of_classes.append(float(change[sizes > 0].mean()) if len(sizes) else 0.0)
        details = {"mean of classes": sum(of_classes) / len(of_classes), "largest": worst}
        return Figure(sum(found.values()) / len(found), found, details)

    def _prior(self, column: SetDomain) -> Floats:
        known, links = column.told, column.links
        if self.prior == "knowledge":
            if known.priors is None:
                raise Lacking("priors of labels in the knowledge")
            return np.array([float(each) for each in known.priors])
        rows = np.repeat(column.counts, links.counts)
        mass = np.bincount(links.labels, weights=rows * links.chances, minlength=len(known.labels))
        if not mass.sum():
            raise Lacking("a row of the original table whose terms stand for some label")
        return np.asarray(mass / mass.sum())


def _linked(column: SetDomain, shown: ShownSets) -> Links:
    """The labels that published sets may stand for."""
    terms = TermSets.of(column.told, shown.sets)
    lengths = terms.lengths - terms.unknown + shown.marks if column.known else None
    return link(column.told, terms, column.unknown, lengths)


def _changes(links: Links, packed: Packed, prior: Floats, classes: int) -> Floats:
    """The distance from the prior of what every class makes believe; 0 without a linked row."""
    found, labels = np.zeros(classes), len(prior)
    linked = links.linked[packed.codes(0)]
    rows = np.bincount(packed.codes(1)[linked], weights=packed.counts[linked], minlength=classes)
    for first, last, mass in _masses(links, packed, labels, classes):
        mine = rows[first:last]
        told = mine > 0
        belief = mass[told] / mine[told, None]
        found[first:last][told] = np.sqrt(((belief - prior) ** 2).sum(axis=1))
    return found


def _masses(links: Links, packed: Packed, labels: int, classes: int) -> Iterator[tuple[int, int, Floats]]:
    """Runs of classes, with the mass of every label in each."""
    cell, owner = packed.codes(0), packed.codes(1)  # in order of classes
    even = (links.counts == labels) & _alike(links)
    step = max(_ROOM // max(labels, 1), 1)
    for first in range(0, classes, step):
        last = min(first + step, classes)
        begin, end = np.searchsorted(owner, (first, last)).tolist()
        mine, where, rows = cell[begin:end], owner[begin:end] - first, packed.counts[begin:end]
        all_labels = even[mine]  # as a row without terms may: no need to write each down
        flat = np.bincount(where[all_labels], weights=rows[all_labels], minlength=last - first) / max(labels, 1)
        mine, where, rows = mine[~all_labels], where[~all_labels], rows[~all_labels]
        length = links.counts[mine]
        which = np.repeat(np.arange(len(mine)), length)
        at = np.arange(len(which)) - np.repeat(np.cumsum(length) - length, length) + links.offsets[mine[which]]
        keys = where[which] * labels + links.labels[at]
        mass = np.bincount(keys, weights=rows[which] * links.chances[at], minlength=(last - first) * labels)
        yield first, last, mass.reshape(-1, labels) + flat[:, None]


def _alike(links: Links) -> NDArray[np.bool_]:
    """Whether all labels of a set are equally likely."""
    owner = np.repeat(np.arange(len(links)), links.counts)
    uneven = np.abs(links.chances * links.counts[owner] - 1) > 1e-12
    return np.asarray(np.bincount(owner[uneven], minlength=len(links)) == 0)
