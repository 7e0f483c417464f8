"""Knowledge tables from files, frames and mappings.

>>> ill = read_knowledge({"flu": ["cough", "headache"], "cold": ["cough"]})
>>> ill.labels, ill.terms
(('cold', 'flu'), ('cough', 'headache'))
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from sfumato.errors import InputError
from sfumato.knowledge.layout import Layout, laid_out
from sfumato.knowledge.nested import from_mapping
from sfumato.knowledge.sheet import Sheet, file_text, frame_sheet, read_sheet
from sfumato.knowledge.table import Knowledge
from sfumato.policy.yaml import parse_yaml

__all__ = ["read_knowledge"]


def read_knowledge(
    source: object,
    layout: Layout | None = None,
    priors: Mapping[str, object] | str | os.PathLike[str] | None = None,
) -> Knowledge:
    """The knowledge in a CSV, Parquet, YAML or JSON file, a frame, or a mapping of labels to terms.

    `priors` are the chances of labels, in any unit: a mapping, or a file with the columns label and prior.
    """
    layout = layout or Layout()
    given = _prior_file(Path(priors)) if isinstance(priors, (str, os.PathLike)) else priors
    if isinstance(source, Mapping):
        return from_mapping(source, priors=given)
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        if path.suffix.lower() in (".yaml", ".yml", ".json"):
            return from_mapping(parse_yaml(file_text(path), path.name), path.name, given)
        return _from_sheet(read_sheet(path, layout.delimiter), layout, given)
    if hasattr(source, "__arrow_c_stream__"):
        return _from_sheet(frame_sheet(source), layout, given)
    raise InputError(f"knowledge must be a file, a frame or a mapping of labels to terms (got {type(source).__name__})")


def _from_sheet(sheet: Sheet, layout: Layout, priors: Mapping[str, object] | None) -> Knowledge:
    found = laid_out(sheet, layout)
    if priors is not None and found.priors:
        raise InputError(f"{sheet.name}: has a column of priors, and priors were given besides; choose one of them")
    rows = [(label, terms) for (label, _), terms in found.sets.items()]
    try:
        return Knowledge.of(rows, priors if priors is not None else found.priors or None, found.chances or None)
    except InputError as error:
        raise InputError(f"{sheet.name}: {error}") from None


def _prior_file(path: Path) -> dict[str, object]:
    sheet = read_sheet(path)
    if len(sheet.columns) != 2:
        raise InputError(f"{sheet.name}: must have two columns, label and prior (it has {len(sheet.columns)})")
    found: dict[str, object] = {}
    for place, (label, prior) in sheet.rows:
        if not label or str(label) in found:
            raise sheet.error(place, 0, "the label is missing or stands twice; every label needs one prior")
        found[str(label)] = str(prior)
    return found
