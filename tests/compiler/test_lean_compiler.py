"""The leaner compiler gives the code that numba's own gives, and holds nothing for too long or too short."""

from __future__ import annotations

from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit
from numba.core.runtime import _nrt_python as memory
from numba.core.runtime import rtsys
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.compiler import libraries, lowering


class Pair(NamedTuple):
    numbers: NDArray[np.int64]
    places: NDArray[np.int64]


def _largest(pair: Pair, low: int, high: int) -> int:
    seen = pair.numbers[low:high]
    best = low
    for at in range(len(seen)):
        if seen[at] > pair.numbers[best]:
            best = low + at
    pair.places[best] += 1
    return best


def _made(pair: Pair, size: int) -> NDArray[np.int64]:
    found = np.zeros(size, np.int64)
    for at in range(size):
        found[at] = pair.numbers[at] * 2
    return found


largest: Any = inner(_largest)
made: Any = inner(_made)


def _both(pair: Pair, rounds: int) -> int:
    """Calls a loop that borrows and one that makes an array, and lets go of what it was given."""
    total = 0
    for each in range(rounds):
        twice = made(pair, len(pair.numbers))
        other = Pair(twice, pair.places)
        total += twice[largest(other, each % 3, len(twice))]
        if total % 7 == 6:
            twice[:] = pair.numbers
            total += twice[0]
    return total


both: Any = compiled(_both)


@pytest.fixture
def pair() -> Pair:
    rng = np.random.default_rng(5)
    return Pair(rng.integers(0, 1000, 50), np.zeros(50, np.int64))


def test_arrays_are_given_back_and_kept_as_long_as_they_are_used(pair: Pair) -> None:
    plain = Pair(pair.numbers.copy(), pair.places.copy())
    wanted = 0
    for each in range(200):  # the same in Python
        twice = _made(plain, 50)
        wanted += int(twice[_largest(Pair(twice, plain.places), each % 3, 50)])
        if wanted % 7 == 6:
            wanted += int(plain.numbers[0])
    both(pair, 1)
    pair.places[:] = 0
    memory.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    assert both(pair, 200) == wanted
    after = rtsys.get_allocation_stats()
    memory.memsys_disable_stats()
    assert after.alloc - before.alloc >= 200
    assert after.alloc - before.alloc == after.free - before.free
    assert (pair.places == plain.places).all()


@pytest.mark.thorough
def test_only_loops_that_borrow_are_not_counted(monkeypatch: pytest.MonkeyPatch, pair: Pair) -> None:
    told: dict[str, bool] = {}
    known = lowering._BorrowingLower._borrows

    def borrows(self: Any) -> bool:
        answer = known(self)
        if not self.fndesc.modname.startswith("numba"):
            told[self.fndesc.qualname.rpartition(".")[2]] = answer
        return answer

    monkeypatch.setattr(lowering._BorrowingLower, "_borrows", borrows)
    one: Any = inner(_largest)
    other: Any = inner(_made)

    @compiled
    def entrance(pair: Pair) -> int:
        return int(one(pair, 0, 3) + other(pair, 3)[0])

    @compiled
    def copying(pair: Pair) -> int:
        pair.places[1:] = pair.numbers[1:]
        return 1

    @compiled
    def choosing(pair: Pair) -> int:
        return int(pair.numbers[pair.places][0])

    def count(pair: Pair) -> int:
        return one(pair, 0, 2) + one(pair, 1, 3)  # type: ignore[no-any-return]

    entrance._cache = copying._cache = choosing._cache = njit(lambda: 0)._cache
    assert entrance(pair) and choosing(pair) and copying(pair)
    third: Any = compiled(count)
    third._cache = entrance._cache
    third(pair)
    assert told == {
        "_largest": True,
        "_made": False,
        "entrance": False,
        "choosing": False,
        "copying": False,
        "count": True,
    }


def test_a_loop_that_makes_an_array_unnoticed_is_counted(monkeypatch: pytest.MonkeyPatch, pair: Pair) -> None:
    monkeypatch.setattr(lowering._BorrowingLower, "_borrows", lambda self: True)

    @compiled
    def choosing(pair: Pair) -> int:
        return int(pair.numbers[pair.places][0])

    choosing._cache = njit(lambda: 0)._cache
    assert choosing(pair) == pair.numbers[0]


@pytest.mark.thorough
def test_numbas_own_functions_serve_others_too() -> None:
    """Compiled for a loop of ours first, they are still there for whoever uses numba besides."""
    numbers = np.arange(7.0)

    def spread(numbers: NDArray[np.float64]) -> float:
        return float(np.std(numbers) + np.median(numbers) + np.sort(numbers)[-1])

    ours: Any = compiled(spread)
    ours._cache = njit(lambda: 0)._cache
    assert ours(numbers) == pytest.approx(njit(spread)(numbers)) == pytest.approx(spread(numbers))


@pytest.mark.thorough
def test_an_untried_numba_compiles_as_it_does_by_itself(pair: Pair) -> None:
    plain = {"nogil": True, "no_cfunc_wrapper": True}
    one = njit(no_cpython_wrapper=True, **plain)(_largest)
    other = njit(no_cpython_wrapper=True, **plain)(_made)
    names = {**_both.__globals__, "largest": one, "made": other}
    alone = njit(**plain)(FunctionType(_both.__code__, names, "_both"))
    again = Pair(pair.numbers, pair.places.copy())
    assert alone(pair, 100) == both(again, 100)
    assert (pair.places == again.places).all()


def test_what_others_need_is_linked_after_all_of_them() -> None:
    def library(*needed: Any) -> Any:
        made = libraries.Inner.__new__(libraries.Inner)
        made._linking_libraries = list(needed)
        return made

    below = library()
    one, other = library(below), library(below)
    above = library(other)
    for listed in ([below, one, above], [above, one, below], [one, below, above]):
        order = [id(each.inner) for each in libraries._parts(listed)]
        assert sorted(order) == sorted(map(id, (below, one, other, above)))
        assert order.index(id(below)) == 3 and order.index(id(above)) < order.index(id(other))
