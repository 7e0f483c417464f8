"""`sfumato methods`: what can be promised, how groups are found and shown, and what goes together."""

from __future__ import annotations

from textwrap import fill
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
    everything: Annotated[
        bool, typer.Option("--all", help="With --persons: every form by itself, and every reason.")
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
    if persons and not everything:
        _overview(matrix)
        return
    _list("models (privacy: - {model: ...})", matrix.models)
    _list("partitioners (partition: {method: ...})", matrix.methods)
    _list("forms (form: {publish: ...})", matrix.forms)
    for form in matrix.forms:
        _grid(matrix, form)
    _reasons(matrix)
    for name, why in matrix.broken.items():
        typer.echo(f"broken: {name}: {why}")


def _overview(matrix: Matrix) -> None:
    """On one screen: algorithms that serve the same are one column, and forms are letters."""
    served = {(cell.model, cell.method, cell.form): cell.status for cell in matrix.cells if cell.status != "refused"}
    letters: dict[str, str] = {}
    for form in matrix.forms:
        if any(key[2] == form for key in served):
            letters[form] = next(letter for letter in (*form, "?") if letter not in letters.values())

    def mark(model: str, method: str) -> str:
        found = {form: served.get((model, method, form)) for form in letters}
        return "".join(
            letters[form].upper() if how == "native" else letters[form] for form, how in found.items() if how
        )

    alike: dict[tuple[str, ...], list[str]] = {}
    for method in matrix.methods:
        alike.setdefault(tuple(mark(model, method) for model in matrix.models), []).append(method)
    columns = [marks for marks in alike if any(marks)]
    typer.echo("where somebody has several rows, no two of them in one group (role individual)")
    typer.echo("forms: " + ", ".join(f"{letter} {form}" for form, letter in letters.items()))
    typer.echo("capital: as it is; small: with settings that --all names, such as refine: true")
    for number, marks in enumerate(columns, 1):
        typer.echo(f"{number}: {', '.join(alike[marks])}")
    width, size = max(map(len, matrix.models)), max(5, len(letters)) + 2
    typer.echo(f"{'':<{width}}  " + "".join(f"{number:<{size}}" for number in range(1, len(columns) + 1)).rstrip())
    for at, model in enumerate(matrix.models):
        if any(marks[at] for marks in columns):
            typer.echo(f"{model:<{width}}  " + "".join(f"{marks[at] or '-':<{size}}" for marks in columns).rstrip())
    bare = [method for marks, methods in alike.items() if not any(marks) for method in methods]
    none = [model for at, model in enumerate(matrix.models) if not any(marks[at] for marks in columns)]
    idle = [form for form in matrix.forms if form not in letters]
    for what, names in (("methods", bare), ("forms", idle), ("models", none)):
        if names:
            typer.echo(fill(f"{what} that need one row per person (rows: one): {', '.join(names)}", 78))


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
