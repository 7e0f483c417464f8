"""Processes looked at while they run, with all that they started: CPU seconds, and the peak of memory (Linux)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Watched"]

_EVERY = 0.2
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Watched:
    """Trees of processes by name: what each process had taken when it was last seen.

    roots    the processes that began each tree
    """

    roots: Mapping[str, Sequence[int]]
    seen: dict[str, dict[int, tuple[str, float, float]]] = field(default_factory=dict)

    def until(self, process: subprocess.Popen[bytes]) -> int:
        """Look until a process ends; answers its exit code."""
        while True:
            self.look()
            try:
                return process.wait(_EVERY)
            except subprocess.TimeoutExpired:
                continue

    def look(self) -> None:
        """Once."""
        known = _known()
        for name, roots in self.roots.items():
            mine = self.seen.setdefault(name, {})
            for pid in _tree(known, roots):
                if (found := _taken(pid)) is not None:
                    called, cpu, peak = found
                    mine[pid] = called, cpu, max(peak, mine[pid][2] if pid in mine else 0.0)  # one that ends has none

    def cpu(self, name: str) -> float:
        """Seconds of a tree."""
        return sum(cpu for _, cpu, _ in self.seen[name].values())

    def peak(self, name: str, program: str) -> float:
        """Gigabytes, at most, of the largest process of a program."""
        return max((peak for called, _, peak in self.seen[name].values() if called.startswith(program)), default=0.0)


def _known() -> dict[int, int]:
    """Every process and who started it."""
    found = {}
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            found[int(each.parts[2])] = int(each.read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has just ended
            continue
    return found


def _tree(known: Mapping[int, int], roots: Sequence[int]) -> set[int]:
    found = {root for root in roots if root in known}
    while more := {pid for pid, parent in known.items() if parent in found} - found:
        found |= more
    return found


def _taken(pid: int) -> tuple[str, float, float] | None:
    """What a process is called, its CPU seconds and the peak of its memory in gigabytes."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    fields, called = stat.rpartition(")")[2].split(), stat.partition("(")[2].rpartition(")")[0]
    peaks = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")]
    return called, (int(fields[11]) + int(fields[12])) / _TICKS, max(peaks, default=0) * 1024 / 1e9
