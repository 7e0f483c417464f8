"""`sfumato hierarchy`: build, check and show the hierarchies that values are generalized along."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from sfumato.cli.shared import Data, Delimiter, Encoding, Json, Marks, Sheet, named_by_flags, print_json, require_other
from sfumato.errors import InputError

if TYPE_CHECKING:
    from rich.tree import Tree

    from sfumato import Taxonomy

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="""Build, check and show hierarchies: the steps by which values grow vaguer (23, [20, 25), [20, 30), *).

    A hierarchy file has one line per value, from the value up to the root '*':

      Bachelors;Undergraduate;Higher education;*
    """,
)

Hierarchy = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="CSV (ARX or with a header), Amnesia text, or nested YAML or JSON."),
]
Header = Annotated[
    bool | None, typer.Option("--header/--no-header", help="Whether a CSV file has a header line, if that is unclear.")
]
Format = Annotated[
    str | None,
    typer.Option("--format", help="arx, csv, amnesia or yaml; default: by the file's look.", metavar="FORMAT"),
]
Dates = Annotated[
    str, typer.Option("--date-format", metavar="FORMAT", help="How dates are written in DATA, with --type date.")
]
Decimal = Annotated[str, typer.Option("--decimal", metavar="SIGN", help="Decimal sign of numbers in DATA.")]


@app.command("build")
def build_command(
    data: Data,
    column: Annotated[str, typer.Option("--column", "-c", metavar="NAME", help="The column whose values to order.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the hierarchy.")],
    intervals: Annotated[
        str | None,
        typer.Option("--intervals", metavar="WIDTHS", help="Widths, each a multiple of the one before: 5,10,20."),
    ] = None,
    origin: Annotated[str, typer.Option("--origin", help="Where an interval begins.", metavar="NUMBER")] = "0",
    mask: Annotated[
        str | None, typer.Option("--mask", metavar="SIDE", help="Mask characters from the right (81***) or the left.")
    ] = None,
    prefix: Annotated[
        str | None, typer.Option("--prefix", metavar="LENGTHS", help="Codes by how they begin, longest first: 3,1.")
    ] = None,
    dates: Annotated[
        str | None, typer.Option("--dates", metavar="UNITS", help="Calendar units: day,month,quarter,year,decade.")
    ] = None,
    ready: Annotated[
        str | None, typer.Option("--ready", metavar="NAME", help="One that comes with sfumato: see `hierarchy ready`.")
    ] = None,
    unknown: Annotated[
        str, typer.Option("--unknown", metavar="RULE", help="With --ready, values that it does not know: error, other.")
    ] = "error",
    balanced: Annotated[
        int | None,
        typer.Option("--balanced", metavar="FANOUT", help="Parts of equal frequency, so many to a node; at least 2."),
    ] = None,
    flat: Annotated[bool, typer.Option("--flat", help="The value, or '*'.")] = False,
    kind: Annotated[
        str | None,
        typer.Option("--type", metavar="TYPE", help="text, integer, number or date; default: as the hierarchy needs."),
    ] = None,
    date_format: Dates = "%Y-%m-%d",
    decimal: Decimal = ".",
    encoding: Encoding = "utf-8",
    delimiter: Delimiter = None,
    sheet: Sheet = None,
    missing: Marks = None,
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help="arx (';', no header) or csv.")] = "arx",
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    as_json: Json = False,
) -> None:
    """Make a hierarchy file from the values of a column, ready to be edited by hand.

    Choose one of --intervals, --mask, --prefix, --dates, --ready, --balanced and --flat. The file lists every distinct
    value of the column: treat it as you treat the data. (A policy can also ask for the same directly, without a file:
    hierarchy: {intervals: [5, 10, 20]}.)

    Example:  sfumato hierarchy build patients.csv --column age --intervals 5,10,20 -o age.csv
    """
    import sfumato as sf

    if format not in ("arx", "csv"):
        raise InputError(f"--format must be arx or csv (got {format!r})")
    if output.exists() and not force:
        raise InputError(f"{output} exists; nothing was changed. Use --force to replace it, or -o for another name")
    require_other(output, data)
    wanted: dict[str, Any] = {
        "intervals": None if intervals is None else {"intervals": _listed(intervals), "origin": origin},
        "mask": None if mask is None else {"mask": mask},
        "prefix": None if prefix is None else {"prefix": _listed(prefix)},
        "ready": None if ready is None else {"ready": ready, "unknown": unknown},
        "dates": None if dates is None else {"dates": _listed(dates)},
        "balanced": None if balanced is None else {"balanced": {"fanout": balanced}},
        "flat": "flat" if flat else None,
    }
    chosen = [name for name, settings in wanted.items() if settings is not None]
    if len(chosen) != 1:
        raise InputError("choose one of --intervals, --mask, --prefix, --dates, --ready, --balanced and --flat")
    settings = _input(date_format, decimal, encoding, delimiter, sheet, missing)
    with named_by_flags():
        taxonomy = sf.build_hierarchy(data, column, wanted[chosen[0]], type=kind, input=settings)
    sf.write_hierarchy(taxonomy, output, "arx" if format == "arx" else "csv")
    if as_json:
        print_json({"file": str(output), "column": column, **_facts(taxonomy)})
    else:
        typer.echo(f"wrote {output}: {_sentence(taxonomy)}. It lists values of the data: keep it as safe as the data.")


@app.command("check")
def check_command(
    file: Hierarchy,
    data: Annotated[
        str | None, typer.Option("--data", metavar="DATA", help="A table whose values must all be in the hierarchy.")
    ] = None,
    column: Annotated[str | None, typer.Option("--column", "-c", metavar="NAME", help="The column of DATA.")] = None,
    kind: Annotated[
        str, typer.Option("--type", help="What the values are: text, integer, number or date.", metavar="TYPE")
    ] = "text",
    date_format: Dates = "%Y-%m-%d",
    decimal: Decimal = ".",
    encoding: Encoding = "utf-8",
    delimiter: Delimiter = None,
    sheet: Sheet = None,
    missing: Marks = None,
    header: Header = None,
    format: Format = None,
    as_json: Json = False,
) -> None:
    """Check that a hierarchy file is one tree and, with --data, that it holds every value of a column.

    Found with their line: two parents, a cycle, an empty cell, a value that stands twice or equals the label of a
    group or '*', lines of different length. Of values that are missing from the hierarchy it says how many there are
    and where the first stands, never which.

    Example:  sfumato hierarchy check education.csv --data patients.csv --column education
    """
    import sfumato as sf

    known = _known(format)
    if data is None or column is None:
        if data is not column:
            raise InputError("--data and --column go together")
        taxonomy, covered, facts = sf.read_hierarchy(file, header, known, kind), "", {}
    else:
        settings = _input(date_format, decimal, encoding, delimiter, sheet, missing)
        with named_by_flags():
            coverage = sf.check_hierarchy(file, data, column, header, known, kind, settings)
        taxonomy, covered = coverage.taxonomy, f"; holds all {coverage.values} values of column {column!r}"
        facts = {"data": data, "column": column, "values_in_data": coverage.values, "rows": coverage.rows}
    facts = {"file": str(file), "ok": True, **_facts(taxonomy), **facts}
    if as_json:
        print_json(facts)
    else:
        typer.echo(f"{file} is sound: {_sentence(taxonomy)}{covered}")


@app.command("show")
def show_command(
    file: Hierarchy,
    depth: Annotated[
        int | None, typer.Option("--depth", min=1, metavar="N", help="Levels to show; default: 3, with --json all.")
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, metavar="N", help="Most children shown of a node.")] = 20,
    header: Header = None,
    format: Format = None,
    as_json: Json = False,
) -> None:
    """Draw the tree of a hierarchy file.

    Example:  sfumato hierarchy show education.csv --depth 2
    """
    import sfumato as sf

    taxonomy = sf.read_hierarchy(file, header, _known(format))
    if as_json:
        print_json({"file": str(file), **_facts(taxonomy), "tree": _nested(taxonomy, taxonomy.root, depth)})
        return
    from rich.console import Console

    Console(highlight=False).print(_drawn(taxonomy, depth or 3, most))


@app.command("ready")
def ready_command(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Show this one; default: list all.")] = None,
    as_json: Json = False,
) -> None:
    """Hierarchies that come with sfumato, each with its source: for a policy's hierarchy: {ready: NAME}.

    Example:  sfumato hierarchy ready icd10
    """
    import sfumato as sf

    known = sf.ready_hierarchies()
    if name is not None and name not in known:
        raise InputError(f"no ready hierarchy {name!r}; there are {', '.join(known)}")
    chosen = {each: known[each] for each in ([name] if name is not None else known)}
    if as_json:
        print_json({each: asdict(facts) for each, facts in chosen.items()})
    elif name is None:
        width = max(map(len, chosen))
        for each, facts in chosen.items():
            typer.echo(f"{each:{width}}  {' > '.join(facts.example)}")
    else:
        facts = chosen[name]
        typer.echo(f"{name}: for columns of type {' or '.join(facts.types)}; source: {facts.source}")
        for label, meaning in facts.labels.items():
            typer.echo(f"{label}  {meaning}")


def _input(
    date: str, decimal: str, encoding: str, delimiter: str | None, sheet: str | None, missing: list[str] | None
) -> dict[str, Any]:
    """The options as the `input:` of a policy."""
    marks = {"missing_values": ["", *missing]} if missing else {}
    return {"date": date, "decimal": decimal, "encoding": encoding, "delimiter": delimiter, "sheet": sheet, **marks}


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _known(format: str | None) -> Literal["arx", "csv", "amnesia", "yaml"] | None:
    match format:
        case None | "arx" | "csv" | "amnesia" | "yaml":
            return format
        case _:
            raise InputError(f"--format must be arx, csv, amnesia or yaml (got {format!r})")


def _facts(taxonomy: Taxonomy) -> dict[str, Any]:
    return {
        "values": taxonomy.size,
        "nodes": len(taxonomy.labels),
        "height": taxonomy.height,
        "balanced": bool((taxonomy.depth[: taxonomy.size] == taxonomy.height).all()),
        "root": taxonomy.labels[taxonomy.root],
    }


def _sentence(taxonomy: Taxonomy) -> str:
    facts = _facts(taxonomy)
    shape = "" if facts["balanced"] else ", some branches shorter"
    groups = facts["nodes"] - facts["values"] - 1
    return f"{facts['values']} values, {groups} groups, height {facts['height']}{shape}, root {facts['root']!r}"


def _nested(taxonomy: Taxonomy, node: int, depth: int | None) -> dict[str, Any]:
    made: dict[str, Any] = {"label": taxonomy.labels[node], "values": int(taxonomy.leaf_counts[node])}
    if depth != 0 and node >= taxonomy.size:
        below = None if depth is None else depth - 1
        made["children"] = [_nested(taxonomy, child, below) for child in taxonomy.children[node].tolist()]
    return made


def _drawn(taxonomy: Taxonomy, depth: int, most: int) -> Tree:
    from rich.text import Text
    from rich.tree import Tree

    def words(node: int) -> Text:
        count = int(taxonomy.leaf_counts[node])
        return Text(taxonomy.labels[node] + ("" if node < taxonomy.size else f"  ({count} value{'s' * (count > 1)})"))

    def fill(branch: Tree, node: int, levels: int) -> None:
        children = taxonomy.children[node].tolist()
        for child in children[:most] if levels else []:
            fill(branch.add(words(child)), child, levels - 1)
        if levels and len(children) > most:
            branch.add(Text(f"... {len(children) - most} more"))

    drawn = Tree(words(taxonomy.root))
    fill(drawn, taxonomy.root, depth)
    return drawn
