"""Broader terms: from an ontology in OBO format, or from a table of two columns, a term and a broader one."""

from __future__ import annotations

from pathlib import Path

from sfumato.errors import InputError
from sfumato.knowledge.sheet import file_text, read_sheet

__all__ = ["read_broader"]

Broader = dict[str, frozenset[str]]


def read_broader(path: Path) -> tuple[Broader, dict[str, str]]:
    """Terms to the broader ones right above each, and what terms are called, where the file says it."""
    if path.suffix.lower() == ".obo":
        return _obo(path)
    sheet = read_sheet(path)
    if len(sheet.columns) != 2:
        raise InputError(f"{sheet.name}: must have two columns, term and broader term (it has {len(sheet.columns)})")
    above: dict[str, set[str]] = {}
    for _, (term, broader) in sheet.rows:
        above.setdefault(str(term), set()).add(str(broader))
    return {term: frozenset(each) for term, each in above.items()}, {}


def _obo(path: Path) -> tuple[Broader, dict[str, str]]:
    """Stanzas ``[Term]`` with ``id:``, ``name:`` and ``is_a:`` lines; obsolete terms are left out."""
    above: dict[str, frozenset[str]] = {}
    names: dict[str, str] = {}
    for stanza in file_text(path).split("\n[")[1:]:
        if not stanza.startswith("Term]"):
            continue
        lines = [line.partition(": ") for line in stanza.splitlines()]
        held = {key: value for key, _, value in lines}
        if "id" in held and held.get("is_obsolete") != "true":
            names[held["id"]] = held.get("name", held["id"])
            above[held["id"]] = frozenset(value.partition(" !")[0].strip() for key, _, value in lines if key == "is_a")
    if not names:
        raise InputError(f"{path.name}: has no [Term] with an id; is it an ontology in OBO format?")
    return above, names
