"""`sfumato serve`: the workbench, on this computer."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from sfumato.errors import InputError

__all__ = ["command"]

_NEEDS = ("starlette", "uvicorn", "python_multipart")


def command(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A table to open; it is read where it lies.")
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Of this computer; 0: any that is free.")] = 0,
    language: Annotated[
        str, typer.Option("--language", metavar="en|de", help="Of the pages; default: that of the browser.")
    ] = "",
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the link; open no browser.")] = False,
) -> None:
    """Open a table in a browser, decide roles, choose a promise, and take away the release with its report.

    Serves this computer alone. The link works once, in one browser. What is opened lies in a private folder, which is
    gone when this ends (Ctrl-C). Needs the extra `workbench`: pip install "sfumato[workbench]".

    Example:  sfumato serve patients.csv
    """
    if any(find_spec(name) is None for name in _NEEDS):
        raise InputError("the workbench is an extra; install it with: pip install 'sfumato[workbench]'")
    if file is not None and not file.is_file():
        raise InputError(f"{file}: no such file")
    from sfumato.workbench.launch import serve

    def ready(link: str, way: Path) -> None:
        typer.echo(f"The workbench is open on this computer: {link}")
        typer.echo("The link works once. Ctrl-C ends it, and removes what it kept.")
        if not no_open:
            import webbrowser

            webbrowser.open(way.as_uri())

    try:
        serve(file, port, language, ready)
    except KeyboardInterrupt:
        typer.echo("\nEnded; nothing is left.", err=True)
