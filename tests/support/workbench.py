"""A workbench that is served, and somebody who visits it: every request as a browser would send it, or not."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from tests.support.command import KEY

__all__ = ["Answered", "Served", "Visitor", "served"]

_PATIENCE = 120.0


@dataclass(frozen=True)
class Answered:
    """What was answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The page as it is read: without markup, entities resolved."""
        return unescape(re.sub(r"<[^>]*>", " ", self.html))

    @property
    def html(self) -> str:
        return self.body.decode("utf-8")

    @property
    def goes_to(self) -> str:
        return self.headers.get("location", "")

    def links(self, start: str) -> list[str]:
        """Addresses on the page that begin so."""
        return [
            unescape(each) for each in re.findall(r'(?:href|action)="([^"]*)"', self.html) if each.startswith(start)
        ]


@dataclass
class Visitor:
    """A browser of sorts: it keeps a cookie, and says where its forms come from."""

    port: int
    link: str
    host: str = ""
    cookie: str = ""
    origin: str | None = None
    slowest: float = 0.0
    heard: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.host = self.host or f"127.0.0.1:{self.port}"
        self.origin = self.origin or f"http://{self.host}"

    def enter(self) -> Answered:
        """By the link; the cookie is kept."""
        answer = self.get(self.link.partition(self.host)[2])
        self.cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        return answer

    def get(self, path: str, **headers: str) -> Answered:
        return self.ask("GET", path, b"", headers)

    def look(self, path: str) -> Answered:
        """The page, wherever it leads to."""
        answer = self.get(path)
        while answer.status == 303:
            answer = self.get(answer.goes_to)
        return answer

    def post(self, path: str, fields: Mapping[str, str] | None = None, **headers: str) -> Answered:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, urlencode(fields or {}).encode(), {"Origin": str(self.origin), **form, **headers})

    def send(self, path: str, name: str, content: bytes) -> Answered:
        """A file, as a form sends it."""
        mark = secrets.token_hex(8)
        head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{mark}--\r\n".encode()
        kind = f"multipart/form-data; boundary={mark}"
        return self.ask("POST", path, body, {"Origin": str(self.origin), "Content-Type": kind})

    def ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answered:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        own = {"Host": self.host, **({"Cookie": self.cookie} if self.cookie else {}), **headers}
        began = time.monotonic()
        try:
            connection.request(method, path, body or None, own)
            answer = connection.getresponse()
            made = Answered(answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()
        self.heard.append(time.monotonic() - began)
        return made

    def until(self, path: str, words: str, seconds: float = _PATIENCE) -> Answered:
        """The page once it says so."""
        end = time.monotonic() + seconds
        while True:
            answer = self.look(path)
            if words in answer.text:
                return answer
            assert time.monotonic() < end, f"{path} never said {words!r}: {answer.text}"
            time.sleep(0.1)

    def settled(self, path: str, seconds: float = _PATIENCE) -> Answered:
        """The page once nothing on it is waited for."""
        end = time.monotonic() + seconds
        while True:
            answer = self.look(path)
            if "data-waiting" not in answer.html:
                return answer
            assert time.monotonic() < end, f"{path} is never done: {answer.text}"
            time.sleep(0.1)


@dataclass(frozen=True)
class Served:
    """A workbench as a process of its own, and the folder that it puts its private one in."""

    process: subprocess.Popen[str]
    link: str
    temporary: Path

    @property
    def port(self) -> int:
        return int(urlsplit(self.link).port or 0)

    def visitor(self) -> Visitor:
        """Somebody who has not come in yet."""
        return Visitor(self.port, self.link)

    def entered(self) -> Visitor:
        """Somebody who has."""
        made = self.visitor()
        assert made.enter().status == 200
        return made

    def kept(self) -> list[Path]:
        """All that lies in the private folder, and the folder."""
        return sorted(self.temporary.glob("sfumato-workbench-*")) + sorted(
            self.temporary.glob("sfumato-workbench-*/**/*")
        )


@contextmanager
def served(folder: Path, *arguments: str, **environment: str) -> Iterator[Served]:
    """`sfumato serve` with these arguments; ended at last, and waited for."""
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    own = {**os.environ, "TMPDIR": str(temporary), "SFUMATO_KEY": KEY, **environment}
    command = [sys.executable, "-m", "sfumato", "serve", "--no-open", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=own, cwd=folder)
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        found = re.search(r"http://\S+", first)
        assert found is not None, first
        yield Served(process, found.group(), temporary)
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(30)
        if process.stdout is not None:
            process.stdout.close()
