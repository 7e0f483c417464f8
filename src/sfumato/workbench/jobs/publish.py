"""The release: made, audited, written, audited again, reported on, and packed; or nothing."""

from __future__ import annotations

import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.workbench.jobs.opened import WorkerTable

if TYPE_CHECKING:
    import polars as pl

    import sfumato as sf

__all__ = ["FewRows", "MadeRelease", "named_files", "publish"]

_EDITIONS: tuple[Any, ...] = ("external", "internal")


@dataclass(frozen=True)
class FewRows:
    """A few rows of a table, as text."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, frame: pl.DataFrame) -> FewRows:
        rows = (tuple("" if cell is None else str(cell) for cell in row) for row in frame.iter_rows())
        return cls(tuple(frame.columns), tuple(rows))


@dataclass(frozen=True)
class MadeRelease:
    """A release that was written.

    facts         for the holder: all that pages say of it
    before, after   one group; `found`: whether before are the people of it
    files         by what they are, their names in the folder of the run
    seconds       that it took
    """

    facts: sf.ReportFacts
    before: FewRows
    after: FewRows
    found: bool
    files: Mapping[str, str]
    seconds: float


def publish(given: Mapping[str, Any], bench: WorkerTable, tell: Callable[[str, int, int], None]) -> MadeRelease:
    """given: source, document, folder (of the run), languages (the first is that of what is packed)."""
    import sfumato as sf

    began, path = time.monotonic(), bench.called(given["source"])
    policy = sf.read_policy(given["document"], base=bench.folder)
    release = sf.publish(path, policy=policy, progress=tell)
    tell("write", 0, 1)
    folder = bench.folder / str(given["folder"])
    folder.mkdir(mode=0o700)
    written = release.write(folder / "release")
    report = sf.report(written, progress=tell)
    tell("pack", 0, 1)
    files = {"manifest": written.manifest.name, **_reports(report, folder, given["languages"])}
    files |= _packed(folder, written, _policy(policy, bench, folder), given["languages"][0])
    original = _frame(bench.table(given["source"]))
    shown = sf.one_group(original, next(iter(release.tables.values())), policy.quasi)
    before, after = FewRows.of(shown.before), FewRows.of(shown.after)
    return MadeRelease(report.facts, before, after, shown.found, files, time.monotonic() - began)


def _frame(table: sf.Table) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame([found.spread().cast(pl.String).alias(name) for name, found in table.columns.items()])


def _reports(report: sf.Report, folder: Path, languages: Sequence[str]) -> dict[str, str]:
    """Both editions in every language."""
    made = {}
    for language in languages:
        for edition in _EDITIONS:
            name = f"report-{edition}.{language}.html"
            report.save(folder / name, edition, language)
            made[f"{edition}.{language}"] = name
    return made


def _policy(policy: sf.Policy, bench: WorkerTable, folder: Path) -> dict[str, Path]:
    """The policy, and the files that it names, as the command line takes them."""
    (folder / "policy.yaml").write_text(policy.to_yaml(), encoding="utf-8", newline="\n")
    named = named_files(policy.as_dict())
    for name in named:
        (folder / name).write_bytes((bench.folder / name).read_bytes())
    return {name: folder / name for name in ("policy.yaml", *named)}


def _packed(folder: Path, written: sf.Written, policy: Mapping[str, Path], language: str) -> dict[str, str]:
    """What may be handed on in one file, and everything in another, for the holder."""
    release = {f"release/{file.name}": file for file in written.files}
    reports = {f"report-{edition}.html": folder / f"report-{edition}.{language}.html" for edition in _EDITIONS}
    external = {name: file for name, file in reports.items() if "external" in name}
    _zipped(folder / "release.zip", {**release, **external})
    _zipped(folder / "holder.zip", {**release, **reports, **policy, written.manifest.name: written.manifest})
    if len(policy) > 1:
        _zipped(folder / "policy.zip", policy)
    return {
        "release": "release.zip",
        "holder": "holder.zip",
        "policy": "policy.zip" if len(policy) > 1 else "policy.yaml",
    }


def _zipped(target: Path, files: Mapping[str, Path]) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in files.items():
            archive.write(file, name)


def named_files(document: Mapping[str, Any]) -> list[str]:
    """Files of hierarchies and knowledge that a policy names."""
    columns = document["columns"].values()
    parts = [part for column in columns for part in (column.get("hierarchy"), column.get("knowledge"))]
    return sorted({str(part["file"]) for part in parts if isinstance(part, Mapping) and "file" in part})
