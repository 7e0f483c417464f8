"""`sfumato knowledge`: what outside knowledge says about a table's terms, and how it is built."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from sfumato.cli.shared import Data, Json, PolicyFile, print_json, require_other
from sfumato.errors import InputError

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Build and check the outside knowledge that links terms, such as symptoms, to labels, such as diseases.",
)


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


@app.command("build")
def build_command(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="A table: CSV, Parquet or any other kind.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the knowledge, a CSV.")
    ],
    kind: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="KIND",
            help="pairs (label, term), cases (label, terms), texts (label, text), or ontology.",
        ),
    ] = "pairs",
    label: Annotated[
        str | None, typer.Option("--label", metavar="COLUMN", help="The column of labels; default: the first.")
    ] = None,
    term: Annotated[
        str | None,
        typer.Option("--term", metavar="COLUMN", help="The column of terms, or of texts; default: the next."),
    ] = None,
    count: Annotated[
        str | None,
        typer.Option("--count", metavar="COLUMN", help="How often a pair was met; of an ontology, its frequency."),
    ] = None,
    separator: Annotated[
        str | None, typer.Option("--separator", metavar="SIGN", help="Of the terms of a case that share a cell.")
    ] = None,
    vocabulary: Annotated[
        Path | None,
        typer.Option(
            "--vocabulary", metavar="FILE", help="Phrases to look for in texts, one per line; default: words."
        ),
    ] = None,
    unless: Annotated[
        str | None,
        typer.Option("--unless", metavar="COLUMN=WORD", help="Rows of an ontology that deny: qualifier=NOT."),
    ] = None,
    broader: Annotated[
        Path | None,
        typer.Option(
            "--broader", metavar="FILE", help="Broader terms, which go with the narrower: OBO, or two columns."
        ),
    ] = None,
    least: Annotated[int, typer.Option("--least", min=1, metavar="N", help="Times that a pair must be met.")] = 1,
    share: Annotated[
        str, typer.Option("--share", metavar="SHARE", help="Of a label's cases or texts that must show a term.")
    ] = "0",
    most: Annotated[
        str, typer.Option("--most", metavar="SHARE", help="Of the labels that a term may go with; others tell nothing.")
    ] = "1",
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="Write how often a label shows its term, for `probability:`.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    as_json: Json = False,
) -> None:
    """Make a knowledge table for a policy: which terms go with which label, as a source tells it.

    The file goes into a policy as knowledge: {file: FILE}. Read it before you use it: a label's terms are all that it
    may show, so that one which is missing rules the label out. What was built from patients' records is as secret as
    these.

    Example:  sfumato knowledge build cases.csv --from cases --least 2 -o diseases.csv
    """
    import sfumato as sf

    if output.exists() and not force:
        raise InputError(f"{output} exists; nothing was changed. Use --force to replace it, or -o for another name")
    require_other(output, source)
    denied = None if unless is None else unless.partition("=")
    if denied is not None and not (denied[0] and denied[2]):
        raise InputError(f"--unless must be COLUMN=WORD, such as qualifier=NOT (got {unless!r})")
    built = sf.build_knowledge(
        source,
        cast(Any, kind),
        label=label,
        term=term,
        count=count,
        separator=separator,
        vocabulary=vocabulary,
        unless=None if denied is None else (denied[0], denied[2]),
        broader=broader,
        least=least,
        share=share,
        most=most,
    )
    built.write(output, probabilities)
    if as_json:
        print_json({"file": str(output), **built.as_dict()})
    else:
        typer.echo(f"wrote {output}: {built.summary()}")
