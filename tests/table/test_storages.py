"""URIs of storages: what is understood, what is refused, and that no key is ever repeated."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.errors import InputError
from sfumato.table.storages import STORAGES, storage_of, uri_of
from tests.support.command import Cli
from tests.support.storages import POLICY, people_file

SECRET = "wJalrXUtnFEMI"


@pytest.mark.parametrize(
    ("given", "shown", "manifest"),
    [
        ("s3://clinic/open/patients/", "s3://clinic/open/patients/", "clinic.patients.internal.json"),
        ("S3://clinic/open", "s3://clinic/open/", "clinic.open.internal.json"),
        ("s3://clinic/open?region=eu-west-1&scheme=http", "s3://clinic/open/", "clinic.open.internal.json"),
        ("gs://clinic/open", "gs://clinic/open/", "clinic.open.internal.json"),
        ("hdfs://ann@node:8020/data/open", "hdfs://ann@node:8020/data/open/", "ann_node_8020.open.internal.json"),
        ("hdfs:///data/open", "hdfs:///data/open/", "open.internal.json"),
        ("file:///srv/with space/open/", "file:///srv/with space/open/", "open.internal.json"),
    ],
)
def test_what_is_a_folder_of_a_storage(given: str, shown: str, manifest: str) -> None:
    uri = uri_of(given)
    assert uri is not None
    assert str(uri) == shown
    assert uri.manifest_name == manifest
    assert uri_of(uri) is uri


def test_settings_reach_the_storage_and_are_not_shown() -> None:
    uri = uri_of("s3://clinic/open?endpoint_override=minio.example:9000&scheme=http")
    assert uri is not None
    assert uri.settings == {"endpoint_override": "minio.example:9000", "scheme": "http"}
    assert "minio" not in f"{uri} {uri!r}"


@pytest.mark.parametrize("given", ["out", "out.csv", "C:/out", "sqlite:clinic.db?table=t", "ftp://there/out", 3, None])
def test_what_is_none(given: object) -> None:
    assert uri_of(given) is None


@pytest.mark.parametrize(
    "given",
    [
        f"s3://AKID:{SECRET}@clinic/open",
        f"s3://{SECRET}@clinic/open",
        f"s3://clinic/open?secret_key={SECRET}",
        f"s3://clinic/open?access_key=AKID&secret_key={SECRET}",
        f"s3://clinic/open?region=eu&region={SECRET}",
        f"s3://clinic/open?X-Amz-Signature={SECRET}",
        f"s3://clinic/open#{SECRET}",
        f"s3://clinic/open/{SECRET}%2Fx",
        f"gs://clinic/open?access_token={SECRET}",
        f"hdfs://ann:{SECRET}@node/open",
        f"hdfs://node/open?kerb_ticket={SECRET}",
        f"file://{SECRET}/open",
        f"s3:///{SECRET}",
        f"s3://clinic/{SECRET}/../open",
        f"s3://clinic//{SECRET}",
        f"s3:/clinic/{SECRET}",
        f"s3://clinic/{SECRET}?",
    ],
)
def test_what_is_wrong_is_refused_and_not_repeated(given: str, cli: Cli, here: Path) -> None:
    for use in (uri_of, sf.Target.of, lambda text: sf.audit(text, POLICY)):
        with pytest.raises(InputError) as raised:
            use(given)
        told = "".join(traceback.format_exception(raised.value))
        assert SECRET not in str(raised.value)
        assert SECRET not in told.replace(repr(given), "")
        assert f"{given.partition(':')[0]}://" in str(raised.value), "it says how it is written"
    Path("policy.json").write_text("{}", encoding="utf-8")
    said = cli("anonymize", people_file(), "-p", "policy.json", "-o", given)
    assert said.code == 2
    assert SECRET not in said.out + said.err
    assert sorted(path.name for path in here.iterdir()) == ["people.csv", "policy.json"]


def test_a_release_needs_a_folder_there(here: Path) -> None:
    for given in ("s3://clinic", "s3://clinic/", "file:///"):
        with pytest.raises(InputError, match="a release there is named as"):
            uri_of(given)
    with pytest.raises(InputError, match="is a folder, with the table in it"):
        sf.Target.of("s3://clinic/out.csv")
    with pytest.raises(InputError, match="the format of a release must be"):
        sf.Target.of("s3://clinic/out", kind="sqlite")


@pytest.mark.parametrize("given", ["s3://clinic/parts/*.parquet", "hdfs://node/t.csv", "file:///t.csv", "gs://b/t.csv"])
def test_tables_are_not_read_by_a_uri(given: str, here: Path, cli: Cli) -> None:
    with pytest.raises(InputError, match="copy their files to a folder"):
        sf.read(given, POLICY)
    Path("policy.json").write_text("{}", encoding="utf-8")
    said = cli("anonymize", given, "-p", "policy.json", "-o", "out/")
    assert said.code == 2


def test_what_this_machine_cannot_do_is_refused_before_any_work(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("JAVA_HOME", "HADOOP_HOME", "ARROW_LIBHDFS_DIR"):
        monkeypatch.setenv(name, str(here / "nowhere"))
    with pytest.raises(InputError, match=r"HDFS needs Java|no HDFS answers") as raised:
        sf.Target.of("hdfs://node:8020/open")
    assert "dlopen" not in str(raised.value)

    import pyarrow.fs

    monkeypatch.delattr(pyarrow.fs, "S3FileSystem")
    with pytest.raises(InputError, match="built without S3FileSystem; install"):
        sf.Target.of("s3://clinic/open")


def test_a_bucket_that_is_not_there_is_said(s3_port: int, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.support.storages import bucket_on

    bucket_on(s3_port, "bucket-that-is-there", monkeypatch)
    with pytest.raises(InputError, match="there is no such bucket"):
        sf.Target.of("s3://bucket-that-is-not/open")


def test_a_server_that_does_not_answer_is_said_without_its_words(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", SECRET)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with pytest.raises(InputError, match=r"cannot be reached \(NETWORK_CONNECTION\)") as raised:
        sf.Target.of("s3://clinic/open?endpoint_override=127.0.0.1:1&scheme=http&region=eu-west-1")
    assert SECRET not in "".join(traceback.format_exception(raised.value))


def test_every_kind_says_where_its_keys_come_from() -> None:
    for name, storage in STORAGES.items():
        assert storage.grammar.startswith(f"{name}://")
        assert storage.keys
        assert storage_of(uri_of(f"{name}://{'' if name == 'file' else 'host'}/a/b")) is storage  # type: ignore[arg-type]
