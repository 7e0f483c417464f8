"""Hierarchies that come with the package: what stands above a value follows from public facts, not from the data.

Each says where a value belongs (`place`: labels from the finest group to the coarsest, or None if it does not know the
value) and what its labels mean (`meaning`). Facts stand in text files beside this one, each with its source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.extension import Pieces

if TYPE_CHECKING:
    from sfumato.taxonomy.ready.contract import Ready

__all__ = ["OTHER", "READY"]

OTHER = "other"
"""What values are called that a ready hierarchy does not know, if the policy lets them be one group."""

READY: Pieces[Ready] = Pieces(
    {
        "ages": "sfumato.taxonomy.ready.bands:READY_AGES",
        "incomes": "sfumato.taxonomy.ready.bands:READY_INCOMES",
        "countries": "sfumato.taxonomy.ready.countries:READY_COUNTRIES",
        "dates": "sfumato.taxonomy.ready.calendar:READY_DATES",
        "icd9": "sfumato.taxonomy.ready.icd:READY_ICD9",
        "icd10": "sfumato.taxonomy.ready.icd:READY_ICD10",
    }
)
"""By the name that a policy uses."""
