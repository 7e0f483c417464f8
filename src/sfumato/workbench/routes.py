"""Every page and every form: the method, the path, and who answers. A page more is a line more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from starlette.requests import Request
from starlette.responses import Response

from sfumato.workbench.desk import Workdesk
from sfumato.workbench.pages import (
    columns,
    compared,
    data,
    documents,
    grouping,
    lattice,
    promise,
    relaxed,
    release,
    settings,
)

__all__ = ["ROUTES", "Answer"]

Answer: TypeAlias = Callable[[Workdesk, Request], Awaitable[Response]]

ROUTES: tuple[tuple[str, str, Answer], ...] = (
    ("GET", "/", documents.home),
    ("POST", "/language", documents.language),
    ("GET", "/data", data.show),
    ("POST", "/open", data.open_file),
    ("POST", "/demo", data.demo),
    ("POST", "/give", data.give),
    ("POST", "/policy", data.open_policy),
    ("GET", "/columns", columns.show),
    ("POST", "/columns", columns.decide),
    ("GET", "/column/{number}", settings.show),
    ("POST", "/column/{number}", settings.change),
    ("POST", "/column/{number}/knowledge", settings.know),
    ("GET", "/column/{number}/groups", grouping.show),
    ("POST", "/column/{number}/groups", grouping.give),
    ("POST", "/column/{number}/groups/change", grouping.change),
    ("GET", "/promise", promise.show),
    ("POST", "/promise", promise.choose),
    ("POST", "/nearest", promise.nearest),
    ("POST", "/relax", relaxed.search),
    ("POST", "/relax/use", relaxed.use),
    ("GET", "/compare", compared.show),
    ("POST", "/compare", compared.start),
    ("POST", "/compare/use", compared.use),
    ("GET", "/lattice", lattice.show),
    ("POST", "/lattice", lattice.start),
    ("POST", "/lattice/use", lattice.use),
    ("GET", "/policy.yaml", documents.policy),
    ("GET", "/policy.zip", documents.packed),
    ("POST", "/run", release.run),
    ("POST", "/stop", release.stop),
    ("GET", "/release", release.show),
    ("POST", "/show", release.choose),
    ("GET", "/get/{key}", release.get),
    ("GET", "/favicon.ico", documents.icon),
    ("GET", "/static/{name}", documents.static),
)
