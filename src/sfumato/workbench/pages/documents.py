"""What is no step: the way in, the language, the policy as it stands, style and script."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from sfumato.errors import SfumatoError
from sfumato.reports.charts.svg import chart_style
from sfumato.reports.wording import languages
from sfumato.workbench.asks import Failure
from sfumato.workbench.desk import Workdesk
from sfumato.workbench.jobs.publish import named_files
from sfumato.workbench.pages.failures import failure_page
from sfumato.workbench.parts import go
from sfumato.workbench.uploads import sent
from sfumato.workbench.working import failed

__all__ = ["home", "icon", "language", "packed", "policy", "static"]


_PAGES = re.compile(r"data|columns|promise|release|compare|lattice|column/[0-9]+(?:/groups)?")
"""Where a page can be shown again."""


async def home(desk: Workdesk, request: Request) -> Response:
    return go("/data")


async def language(desk: Workdesk, request: Request) -> Response:
    """Speak another one; then show the page that was there."""
    given = (await sent(request, desk.folder)).fields.get("language", "")
    if given in languages():
        desk.language = given
    place = request.headers.get("referer", "").partition("://")[2].partition("/")[2]
    place = place.partition("?")[0]
    return go(f"/{place}" if _PAGES.fullmatch(place) else "/data")


async def policy(desk: Workdesk, request: Request) -> Response:
    """The draft as a policy that the command line takes; or its mistakes."""
    if desk.draft is None:
        return go("/data")
    try:
        text = desk.draft.policy(desk.folder.path).to_yaml()
    except SfumatoError as error:
        return failure_page(desk, "promise", failed(error, {}))
    headers = {"Content-Disposition": 'attachment; filename="policy.yaml"'}
    return Response(text, media_type="application/yaml", headers=headers)


async def packed(desk: Workdesk, request: Request) -> Response:
    """The same with the files that it names, as the command line takes them."""
    answer = await policy(desk, request)
    if desk.draft is None or answer.media_type != "application/yaml":
        return answer
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("policy.yaml", bytes(answer.body))
        for name in named_files(desk.draft.document):
            archive.write(desk.folder.path / name, name)
    headers = {"Content-Disposition": 'attachment; filename="policy.zip"'}
    return Response(held.getvalue(), media_type="application/zip", headers=headers)


async def icon(desk: Workdesk, request: Request) -> Response:
    """For browsers that ask for one at a place of their own, as on the page that the link leads to."""
    return Response(_text("icon.svg"), media_type=_STATIC["icon.svg"][0])


async def static(desk: Workdesk, request: Request) -> Response:
    """Ours by name, and nothing by path."""
    name = request.path_params["name"]
    if name not in _STATIC:
        return failure_page(desk, "data", Failure("missing", ""), status=404)
    media, read = _STATIC[name]
    return Response(read(name), media_type=media)


@cache
def _text(name: str) -> str:
    return (files("sfumato.workbench") / "static" / name).read_text(encoding="utf-8")


_STATIC: Mapping[str, tuple[str, Callable[[str], str]]] = {
    "workbench.css": ("text/css", _text),
    "chart.css": ("text/css", lambda name: chart_style()),
    "workbench.js": ("text/javascript", _text),
    "icon.svg": ("image/svg+xml", _text),
}
