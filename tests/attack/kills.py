"""Runs that are killed at a file-system call, and runs of another policy after them; and what ``force`` may take away.

``python -m tests.attack.kills FOLDER [LAST]`` tries every call that changes something, or the last so many of them, and
prints what went wrong as JSON. Each run is a fork of one process, made before anything is computed, so that a kill is a
real one and costs little. POSIX only.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import sfumato as sf
from sfumato.errors import SfumatoError
from sfumato.release import commit

from .case import Case
from .honest import honest

__all__ = ["PRECIOUS", "force_findings", "kill_findings", "snapshot"]

_CALLS = ("replace", "rename", "mkdir", "unlink", "rmdir", "link", "symlink", "remove")
_CHANGES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
PRECIOUS = "years of work"


def snapshot(target: Path) -> dict[str, str]:
    """Everything under the names of a target, by its bytes."""
    manifest = target.with_name(f"{target.name}.internal.json")
    files = [*(target.rglob("*") if target.is_dir() else ()), *([manifest] if manifest.exists() else ())]
    named = {str(file.relative_to(target.parent)): file for file in files if file.is_file()}
    return {name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in sorted(named.items())}


def _write(case: Case, target: Path, force: bool, fatal: int | None = None) -> int:
    """Publish and write; the process kills itself at the fatal call. Answers the exit code, as a command would."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = case.write_csv(target.parent / "data" / f"{case.seed}.csv")
        calls: list[int] = []
        try:
            release = sf.publish(data, policy=case.policy, seed=case.seed)
            if fatal is not None:
                _armed(calls, fatal)
            release.write(target, force=force, kind="csv")
        except SfumatoError as error:
            return error.exit_code
        (target.parent / "data" / "calls").write_text(str(len(calls)), encoding="utf-8")
        return 0


def _armed(calls: list[int], fatal: int) -> None:
    """From now on, calls that change the file system are counted, and the fatal one is not made any more."""

    def counted(function: Callable[..., Any], changes: Callable[..., bool]) -> Callable[..., Any]:
        def wrapped(*args: Any, **named: Any) -> Any:
            if changes(*args):
                calls.append(1)
                if len(calls) == fatal:
                    os.kill(os.getpid(), signal.SIGKILL)
            return function(*args, **named)

        return wrapped

    for name in _CALLS:
        setattr(os, name, counted(getattr(os, name), lambda *args: True))
    os.open = counted(os.open, lambda path, flags, *more: bool(flags & _CHANGES))
    # pathlib opens files with this one
    io.open = counted(io.open, lambda path, mode="r", *more: mode[0] != "r")
    if hasattr(commit, "_exchange"):
        commit._exchange = counted(commit._exchange, lambda *args: True)


def _forked(work: Callable[[], int]) -> int:
    """The exit code of a piece of work in a process of its own, negative if a signal ended it."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill_findings(place: Path, last: int | None = None) -> Iterator[tuple[str, int, str]]:
    """(scenario, fatal call, what went wrong) for runs killed on a fresh target and over an old release."""
    for scenario in ("fresh", "over an old release"):
        calls = _one(place / scenario, scenario == "fresh", 0)[0]
        for fatal in range(1 if last is None else max(1, calls - last + 1), calls + 1):
            for each in _one(place / f"{scenario} {fatal}", scenario == "fresh", fatal)[1]:
                yield scenario, fatal, each


def _one(here: Path, fresh: bool, fatal: int) -> tuple[int, list[str]]:
    """How many calls the first run made, if it was not killed, and what went wrong in the second."""
    (here / "data").mkdir(parents=True)
    target = here / "out"
    first, second = honest("grouped"), replace(honest("grouped", l=3), seed=2)
    old: dict[str, str] = {}
    if not fresh:
        oldest = replace(honest("generalized"), seed=3)
        if _forked(lambda: _write(oldest, target, False)):
            return 0, ["the old release could not be written"]
        old = snapshot(target)
    killed = _forked(lambda: _write(first, target, not fresh, fatal))
    if not fatal:
        return int((here / "data" / "calls").read_text(encoding="utf-8")), []
    before = snapshot(target)
    code = _forked(lambda: _write(second, target, False))
    after = snapshot(target)
    wrong: list[str] = []
    if killed not in (0, -signal.SIGKILL):
        wrong.append(f"the killed run ended with {killed}")
    if code == 0:
        if before and before != old and fresh:
            wrong.append("a release that was there was replaced without force")
        if _forked(lambda: _held(second, target)):
            wrong.append("the second run says that it published, and its release does not hold")
    elif code != 2:
        wrong.append(f"the second run ended with {code}")
    elif after not in (before, old):
        wrong.append("the second run ended with 2 and changed what is published")
    return 0, wrong


def _held(case: Case, target: Path) -> int:
    manifest = target.with_name(f"{target.name}.internal.json")
    return 0 if sf.audit(target, case.policy, manifest).holds else 1


def _invalid(folder: Path) -> Path:
    """A document that is none of ours names a file."""
    (folder / "release.json").write_text(json.dumps({"tables": [{"file": "thesis.txt"}]}), encoding="utf-8")
    return _precious(folder / "thesis.txt")


def _of_others(folder: Path) -> Path:
    """A document of another tool."""
    return _precious(folder / "release.json", json.dumps({"tables": [], "notes": PRECIOUS}))


def _named_more(folder: Path) -> Path:
    """Our document, in which somebody names a file of theirs."""
    document = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    document["tables"].append({**document["tables"][0], "name": "more", "file": "thesis.txt"})
    (folder / "release.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return _precious(folder / "thesis.txt")


def _rewritten(folder: Path) -> Path:
    """Somebody's own work under the name of our table."""
    return _precious(folder / "table.csv")


def _beside(folder: Path) -> Path:
    return _precious(folder / "thesis.txt")


def _precious(path: Path, text: str = PRECIOUS) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


SCENES: dict[str, tuple[bool, Callable[[Path], Path]]] = {
    "an invalid document names a file": (False, _invalid),
    "a document of another tool": (False, _of_others),
    "a file beside the release": (True, _beside),
    "our document names a file of others": (True, _named_more),
    "another file under the name of our table": (True, _rewritten),
}


def force_findings(place: Path) -> Iterator[str]:
    """Scenes in which `force` took away what sfumato did not write."""
    for name, (ours, scene) in SCENES.items():
        here = place / name.replace(" ", "-")
        (here / "data").mkdir(parents=True)
        target = here / "out"
        if ours:
            _write(honest("generalized"), target, False)
        target.mkdir(exist_ok=True)
        precious = scene(target)
        content = precious.read_bytes()
        _write(replace(honest("generalized", l=3), seed=2), target, True)
        if not precious.exists() or precious.read_bytes() != content:
            yield name


def main(arguments: list[str]) -> int:
    place = Path(arguments[0])
    last = int(arguments[1]) if len(arguments) > 1 else None
    found = [list(each) for each in kill_findings(place / "kills", last)]
    sys.stdout.write(json.dumps(found) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
