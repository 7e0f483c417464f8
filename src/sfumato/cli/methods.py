"""`sfumato methods`: what can be promised, how groups are found and shown, and what goes together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.shared import Json, print_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato import Matrix

__all__ = ["command"]

_MARKS = {"native": "yes", "adapted": "adapted", "refused": "no"}


def command(
    persons: Annotated[
        bool, typer.Option("--persons", help="For tables in which somebody has several rows (role individual).")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print models, partitioners and forms with their matrix: native, adapted (says how) or refused (says why).

    Pieces of other installed packages are listed too.

    Example:  sfumato methods --json
    """
    import sfumato as sf

    matrix = sf.methods(persons=persons)
    if as_json:
        print_json(matrix.as_dict())
        return
    _list("models (privacy: - {model: ...})", matrix.models)
    _list("partitioners (partition: {method: ...})", matrix.methods)
    _list("forms (form: {publish: ...})", matrix.forms)
    for form in matrix.forms:
        _grid(matrix, form)
    _reasons(matrix)
    for name, why in matrix.broken.items():
        typer.echo(f"broken: {name}: {why}")


def _list(title: str, names: Mapping[str, str]) -> None:
    typer.echo(title)
    width = max(map(len, names))
    for name, words in names.items():
        typer.echo(f"  {name:<{width}}  {words}")
    typer.echo()


def _grid(matrix: Matrix, form: str) -> None:
    width = max(map(len, matrix.models))
    columns = {method: max(len(method), 7) for method in matrix.methods}
    typer.echo(f"form {form}")
    typer.echo(f"  {'':<{width}}  " + "  ".join(f"{method:<{size}}" for method, size in columns.items()).rstrip())
    for model in matrix.models:
        marks = (f"{_MARKS[matrix.cell(model, method, form).status]:<{size}}" for method, size in columns.items())
        typer.echo(f"  {model:<{width}}  " + "  ".join(marks).rstrip())
    typer.echo()


def _reasons(matrix: Matrix) -> None:
    why: dict[str, list[str]] = {}
    for cell in matrix.cells:
        if cell.why:
            why.setdefault(cell.why, []).append(f"{cell.model} x {cell.method} x {cell.form}")
    for reason, cells in why.items():
        typer.echo(f"{', '.join(cells)}: {reason}")
