"""A PostgreSQL server of the tests' own: on loopback, in a folder of its own, stopped by its process."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest

USER = "steward"
PASSWORD = "s3cr3t p@ss/w:rd#?%&="
UNPRIVILEGED = "postgres"


@dataclass(frozen=True)
class Server:
    """A server that is running; who knows the password is let in."""

    port: int
    process: int

    def address(self, table: str, password: str | None = PASSWORD, port: int | None = None) -> str:
        """The address of a table, with the password unless there is none."""
        secret = "" if password is None else ":" + quote(password, safe="")
        return f"postgresql://{USER}{secret}@127.0.0.1:{port or self.port}/postgres?table={quote(table)}"


def programs() -> Path | None:
    """The folder with the programs of a server, if there is one."""
    beside = shutil.which("initdb")
    found = [Path(beside).parent] if beside else sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in found if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


@contextmanager
def running() -> Iterator[Server]:
    """A server; skips where there is none to be had."""
    folder = programs()
    if folder is None:
        pytest.skip("no PostgreSQL on this machine, so nothing is tested with it (Debian: apt-get install postgresql)")
    who = UNPRIVILEGED if os.name == "posix" and os.geteuid() == 0 else None  # a server does not run as root
    home = Path(tempfile.mkdtemp(prefix="sfumato-postgres-"))
    try:
        (home / "password").write_text(PASSWORD + "\n", encoding="utf-8")
        if who is not None:
            shutil.chown(home, who)
            shutil.chown(home / "password", who)
        made = ["-D", "data", "-U", USER, "-A", "scram-sha-256", "--pwfile=password", "-E", "UTF8", "--no-locale", "-N"]
        subprocess.run([folder / "initdb", *made], cwd=home, user=who, check=True, capture_output=True, timeout=60)
        with _started(folder, home, who) as server:
            yield server
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def _started(folder: Path, home: Path, who: str | None) -> Iterator[Server]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",
        "fsync": "off",
        "shared_buffers": "16MB",
    }
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    with (home / "log").open("wb") as log:
        command = [str(folder / "postgres"), "-D", "data", "-p", str(port), *options]
        process = subprocess.Popen(command, cwd=home, user=who, stdout=log, stderr=log)
        try:
            _wait(home / "log", process)
            yield Server(port, process.pid)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)


def _wait(log: Path, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        said = log.read_bytes()
        if b"ready to accept connections" in said:
            return
        assert process.poll() is None, said.decode(errors="replace")
        time.sleep(0.1)
    raise AssertionError("the server does not start")
