"""Storages that tests publish to: a folder of this machine by its URI, and a real S3 server on loopback."""

from __future__ import annotations

import contextlib
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.support.databases import PEOPLE
from tests.support.databases import POLICY as OF_DATABASES

KEYS = {
    "AWS_ACCESS_KEY_ID": "AKIDOFTHETESTS",
    "AWS_SECRET_ACCESS_KEY": "s3cr3t-0f-the-tests",
    "AWS_REGION": "us-east-1",
}
POLICY: dict[str, Any] = {
    **OF_DATABASES,
    "columns": {**OF_DATABASES["columns"], "age": {**OF_DATABASES["columns"]["age"], "type": "integer"}},
}
OTHER: dict[str, Any] = {**POLICY, "privacy": [{"model": "k-anonymity", "k": 8}]}

_S3 = """
import time
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
time.sleep(100000)
"""
_GOOGLE = """
import socket
from gcp_storage_emulator.server import create_server
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
server = create_server("127.0.0.1", port, in_memory=True, default_bucket="clinic")
print(port, flush=True)
server.run()
"""


def s3_server() -> contextlib.AbstractContextManager[int]:
    """The port of a server that speaks the protocol of S3; skips without moto."""
    return _served(_S3, "moto", "flask", "flask_cors")


def google_server() -> contextlib.AbstractContextManager[int]:
    """The port of one that speaks that of Google Cloud Storage, with a bucket ``clinic``; skips without it."""
    return _served(_GOOGLE, "gcp_storage_emulator")


@contextlib.contextmanager
def _served(program: str, *needed: str) -> Iterator[int]:
    """A server in a process of its own, ended by it."""
    lacking = [name for name in needed if importlib.util.find_spec(name) is None]
    if lacking:
        pytest.skip(f"no {', '.join(lacking)}, so nothing is tested with such a storage (pip install -e .[dev])")
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait(20)
        if process.stdout is not None:
            process.stdout.close()


@dataclass(frozen=True)
class FolderStorage:
    """A folder of this machine, which is renamed in one step."""

    folder: Path
    kind: str = "file"

    @property
    def uri(self) -> str:
        return f"file://{self.folder}/open/shown/"

    def files(self) -> dict[str, bytes]:
        """All that lies there, by name from the folder of the release on; what is beside it begins with ``../``."""
        top = self.folder / "open"
        found = sorted(path for path in top.rglob("*") if path.is_file())
        names = {path: path.relative_to(top).as_posix() for path in found}
        return {
            name.removeprefix("shown/") if name.startswith("shown/") else f"../{name}": path.read_bytes()
            for path, name in names.items()
        }

    def write(self, name: str, data: bytes) -> None:
        (self.folder / "open" / "shown" / name).write_bytes(data)


@dataclass(frozen=True)
class BucketStorage:
    """A bucket of a test's own."""

    port: int
    bucket: str
    kind: str = "s3"

    @property
    def uri(self) -> str:
        return f"s3://{self.bucket}/open/shown/"

    @property
    def client(self) -> Any:
        from pyarrow.fs import S3FileSystem

        return S3FileSystem(endpoint_override=f"127.0.0.1:{self.port}", scheme="http", allow_bucket_creation=True)

    def files(self) -> dict[str, bytes]:
        from pyarrow.fs import FileSelector, FileType

        client, top = self.client, f"{self.bucket}/open/shown/"
        found = client.get_file_info(FileSelector(self.bucket, recursive=True))
        return {
            each.path.removeprefix(top): client.open_input_stream(each.path, compression=None).read()
            for each in found
            if each.type == FileType.File
        }

    def write(self, name: str, data: bytes) -> None:
        with self.client.open_output_stream(f"{self.bucket}/open/shown/{name}", compression=None) as stream:
            stream.write(data)


StoragePlace = FolderStorage | BucketStorage


def bucket_on(port: int, name: str, monkeypatch: pytest.MonkeyPatch) -> BucketStorage:
    """A new bucket, with what the environment has to say of its server."""
    told = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    for key, value in {**KEYS, **told}.items():
        monkeypatch.setenv(key, value)
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    made = BucketStorage(port, name)
    made.client.create_dir(name)
    return made


def people_file() -> str:
    """The people of these tests, in a file of the folder that is entered."""
    names = ["name", "age", "zip", "disease", "visits"]
    pl.DataFrame(PEOPLE, schema=names, orient="row").write_csv("people.csv")
    return "people.csv"


def left_here() -> list[str]:
    """What runs left about in the folder that is entered."""
    return sorted(path.name for path in Path().glob(".*"))
