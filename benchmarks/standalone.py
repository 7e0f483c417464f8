"""A Spark cluster of one's own: a master and some workers on loopback, each a process, stopped by its process."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["SOON", "Cluster", "lacking", "standalone"]

SOON = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""For processes that do little and end soon: they start faster, and would run slower later."""


def lacking() -> str:
    """Why there is no Spark here; nothing if there is."""
    if importlib.util.find_spec("pyspark") is None:
        return 'no pyspark, so nothing is tried on Spark (pip install "sfumato[spark]")'
    if shutil.which("java") is None:
        return "no Java, so nothing is tried on Spark (Debian: apt-get install default-jre-headless)"
    return ""


@dataclass
class Cluster:
    """A cluster that is running: whose master answers at `url`, and which keeps its logs in `home`."""

    home: Path
    port: int
    cores: int
    memory: str
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    started: int = 0

    @property
    def url(self) -> str:
        return f"spark://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """For whoever uses it: with settings by which two can use it at a time."""
        return {**os.environ, "SPARK_CONF_DIR": str(self.home / "conf"), "SPARK_LOCAL_IP": "127.0.0.1"}

    def logs(self) -> bytes:
        """All that master, workers and executors have said."""
        files = [file for file in self.home.rglob("*") if file.is_file() and file.name in ("stderr", "stdout")]
        return b"".join(file.read_bytes() for file in [*files, *self.home.glob("*.log")])

    def start(self) -> subprocess.Popen[bytes]:
        """One more worker, which the master may not know yet."""
        self.started += 1
        name = f"worker{self.started}"
        options = ["--host", "127.0.0.1", "--webui-port", "0", "--cores", str(self.cores), "--memory", self.memory]
        made = self.run(name, "org.apache.spark.deploy.worker.Worker", *options, self.url)
        self.workers.append(made)
        return made

    def wait(self) -> None:
        """Until the master knows every worker that was started."""
        for number in range(1, self.started + 1):
            _said(self.home / f"worker{number}.log", b"Successfully registered with master")

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """End a worker as a machine ends that loses power."""
        self.workers.remove(worker)
        worker.kill()
        worker.wait()

    def run(self, name: str, *command: str) -> subprocess.Popen[bytes]:
        """A process of Spark's."""
        import pyspark

        home = Path(pyspark.__file__).parent
        env = self.environment | {
            "SPARK_HOME": str(home),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": SOON,
            "SPARK_WORKER_DIR": str(self.home / "work"),
            "SPARK_LOCAL_DIRS": str(self.home / "local"),
            "PYSPARK_PYTHON": sys.executable,
        }
        with (self.home / f"{name}.log").open("wb") as log:
            return subprocess.Popen(  # noqa: S603
                [str(home / "bin" / "spark-class"), *command], env=env, stdout=log, stderr=log
            )


@contextmanager
def standalone(settings: str, workers: int, cores: int, memory: str) -> Iterator[Cluster]:
    """A master and so many workers with so many cores and so much memory each; `settings` are those of whoever uses
    them, a line each."""
    home = Path(tempfile.mkdtemp(prefix="sfumato-spark-"))
    for name in ("conf", "work", "local"):
        (home / name).mkdir()
    (home / "conf" / "spark-defaults.conf").write_text(settings, encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        made = Cluster(home, free.getsockname()[1], cores, memory)
    options = ["--host", "127.0.0.1", "--port", str(made.port), "--webui-port", "0"]
    master = made.run("master", "org.apache.spark.deploy.master.Master", *options)
    try:
        _said(home / "master.log", b"Starting Spark master at")
        for _ in range(workers):
            made.start()
        made.wait()
        yield made
    finally:
        for process in (*made.workers, master):
            process.terminate()
        for process in (*made.workers, master):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(home, ignore_errors=True)


def _said(log: Path, words: bytes) -> None:
    for _ in range(600):
        if words in log.read_bytes():
            return
        time.sleep(0.1)
    raise AssertionError(f"{log.name}: {log.read_text(errors='replace')[-2000:]}")
