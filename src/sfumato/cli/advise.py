"""`sfumato advise`: what can be promised on a table at all."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato.cli.shared import Data, Json, PolicyFile, print_json, progress

__all__ = ["command"]


def command(
    data: Data,
    policy: PolicyFile,
    search: Annotated[
        bool,
        typer.Option("--search", help="Also find, by many runs, the weakest requirement that keeps a (tau,l) promise."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Say what can be promised on a table at all, and what this policy does with its promise.

    From counts: the strongest l-diversity of every kind per sensitive column, the largest groups of different values,
    requirements that imply a simple, (c,l) or (tau,l) promise or follow from it, and whether any method and form could
    keep the policy's promise. By a run, which publishes nothing: whether the policy's own method and form do, and if
    not, the nearest promise that they keep and a method that keeps this one, where such are known.

    Ends as anonymize would under this policy, with the same exit code.

    Example:  sfumato advise patients.csv -p patients.yaml
    """
    import sfumato as sf

    with progress(as_json) as show:
        advice = sf.advise(data, policy, search=search, progress=show)
    if as_json:
        print_json(advice.as_dict())
    else:
        typer.echo(advice.summary())
    if advice.policy.exit_code:
        raise typer.Exit(advice.policy.exit_code)
