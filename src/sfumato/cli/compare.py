"""`sfumato compare`: every method side by side on one table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.shared import Json, PolicyFile, Quiet, print_json, progress

__all__ = ["command"]


def command(
    data: Annotated[str, typer.Argument(metavar="DATA", help="CSV (also .gz), Parquet, Excel, Stata or SPSS.")],
    policy: PolicyFile,
    method: Annotated[
        list[str] | None, typer.Option("--method", metavar="NAME", help="A method to try; repeatable. Default: all.")
    ] = None,
    form: Annotated[
        list[str] | None,
        typer.Option("--form", metavar="NAME", help="A form to try; repeatable."),
    ] = None,
    level: Annotated[
        list[str] | None,
        typer.Option("--level", metavar="NAME=N,N,…", help="A parameter of the promise at several levels: l=2,3,4."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Also write a page with a picture: NAME.html.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing page.")] = False,
    workers: Annotated[int, typer.Option("--workers", min=1, help="How many are tried at a time.")] = 2,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the figures for the next comparison.")] = False,
    language: Annotated[str, typer.Option("--language", metavar="en|de", help="Of the page.")] = "en",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Try every method on a table under one policy: what each loses, gives away and takes, and which nothing beats.

    Nothing is published. Each method runs in a process of its own; a comparison that is stopped goes on where it was.

    Example:  sfumato compare patients.csv -p patients.yaml -o compared.html
    """
    import sfumato as sf

    if output is not None and output.suffix != ".html":
        raise sf.InputError(f"{output}: a comparison is written as a page; end its name with .html")
    if output is not None and output.exists() and not force:
        raise sf.InputError(f"{output} exists; nothing was changed. Use --force to replace it")
    levels = dict(_level(each) for each in level or ())
    with progress(quiet or as_json) as show:
        found = sf.compare(
            data,
            policy,
            methods=method or None,
            forms=form or (),
            levels=levels or None,
            workers=workers,
            keep=keep,
            progress=show,
        )
    if output is not None:
        output.write_text(found.html(language), encoding="utf-8")
    if as_json:
        print_json(found.to_dict())
    elif not quiet:
        typer.echo(found.summary())
        typer.echo("" if output is None else f"wrote {output}")


def _level(text: str) -> tuple[str, list[str]]:
    import sfumato as sf

    name, sign, levels = text.partition("=")
    if not sign or not levels:
        raise sf.InputError(f"--level {text}: write a parameter and its levels, such as l=2,3,4")
    return name.strip(), [each.strip() for each in levels.split(",") if each.strip()]
