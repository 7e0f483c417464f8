"""`sfumato report`: two pages and an annex about a release, to be read and signed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.shared import ManifestFile, PolicyFile, Quiet, ReleaseFiles, Words, progress, require_other

__all__ = ["command"]


def command(
    release: ReleaseFiles,
    policy: PolicyFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="What to write: NAME.html, NAME.md or NAME.json.")
    ],
    original: Annotated[
        Path | None,
        typer.Option("--original", metavar="DATA", help="The table it was made from: risk before, and adversaries."),
    ] = None,
    manifest: ManifestFile = None,
    population: Annotated[
        Path | None, typer.Option("--population", metavar="DATA", help="A table of the population, for a journalist.")
    ] = None,
    edition: Annotated[
        str, typer.Option("--edition", metavar="internal|external", help="For the holder, or for others.")
    ] = "internal",
    language: Words = "en",
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write a report of a release: the verdict, risk before and after, losses, what is not covered, a place to sign.

    One file without script or address, which prints to A4; or Markdown, or the facts as JSON. The external edition
    tells nothing that the release does not, except figures on the original in whole percents.

    Example:  sfumato report out/ -p patients.yaml --original patients.csv -o report.html
    """
    import sfumato as sf

    require_other(output, *(path for path in (policy, original, manifest, population) if path is not None))
    if output.exists() and not force:
        raise sf.InputError(f"{output} exists; nothing was changed. Use --force to replace it")
    if edition not in ("internal", "external"):
        raise sf.InputError("--edition is internal (for the holder) or external (for others)")
    with progress(quiet) as show:
        made = sf.report(release, policy, manifest, original=original, population=population, progress=show)
        made.save(output, "external" if edition == "external" else "internal", language)
    if not quiet:
        typer.echo(f"wrote {output} ({edition} edition: {made.facts.outcome})")
