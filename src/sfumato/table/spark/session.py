"""A session of Spark for one run: started with settings that show nothing, waited for with an end, and stopped."""

from __future__ import annotations

import contextlib
import glob
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sfumato.errors import InputError, TableError
from sfumato.table.formats.several import files_of
from sfumato.table.spark.telling import told

__all__ = ["frame_at", "local_files", "running"]

_JAVA = 17
_REACHED = 5.0
_STARTED = 120.0
"""Seconds in which a master has to be reached, and a session to be there: it waits for ever with a wrong secret."""

_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.driver.maxResultSize": "0",
    "spark.network.timeout": "60s",
    "spark.executor.heartbeatInterval": "10s",
    "spark.rpc.askTimeout": "30s",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.execution.arrow.pyspark.selfDestruct.enabled": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.files.ignoreMissingFiles": "false",
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
}
"""Nothing is shown on a page; no file is left out silently; 02000 in the name of a folder stays a text."""
_LOOPBACK = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
_SECRET = re.compile(r"secret|password|token|credential|\.key", re.IGNORECASE)
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


@contextlib.contextmanager
def running(master: str, memory: int, settings: Mapping[str, str]) -> Iterator[Any]:
    """A session of its own with a master's workers; stopped, and its process ended, when the block is.

    `InputError` if there is no Spark or no Java, or a setting is secret: a process list would show it; `TableError` if
    the master does not answer.
    """
    _require_installed()
    _require_java()
    hidden = [name for name in settings if _SECRET.search(name)]
    if hidden:
        raise InputError(
            f"{', '.join(hidden)}: would be seen by whoever lists the processes of this machine; put it into"
            " spark-defaults.conf, in the folder that SPARK_CONF_DIR names"
        )
    _require_reached(master)
    gigabytes = max(1, memory // (4 << 30))
    asked = {**_SETTINGS, "spark.driver.memory": f"{gigabytes}g", **(_LOOPBACK if _is_near(master) else {}), **settings}
    starting = _Starting(master, asked)
    try:
        yield starting.session()
    finally:
        starting.stop()


def frame_at(session: Any, path: str) -> Any:
    """The frame of the Parquet files at a path; `TableError` if there are none, or they do not go together."""
    place = path if _URI.match(path) else f"file://{_literally(path)}"
    try:
        return session.read.option("mergeSchema", "true").parquet(place)
    except Exception as error:
        raise told(error, path) from None


def local_files(path: str) -> tuple[Path, ...]:
    """What a path of this machine means; nothing of another's."""
    return () if _URI.match(path) else files_of(path) or (Path(path),)


def _literally(path: str) -> str:
    """A path from the root on; where it is that of a file or folder, signs of patterns in it are none to Spark."""
    whole = str(Path(path).absolute())
    return re.sub(r"([\\*?\[\]{}])", r"\\\1", whole) if Path(path).exists() and glob.has_magic(whole + "{") else whole


class _Starting:
    """A session that is being started, in a thread: nothing of it is waited for without an end."""

    def __init__(self, master: str, settings: Mapping[str, str]) -> None:
        self.master = master
        self.settings = settings
        self._gateway: Any = None
        self._made: list[Any] = []
        self._errors: list[BaseException] = []

    def session(self) -> Any:
        thread = threading.Thread(target=self._start, name="sfumato-spark-start", daemon=True)
        thread.start()
        thread.join(_STARTED)
        if self._made:
            return self._made[0]
        if self._errors:
            raise told(self._errors[0], self.master)
        raise TableError(
            f"{self.master}: no session of Spark within {_STARTED:g} seconds; look whether the master answers, and"
            " whether its secret is that of spark-defaults.conf here"
        )

    def stop(self) -> None:
        """End the session, and then its process: also one that never came to be."""
        from pyspark import SparkContext

        for session in self._made:
            with contextlib.suppress(Exception):
                session.stop()
        if self._gateway is None:
            return
        with contextlib.suppress(Exception):
            self._gateway.shutdown()
        process = self._gateway.proc
        process.stdin.close()  # it ends by itself then, and tidies up
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if SparkContext._gateway is self._gateway:
            SparkContext._gateway = SparkContext._jvm = None

    def _start(self) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._made.append(self._session())
        except BaseException as error:
            self._errors.append(error)

    def _session(self) -> Any:
        from pyspark import SparkConf, SparkContext
        from pyspark.java_gateway import launch_gateway
        from pyspark.sql import SparkSession

        os.environ["PYSPARK_PYTHON"] = sys.executable  # the setting of that name is not listened to
        if "spark.driver.host" in self.settings:
            os.environ.setdefault("SPARK_LOCAL_IP", self.settings["spark.driver.host"])
        conf = SparkConf(loadDefaults=False).setMaster(self.master).setAppName("sfumato")
        conf.setAll([*self.settings.items()])
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}  # a log may hold cells
        self._gateway = launch_gateway(conf, popen_kwargs=quiet)
        SparkContext._ensure_initialized(gateway=self._gateway)
        return SparkSession.builder.config(conf=conf).getOrCreate()


def _require_installed() -> None:
    try:
        import pyspark
    except ImportError:
        raise InputError('a table on Spark needs its package: pip install "sfumato[spark]"') from None
    if pyspark.SparkContext._active_spark_context is not None:
        raise InputError("a session of Spark is running in this process; read your frame with it, and hand that over")


def _require_java() -> None:
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    where = "in the folder that JAVA_HOME names" if home else "on the path"
    remedy = f"install Java {_JAVA} or later (Debian: apt-get install default-jre-headless), or set JAVA_HOME"
    if java is None:
        raise InputError(f"Spark needs Java, and there is none {where}; {remedy}")
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=30, check=True).stderr  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        raise InputError(f"Spark needs Java, and the one {where} does not start; {remedy}") from None
    version = re.search(r'version "(?:1\.)?(\d+)', said)
    if version is not None and int(version[1]) < _JAVA:
        raise InputError(f"Spark needs Java {_JAVA} or later, and the one {where} is {version[1]}; {remedy}")


def _masters(master: str) -> list[tuple[str, int]]:
    """Hosts and ports of a standalone cluster; none of another kind of master."""
    if not master.startswith("spark://"):
        return []
    found = [each.rpartition(":") for each in master.removeprefix("spark://").split(",")]
    if not all(host and port.isdigit() for host, _, port in found):
        raise InputError(f"master {master}: write it as spark://HOST:PORT")
    return [(host.strip("[]"), int(port)) for host, _, port in found]


def _is_near(master: str) -> bool:
    """Whether everything runs on this machine."""
    near = {"localhost", "127.0.0.1", "::1"}
    return master.startswith("local") or ({host for host, _ in _masters(master)} or {""}) <= near


def _require_reached(master: str) -> None:
    if not re.match(r"local(\[|$)|spark://|yarn$|k8s://", master):
        raise InputError(f"master {master!r}: must be spark://HOST:PORT, local[2] (two threads here), yarn or k8s://…")
    for host, port in _masters(master):
        with contextlib.suppress(OSError), socket.create_connection((host, port), _REACHED):
            return
    if _masters(master):
        raise TableError(
            f"{master}: no master answers within {_REACHED:g} seconds; nothing was read. Look at its address, and"
            " whether it runs"
        )
