"""Tries everything that can be planted: ``python -m tests.attack.planted [--kills]`` from the root of the project."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

import sfumato as sf
from sfumato.errors import SfumatoError

from .honest import HONEST, KINDS, honest
from .kills import force_findings
from .tamper import ANYWHERE, CSV, PARQUET, Plant

__all__ = ["main", "uncaught"]

_UNTOLD = ("ring", "randomized")  # never held without the manifest, whatever is in them
_TELLS = {("randomized", "retention")}  # what an outsider has to believe


def uncaught(name: str, kind: str, plants: Mapping[str, Plant], place: Path) -> Iterator[str]:
    """Plants that an outsider's audit, or one with the manifest, lets pass in a release of that name."""
    case, made = honest(name, kind), place / "honest"
    made.mkdir(parents=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        release = sf.publish(case.write_csv(place / "data.csv"), policy=case.policy, seed=1)
        written = release.write(made / "out", kind=kind)
    before = sf.audit(made / "out", case.policy)
    if before.problems or not sf.audit(made / "out", case.policy, written.manifest).holds:
        yield "nothing: the honest release does not hold"
    for title, plant in plants.items():
        changed = place / "changed"
        shutil.rmtree(changed, ignore_errors=True)
        shutil.copytree(made, changed)
        if (name, title) in _TELLS or not plant(changed / "out"):
            continue
        try:
            outside = sf.audit(changed / "out", case.policy)
            passed = not outside.problems if name in _UNTOLD else outside.holds
            passed |= sf.audit(changed / "out", case.policy, changed / "out.internal.json").holds
        except SfumatoError:
            continue
        if passed:
            yield title


def main(arguments: list[str]) -> int:
    place = Path(tempfile.mkdtemp(prefix="planted-"))
    found: dict[str, list[str]] = {}
    tried = 0
    for name in HONEST:
        for kind in KINDS:
            plants = {**ANYWHERE, **(CSV if kind == "csv" else PARQUET)}
            tried += len(plants)
            for title in uncaught(name, kind, plants, place / f"{name}-{kind}"):
                found.setdefault(title, []).append(f"{name} {kind}")
    for title, places in found.items():
        sys.stdout.write(f"passes the audit: {title} ({len(places)} of the releases: {', '.join(places[:3])} …)\n")
    taken = list(force_findings(place / "force"))
    for scene in taken:
        sys.stdout.write(f"force takes away: {scene}\n")
    code = 0
    if "--kills" in arguments:
        root = Path(__file__).resolve().parents[2]
        command = [sys.executable, "-m", "tests.attack.kills", str(place)]
        code = subprocess.run(command, cwd=root, check=False).returncode
    sys.stdout.write(f"{tried} plants, {len(found)} kinds of them pass\n")
    shutil.rmtree(place, ignore_errors=True)
    return 1 if found or taken or code else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
