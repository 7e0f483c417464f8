"""Entrances to compiled loops that only other loops call: a loop without one must not be called from Python."""

from __future__ import annotations

from typing import Any

from numba import njit

from sfumato.kernels.box_prices import price as inner_price
from sfumato.kernels.room import longer as inner_longer
from sfumato.kernels.sorting import ascending as inner_ascending
from sfumato.kernels.sorting import falling as inner_falling
from sfumato.kernels.sorting import first_not_below as inner_first
from sfumato.kernels.sorting import stable_order as inner_order
from sfumato.knowledge.loops.margin import top_sum as inner_top
from sfumato.partition.boxes.loops.classes import keeps as inner_keeps
from sfumato.partition.steps.loops.crowds import move as inner_move
from sfumato.partition.steps.loops.crowds import price_with as inner_with
from sfumato.partition.steps.loops.crowds import price_without as inner_without

__all__ = [
    "ascending",
    "falling",
    "first_not_below",
    "keeps",
    "longer",
    "move",
    "price",
    "price_with",
    "price_without",
    "stable_order",
    "top_sum",
]

ascending: Any = njit(lambda numbers: inner_ascending(numbers))
falling: Any = njit(lambda numbers: inner_falling(numbers))
first_not_below: Any = njit(lambda numbers, least: inner_first(numbers, least))
keeps: Any = njit(lambda rules, rows, values, counts: inner_keeps(rules, rows, values, counts))
longer: Any = njit(lambda numbers, wanted: inner_longer(numbers, wanted))
move: Any = njit(lambda crowds, row, group, prices: inner_move(crowds, row, group, prices))
price: Any = njit(lambda prices, column, low, high: inner_price(prices, column, low, high))
price_with: Any = njit(lambda crowds, group, row, prices: inner_with(crowds, group, row, prices))
price_without: Any = njit(lambda crowds, row, box, prices: inner_without(crowds, row, box, prices))
stable_order: Any = njit(lambda keys: inner_order(keys))
top_sum: Any = njit(lambda values, count, k: inner_top(values, count, k))
