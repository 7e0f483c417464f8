"""The style sheet of pages: their own rules, and those of pictures."""

from __future__ import annotations

from importlib.resources import files

from sfumato.reports.charts.svg import chart_style

__all__ = ["sheet_style"]


def sheet_style() -> str:
    """What a page of ours looks like, in light, dark and print."""
    return (files("sfumato.reports.html") / "report.css").read_text(encoding="utf-8") + chart_style()
