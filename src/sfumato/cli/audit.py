"""`sfumato audit`: judge a release from its files alone."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato.cli.shared import Blanks, Json, ManifestFile, PolicyFile, Quiet, ReleaseFiles, print_json, settings_of

__all__ = ["command"]


def command(
    release: ReleaseFiles,
    policy: PolicyFile,
    manifest: ManifestFile = None,
    original: Annotated[
        str | None,
        typer.Option("--original", metavar="DATA", help="The table that it was made from: its rows must be true."),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Nothing was left out: the table's own distribution is the reference.")
    ] = False,
    population: Annotated[
        str | None,
        typer.Option("--population", metavar="FILE", help="People of the same population, or combinations by `count`."),
    ] = None,
    bayes: Annotated[
        str | None,
        typer.Option("--bayes", metavar="BOUNDS", help="With --population: delta=0.1,epsilon=0.01,rho1=0.1,rho2=0.5."),
    ] = None,
    groups: Annotated[
        int,
        typer.Option("--groups", min=0, metavar="N", help="Also list the N worst groups of every criterion."),
    ] = 0,
    blank: Blanks = "auto",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check every criterion of the policy on a release, with code that shares nothing with what made it.

    Groups are rebuilt as a recipient would: rows that show the same quasi-identifiers, and rows with the same group id
    where one is published. Each criterion holds, fails, or is undecidable and says what it needs; undecidable is never
    a pass. A bare table without release.json can be audited too, whichever tool made it.

    With the original table every published row must stand for a different row of it, in every cell.

    Exit codes: 0 every criterion holds, 4 one fails or is undecidable.

    Example:  sfumato audit out/ -p patients.yaml --manifest out.internal.json
    """
    import sfumato as sf

    asked = None if bayes is None else settings_of(bayes, "--bayes ")
    verdict = sf.audit(
        release,
        policy,
        manifest,
        whole=whole,
        original=original,
        population=population,
        bayes=asked,
        blank=blank,
        groups=groups,
    )
    if as_json:
        print_json(verdict.to_dict())
    elif not quiet:
        typer.echo(verdict.summary())
    if not verdict.holds:
        raise typer.Exit(4)
