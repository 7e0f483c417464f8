"""`sfumato anonymize`: make a release, audit it, write it, audit the bytes, put it in place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli.engines import Engine, EngineName, Master, Memory
from sfumato.cli.run_report import RunReport
from sfumato.cli.shared import (
    Data,
    Edition,
    Json,
    Language,
    PolicyFile,
    Quiet,
    Stopped,
    print_json,
    print_nothing_more,
    progress,
    require_not_stopped,
    with_policies,
)

if TYPE_CHECKING:
    import sfumato as sf

__all__ = ["command"]


def command(
    data: Data,
    policy: PolicyFile,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="A folder, also of an object store or HDFS (s3://BUCKET/FOLDER/), one file (.csv, .parquet, .xlsx,"
            " .dta, .sav), or a table of a database: sqlite:PATH?table=NAME.",
        ),
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace an existing release, whole.")] = False,
    kind: Annotated[
        str | None,
        typer.Option("--format", metavar="csv|parquet|excel|stata|spss", help="Format of the table in a folder."),
    ] = None,
    like: Annotated[
        Path | None,
        typer.Option(
            "--like",
            metavar="MANIFEST",
            help="Refuse a table with fewer rows, other columns or new values than that of an earlier release.",
        ),
    ] = None,
    fewer: Annotated[
        str | None,
        typer.Option("--fewer", metavar="SHARE", help="With --like: the share of rows that may be missing, else 0.1."),
    ] = None,
    new: Annotated[
        list[str] | None,
        typer.Option("--new", metavar="COLUMN", help="With --like: a column that may have new values; repeatable."),
    ] = None,
    before: Annotated[
        list[str] | None,
        typer.Option(
            "--before",
            metavar="RELEASE",
            help="A release about the same people that was published before, or its manifest: refuse what exposes"
            " anybody together with it; repeatable.",
        ),
    ] = None,
    before_policy: Annotated[
        list[Path] | None,
        typer.Option(
            "--before-policy", metavar="POLICY", help="Its policy, if it is another one; in the order of --before."
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget", metavar="quick|normal|thorough", help="How much the method auto tries, instead of the policy's."
        ),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            "--time", metavar="TIME", help="How long auto takes, about: 10s, 2m; another run may find other groups."
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Tests and papers only: anybody can replay the release.")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Also write a report of this run, to be read and signed: NAME.html, NAME.md or NAME.json.",
        ),
    ] = None,
    engine: EngineName = "memory",
    master: Master = None,
    memory: Memory = None,
    edition: Edition = "internal",
    language: Language = "en",
    bound: Annotated[
        bool,
        typer.Option("--bound", help="Say how far the loss is from the least that any method could reach; seconds."),
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a release that keeps the promise of the policy, or none at all.

    The table is checked, grouped and published; an independent auditor judges it in memory and again from the written
    bytes, or from the table in its database; only then does it appear under its name. On any failure an existing
    release stays as it was.

    A file OUT.internal.json beside OUT (of a database: DATABASE.TABLE.internal.json, of an object store:
    BUCKET.FOLDER.internal.json in the folder you are in) is written for you alone: it holds what an audit of
    t-closeness needs and what would help an adversary. Never publish it.

    With --engine spark the rows of Parquet files are counted by a cluster, and only different ones come here; with
    --memory besides, not even these have to fit.

    With --report there is a report of this run, also of one that was refused or found nothing: it says why.

    Example:  sfumato anonymize patients.csv -p patients.yaml -o out/ --report report.html
    """
    import sfumato as sf

    if seed is not None:
        typer.echo("warning: --seed makes the order of rows public; leave it out for a real release", err=True)
    if like is None and (fewer is not None or new):
        raise sf.InputError("--fewer and --new say what --like allows; add --like MANIFEST, else nothing is compared")
    guard = None if like is None else sf.Like(like, "0.1" if fewer is None else fewer, tuple(new or ()))
    earlier = with_policies(before, before_policy, policy, "--before")
    target = sf.Target.of(output, force=force, kind=kind)
    counting = Engine.of(engine, data, master, memory)
    target.require_other_than(counting.inputs(data, policy))
    told = RunReport.of(report, edition, language, target, [Path(data), policy], quiet or as_json)
    read = sf.read_policy(policy)
    target.require_room(read.form.tables)
    partition = _tried(read.partition, budget, time)
    said = "nothing was written"
    if memory is not None:
        _require_alone({"--report": report, "--bound": bound or None, "--before": before})
    try:
        if memory is not None:
            with progress(quiet or as_json) as show, counting.opened(data) as source:
                made = sf.deliver(
                    source,
                    target,
                    policy=policy,
                    partition=partition,
                    memory=memory,
                    like=guard,
                    seed=seed,
                    progress=show,
                )
            said = f"{target} was written"
            _tell(made, made, None, None, as_json, quiet)
            return
        with progress(quiet or as_json) as show:
            with told.telling_why():
                source = counting.read(data, policy, show)
                require_not_stopped()
                release = sf.publish(
                    source, policy=policy, partition=partition, like=guard, before=earlier, seed=seed, progress=show
                )
                require_not_stopped()
                written = release.write(target)
            said = f"{target} was written"
            least = sf.bound(release, progress=show) if bound else None
            lacks = told.written(written, show)
            require_not_stopped()
        _tell(release, written, least, None if lacks else report, as_json, quiet)
        if lacks:
            typer.echo(f"error: {output} was written, and its report was not: {lacks}", err=True)
            raise typer.Exit(1)
    except KeyboardInterrupt as stop:
        raise Stopped(f"stopped; {stop.args[0] if stop.args else said}") from None
    except BrokenPipeError:
        raise
    except OSError:
        if said == "nothing was written":
            raise
        print_nothing_more()
        typer.echo(f"written to {target}; what was done could not be printed", err=True)
        raise typer.Exit(1) from None


