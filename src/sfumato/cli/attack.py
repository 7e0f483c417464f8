"""`sfumato attack`: what adversaries learn from a release."""

from __future__ import annotations

from pathlib import Path
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
    with_policies,
)

__all__ = ["command"]

Others = Annotated[
    list[str] | None,
    typer.Option("--other", metavar="RELEASE", help="Another release about the same people; repeatable."),
]
OtherPolicies = Annotated[
    list[Path] | None,
    typer.Option("--other-policy", metavar="POLICY", help="Its policy, if it is another one; in the order of --other."),
]


def command(
    release: ReleaseFiles,
    policy: PolicyFile,
    original: OriginalTable = None,
    manifest: ManifestFile = None,
    other: Others = None,
    other_policy: OtherPolicies = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="An adversary, also with settings: NAME:key=value,…; repeatable."),
    ] = None,
    register: Annotated[
        str | None, typer.Option("--register", metavar="FILE", help="People from outside, by some quasi-identifiers.")
    ] = None,
    population: Annotated[
        str | None,
        typer.Option("--population", metavar="FILE", help="People of the same population, or combinations by `count`."),
    ] = None,
    rules: Annotated[
        Path | None, typer.Option("--rules", metavar="FILE", help="What is known never to be, in YAML or JSON.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of what is drawn at random, such as samples.")] = 0,
    blank: Blanks = "auto",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Attack a release as adversaries would, whatever its form, and whichever tool made it.

    Each says what it assumes, how many people it exposes and how surely, and is scored against the original table;
    beside it stands what somebody gets right who knows the totals alone.

    Example:  sfumato attack out/ -p patients.yaml --original patients.csv
    """
    import sfumato as sf

    with progress(quiet or as_json) as show:
        asked, others = chosen(only, "adversary"), with_policies(other, other_policy, policy, "--other")
        found = sf.attack(
            release,
            policy,
            manifest,
            original=original,
            other=others,
            only=asked,
            register=register,
            population=population,
            rules=rules,
            seed=seed,
            progress=show,
            blank=blank,
        )
    if as_json:
        print_json(found.to_dict())
    elif not quiet:
        typer.echo(found.summary())
