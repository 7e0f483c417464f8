"""What `auto` tries: methods in the order of what they promise for a table, by what a model declares and by counts.

Measured on Adult, Nursery, CMC, Mushroom and Covertype (`python -m benchmarks.choices`), least is lost by

- `boxes` with polish where the promise survives merging, and `mondrian` with polish where there is no time for it;
- `bsgi-free` or `hilbert` with polish where groups of different values keep the promise, most of all where only these
  do, and now and then elsewhere; never where `boxes` serve and different values are all that counts;
- `sweep` where generalizing a sensitive value may keep the promise, as nobody else does, and with polish where groups
  are compared with the whole table;
- `arp` where quasi-identifiers are shown as they are and lost is whose value is whose, then groups of different values.

Terms are suppressed where the promise speaks of them. Where somebody has several rows, groups are cut so that they
differ. Whatever else is built in comes last, and only where none of these finds anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.models.contract import Model
from sfumato.partition.boxes.boxes import WORK
from sfumato.policy.methods import METHODS, Auto, Method
from sfumato.policy.steps import Polish

__all__ = ["Occasion", "everything", "promising", "title"]

_POLISHED = 40_000
"""Work of polish for a different row, at most; it ends by itself where nothing is gained any more."""
_ANYWAY = 4_000_000
"""And for any table, however small: a moment, in which tables of a few rows are searched to the end."""
_POLISH = Polish().work
_MANY = 200_000
"""Different rows beyond which rows are not looked at one by one in a normal budget, where groups may be larger."""
_LARGE = 2_000_000
"""Different rows beyond which boxes would need too much memory."""
_COMPARED = 15_000
"""Rows beyond which boxes take long where groups are compared with the whole table."""
_CLIMBED = 50_000
"""Different rows up to which sweep, where boxes do not serve, takes no longer than they would."""
_FACTORS = {"quick": 0.25, "normal": 1.0, "thorough": 4.0}
Words = dict[str, Any]


@dataclass(frozen=True)
class Occasion:
    """What decides which methods are tried.

    rows      different ones
    alike     rows for each of these, in the mean
    persons   somebody has several rows
    exact     the form shows quasi-identifiers as they are
    """

    model: Model
    rows: int
    alike: float
    persons: bool
    exact: bool

    @property
    def terms(self) -> bool:
        return any(part.terms_asked is not None for part in self.model.conjuncts)

    @property
    def boxes(self) -> bool:
        """Whether boxes serve, in fair time and memory."""
        if self.model.gauge() is None or self.rows > _LARGE:
            return False
        return not self.compared or self.rows * self.alike <= _COMPARED

    @property
    def compared(self) -> bool:
        """Whether groups are compared with the whole table: they are large then, and boxes weak."""
        gauge = self.model.gauge()
        return gauge is not None and gauge.whole is not None

    @property
    def apart(self) -> bool:
        """Whether groups of different values, or of different persons, keep the promise."""
        return self.model.uniform_l() is not None and (self.persons or any(self.model.statistics))

    @property
    def sized(self) -> bool:
        """Whether groups need more rows than different values: groups of as many different ones are too much then."""
        told = [part.uniform_l() or 0 for part in self.model.conjuncts if any(part.statistics)]
        return bool(told) and (self.model.uniform_l() or 0) > max(told)

    @property
    def plain(self) -> bool:
        """Whether boxes serve a promise that counts rows and different values alone: they look for just that then, and
        lost less than groups of different values on every table that was tried."""
        gauge = self.model.gauge()
        return self.boxes and gauge is not None and not gauge.tests


def promising(options: Auto, occasion: Occasion, factor: float | None = None) -> list[Method]:
    """The methods that are tried, in order; `factor` times their usual work, by default that of the budget.

    A quick budget is for the first of them that finds something.
    """
    much = _FACTORS[options.budget] if factor is None else factor
    return [_made(_sized(words, occasion, much), options) for words in _chosen(options.budget, occasion)]


def everything(options: Auto, model: Model) -> Iterator[Method]:
    """Every method that is built in, in every variant that may help."""
    terms = any(part.terms_asked is not None for part in model.conjuncts)
    for name, words in METHODS.items():
        if name == options.method:
            continue
        for variant in words.variants():
            if variant.terms is None or terms:
                yield _slack(variant, options)
        if terms:
            yield _made({"method": name, "terms": {"infeasible": "withhold"}}, options)
            yield _made({"method": name, "refine": True, "terms": {"infeasible": "withhold"}}, options)


def title(method: Method) -> str:
    """How it is called where it is spoken of.

    >>> title(METHODS["mondrian"].model_validate({"relaxed": True, "polish": True}))
    'mondrian (relaxed) with polish'
    """
    own = " (relaxed)" if getattr(method, "relaxed", False) else ""
    withheld = " (withhold)" if getattr(method.terms, "infeasible", "") == "withhold" else ""
    steps = " and ".join(step.step for step in method.steps) + withheld
    return f"{method.method}{own} with {steps}" if steps else f"{method.method}{own}"


def _chosen(budget: str, occasion: Occasion) -> Iterator[Words]:
    """Words of methods, the most promising first."""
    model, more = occasion.model, budget == "thorough"
    if occasion.exact:
        yield from _exact(occasion)
        return
    whole = model.survives_merging and not occasion.persons
    if whole:
        yield {"method": "mondrian", "polish": True}
        if occasion.terms:
            yield {"method": "mondrian", "polish": True, "terms": False}
        if occasion.boxes:
            yield {"method": "boxes", "polish": True}
        if (occasion.compared or not occasion.boxes) and occasion.rows <= _CLIMBED:
            yield {"method": "sweep", "polish": True}
    if any(part.counts_induced for part in model.conjuncts):
        yield {"method": "sweep"}
    few = occasion.rows <= _MANY and not occasion.sized and not occasion.plain
    if occasion.apart and (more or not whole or few):
        yield {"method": "bsgi-free", "polish": True}
        yield {"method": "hilbert", "polish": True}
    if not whole:
        yield {"method": "mondrian", "refine": True, "polish": True}
    if whole and more:
        yield {"method": "mondrian", "relaxed": True, "polish": True}
        if occasion.boxes and not occasion.compared:
            yield {"method": "sweep", "polish": True}
        yield {"method": "lattice", "polish": True}
        yield {"method": "lattice"}


def _exact(occasion: Occasion) -> Iterator[Words]:
    if occasion.apart:
        yield {"method": "arp"}
        yield {"method": "bsgi-free"}
        yield {"method": "anatomy"}
    if not occasion.persons and occasion.model.survives_merging:
        yield {"method": "mondrian"}
        yield {"method": "lattice"}


def _sized(words: Words, occasion: Occasion, factor: float) -> Words:
    """With so much work, and terms suppressed where they are spoken of."""
    made = dict(words)
    if words["method"] == "boxes" and factor != 1:
        made["work"] = _share(WORK * occasion.rows, factor)
    if words.get("polish"):
        made["polish"] = {"work": _share(min(_POLISH, max(_POLISHED * occasion.rows, _ANYWAY)), factor)}
    if occasion.terms and "terms" not in words:
        made["terms"] = {"infeasible": "withhold"} if occasion.persons else True
    return made


def _share(work: int, factor: float) -> int:
    return max(int(work * factor), 1)


def _made(words: Mapping[str, Any], options: Auto) -> Method:
    return _slack(METHODS[words["method"]].model_validate(words), options)


def _slack(method: Method, options: Auto) -> Method:
    """It searches with what `auto` does, and says so of itself."""
    return method.model_copy(update={"slack": options.slack}) if options.slack else method
