"""One case of the attack: a table as text cells, and the policy that it is published under."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["OPINIONS", "Case", "Cell", "Finding", "Row", "inner", "named"]

OPINIONS = ("left out, if null is a value",)  # kinds of findings that depend on how the definitions are read
Cell = str | None
Row = Mapping[str, Cell]


@dataclass(frozen=True)
class Finding:
    """What is wrong with a release; `about` is the promise or column, `detail` says how."""

    kind: str
    about: str
    detail: str


def named(promise: Mapping[str, Any]) -> str:
    """The name of a promise, that of its base included."""
    return f"multi-attribute {inner(promise)['model']}" if inner(promise) is not promise else str(promise["model"])


def inner(promise: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a promise about several columns asks of each; otherwise the promise."""
    of = promise.get("of")
    return of if isinstance(of, Mapping) else promise


@dataclass(frozen=True)
class Case:
    """Rows of texts (None: missing), a policy as a mapping, and the kind of file that is written."""

    seed: int
    rows: Sequence[Row]
    policy: Mapping[str, Any]
    kind: str = "csv"

    @property
    def columns(self) -> Mapping[str, Mapping[str, Any]]:
        found: Mapping[str, Mapping[str, Any]] = self.policy["columns"]
        return found

    def with_role(self, *roles: str) -> list[str]:
        """Names of the columns that have one of the roles, in order."""
        return [name for name, column in self.columns.items() if column["role"] in roles]

    def missing_rule(self, name: str) -> str:
        """What becomes of a missing value in a column."""
        return str(self.columns[name].get("missing") or self.policy.get("missing", "category"))

    def dropped(self) -> list[int]:
        """Rows that the missing rule takes out."""
        names = self.with_role("quasi", "sensitive", "quasi-sensitive", "individual")
        strict = [name for name in names if self.missing_rule(name) == "drop"]
        return [place for place, row in enumerate(self.rows) if any(not row[name] for name in strict)]

    def write_csv(self, path: Path) -> Path:
        """The table as a file; a missing cell is an empty field."""
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(self.columns)
            for row in self.rows:
                writer.writerow(["" if row[name] is None else row[name] for name in self.columns])
        return path

    def save(self, path: Path, **more: object) -> None:
        """A file from which the case can be run again."""
        content = {"seed": self.seed, "kind": self.kind, "policy": self.policy, "rows": self.rows, **more}
        path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Case:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return cls(raw["seed"], raw["rows"], raw["policy"], raw["kind"])
