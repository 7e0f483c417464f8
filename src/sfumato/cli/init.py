"""`sfumato init`: a first policy for a table, with the evidence for every suggestion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.shared import Data, Delimiter, Encoding, Json, Sheet, named_by_flags, print_json, require_other
from sfumato.errors import one_line

if TYPE_CHECKING:
    import sfumato as sf

__all__ = ["command"]


def command(
    data: Data,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="POLICY", help="Where to write; default: DATA with the ending .yaml."),
    ] = None,
    encoding: Encoding = "utf-8",
    delimiter: Delimiter = None,
    sheet: Sheet = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing policy.")] = False,
    as_json: Json = False,
) -> None:
    """Look at a table and write a commented policy: suggested roles and hierarchies, and the evidence for each.

    Suggestions are no decisions. A column without good evidence is left undecided, and the policy is refused until a
    person has decided; read every line before you use it. The policy holds no value of the data.

    Example:  sfumato init patients.csv
    """
    import sfumato as sf

    address = sf.address_of(data)
    title = Path(data).name if address is None else address.title
    named = title.split(".")[0] if address is None else title
    target = output or Path("policy.yaml" if data == "-" else f"{named}.yaml")
    if target.exists() and not force:
        raise sf.InputError(f"{target} exists; nothing was changed. Use --force to replace it, or -o for another name")
    require_other(target, data)
    given = {"encoding": encoding, "delimiter": delimiter, "sheet": sheet}
    settings = {name: value for name, value in given.items() if value is not None}
    with named_by_flags():
        suggestions = sf.suggest(data, settings)
    target.write_text(sf.write_policy(suggestions, title, settings), encoding="utf-8", newline="\n")
    undecided = [suggestion.name for suggestion in suggestions if suggestion.role is None]
    if as_json:
        roles = {suggestion.name: suggestion.role for suggestion in suggestions}
        reasons = {suggestion.name: list(suggestion.reasons) for suggestion in suggestions}
        print_json({"policy": str(target), "roles": roles, "reasons": reasons, "undecided": undecided})
        return
    typer.echo("\n".join(_lines(suggestions)))
    typer.echo(f"wrote {target}: suggestions, not decisions. Read it, and decide every role yourself.")
    if undecided:
        typer.echo(f"{len(undecided)} undecided: {', '.join(map(one_line, undecided))}")
    sets = [suggestion.name for suggestion in suggestions if suggestion.role == "quasi-sensitive"]
    if sets:
        names = ", ".join(map(one_line, sets))
        typer.echo(
            f"{names}: write down which terms go with which label (knowledge:), then look at it with"
            f" sfumato knowledge check {data} -p {target}"
        )


def _lines(suggestions: Sequence[sf.Suggestion]) -> Iterator[str]:
    """A line for every column; one for undecided ones side by side of which the same is said."""
    runs: list[tuple[str, str, str]] = []
    for (role, reasons), group in groupby(suggestions, key=lambda each: (each.role or "undecided", each.reasons)):
        names = [one_line(each.name) for each in group]
        if role == "undecided" and len(names) > 3:
            names = [f"{names[0]} ... {names[-1]}, {len(names)} columns"]
        runs += [(name, role, "; ".join(reasons)) for name in names]
    width = max(len(name) for name, _, _ in runs)
    roles_width = max(12, *(len(role) + 1 for _, role, _ in runs))
    for name, role, reasons in runs:
        yield f"{name:<{width}}  {role:<{roles_width}} {reasons}"
