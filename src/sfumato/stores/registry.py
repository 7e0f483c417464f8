"""Who keeps the coded rows of a table that is not held: a source names one of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.extension import Pieces

if TYPE_CHECKING:
    from sfumato.stores.contract import Keeper

__all__ = ["STORES"]

STORES: Pieces[Keeper] = Pieces(
    {
        "file": "sfumato.stores.words:kept_in_file",
        "spark": "sfumato.stores.spark.store:kept_on_spark",
    }
)
