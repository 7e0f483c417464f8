"""Where a report goes: one file, in one edition and one language, checked before any work is done for it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.reports.facts import Edition
from sfumato.reports.wording import Wording

if TYPE_CHECKING:
    from sfumato.reports.report import Report

__all__ = ["ReportFile"]

_ENDINGS = (".html", ".md", ".json")


@dataclass(frozen=True)
class ReportFile:
    """A place that was free, or may be replaced, when it was chosen; by its ending HTML, Markdown or JSON.

    path       of the file
    edition    internal for the holder, external for others
    language   of its words: en or de
    force      whether a report that is there may be replaced
    """

    path: Path
    edition: Edition = "internal"
    language: str = "en"
    force: bool = False

    @classmethod
    def of(
        cls, path: str | Path, edition: Edition = "internal", language: str = "en", force: bool = False
    ) -> ReportFile:
        """`InputError` for an ending that no report has, words that there are not, and a file that stands there."""
        made = cls(Path(path), edition, language, force)
        if made.path.suffix not in _ENDINGS:
            raise InputError(f"{path}: a report ends with {', '.join(_ENDINGS)}")
        if edition not in ("internal", "external"):
            raise InputError("the edition of a report is internal (for the holder) or external (for others)")
        Wording.of(language)
        made.require_free()
        return made

    def require_free(self) -> None:
        """Refuse if something stands there that may not be replaced."""
        if self.path.is_dir():
            raise InputError(f"{self.path} is a folder; a report needs another name")
        if os.path.lexists(self.path) and not self.force:
            raise InputError(f"{self.path} exists; nothing was changed. Use --force to replace it")

    def require_other_than(self, others: Iterable[Path]) -> None:
        """Refuse what is read, or what is written beside it."""
        for other in others:
            if self.path.resolve() == other.resolve() or _same(self.path, other):
                raise InputError(f"{self.path} is taken: the run reads or writes it; choose another name")

    def require_outside(self, release: Path) -> None:
        """Refuse a place within a release: what is in its folder is sent away, and an audit finds what is no table."""
        if self.path.resolve().is_relative_to(release.resolve()):
            raise InputError(f"{self.path}: put the report beside the release, not into it; the folder is what is sent")

    def write(self, report: Report) -> Path:
        """Write it whole, or not at all; the internal edition can be read by its owner alone."""
        from sfumato.release.commit import staging

        text = self._text(report)
        mode = 0o666 if self.edition == "external" else 0o600  # what shows where a table is weakest is its holder's
        with staging(self.path) as stage:
            staged = stage.folder / self.path.name
            with os.fdopen(os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
                file.write(text)
            stage.commit({staged.name: self.path}, check=self.require_free)
        return self.path

    def _text(self, report: Report) -> str:
        if self.path.suffix == ".html":
            return report.html(self.edition, self.language)
        if self.path.suffix == ".md":
            return report.markdown(self.edition, self.language)
        return report.json(self.edition)


def _same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)
