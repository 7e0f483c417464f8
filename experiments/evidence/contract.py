"""One item of a paper, and where it is."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Evidence", "items"]


@dataclass(frozen=True)
class Evidence:
    """One item of a paper: a file of the project, and a test, as ``FILE::NAME``."""

    paper: str
    kind: str
    what: str
    file: str
    test: str


def items(paper: str, *each: tuple[str, str, str, str]) -> tuple[Evidence, ...]:
    """Items of one paper: kind, what, a file of the source, and a test."""
    return tuple(Evidence(paper, kind, what, f"src/sfumato/{file}", f"tests/{test}") for kind, what, file, test in each)
