"""Who is answered: a browser of this computer that opened the link, from a page of ours; nobody else."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.workbench import Served, Visitor


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="the system tells it elsewhere")
def test_only_loopback_is_listened_on(bench: Served) -> None:
    """By what the system says of the port: 127.0.0.1 and no other address."""
    lines = [line for kind in ("tcp", "tcp6") for line in Path("/proc/net", kind).read_text().splitlines()[1:]]
    listening = {line.split()[1] for line in lines if line.split()[3] == "0A"}
    ours = {address for address in listening if address.endswith(f":{bench.port:04X}")}
    assert ours == {f"0100007F:{bench.port:04X}"}


def test_another_address_of_this_computer_is_refused(bench: Served) -> None:
    with socket.socket() as other, pytest.raises(OSError):
        other.settimeout(5)
        other.connect(("127.0.0.2", bench.port))


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "[::1]", ""])
def test_a_foreign_host_is_told_that_it_is_not_served(visitor: Visitor, host: str) -> None:
    answer = visitor.get("/data", Host=host)
    assert answer.status == 421
    assert "sfumato" not in answer.headers.get("set-cookie", "")


def test_the_name_of_this_computer_for_itself_is_ours(visitor: Visitor) -> None:
    assert visitor.get("/data", Host=f"localhost:{visitor.port}").status == 200


def test_the_link_gives_a_cookie_that_scripts_and_other_sites_do_not_get(serving: Callable[..., Served]) -> None:
    served = serving()
    visitor = served.visitor()
    answer = visitor.enter()
    assert answer.status == 200 and 'content="0; url=/data"' in answer.html
    parts = {part.strip() for part in answer.headers["set-cookie"].split(";")}
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= parts
    assert visitor.get("/data").status == 200
    again = served.visitor()
    assert again.enter().status == 403  # the link works once
    assert not again.cookie
    assert visitor.get("/data").status == 200


def test_without_the_cookie_nothing_is_shown(bench: Served, visitor: Visitor) -> None:
    stranger = bench.visitor()
    for path in ("/data", "/columns", "/static/workbench.css", "/get/x", "/nothing"):
        answer = stranger.get(path)
        assert answer.status == 403
    wrong = replace(stranger, cookie=f"{visitor.cookie[:-1]}{'a' if visitor.cookie[-1] != 'a' else 'b'}")
    assert wrong.get("/data").status == 403


@pytest.mark.parametrize("link", ["", "x", "é"])
def test_a_wrong_link_is_refused(bench: Served, link: str) -> None:
    from urllib.parse import quote

    assert bench.visitor().get(f"/?link={quote(link)}").status == 403


@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:1", "https://127.0.0.1:{port}"],
)
def test_a_change_from_another_site_is_refused(visitor: Visitor, origin: str | None) -> None:
    """Another port of this computer is another site."""
    said = {} if origin is None else {"Origin": origin.format(port=visitor.port)}
    for path in ("/demo", "/open", "/run", "/stop", "/language"):
        answer = visitor.ask("POST", path, b"", {"Content-Type": "application/x-www-form-urlencoded", **said})
        assert answer.status == 403
    assert "synthetic hospital" in visitor.get("/data").text  # nothing was opened


def test_a_change_from_our_page_is_taken(visitor: Visitor) -> None:
    assert visitor.post("/language", {"language": "en"}).status == 303


def test_other_ways_to_ask_change_nothing(visitor: Visitor) -> None:
    for method in ("PUT", "DELETE", "PATCH"):
        assert visitor.ask(method, "/data", b"", {"Origin": str(visitor.origin)}).status == 404
        assert visitor.ask(method, "/data", b"", {}).status == 403
    assert visitor.get("/demo").status == 404  # what changes something is no address to go to


def test_every_answer_forbids_what_is_not_ours(bench: Served, visitor: Visitor) -> None:
    asked = [visitor.get(path) for path in ("/data", "/static/workbench.js", "/nothing")]
    asked += [bench.visitor().get("/data"), visitor.get("/data", Host="evil.example"), visitor.post("/language")]
    for answer in asked:
        policy = {part.strip() for part in answer.headers["content-security-policy"].split(";")}
        assert {"default-src 'none'", "script-src 'self'", "style-src 'self'", "form-action 'self'"} <= policy
        assert {"base-uri 'none'", "frame-ancestors 'none'"} <= policy
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in answer.headers


def test_a_socket_is_not_opened(visitor: Visitor) -> None:
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    answer = visitor.get("/data", **upgrade, **{"Sec-WebSocket-Key": "eA=="})
    assert answer.status != 101


def test_pages_hold_no_style_or_script_of_their_own(visitor: Visitor) -> None:
    html = visitor.get("/data").html
    assert "<style" not in html and " style=" not in html and " onclick" not in html
    assert html.count("<script") == 1 and '<script src="/static/workbench.js"' in html
    assert "http://" not in html and "https://" not in html
