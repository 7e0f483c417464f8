"""What the loops of Mondrian work on: segments of records, and cuts of them.

A record stands for equal rows. Its words hold the codes of its columns, each in a field (word, shift, mask), and the
last one how many rows (upper half) of which tuple (lower half) it stands for. A group that may be cut is a segment of
records, ``first..stop-1``, in which records that look alike in all quasi-identifiers follow one another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BEGIN",
    "CHANCE",
    "CODE",
    "COLUMN",
    "END",
    "FIRST",
    "LEFT",
    "MANNER",
    "QUOTA",
    "ROWS",
    "STOP",
    "TIES",
    "CutRules",
    "Fields",
    "Scratch",
    "Segments",
    "Trees",
    "no_cuts",
]

Ints = NDArray[np.int64]


class Fields(NamedTuple):
    """Where codes are: fields of the quasi-identifiers, fields of the statistics, and the bits of all the former."""

    quasi: Ints
    counted: Ints
    alike: Ints


class Segments(NamedTuple):
    """Groups: where their records are and how many rows these stand for (`FIRST`, `STOP` and `ROWS` of each span), and
    per column the smallest and largest code."""

    records: Ints
    spans: Ints
    low: Ints
    high: Ints

    def used(self, records: int, segments: int) -> Segments:
        """The first ones, without the room that is left."""
        return Segments(self.records[:records], self.spans[:segments], self.low[:segments], self.high[:segments])


FIRST, STOP, ROWS = range(3)

COLUMN, CODE, TIES, QUOTA, BEGIN, END, LEFT, MANNER, CHANCE = range(9)
"""Cuts have a line per segment. Records with a code up to `CODE` go left; where `TIES` is 0, that is all.

COLUMN     which column is cut; -1: none
TIES       rows that are shared out: those of the records ``BEGIN..END-1`` whose code is `CODE`. Of other records with
           that code, earlier ones go left and later ones right
QUOTA      how many of these rows go left
LEFT       how many rows go left in all
MANNER     0: rows that look alike stay together as far as possible; 1: all rows with the code are shared out
CHANCE     a random number, which of them do
"""


def no_cuts(segments: int) -> Ints:
    """No cut of any segment, so far."""
    cuts = np.zeros((segments, 9), np.int64)
    cuts[:, COLUMN] = -1
    return cuts


class Trees(NamedTuple):
    """All taxonomies: column c begins at node ``leaves[c]`` (-1: it has none); edges are codes after which to cut."""

    leaves: Ints
    parent: Ints
    last: Ints
    edge_from: Ints
    edges: Ints


class CutRules(NamedTuple):
    """What no cut may break: `least` rows on either side, and `wanted` different values of something counted."""

    trees: Trees
    least: int
    wanted: int
    relaxed: bool


class Scratch(NamedTuple):
    """Room that is used again: for medians, for values seen (the last row counts calls), and for tallies (zeroed)."""

    buckets: Ints
    seen: Ints
    counts: Ints
