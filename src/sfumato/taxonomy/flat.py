"""The least hierarchy: every value directly under the root."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.taxonomy.tree import Taxonomy

__all__ = ["flat"]


def flat(values: Sequence[str]) -> Taxonomy:
    """A value is published as it is, or as `*`.

    >>> flat(["f", "m"]).labels
    ('f', 'm', '*')
    """
    return Taxonomy.of_levels(values, ())
