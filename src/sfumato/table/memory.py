"""How much memory a run may take: what a person says, or half of what the machine lets this process have."""

from __future__ import annotations

import os
import re
from fractions import Fraction
from pathlib import Path

from sfumato.errors import InputError

__all__ = ["budget", "in_words"]

_UNITS = {"": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_UNITS |= {f"{unit[0]}iB": 1 << 10 * power for power, unit in enumerate(("KB", "MB", "GB", "TB"), 1)}
_WRITTEN = re.compile(r"(\d+(?:\.\d+)?) ?([A-Za-z]*)")
_UNKNOWN = 8 * 10**9
"""Of a system that does not say how much it has."""
_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def budget(given: str | int | None) -> int:
    """Bytes of what is given, as ``"4GB"`` or a number; None: half of what there is.

    >>> budget("1.5GB"), budget("2 MiB"), budget(4096)
    (1500000000, 2097152, 4096)
    """
    if given is None:
        return _whole() // 2
    made = _WRITTEN.fullmatch(str(given).strip())
    units = {unit.lower(): size for unit, size in _UNITS.items()}
    if made is None or made[2].lower() not in units or isinstance(given, bool):
        raise InputError("memory is a number of bytes, or one with KB, MB, GB or TB, such as 4GB")
    bytes_ = int(Fraction(made[1]) * units[made[2].lower()])
    if bytes_ == 0:
        raise InputError("memory must be above 0, such as 4GB")
    return bytes_


def in_words(size: int) -> str:
    """Bytes as a person says them.

    >>> in_words(1_500_000_000), in_words(812), in_words(4_040_000)
    ('1.5 GB', '812 bytes', '4 MB')
    """
    for unit in ("TB", "GB", "MB", "KB"):
        if size >= _UNITS[unit]:
            number = f"{size / _UNITS[unit]:.1f}".removesuffix(".0")
            return f"{number} {unit}"
    return f"{size} bytes"


def _whole() -> int:
    """What the machine has, or the container that this runs in."""
    found = [_UNKNOWN]
    if "SC_PHYS_PAGES" in getattr(os, "sysconf_names", {}):
        found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for file in _LIMITS:
        try:
            found.append(int(file.read_text(encoding="ascii")))
        except (OSError, ValueError):  # another system, or no limit
            continue
    return min(found)
