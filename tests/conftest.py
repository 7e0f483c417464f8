"""Fixtures for all tests: a folder of one's own with a key, the command line, and real tables where they can be had."""

from __future__ import annotations

import contextlib
import gc
import os
import secrets
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from zlib import crc32

import polars as pl
import pytest

import sfumato as sf
from sfumato import datasets
from sfumato.table.tuples import Tuples
from tests.support import examples
from tests.support.cluster import Cluster, cluster
from tests.support.command import KEY, Cli
from tests.support.databases import Place, PostgresPlace, SqlitePlace, require_drivers
from tests.support.desk import Desk
from tests.support.growing import grows
from tests.support.postgres import Server, running
from tests.support.storages import FolderStorage, StoragePlace, bucket_on, s3_server

ADULT_QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="every example of every property, and the long tests")
    parser.addoption("--only-more", action="store_true", help="with --thorough: only tests of which it runs more")
    parser.addoption(
        "--third", type=int, metavar="N", help="with --only-more: a third of them, the same for N and N + 3"
    )


def pytest_configure(config: pytest.Config) -> None:
    examples.load(config.getoption("--thorough"))
    gc.disable()  # what is imported and collected stays


def pytest_sessionstart(session: pytest.Session) -> None:
    """Of two processes the second begins to load tests at the other end: each is translated by one of them alone."""
    process = os.environ.get("PYTEST_XDIST_WORKER", "")
    if process.endswith("1") and session.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        for file in sorted(Path(__file__).parent.rglob("test_*.py"), reverse=True):
            with contextlib.suppress(
                Exception, pytest.skip.Exception
            ):  # it fails again, and is told of, when it is collected
                import_module(".".join(file.relative_to(session.config.rootpath).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """From here on garbage is looked for, among what tests make alone."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    gc.unfreeze()
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not examples.thorough():
        long = [item for item in items if any(map(item.get_closest_marker, ("thorough", "large")))]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]
    elif config.getoption("--only-more"):
        third = config.getoption("--third")
        more = {item: _is_due(item, third) and grows(item) for item in items}
        config.hook.pytest_deselected(items=[item for item in items if not more[item]])
        items[:] = [item for item in items if more[item]]
    # Work is stolen from the end of what a process has to do: so one has all that needs the cluster, and starts one.
    items.sort(key=lambda item: "spark_cluster" not in getattr(item, "fixturenames", ()))


def _is_due(item: pytest.Item, third: int | None) -> bool:
    """Whether a test is one of those that a run after `make test` has: of all but the large ones, or of a third."""
    if item.get_closest_marker("large"):
        return False
    return third is None or crc32(item.nodeid.encode()) % 3 == third % 3


@cache
def _asked(load: Callable[[], Any]) -> tuple[Any, str]:
    """What there is, or why there is nothing; nobody waits twice for an index that does not answer."""
    try:
        return load(), ""
    except sf.InputError as error:
        return None, str(error)


@cache
def _coded() -> Tuples:
    how = datasets.adult_hierarchies()
    columns: dict[str, Any] = {name: {"role": "quasi", **how[name]} for name in ADULT_QUASI}
    columns["occupation"] = {"role": "sensitive", **how["occupation"]}
    policy = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 5}]}
    return sf.read(_asked(datasets.adult_arx)[0], policy).encode()


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    """A key of the tests' own: the user's is left alone, and rows are dealt alike every time."""
    monkeypatch.setenv("SFUMATO_KEY", KEY)
    return KEY


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> Path:
    """A folder of its own, entered."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Calls of `sfumato`."""
    return Cli(capsys)


@pytest.fixture
def desk(here: Path, cli: Cli) -> Desk:
    """A person's desk, with nothing on it."""
    return Desk(here, cli)


@pytest.fixture
def real() -> Callable[[Callable[[], Any]], Any]:
    """What a function of `sfumato.datasets` answers."""

    def had(load: Callable[[], Any]) -> Any:
        found, why = _asked(load)
        if why:
            pytest.skip(why)
        return found

    return had


@pytest.fixture
def adult_arx(real: Callable[[Callable[[], Any]], Any]) -> pl.DataFrame:
    """Adult's 30,162 complete rows of the training part, nine columns."""
    return real(datasets.adult_arx)  # type: ignore[no-any-return]


@pytest.fixture
def adult(adult_arx: pl.DataFrame) -> Tuples:
    """The same as codes, by hierarchies of our own; occupation is sensitive."""
    return _coded()


@pytest.fixture
def arx_files(real: Callable[[Callable[[], Any]], Any]) -> dict[str, Path]:
    """ARX's hierarchies of these columns, for what is compared with ARX."""
    return real(datasets.arx_hierarchies)  # type: ignore[no-any-return]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL of the tests' own, one for each process that runs tests."""
    require_drivers()
    with running() as server:
        yield server


@pytest.fixture(scope="session")
def s3_port() -> Iterator[int]:
    """An S3 server of the tests' own, one for each process that runs tests."""
    with s3_server() as port:
        yield port


@pytest.fixture(params=["file", "s3"])
def storage(request: pytest.FixtureRequest, here: Path, monkeypatch: pytest.MonkeyPatch) -> StoragePlace:
    """An empty storage of each kind; the folder that is entered is the test's own."""
    if request.param == "file":
        return FolderStorage(here / "there")
    port = request.getfixturevalue("s3_port")
    return bucket_on(port, f"bucket-{secrets.token_hex(4)}", monkeypatch)


@pytest.fixture(scope="session")
def spark_cluster() -> Iterator[Cluster]:
    """A real Spark cluster of the tests' own: a master and two workers."""
    with cluster() as made:
        yield made


@pytest.fixture(scope="session")
def spark(spark_cluster: Cluster) -> Iterator[Any]:
    """A session with the cluster, one for all tests, which tells what it does in the folder `spark-events`."""
    from sfumato.table.spark.session import running

    events = spark_cluster.home / "spark-events"
    events.mkdir()
    told = {"spark.eventLog.enabled": "true", "spark.eventLog.dir": events.as_uri(), "spark.eventLog.compress": "false"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_CONF_DIR", spark_cluster.environment["SPARK_CONF_DIR"])
        with running(spark_cluster.url, 1 << 30, told) as session:
            yield session


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, here: Path) -> Place:
    """An empty database of each kind; the folder that is entered is the test's own."""
    require_drivers()
    if request.param == "sqlite":
        return SqlitePlace(here / "clinic.db")
    made = PostgresPlace(request.getfixturevalue("postgres"), f"s{secrets.token_hex(4)}")
    made.run(f"CREATE SCHEMA {made.schema}")
    return made


@pytest.fixture
def symptoms() -> Path:
    """The folder of a published table of diseases and symptoms."""
    folder = Path(os.environ.get("SFUMATO_DATA") or "nowhere") / "disease_symptom"
    if not folder.is_dir():
        pytest.skip("SFUMATO_DATA has no disease_symptom/, which cannot be downloaded")
    return folder
