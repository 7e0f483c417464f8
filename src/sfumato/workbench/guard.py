"""Who may ask: a browser on this computer that opened the one-time link, from a page of ours.

For every request, before anything else:

- the host header is ours, or 421: a foreign name that leads here (DNS rebinding) is not answered;
- the link that `sfumato serve` printed is exchanged, once, for a cookie that scripts cannot read and other sites
  cannot send (HttpOnly, SameSite=Strict); without the cookie 403;
- what changes something comes from a page of ours (origin, port included), or 403;
- every answer forbids scripts, styles, pictures and frames that are not ours, and is kept by no cache.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["LINK", "Guard", "leading"]

LINK = "link"
"""The parameter of the one-time link."""

_SAFE = ("GET", "HEAD")
_CSP = "Content-Security-Policy"
_HEADERS = {
    _CSP: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # no-referrer would make forms send `Origin: null`
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Stands before an application. What it refuses, the application never sees."""

    def __init__(self, app: ASGIApp, port: int, link: str) -> None:
        self._app = app
        self._link: str | None = link
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._origins = {f"http://{host}" for host in self._hosts}
        self._name, self._cookie = f"sfumato-{port}", secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no sockets here
            return
        head = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        refused = self._refused(scope, head)
        if refused is not None:
            await _say(*refused, send)
        elif self._opens(scope):
            await self._exchange(scope, send)
        elif not self._known(head):
            await _say(403, "Open the link that `sfumato serve` printed, in this browser.", send)
        else:
            await self._app(scope, receive, _sealed(send))

    def _refused(self, scope: Scope, head: Mapping[str, str]) -> tuple[int, str] | None:
        if head.get("host") not in self._hosts:
            return 421, "This address is not served here."
        if scope["method"] not in _SAFE and head.get("origin") not in self._origins:
            return 403, "This request does not come from a page of the workbench."
        return None

    def _opens(self, scope: Scope) -> bool:
        return scope["path"] == "/" and LINK.encode() + b"=" in scope["query_string"]

    async def _exchange(self, scope: Scope, send: Send) -> None:
        given = parse_qs(scope["query_string"].decode("latin-1")).get(LINK, [""])[0]
        if self._link is None or not hmac.compare_digest(given.encode(), self._link.encode()):
            await _say(403, "This link was used already, or is not the one. Start `sfumato serve` again.", send)
            return
        self._link = None
        cookie = f"{self._name}={self._cookie}; HttpOnly; SameSite=Strict; Path=/"
        # A page, which goes on by itself: after a redirect the cookie would not be sent, if the link was followed from
        # a page of another site, such as a terminal in a browser.
        page = leading("/data")
        await _say(200, page, send, {"Content-Type": "text/html; charset=utf-8", "Set-Cookie": cookie})

    def _known(self, head: Mapping[str, str]) -> bool:
        pairs = (part.strip().partition("=") for part in head.get("cookie", "").split(";"))
        given = {name: value for name, _, value in pairs}.get(self._name, "")
        return hmac.compare_digest(given.encode(), self._cookie.encode())


def leading(address: str) -> str:
    """A page that leads somewhere else at once."""
    head = f'<meta charset="utf-8"><meta http-equiv="refresh" content="0; url={escape(address)}"><title>sfumato</title>'
    return f'<!doctype html><html lang="en">{head}<a href="{escape(address)}">sfumato</a></html>'


def _sealed(send: Send) -> Send:
    """Every answer with our headers; one that brings a policy of its own for its content keeps that."""

    async def sealed(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = list(message.get("headers", ()))
            own = {key.lower() for key, _ in given}
            ours = [(key.lower().encode(), value.encode()) for key, value in _HEADERS.items()]
            message = {**message, "headers": [*given, *(pair for pair in ours if pair[0] not in own)]}
        await send(message)

    return sealed


async def _say(status: int, words: str, send: Send, headers: Mapping[str, str] | None = None) -> None:
    body = words.encode()
    told = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body)), **(headers or {})}
    pairs = [(key.lower().encode(), value.encode()) for key, value in told.items()]
    await _sealed(send)({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})
