"""Start the workbench on this computer: a private folder, a worker, a port of loopback, and a link that works once."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from sfumato.errors import InputError
from sfumato.reports.wording import Wording, languages
from sfumato.workbench.app import application
from sfumato.workbench.desk import OpenedTable, Workdesk, words_in
from sfumato.workbench.folder import PrivateFolder
from sfumato.workbench.guard import LINK, leading

__all__ = ["HOST", "serve"]

HOST = "127.0.0.1"
"""Loopback, and nothing else: there is no option for another."""


def serve(file: Path | None, port: int, language: str, ready: Callable[[str, Path], None]) -> None:
    """Serve until told to end; then nothing is left.

    file      a table to open; it stays where it is, and is never written to
    port      0: any that is free
    language  of the pages; empty: that of the browser
    ready     called with the link, and with a private file that leads there: to open a browser with, since everybody
              on this computer sees what programs are started with
    """
    if language:
        Wording.of(language)
    os.umask(0o077)  # whatever is written, here or by a library, is ours alone
    with contextlib.closing(_bound(port)) as listening:
        number = int(listening.getsockname()[1])
        folder = PrivateFolder.made()
        link = secrets.token_urlsafe(24)
        desk = Workdesk(folder, language)
        try:
            _loaded()
            if file is not None:
                desk.open(OpenedTable(file.resolve(), file.name))
            settings = uvicorn.Config(
                application(desk, number, link),
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=1,
                ws="none",
            )
            address = f"http://{HOST}:{number}/?{LINK}={link}"
            way = folder.new("open", ".html")
            with folder.writing(way) as out:
                out.write(leading(address).encode())
            ready(address, way)
            uvicorn.Server(settings).run(sockets=[listening])
        finally:
            desk.close()


def _loaded() -> None:
    """Load what checks a policy and speaks, so that no page has to wait for it."""
    import sfumato as sf

    for each in languages():
        words_in(each)
    sf.read_policy({"columns": {"q": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 2}]}).to_yaml()


def _bound(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.bind((HOST, port))
        listening.listen()  # who follows the link at once waits, and is not refused
    except OSError:
        listening.close()
        raise InputError(
            f"port {port} of this computer is taken; choose another with --port, or leave it out"
        ) from None
    return listening
