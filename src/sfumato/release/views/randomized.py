"""Randomized: exact quasi-identifiers, sensitive values kept with a probability, else drawn from those of the group.

The adversary knows everybody's quasi-identifiers, the probability p and, of every group, how often each value occurs
(`counts`) or how likely each is for everybody apart (`shares`). With M combinations of values in a group, what is shown
is R = 1 + pM/(1-p) times as likely if true. The odds q/(1-q) of a value rise at most by R² or R: to a belief of P.
Judged is the worst belief in which nothing is likelier than P. What groups held is the holder's secret.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

import numpy as np
import polars as pl

from sfumato.policy.document import Policy
from sfumato.policy.sections import BlockEntry, BlocksSealed, RetentionShown
from sfumato.release.classes import Classes
from sfumato.release.opening import Opened
from sfumato.release.views.contract import Seen, only_table, shown_id

__all__ = ["belief", "see_randomized", "worst"]

_FINE = 10**6


def see_randomized(opened: Opened, policy: Policy) -> Seen:
    """The table itself, as an outsider sees it; with the manifest, as an adversary may come to believe."""
    table = only_table(opened.tables, "randomized")
    quasi = [name for name in policy.quasi if name in table.columns]
    known = "how often each value occurs" if _counts(opened) else "how likely each value is"
    seen = Seen(
        table=table,
        exact=True,
        changed=True,
        retention=_retention(opened),
        singled=(table.select(quasi),) if quasi else (),
        parts=(table.drop([name for name in policy.secret if name in table.columns]),),
        people=(table.select(*quasi, *shown_id(opened, table)),),
        needs="what groups held before values were changed, which only the internal manifest tells",
        problems=() if _retention(opened) is not None else ("release.json: no probability with which values stay",),
        notes=(
            f"randomized: judged by group, for a reader who knows all quasi-identifiers and {known} in a group; that"
            " values were drawn cannot be seen from the release",
        ),
    )
    sealed = opened.sealed(BlocksSealed)
    return seen if sealed is None else _unsealed(seen, opened, sealed.blocks)


def _unsealed(seen: Seen, opened: Opened, blocks: Mapping[str, BlockEntry]) -> Seen:
    """Judged by what an adversary may come to believe, if the manifest's groups are those of the table."""
    retention = _retention(opened)
    problems = tuple(_faults(seen, opened, blocks))
    if retention is None or problems:
        return replace(seen, problems=(*seen.problems, *problems))
    power, held = 2 if _counts(opened) else 1, blocks.values()
    columns = {name for block in held for name in block.counts}
    beliefs = {
        name: _classes([worst(belief(retention, block, name, power)) for block in held]) for name in sorted(columns)
    }
    return replace(seen, needs="", beliefs=beliefs)


def belief(retention: Fraction, block: BlockEntry, column: str, power: int) -> Fraction:
    """The most that any value of the column may be believed."""
    counts = block.counts[column]
    factor = (1 + retention * block.combinations / (1 - retention)) ** power
    share = Fraction(max(counts), sum(counts))
    return share * factor / (share * factor + 1 - share)


def worst(most: Fraction) -> tuple[int, ...]:
    """Weights of the least even belief of which no part is above `most`: as many of that as there is room for.

    Rounded up to a millionth, but not over one n-th where it is not over that.

    >>> worst(Fraction(1, 3)), worst(Fraction(2, 5))
    ((1, 1, 1), (2, 2, 1))
    """
    room = floor(1 / most)
    rounded = min(Fraction(ceil(most * _FINE), _FINE), Fraction(1, room))
    rest = rounded.denominator - room * rounded.numerator
    return (rounded.numerator,) * room + ((rest,) if rest else ())


def _classes(weights: list[tuple[int, ...]]) -> Classes:
    counted = Counter(weights)
    kinds = sorted(counted)
    alike = np.array([counted[kind] for kind in kinds], dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum([len(kind) for kind in kinds]))).astype(np.int64)
    values = np.concatenate([np.arange(len(kind)) for kind in kinds]).astype(np.int64)
    return Classes(starts, values, np.array([weight for kind in kinds for weight in kind], dtype=np.int64), alike)


def _counts(opened: Opened) -> bool:
    """Whether the adversary knows the counts; so it is where nothing is said."""
    return bool(opened.form.get("known") != "shares")


def _retention(opened: Opened) -> Fraction | None:
    said = opened.shown(RetentionShown).retention
    stated = None if said is None else Fraction(said)
    return stated if stated is not None and stated < 1 else None


def _faults(seen: Seen, opened: Opened, blocks: Mapping[str, BlockEntry]) -> Iterator[str]:
    group_id, table, manifest = opened.group_id, seen.table, opened.manifest
    if manifest is None or group_id is None or group_id not in table.columns:
        return
    columns = [name for name in manifest.sensitive if name in table.columns]
    different = pl.struct(columns).n_unique() if columns else pl.lit(0)
    shown = table.group_by(group_id).agg(pl.len().alias("rows"), different.alias("different"))
    found = {row[0]: row[1:] for row in shown.select(group_id, "rows", "different").iter_rows()}
    if found.keys() != blocks.keys():
        yield "the manifest tells of other groups than the release has"
        return
    wrong = sum(
        set(block.counts) != set(columns)
        or any(sum(counts) != found[group][0] for counts in block.counts.values())
        or block.combinations < max(found[group][1], *(len(counts) for counts in block.counts.values()), 1)
        for group, block in blocks.items()
    )
    if wrong:
        yield f"groups with other rows, columns or values than the manifest tells: {wrong}"
