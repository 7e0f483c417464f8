"""`sfumato explain`: what was done and why, or why nothing was and what would do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.shared import Json, Language, ManifestFile, PolicyFile, print_json, progress

__all__ = ["command"]


def command(
    what: Annotated[
        str,
        typer.Argument(metavar="WHAT", help="A release, or data: CSV (also .gz), Parquet, or - for standard input."),
    ],
    policy: PolicyFile,
    original: Annotated[
        Path | None,
        typer.Option("--original", metavar="DATA", help="The table a release was made from: what made it necessary."),
    ] = None,
    manifest: ManifestFile = None,
    bare: Annotated[
        bool, typer.Option("--bare", help="WHAT is a release of another tool, without release.json, and no data.")
    ] = False,
    group: Annotated[
        int | None,
        typer.Option("--group", min=1, metavar="N", help="Speak only of the N-th worst group of what fails."),
    ] = None,
    language: Language = "en",
    as_json: Json = False,
) -> None:
    """Say in plain words what was done to each column of a release and why, or why none can be made and what would do.

    WHAT with a release.json is a release: every promise and what it reached, every column, what was done to it, for
    which promise and at what cost, and of a promise that fails its worst group and what would mend it. Anything else is
    data: the policy is tried on it as anonymize would, and nothing is written. If no release can be made, the smallest
    changes of the policy are named under which one was made and audited, ready to be pasted into it.

    Exit code 0 whenever there is something to say.

    Example:  sfumato explain patients.csv -p strict.yaml
    """
    import sfumato as sf

    with progress(as_json) as show:
        said = sf.explain(what, policy, manifest, original=original, bare=bare, group=group, progress=show)
    if as_json:
        print_json(said.to_dict(language))
    else:
        typer.echo(said.text(language))
