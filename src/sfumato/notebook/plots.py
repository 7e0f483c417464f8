"""Pictures of results, by name: ``release.plot.sizes()``, ``lattice.plot.nodes()``, ``compared.plot.tradeoff()``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.notebook.card import ENGLISH
from sfumato.notebook.chart import Chart, LegendKey
from sfumato.reports.charts.losses import losses_chart
from sfumato.reports.charts.sizes import sizes_chart
from sfumato.reports.charts.spread import spread_chart
from sfumato.reports.charts.tradeoff import tradeoff_chart
from sfumato.reports.facts import ColumnFact, ReportFacts

if TYPE_CHECKING:
    from sfumato import Compared, LatticeMap, Release

__all__ = ["ComparedPlots", "LatticePlots", "ReleasePlots"]


@dataclass(frozen=True)
class ReleasePlots:
    """Pictures of a release. They are for its holder: those with a before look at the original."""

    release: Release

    def __repr__(self) -> str:
        return "<plots of a release: sizes(), losses(), shares(column)>"

    @cached_property
    def _facts(self) -> ReportFacts:
        from sfumato import report

        return report(self.release, measures=(), adversaries=()).facts

    def sizes(self) -> Chart:
        """Rows by how many look alike, before and after; the zone below what is promised is shaded.

        Of a form that shows quasi-identifiers as they are: by how many share a group of secrets.
        """
        keys = tuple(LegendKey("bar", side, ENGLISH(f"sizes.{side}")) for side in ("before", "after"))
        exact = self.release.lost is not None and self.release.lost.exact
        title = ENGLISH("sizes.title_exact" if exact else "sizes.title")
        return Chart(title, sizes_chart(self._facts.sizes, ENGLISH, exact), keys)

    def losses(self) -> Chart:
        """How much detail every quasi-identifier lost, and sensitive columns that were generalized."""
        lost = self.release.lost
        if lost is None:
            raise InputError("the loss of this release is not known column by column")
        quasi = [ColumnFact(name, "quasi", loss=each.loss) for name, each in lost.quasi.items()]
        secret = [
            ColumnFact(name, "sensitive", loss=each.loss) for name, each in lost.sensitive.items() if each.generalized
        ]
        return Chart(f"{ENGLISH('losses.title')} ({ENGLISH('losses.says')})", losses_chart([*quasi, *secret], ENGLISH))

    def shares(self, column: str | None = None) -> Chart:
        """Values of a secret: the share of each in the whole release, and the least and largest in any group.

        column   which sensitive column; needed only where there are several
        """
        found = {secret.name: secret for secret in self._facts.secrets}
        name = next(iter(found), "") if column is None and len(found) == 1 else column
        if name not in found:
            raise InputError(f"which column: {', '.join(found)}" if found else "this release shows no secret column")
        keys = (LegendKey("dot", "dot", ENGLISH("spread.dot")), LegendKey("line", "range", ENGLISH("spread.range")))
        return Chart(ENGLISH("spread.title", secret=name), spread_chart(found[name], ENGLISH), keys)


@dataclass(frozen=True)
class LatticePlots:
    """The picture of a lattice."""

    lattice: LatticeMap

    def __repr__(self) -> str:
        return "<plots of a lattice: nodes()>"

    def nodes(self) -> Chart:
        """Every recoding, the finest at the bottom: which keep the promise, which are minimal, which loses least."""
        from sfumato.notebook.lattice import KEYS, lattice_chart, title_of

        return Chart(title_of(self.lattice), lattice_chart(self.lattice), KEYS)


@dataclass(frozen=True)
class ComparedPlots:
    """The picture of a comparison."""

    compared: Compared

    def __repr__(self) -> str:
        return "<plots of a comparison: tradeoff()>"

    def tradeoff(self) -> Chart:
        """What each way loses against what it gives away; nothing beats those on the dashed line."""
        return Chart(ENGLISH("compare.chart"), tradeoff_chart(self.compared, ENGLISH))
