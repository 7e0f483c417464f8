"""A wire between a client and a server of the tests' own, which can be cut."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


@contextmanager
def wire(port: int, cut: Callable[[bytes], str]) -> Iterator[int]:
    """A port that passes everything on to another, until it cuts the wire: `before` or `after` something is sent."""
    listening = socket.create_server(("127.0.0.1", 0))
    ends: list[socket.socket] = [listening]

    def pass_on(source: socket.socket, goal: socket.socket, watch: bool) -> None:
        try:
            while data := source.recv(1 << 16):
                verdict = cut(data) if watch else ""
                if verdict:  # first to where an answer would go
                    source.shutdown(socket.SHUT_RDWR)
                if verdict != "before":
                    goal.sendall(data)
                if verdict:
                    break
        except OSError:
            pass
        finally:
            for end in (source, goal):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def serve() -> None:
        while True:
            try:
                ours, _ = listening.accept()
            except OSError:
                return
            theirs = socket.create_connection(("127.0.0.1", port))
            ends.extend([ours, theirs])
            threading.Thread(target=pass_on, args=(ours, theirs, True), daemon=True).start()
            threading.Thread(target=pass_on, args=(theirs, ours, False), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listening.getsockname()[1]
    finally:
        for end in ends:
            end.close()
