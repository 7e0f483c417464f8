"""`sfumato knowledge`: what outside knowledge says about a table's terms."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato.cli.shared import Data, Json, PolicyFile, print_json

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Look at the outside knowledge that links terms, such as symptoms, to labels, such as diseases.",
)


@app.callback()
def _root() -> None:
    """Keep `check` a command of its own, so that others can join it."""


@app.command("check")
def check_command(
    data: Data,
    policy: PolicyFile,
    unknown: Annotated[
        bool,
        typer.Option("--unknown", help="List the terms that are unknown. They are data: keep the list to yourself."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Compare quasi-sensitive columns with the knowledge that the policy names.

    How many rows may stand for a label, for one label only, or for none; which labels are never reached; how many terms
    the knowledge does not have.

    Example:  sfumato knowledge check patients.csv -p patients.yaml
    """
    import sfumato as sf

    found = sf.check_knowledge(data, policy)
    if as_json:
        print_json({"columns": [each.as_dict(unknown) for each in found]})
    else:
        typer.echo("\n".join(each.summary(unknown) for each in found))
