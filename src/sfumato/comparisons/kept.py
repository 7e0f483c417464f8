"""What was found of ways so far, on disk: a comparison that was killed goes on where it was.

A file per way, for the owner alone, with figures and no data. They are removed when the comparison ends, unless they
are to be kept.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from sfumato.comparisons.compared import Tried

__all__ = ["KeptFigures"]


@dataclass(frozen=True)
class KeptFigures:
    """A folder of figures, named by what they are of."""

    folder: Path

    @classmethod
    def of(cls, name: str, within: str | Path | None = None) -> KeptFigures:
        """In that folder; in the user's cache, if there is none."""
        if within is not None:
            return cls(Path(within) / name)
        root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        return cls(Path(root) / "sfumato" / "compare" / name)

    def find(self, key: str) -> Tried | None:
        """What was found of a way before; None: nothing, or nothing that can be read."""
        try:
            return Tried(**json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def keep(self, key: str, found: Tried) -> None:
        """Whole or not at all."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        place, half = self.folder / f"{key}.json", self.folder / f"{key}.half"
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(asdict(found), file)
        half.replace(place)

    def forget(self, keys: Iterable[str]) -> None:
        """Of these ways; others may be of a comparison that runs beside."""
        for key in keys:
            for ending in ("json", "half"):
                (self.folder / f"{key}.{ending}").unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # there are others
            self.folder.rmdir()
