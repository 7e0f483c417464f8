"""The kinds of storages that `pyarrow.fs` speaks to: S3, Google Cloud Storage, HDFS, and folders of this machine."""

from __future__ import annotations

import os
import re
from datetime import timedelta
from typing import Any

from sfumato.errors import InputError
from sfumato.table.storages.contract import Storage
from sfumato.table.storages.uri import Uri

__all__ = ["GOOGLE", "HADOOP", "LOCAL", "S3"]

_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_DRIVE = re.compile(r"[A-Za-z]:")
_PATIENCE = timedelta(seconds=60)


def _kind(name: str, uri: Uri) -> Any:
    """A class of `pyarrow.fs`; `InputError` if this pyarrow was built without it."""
    from pyarrow import fs

    try:
        return getattr(fs, name)
    except (ImportError, AttributeError):
        raise InputError(
            f"{uri}: the pyarrow that is installed here was built without {name}; install the one from PyPI"
            " (pip install --force-reinstall pyarrow), or publish to a folder and copy it"
        ) from None


def _s3(uri: Uri) -> Any:
    """pyarrow heeds a region in the environment, but no endpoint: that is asked for here, as AWS's own tools do."""
    told = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or ""
    scheme, _, endpoint = told.rpartition("://")
    return _kind("S3FileSystem", uri)(
        region=uri.settings.get("region"),
        endpoint_override=uri.settings.get("endpoint_override", endpoint.rstrip("/")) or None,
        scheme=uri.settings.get("scheme", scheme) or None,
        allow_delayed_open=True,  # small objects in one request, so that a kill leaves no half upload of them
        connect_timeout=10,
        request_timeout=60,
    )


def _google(uri: Uri) -> Any:
    return _kind("GcsFileSystem", uri)(
        endpoint_override=uri.settings.get("endpoint_override"),
        scheme=uri.settings.get("scheme"),
        anonymous="endpoint_override" in uri.settings,  # only emulators are reached by another endpoint
        retry_time_limit=_PATIENCE,
    )


def _hadoop(uri: Uri) -> Any:
    user, _, machine = uri.host.rpartition("@")
    host, _, port = machine.partition(":")
    kind = _kind("HadoopFileSystem", uri)
    try:
        return kind(host or "default", int(port or 0), user=user or None)
    except OSError as error:
        if "libjvm" in str(error) or "libhdfs" in str(error):
            raise InputError(
                f"{uri}: HDFS needs Java and Hadoop's libhdfs on this machine, and they were not found: set JAVA_HOME,"
                " HADOOP_HOME or ARROW_LIBHDFS_DIR, and CLASSPATH to what `hadoop classpath --glob` prints; or publish"
                " to a folder, and copy it with `hdfs dfs -put`"
            ) from None
        raise InputError(f"{uri}: no HDFS answers there; look at its host and port, and at Hadoop's settings") from None


def _local(uri: Uri) -> Any:
    return _kind("LocalFileSystem", uri)()


def _in_bucket(uri: Uri) -> str:
    return f"{uri.host}/"


def _below_root(uri: Uri) -> str:
    return "" if _DRIVE.fullmatch(uri.folders[0]) else "/"


S3 = Storage(
    called="S3",
    grammar="s3://BUCKET/FOLDER/",
    host=_BUCKET,
    settings=frozenset({"region", "endpoint_override", "scheme"}),
    keys="AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the profile in ~/.aws, or the role of the machine",
    opened=_s3,
    root=_in_bucket,
    renames=False,
)
GOOGLE = Storage(
    called="Google Cloud Storage",
    grammar="gs://BUCKET/FOLDER/",
    host=_BUCKET,
    settings=frozenset({"endpoint_override", "scheme"}),
    keys="GOOGLE_APPLICATION_CREDENTIALS, gcloud, or the service account of the machine",
    opened=_google,
    root=_in_bucket,
    renames=False,
)
HADOOP = Storage(
    called="HDFS",
    grammar="hdfs://HOST:PORT/FOLDER/",
    host=re.compile(r"([A-Za-z0-9._-]+@)?([A-Za-z0-9._-]+(:[0-9]{1,5})?)?"),
    settings=frozenset(),
    keys="Kerberos (kinit), as Hadoop's own tools take them",
    opened=_hadoop,
    root=_below_root,
    renames=True,
)
LOCAL = Storage(
    called="a file system of this machine",
    grammar="file:///FOLDER/",
    host=re.compile(""),
    settings=frozenset(),
    keys="nowhere",
    opened=_local,
    root=_below_root,
    renames=True,
)
