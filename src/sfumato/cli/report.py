"""`sfumato report`: two pages and an annex about a release, to be read and signed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.shared import (
    Edition,
    Language,
    ManifestFile,
    PolicyFile,
    Quiet,
    ReleaseFiles,
    progress,
    require_not_stopped,
)

__all__ = ["command"]


def command(
    release: ReleaseFiles,
    policy: PolicyFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="What to write: NAME.html, NAME.md or NAME.json.")
    ],
    original: Annotated[
        str | None,
        typer.Option("--original", metavar="DATA", help="The table it was made from: risk before, and adversaries."),
    ] = None,
    manifest: ManifestFile = None,
    population: Annotated[
        str | None, typer.Option("--population", metavar="DATA", help="A table of the population, for a journalist.")
    ] = None,
    edition: Edition = "internal",
    language: Language = "en",
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write a report of a release: the verdict, risk before and after, losses, what is not covered, a place to sign.

    One file without script or address, which prints to A4; or Markdown, or the facts as JSON. The external edition
    tells nothing that the release does not, except figures on the original in whole percents.

    Example:  sfumato report out/ -p patients.yaml --original patients.csv -o report.html
    """
    import sfumato as sf

    place = sf.ReportFile.of(output, edition, language, force)
    read = (release, policy, original, manifest, population)
    place.require_other_than(Path(path) for path in read if path is not None)
    if Path(release).is_dir():
        place.require_outside(Path(release))
    with progress(quiet) as show:
        made = sf.report(release, policy, manifest, original=original, population=population, progress=show)
        require_not_stopped()
        place.write(made)
    if not quiet:
        typer.echo(f"wrote {output} ({edition} edition: {made.facts.outcome})")
