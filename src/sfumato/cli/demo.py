"""`sfumato demo`: from a first look to an audited release and its report, on a synthetic hospital."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.shared import progress

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["command"]


def command(
    folder: Annotated[Path, typer.Argument(metavar="[FOLDER]", help="Where to put the files.")] = Path("sfumato-demo"),
    rows: Annotated[int, typer.Option(min=100, help="How many patients.")] = 2000,
    seed: Annotated[int, typer.Option(help="Another seed, other patients.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace the files of an earlier demo.")] = False,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not show the report in a browser.")] = False,
) -> None:
    """Make a synthetic hospital, look at it, publish it under a promise, audit what was published, and report on it.

    Everything stays in FOLDER: the table patients.csv, the policy patients.yaml, the release out/, report.html for the
    holder and report-external.html for others. The report opens in a browser where a person watches. Change the policy
    and run `sfumato anonymize` yourself.
    """
    from rich.console import Console

    import sfumato as sf
    from sfumato.demo.hospital import hospital, write_demo
    from sfumato.demo.show import before_after

    console = Console()
    target = sf.Target.of(folder / "out", force=force)
    report = sf.ReportFile.of(folder / "report.html", force=force)
    external = sf.ReportFile.of(folder / "report-external.html", "external", force=force)
    paths = write_demo(folder, rows, seed, force=force)
    _step(console, "1. A hospital has a table about people", f"{paths.data}  ({rows} synthetic patients)")

    _step(console, "2. A first look: suggestions, with the evidence", f"sfumato init {paths.data}")
    suggestions = sf.suggest(paths.data)
    width = max(len(suggestion.name) for suggestion in suggestions)
    for suggestion in suggestions:
        reason = "; ".join(suggestion.reasons)
        console.print(f"   {suggestion.name:<{width}}  {suggestion.role or 'undecided':<11}  {reason}", highlight=False)

    _step(console, "3. The holder decides, in one file", f"{paths.policy}  (yours to edit)")
    policy = sf.read_policy(paths.policy)
    console.print(f"   promise: {policy.promise}", highlight=False)

    command_line = f"sfumato anonymize {paths.data} -p {paths.policy} -o {folder / 'out'}"
    _step(console, "4. A release that keeps the promise, or none at all", command_line)
    table = sf.read(paths.data, policy)
    with progress(quiet=False) as show:
        release = sf.publish(table, progress=show)
        written = release.write(target)
    console.print(before_after(hospital(rows, seed), release.tables["table"], policy.quasi))
    console.print(_indented(release.summary()), highlight=False)

    manifest = f"--manifest {written.manifest}"
    _step(
        console,
        "5. Judged from the files, by other code",
        f"sfumato audit {folder / 'out'} -p {paths.policy} {manifest}",
    )
    verdict = sf.audit(folder / "out", policy, written.manifest)
    console.print(_indented(verdict.summary()), highlight=False)
    verdict.raise_for_failure()

    _step(console, "6. One sheet to be read and signed", f"{command_line} --report {report.path}")
    with progress(quiet=False) as show:
        found = sf.report(written, progress=show)
    for place, whom in ((report, "for you: shows where the table is weakest"), (external, "goes with the release")):
        place.write(found)
        console.print(f"   {place.path}  ({whom})", highlight=False, soft_wrap=True)
    if not no_open and _watched():
        import webbrowser

        webbrowser.open(report.path.resolve().as_uri())
    console.print(
        f"\nEverything is in {folder}. Change {paths.policy} and run step 4 again with --force.", highlight=False
    )


def _watched() -> bool:
    """Whether somebody sits there, before a display, who would see a window open."""
    display = sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    alone = os.environ.get("CI") or os.environ.get("SSH_CONNECTION")
    return bool(display) and not alone and sys.stdin.isatty() and sys.stdout.isatty()


def _step(console: Console, title: str, detail: str) -> None:
    console.print(f"\n[bold]{title}[/bold]")
    console.print(f"   {detail}", style="dim", highlight=False, soft_wrap=True)


def _indented(text: str) -> str:
    return "\n".join(f"   {line}" for line in text.splitlines())
