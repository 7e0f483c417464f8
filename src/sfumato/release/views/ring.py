"""Ring: rows show quasi-identifiers that cover several people, and carry the sensitive values of one of them.

The adversary knows everybody's quasi-identifiers, who follows whom in every ring, and how many neighbours a row shows;
of the rows that show a person, each is as likely to carry their values. So a person is judged by that window of rows.
The order of rings is the holder's secret: without the manifest nothing can be decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from sfumato.policy.document import Policy
from sfumato.policy.sections import RingEntry, RingsSealed
from sfumato.release.classes import Ints
from sfumato.release.opening import Opened
from sfumato.release.views.contract import Seen, only_table

__all__ = ["see_ring", "windows_of"]


def see_ring(opened: Opened, policy: Policy) -> Seen:
    """The table itself, as an outsider sees it; with the manifest, as whoever knows the rings does."""
    table = only_table(opened.tables, "ring")
    quasi = [name for name in policy.quasi if name in table.columns]
    seen = Seen(
        table=table,
        singled=(table.select(quasi),) if quasi else (),
        needs="the order of rings, which only the internal manifest holds: not externally verifiable",
        notes=(
            "ring: for a reader who knows all quasi-identifiers and every ring, to whom each of the rows that show a"
            " person is as likely to carry their values; that these were drawn cannot be seen from the release",
        ),
    )
    sealed = opened.sealed(RingsSealed)
    return seen if sealed is None else _unsealed(seen, sealed.rings)


def _unsealed(seen: Seen, rings: tuple[RingEntry, ...]) -> Seen:
    """Judged by windows, if the manifest's rings are those of the table."""
    problems = tuple(_faults(seen, rings))
    if problems:
        return replace(seen, problems=(*seen.problems, *problems))
    return replace(seen, needs="", windows=windows_of(rings))


def windows_of(rings: tuple[RingEntry, ...]) -> tuple[Ints, Ints]:
    """Rows by window and the window of each: as many neighbours as a row shows, from every place of a ring."""
    rows, widths = [np.empty(0, dtype=np.int64)], []
    for ring in rings:
        order = np.array(ring.rows, dtype=np.int64)
        places = np.arange(len(order) if ring.width < len(order) else 1)
        rows.append(order[(places[:, None] + np.arange(ring.width)) % len(order)].reshape(-1))
        widths += [ring.width] * len(places)
    return np.concatenate(rows), np.repeat(np.arange(len(widths)), np.array(widths, dtype=np.int64))


def _faults(seen: Seen, rings: tuple[RingEntry, ...]) -> Iterator[str]:
    named = np.array([row for ring in rings for row in ring.rows], dtype=np.int64)
    if not np.array_equal(np.sort(named), np.arange(seen.table.height)):
        yield f"the manifest's rings hold {len(named)} rows, which are not each of the {seen.table.height} once"
