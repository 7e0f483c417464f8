"""YAML as we write it: texts that are read back as they were, settings in a line or in a block."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

__all__ = ["block", "flow", "scalar"]

_TAKEN = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
_PLAIN = re.compile(r"[^\W\d][\w.-]*(?: [\w.-]+)*")


def scalar(text: str) -> str:
    """A text as YAML reads it back, on one line: plain if that is safe, else in double quotes.

    >>> print(scalar("age"), scalar("on"), scalar("a: b"), scalar("1"))
    age "on" "a: b" "1"
    """
    if _PLAIN.fullmatch(text) and text.lower() not in _TAKEN:
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _key(text: str) -> str:
    """The same for what stands before a colon, where our reader takes ``on`` for a word."""
    return text if text == "on" else scalar(text)


def flow(value: object) -> str:
    """A value in one line, as a policy may have it.

    >>> print(flow({"model": "entropy-l", "l": 2.93, "on": "on", "terms": True}))
    {model: entropy-l, l: 2.93, on: "on", terms: true}
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(str(key))}: {flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return scalar(value) if isinstance(value, str) else str(value)


def block(settings: Mapping[str, Any]) -> str:
    """Settings as lines of a policy: lists with a line for each entry.

    >>> print(block({"privacy": [{"model": "k-anonymity", "k": 4}], "suppression": {"limit": 0.1}}))
    privacy:
      - {model: k-anonymity, k: 4}
    suppression: {limit: 0.1}
    """
    lines = []
    for key, value in settings.items():
        listed = isinstance(value, (list, tuple))
        lines.append(f"{_key(key)}:" + ("" if listed else f" {flow(value)}"))
        lines += [f"  - {flow(each)}" for each in value] if listed else []
    return "\n".join(lines)
