"""`sfumato measure`: what a release says and what it lost."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato.cli.shared import (
    Blanks,
    Json,
    ManifestFile,
    OriginalTable,
    PolicyFile,
    Quiet,
    ReleaseFiles,
    chosen,
    print_json,
    progress,
)

__all__ = ["command"]


def command(
    release: ReleaseFiles,
    policy: PolicyFile,
    original: OriginalTable = None,
    manifest: ManifestFile = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="A measure, also with settings: NAME:key=value,…; repeatable."),
    ] = None,
    population: Annotated[
        str | None,
        typer.Option("--population", metavar="DATA", help="A register of people with quasi-identifiers, for the risk."),
    ] = None,
    threshold: Annotated[
        list[str] | None,
        typer.Option("--threshold", metavar="RISK", help="Count people by it: 0.09, 1/11, or '<=0.2'; repeatable."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of what is drawn at random, such as queries.")] = 0,
    blank: Blanks = "auto",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure what a release still says, what it lost, and how likely people are found, before and after.

    It may have any form, and be made by any tool. Most measures compare with the original table; without it they say
    so. `--only risk` leaves everything else out.

    Example:  sfumato measure out/ -p patients.yaml --original patients.csv
    """
    import sfumato as sf

    with progress(quiet or as_json) as show:
        asked = chosen(only, "measure")
        found = sf.measure(
            release,
            policy,
            manifest,
            original=original,
            only=asked,
            population=population,
            thresholds=threshold or None,
            seed=seed,
            progress=show,
            blank=blank,
        )
    if as_json:
        print_json(found.to_dict())
    elif not quiet:
        typer.echo(found.summary())
