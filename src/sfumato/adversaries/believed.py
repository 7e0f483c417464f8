"""Of all worlds, those from which the algorithm makes this very release; and what people have in these."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import exp, sqrt

from numpy.random import Generator, default_rng

from sfumato.adversaries.contract import Arms, Remake
from sfumato.adversaries.looks import look
from sfumato.adversaries.scene import Scene
from sfumato.adversaries.worlds import World, ways
from sfumato.release.subject import Lacking

__all__ = ["Believed", "believed"]

_WAYS = 16
_LOOKED, _TIMES = 8, 4
"""Whether chance matters is tried on so many worlds, each so many times."""
_SURE = 3.0
"""How many standard errors a chance that was found by drawing must be above another one to count as larger."""


@dataclass(frozen=True, eq=False)
class Believed:
    """What may be believed of people of every kind, by who knows the algorithm.

    chances   per kind of people, how likely each secret is: fractions if all worlds were tried
    tried     how many worlds were
    led       how many of them lead to this release, by at least one way in which chance may fall
    seeds     in how many ways it was let fall
    exact     whether all worlds were tried, and chance decides nothing
    effective how many equally weighted worlds say as much as those that were drawn
    """

    chances: tuple[Mapping[Hashable, Fraction | float], ...]
    tried: int
    led: int
    seeds: int
    exact: bool
    effective: float

    def above(self, chance: Fraction | float, other: float) -> bool:
        """Whether a chance is larger than another, and not only by the worlds that were drawn.

        By the score interval of E. B. Wilson, 1927, https://doi.org/10.1080/01621459.1927.10502953
        """
        if self.exact:
            return float(chance) > other + 1e-9
        many, share = self.effective, float(chance)
        middle = share + _SURE**2 / (2 * many)
        spread = _SURE * sqrt(share * (1 - share) / many + _SURE**2 / (4 * many**2))
        return (middle - spread) / (1 + _SURE**2 / many) > other


def believed(scene: Scene, arms: Arms, remake: Remake, most: int, seeds: int | None) -> Believed:
    """Try all worlds, or draw some if there are more than `most` releases could be made of.

    seeds   in how many ways chance may fall; None: in 16, if it matters for some of the worlds, else in one
    """
    chance, maker = default_rng(arms.seed), _Maker(scene, remake, arms)
    every = scene.puzzle.worlds(most)
    if seeds is None:
        some = every or [found[0] for _ in range(_LOOKED) if (found := scene.puzzle.drawn(chance)) is not None]
        if not some:  # as of a table of another tool that is not true
            raise Lacking("a release that some table of these people can lead to")
        seeds = _WAYS if any(map(maker.varies, some[:: -(-len(some) // _LOOKED)])) else 1
    tries = max(most // seeds, 1)
    if every is None or len(every) > tries:
        return _drawn(scene, maker, chance, tries, seeds)
    weights = [(world, ways(world) * maker.led(world, seeds, at, len(every))) for at, world in enumerate(every)]
    led = [(world, weight) for world, weight in weights if weight]
    return _summed(scene, led, len(every), seeds, drawn=False)


def _drawn(scene: Scene, maker: _Maker, chance: Generator, tries: int, seeds: int) -> Believed:
    """By worlds that are drawn, those that lead to this release counted by how likely they were to be drawn."""
    drawn = []
    for at in range(tries):
        found = scene.puzzle.drawn(chance)
        if found is not None and (hits := maker.led(found[0], seeds, at, tries)):
            drawn.append((found[0], found[1], hits))
    highest = max((weight for _, weight, _ in drawn), default=0.0)
    led = [(world, exp(weight - highest) * hits / seeds) for world, weight, hits in drawn]
    return _summed(scene, led, tries, seeds, drawn=True)


@dataclass(frozen=True, eq=False)
class _Maker:
    """The algorithm, run on worlds."""

    scene: Scene
    remake: Remake
    arms: Arms

    def led(self, world: World, seeds: int, at: int, total: int) -> Fraction:
        """In which share of the ways in which chance may fall a world leads to this release."""
        self.arms.progress("attack: tables that may have been", at, total)
        return Fraction(sum(each == self.goal for each in self._looks(world, seeds)), seeds)

    @cached_property
    def goal(self) -> Hashable:
        """How this release looks."""
        return look(self.scene.subject.received)

    def varies(self, world: World) -> bool:
        """Whether what is made of a world depends on chance, as far as a few tries show it."""
        return len({*self._looks(world, _TIMES)}) > 1

    def _looks(self, world: World, seeds: int) -> list[Hashable]:
        frame = self.scene.frame(world)
        made = (self.remake(frame, self.arms.seed + step) for step in range(seeds))
        return [None if each is None else look(each) for each in made]


def _summed(
    scene: Scene, led: Sequence[tuple[World, Fraction | float]], tried: int, seeds: int, drawn: bool
) -> Believed:
    if not led:
        raise Lacking(
            f"a release that this algorithm makes: none of {tried} tables that may have been led to it; if chance"
            " decides much, try more (`seeds`, `most`)"
        )
    people = scene.puzzle.people
    chances: list[dict[Hashable, Fraction | float]] = [{} for _ in people]
    for world, weight in led:
        for mine, held, many in zip(chances, world, people, strict=True):
            for secret, count in held:
                mine[secret] = mine.get(secret, 0) + weight * Fraction(count, many)
    whole, squares = sum(weight for _, weight in led), sum(weight * weight for _, weight in led)
    effective = float(whole * whole / squares) * (1 if drawn else seeds)  # of all worlds, chance alone is drawn
    shares = tuple({secret: mass / whole for secret, mass in mine.items()} for mine in chances)
    return Believed(shares, tried, len(led), seeds, not drawn and seeds == 1, effective)
