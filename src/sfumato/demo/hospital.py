"""The demo hospital as files: the table, the hierarchy of diseases, and a policy to edit."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from sfumato.demo.diseases import DISEASES, disease_rows
from sfumato.demo.people import hospital
from sfumato.errors import InputError
from sfumato.table.formats import FORMATS, PLAIN

__all__ = ["DISEASES", "Paths", "hospital", "write_demo"]


@dataclass(frozen=True)
class Paths:
    """Where the demo was written."""

    data: Path
    hierarchy: Path
    policy: Path

    @classmethod
    def under(cls, folder: Path) -> Paths:
        return cls(folder / "patients.csv", folder / "disease.csv", folder / "patients.yaml")


def write_demo(folder: Path, rows: int = 2000, seed: int = 0, force: bool = False) -> Paths:
    """Write the demo into a folder; files that are there already stay, unless `force`."""
    paths = Paths.under(folder)
    taken = [path.name for path in (paths.data, paths.hierarchy, paths.policy) if path.exists()]
    if taken and not force:
        raise InputError(f"{folder}: has {', '.join(taken)} already; choose another folder, or replace with --force")
    folder.mkdir(parents=True, exist_ok=True)
    FORMATS[PLAIN].write(hospital(rows, seed), paths.data)
    lines = [";".join(row) for row in disease_rows()]
    paths.hierarchy.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    policy = files("sfumato.demo").joinpath("patients.yaml").read_text(encoding="utf-8")
    paths.policy.write_text(policy, encoding="utf-8", newline="\n")
    return paths
