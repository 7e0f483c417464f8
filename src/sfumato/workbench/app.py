"""The application: every route with the desk that it changes, and a page for whatever goes wrong."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from sfumato.reports.wording import languages
from sfumato.workbench.asks import Failure
from sfumato.workbench.desk import Workdesk
from sfumato.workbench.guard import Guard
from sfumato.workbench.pages.failures import failure_page
from sfumato.workbench.routes import ROUTES, Answer
from sfumato.workbench.uploads import Garbled, TooLarge

__all__ = ["application"]


def application(desk: Workdesk, port: int, link: str) -> ASGIApp:
    """The workbench as it is served on a port of this computer, to who has the link."""

    @contextlib.asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:  # here, since a server that was told to end goes by the signal, without saying goodbye
            desk.close()

    routes = [Route(path, _answering(desk, answer), methods=[method]) for method, path, answer in ROUTES]
    handlers = {404: _nothing(desk), 405: _nothing(desk)}
    return Guard(Starlette(routes=routes, lifespan=life, exception_handlers=handlers), port, link)


def _answering(desk: Workdesk, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    async def answered(request: Request) -> Response:
        if not desk.language:
            desk.language = _preferred(request.headers.get("accept-language", ""))
        if desk.regrouping is not None:
            desk.regrouping.take(desk)
        try:
            return await answer(desk, request)
        except TooLarge:
            return failure_page(desk, "data", Failure("large", ""), status=413)
        except Garbled:
            return failure_page(desk, "data", Failure("garbled", ""), status=400)
        except Exception as error:  # its words may hold a value of the data
            if os.environ.get("SFUMATO_DEBUG"):
                raise
            return failure_page(desk, "data", Failure("crash", type(error).__name__), status=500)

    return answered


def _nothing(desk: Workdesk) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def nothing(request: Request, error: Exception) -> Response:
        return failure_page(desk, "data", Failure("missing", ""), status=404)

    return nothing


def _preferred(header: str) -> str:
    """The first language of a browser that there are words in, else the first of ours.

    >>> _preferred("fr, de-AT;q=0.8, en;q=0.7")
    'de'
    """
    asked = [part.partition(";")[0].strip().partition("-")[0].lower() for part in header.split(",")]
    return next((each for each in asked if each in languages()), languages()[0])
