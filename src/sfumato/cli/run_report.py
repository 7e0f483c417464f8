"""The report that a run writes of itself: of its release, or of why there is none."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from sfumato.cli.shared import require_not_stopped
from sfumato.errors import AuditFailed, InputError, NoneFound, Refused, SfumatoError

if TYPE_CHECKING:
    import sfumato as sf

__all__ = ["RunReport"]


@dataclass(frozen=True)
class RunReport:
    """What was asked for with --report; nothing, if there is no place for it."""

    place: sf.ReportFile | None
    quiet: bool

    @classmethod
    def of(
        cls,
        path: Path | None,
        edition: Literal["internal", "external"],
        language: str,
        target: sf.Target,
        inputs: Iterable[Path],
        quiet: bool,
    ) -> RunReport:
        """Everything that can be wrong with its place is said before the run."""
        if path is None:
            if (edition, language) != ("internal", "en"):
                raise InputError("--edition and --language are of the report; add --report FILE, else there is none")
            return cls(None, quiet)
        from sfumato import ReportFile

        place = ReportFile.of(path, edition, language, target.force)
        place.require_other_than([*inputs, *target.paths])
        if target.folder is not None:
            place.require_outside(target.folder)
        return cls(place, quiet)

    @contextlib.contextmanager
    def telling_why(self) -> Iterator[None]:
        """A run that ends in here without a release has a report that says why; it ends as it would without."""
        try:
            yield
        except (Refused, NoneFound, AuditFailed) as error:
            require_not_stopped()
            lacks = self.written(error)
            if lacks:
                typer.echo(f"warning: the report could not be written: {lacks}", err=True)
            elif self.place is not None and not self.quiet:
                typer.echo(f"wrote {self.place.path}: why there is no release")
            raise

    def written(self, result: sf.Written | SfumatoError, show: Callable[[str, int, int], None] | None = None) -> str:
        """Write the report of a result; what stood in its way, in words, or nothing.

        Whatever it is, a release that was written stays, and is told of. A value of the data is in no message.
        """
        if self.place is None:
            return ""
        from sfumato import report

        try:
            made = report(result) if show is None else report(result, progress=show)
            require_not_stopped()
            self.place.write(made)
        except SfumatoError as error:
            return str(error)
        except OSError as error:
            return error.strerror or type(error).__name__
        except Exception as error:
            return f"unexpected {type(error).__name__}"
        return ""
