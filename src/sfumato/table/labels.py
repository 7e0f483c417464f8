"""What a statistics package says of a column beside its cells: a label of its own, and labels of its values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

__all__ = ["NO_LABELS", "Code", "Labels", "LabelsOf"]

Code: TypeAlias = int | float | str
"""What a value that has a label is stored as."""


@dataclass(frozen=True)
class Labels:
    """The labels of one column.

    label    of the column: one line that says what it is; empty: none
    values   codes and the label of each, in the order of the codes
    """

    label: str = ""
    values: tuple[tuple[Code, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.label or self.values)

    def shown_in(self, texts: Iterable[str]) -> Labels:
        """Those of values that some cells show by their label.

        A label of a value that nobody has could be that of a row that was left out.

        >>> Labels("sex", ((1, "male"), (2, "female"), (3, "other"))).shown_in(["female", "*"]).values
        ((2, 'female'),)
        """
        there = set(texts)
        return replace(self, values=tuple(pair for pair in self.values if pair[1] in there))

    def coded_in(self, texts: Iterable[str]) -> Labels:
        """Those of values that some cells show by their code.

        >>> Labels("sex", ((1, "male"), (2, "female"), (3, "other"))).coded_in(["1.0", "[2, 3]"]).values
        ((1, 'male'),)
        """
        there = {_as_code(text) for text in texts}
        return replace(self, values=tuple(pair for pair in self.values if _as_code(str(pair[0])) in there))


def _as_code(text: str) -> float | str:
    """One thing for all ways in which a number may be written."""
    try:
        return float(text)
    except ValueError:
        return text


LabelsOf: TypeAlias = Mapping[str, Labels]
"""Labels by column; one that has none need not be there."""

NO_LABELS: LabelsOf = {}
