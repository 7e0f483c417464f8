"""Rows by chance, and the least of many that change: against plain sorting."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.kernels.chance import by_chance
from sfumato.partition.apart.loops.tournament import NOBODY, enter, tournament


@pytest.mark.parametrize("numbers", [2**64, 50, 2, 1])
@pytest.mark.parametrize("values", [1, 3, 40])
def test_rows_by_value_and_chance(values: int, numbers: int) -> None:
    """Few numbers, as many rows alike have them, crowd one drawer; many spread."""
    rng = np.random.default_rng(values * 100 + numbers % 97)
    for rows in (1, 2, 7, 500, 3000):
        codes = rng.integers(0, values, rows).astype(np.int32)
        chance = rng.integers(0, 2**64, numbers if numbers < 2**64 else rows, dtype=np.uint64)
        chance = chance[rng.integers(0, len(chance), rows)]
        places = rng.permutation(values)
        counts = np.bincount(codes, minlength=values)
        bounds = np.array([counts[places < places[value]].sum() for value in range(values)])
        expected = np.lexsort((chance, places[codes]))
        assert by_chance(codes, bounds, chance).tolist() == expected.tolist()


@pytest.mark.parametrize("places", [1, 2, 5, 8, 13])
def test_the_winner_is_the_least(places: int) -> None:
    rng = np.random.default_rng(places)
    winners, players = tournament(places), np.full(places, NOBODY)
    assert winners[1] == NOBODY
    for _ in range(200):
        place, player = int(rng.integers(places)), int(rng.integers(50)) if rng.random() < 0.7 else int(NOBODY)
        enter(winners, place, player)
        players[place] = player
        assert winners[1] == players.min()
