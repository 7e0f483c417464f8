"""The loops of linking: rows of a knowledge table that hold all terms of a set, 64 rows to a word."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inlined, inner

__all__ = ["chances_of", "link_sets", "weigh"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]

_LOW = np.uint64(0x5555555555555555)
_PAIRS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)
_ONE, _TWO, _FOUR, _TOP = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
_EVERY = np.uint64(0xFFFFFFFFFFFFFFFF)


@inlined
def _ones(word: np.uint64) -> int:
    word = word - ((word >> _ONE) & _LOW)
    word = (word & _PAIRS) + ((word >> _TWO) & _PAIRS)
    word = (word + (word >> _FOUR)) & _NIBBLES
    return int((word * _BYTES) >> _TOP)


@inner
def _holders(bits: Words, rows: int, lengths: Ints, terms: Codes, least: int, strict: bool, into: Words) -> bool:
    """Rows that hold all terms; False if there are none."""
    known = 0
    for term in terms:
        if term >= 0:
            known += 1
    if len(terms) > 0 and (known == 0 or (strict and known < len(terms))):
        return False
    some = False
    for word in range(bits.shape[1]):
        left = rows - 64 * word
        held = _EVERY if left >= 64 else (_ONE << np.uint64(left)) - _ONE
        for term in terms:
            if term >= 0:
                held &= bits[term, word]
        if least > 0 and held != 0:
            for place in range(min(left, 64)):
                if lengths[64 * word + place] < least:
                    held &= ~(_ONE << np.uint64(place))
        into[word] = held
        some = some or held != 0
    return some


@inner
def _labels(held: Words, row_labels: Codes, single: bool, into: Codes, at: int) -> int:
    """Write the labels of the rows, each once, and tell where they end; only count if there is no room to write."""
    last, writing = -1, len(into) > 0
    for word in range(len(held)):
        rest = held[word]
        if single and not writing:
            at += _ones(rest)
            continue
        while rest != 0:
            low = rest & (~rest + _ONE)
            label = row_labels[64 * word + _ones(low - _ONE)]
            if label != last:
                if writing:
                    into[at] = label
                at += 1
                last = label
            rest ^= low
    return at


@compiled
def link_sets(
    bits: Words,
    row_labels: Codes,
    row_lengths: Ints,
    offsets: Ints,
    codes: Codes,
    least: Ints,
    strict: bool,
    single: bool,
) -> tuple[Ints, Codes]:
    """Where the labels of every set begin, and the labels."""
    total, held, none = len(offsets) - 1, np.empty((len(row_labels) + 63) // 64, np.uint64), np.empty(0, np.int32)
    begins = np.zeros(total + 1, np.int64)
    for row in range(total):
        terms = codes[offsets[row] : offsets[row + 1]]
        begins[row + 1] = begins[row]
        if _holders(bits, len(row_labels), row_lengths, terms, least[row], strict, held[: bits.shape[1]]):
            begins[row + 1] = _labels(held, row_labels, single, none, begins[row])
    labels = np.empty(begins[total], np.int32)
    for row in range(total):
        if begins[row + 1] > begins[row]:
            terms = codes[offsets[row] : offsets[row + 1]]
            _holders(bits, len(row_labels), row_lengths, terms, least[row], strict, held[: bits.shape[1]])
            _labels(held, row_labels, single, labels, begins[row])
    return begins, labels


@compiled
def chances_of(begins: Ints, labels: Codes, offsets: Ints, codes: Codes, priors: Floats, likelihood: Floats) -> Floats:
    """How likely each linked label is: its weight among the weights of the set's labels."""
    chances = np.empty(len(labels))
    for row in range(len(begins) - 1):
        first, stop = begins[row], begins[row + 1]
        weigh(labels[first:stop], codes[offsets[row] : offsets[row + 1]], priors, likelihood, chances[first:stop])
    return chances


@inner
def weigh(labels: Codes, terms: Codes, priors: Floats, likelihood: Floats, into: Floats) -> None:
    """The weights of some labels given some terms, summing to 1.

    The largest is kept at 1 on the way, so that many small chances do not end in 0 / 0.
    """
    for at in range(len(labels)):
        into[at] = priors[labels[at]]
    if len(likelihood) > 0:
        for term in terms:
            if term >= 0:
                for at in range(len(labels)):
                    into[at] *= likelihood[term, labels[at]]
                most = into[0] if len(into) > 0 else 1.0
                for at in range(len(into)):
                    most = max(most, into[at])
                for at in range(len(into)):
                    into[at] /= most
    whole = 0.0
    for at in range(len(into)):
        whole += into[at]
    for at in range(len(labels)):
        into[at] /= whole