def _require_alone(options: dict[str, Any]) -> None:
    """What needs the tables in memory does not go with a limit on it."""
    import sfumato as sf

    given = [name for name, value in options.items() if value is not None]
    if given:
        raise sf.InputError(
            f"{given[0]} needs the whole table, and --memory never holds it: leave one of them out"
            + ("; sfumato report makes the report from the release" if given[0] == "--report" else "")
        )


def _tried(method: Any, budget: str | None, time: str | None) -> dict[str, Any] | None:
    """The policy's method with the budget and the time of the command; None: as it is."""
    asked = {name: value for name, value in (("budget", budget), ("time", time)) if value is not None}
    if not asked:
        return None
    import sfumato as sf

    settings: dict[str, Any] = method.model_dump(mode="json")
    flags = " and ".join(f"--{name}" for name in asked)
    if not {*asked} <= {*settings}:
        verb = "says" if len(asked) == 1 else "say"
        raise sf.InputError(
            f"{flags} {verb} how much the method auto tries, and the policy names {method.method}: leave partition out"
            f" of it, or write partition: {{method: auto}}; else leave {flags} out"
        )
    try:
        type(method)(**(settings | asked))
    except sf.PolicyError as error:
        raise sf.PolicyError(error.problems, flags) from None
    return settings | asked


def _tell(
    release: sf.Release | sf.Delivered,
    written: sf.Written | sf.Delivered,
    least: sf.Bound | None,
    report: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    if as_json or quiet:
        for said in release.worthless:
            typer.echo(f"warning: {said}", err=True)
    if as_json:
        told = {} if least is None else {"bound": {**least.as_dict(), "beyond": least.beyond(release.loss)}}
        facts = {"release": {**release.facts(), **told}, "files": [*written.public], "manifest": str(written.manifest)}
        facts |= {} if report is None else {"report": str(report)}
        print_json({**facts, "audit": written.audit.to_dict()})
    elif not quiet:
        typer.echo(release.summary())
        if least is not None:
            typer.echo(least.compared(release.loss))
        typer.echo(written.audit.summary())
        for name in written.public:
            typer.echo(f"wrote {name}")
        typer.echo(f"wrote {written.manifest} (for you alone: never publish it)")
        if report is not None:
            typer.echo(f"wrote {report}")
