"""Somebody who knows the algorithm: of all tables that may have been, which would have led to this very release?

A method that generalizes only where it must tells, by generalizing, that it had to. Whoever has the policy can run it
on every table that is consistent with what is shown; the tables that would not have given this release are not the one.
How likely a secret is for somebody is then its share among the tables that are left, each of which was as likely as any
other before, and counts by how often chance leads from it to this release.

Exact where all tables can be tried (fractions), and drawn at random where there are more: then every way in which
people may be the rows shown is as likely as any other, which is the same where everybody fits one class and secrets are
shown as they are. What chance decides is secret: it is let fall in several ways if it decides anything.

Deviations: tables keep who is in the table, their quasi-identifiers and rows that the missing rule dropped; a cell that
stands for several values is one of those that occur. Of columns of terms, a row may have lost up to `lost` terms of the
knowledge.

References: Wong, Fu, Wang, Pei: Minimality attack in privacy preserving data publishing. VLDB 2007, pp. 543-554.
Cormode, Srivastava, Li, Li: Minimizing minimality and maximizing utility. PVLDB 3, 2010.
https://doi.org/10.14778/1920841.1920972
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.adversaries.believed import Believed, believed
from sfumato.adversaries.contract import Arms, Exposure, Persona
from sfumato.adversaries.guesses import Guesses
from sfumato.adversaries.meant import SecretTerms
from sfumato.adversaries.scene import Scene
from sfumato.release.fits import Chances
from sfumato.release.subject import Lacking, Subject

__all__ = ["Algorithm"]

Flags = NDArray[np.bool_]
Told = Sequence[Mapping[Hashable, Fraction | float]]


@dataclass(frozen=True)
class Algorithm:
    """Exposed is of whom something is believed more surely than the release shows anything of anybody.

    most    releases that are made at most; where all tables would need more, tables are drawn
    seeds   in how many ways chance may fall, from each table; None: in 16, or in one where it seems to decide nothing.
            With 1 the adversary knows how it fell: by the seed of the attack
    rows    tables with more rows are not tried
    lost    terms that a row may have lost, at most
    """

    most: int = 400
    seeds: int | None = None
    rows: int = 24
    lost: int = 2
    name: ClassVar[str] = "algorithm"
    persona: ClassVar[Persona] = Persona(
        title="a colleague who knows how the release was made",
        assumes="knows everybody's quasi-identifiers, who is in the table, and the policy; runs it on all tables that"
        " may have been",
        exposes="something is believed of them more surely than the release shows anything of anybody",
        reference="Wong et al., Minimality attack in privacy preserving data publishing, VLDB 2007",
        needs=("the original table", "the policy it was made under", "a small table"),
    )

    def attack(self, subject: Subject, arms: Arms) -> tuple[Exposure, ...]:
        if arms.remake is None:
            raise Lacking("the algorithm: the policy that the release was made under, and the original table")
        if subject.tuples.rows > self.rows:
            raise Lacking(f"a table of at most {self.rows} rows (`rows`), not {subject.tuples.rows}")
        scene = Scene.of(subject, self.lost)
        found = believed(scene, arms, arms.remake, self.most, self.seeds)
        return tuple(self._exposures(scene, found))

    def _exposures(self, scene: Scene, found: Believed) -> Iterator[Exposure]:
        for place, each in enumerate(scene.secrets):
            mine = [_of_one(chances, place) for chances in found.chances]
            if isinstance(each, SecretTerms):
                yield _of_terms(scene, each, mine, found)
            else:
                yield _of_values(scene, each.name, mine, found)


def _of_one(chances: Mapping[Hashable, Fraction | float], place: int) -> dict[Hashable, Fraction | float]:
    """The chances of one column's values, of those of all secrets together."""
    made: defaultdict[Hashable, Fraction | float] = defaultdict(Fraction)
    for secret, chance in chances.items():
        if isinstance(secret, tuple):
            made[secret[place]] += chance
    return dict(made)


def _of_values(scene: Scene, name: str, mine: Told, found: Believed) -> Exposure:
    alone = Guesses.of(scene.subject, name)
    domain = scene.subject.domain(name)
    code = {value: place for place, value in enumerate(domain.values.to_list())}
    told = [sorted((code[value], float(chance)) for value, chance in each.items()) for each in mine]
    starts = np.concatenate(([0], np.cumsum([len(each) for each in told]))).astype(np.int64)
    pairs = [pair for each in told for pair in each]
    chances = Chances(
        starts, np.array([at for at, _ in pairs], np.int64), np.array([chance for _, chance in pairs]), domain.size
    )
    guesses = Guesses(name, scene.known, alone.fits, chances, alone.truth, *chances.best())
    before = float(alone.chance.max(initial=0.0))
    return guesses.exposure(_surer(mine, found, before), _details(mine, found, before))


def _of_terms(scene: Scene, terms: SecretTerms, mine: Told, found: Believed) -> Exposure:
    """Of labels: nobody knows who really has which, so that no guess is right or wrong."""
    labels = [terms.labels(each) for each in mine]
    before = float(terms.surest(scene.subject.classes[1].tolist()))
    exposed = scene.known.counts[_surer(labels, found, before)].sum()
    surest = max((float(chance) for each in labels for chance in each.values()), default=0.0)
    people = int(scene.known.counts.sum())
    return Exposure(people, int(exposed), surest, on=terms.name, details=_details(labels, found, before))


def _surer(mine: Told, found: Believed, before: float) -> Flags:
    return np.array([any(found.above(chance, before) for chance in each.values()) for each in mine], dtype=np.bool_)


def _details(mine: Told, found: Believed, before: float) -> dict[str, Any]:
    told = {
        "surest by the release alone": round(before, 6),
        "tables tried": found.tried,
        "tables that lead to it": found.led,
        "ways of chance": found.seeds,
    }
    surest = max((chance for each in mine for chance in each.values()), default=Fraction(0))
    return {**told, "surest exactly": str(surest)} if found.exact else told
