"""What Spark says when it fails, in words of ours: its messages may hold cells, so none of them is repeated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sfumato.errors import TableError
from sfumato.table.coder import CHANGED

__all__ = ["OTHER_VERSION", "changed", "told"]

OTHER_VERSION = "sfumato of another version"
"""What a worker says that has one."""

_KNOWN = {
    "PATH_NOT_FOUND": "no such file or folder, for Spark's driver and its workers",
    "UNABLE_TO_INFER_SCHEMA": "holds no Parquet files",
    "CANNOT_READ_FILE_FOOTER": "a file is no Parquet file, or is damaged; fetch or write it again",
    "CANNOT_MERGE_SCHEMAS": "a column has other types in other files; make it one",
    "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE": "a column has other types in other files; make it one",
    "PACKAGE_NOT_INSTALLED": 'Spark needs a package that is not there: pip install "sfumato[spark]"',
    "FAILED_READ_FILE": "a file cannot be read: it is damaged or gone, or a column has other types in other files",
}
_LOST = ("ExecutorLostFailure", "FetchFailed", "ExecutorDeadException", "Lost executor", "worker lost")
_ROOM = ("OutOfMemoryError", "maxResultSize")
_ABSENT = ("No module named 'sfumato", "PYTHON_VERSION_MISMATCH", "Cannot run program", OTHER_VERSION)
_CLASS = re.compile(r"\b(?:[a-z][\w]*\.){2,}([A-Z]\w*(?:Exception|Error))\b")


def told(error: BaseException, name: str) -> TableError:
    """The error to raise in place of one of Spark's."""
    text = str(error)
    condition = _condition(error)
    if any(sign in text for sign in _ROOM):
        words = "memory ran out in Spark; give its driver or workers more (spark.driver.memory, spark.executor.memory)"
    elif any(sign in text for sign in _LOST):
        words = "workers of Spark were lost, and it gave up; nothing was written. Look at them, and try again"
    elif any(sign in text for sign in _ABSENT):
        words = (
            "workers of Spark need the Python of this process and the same sfumato in it, at the same place; install"
            " it there, or set PYSPARK_PYTHON here"
        )
    elif CHANGED in text:
        return changed(name)
    elif known := next((each for each in _KNOWN if condition.startswith(each) or f"[{each}" in text), None):
        words = _KNOWN[known]
    else:
        named = ", ".join(dict.fromkeys([*([condition] if condition else []), *_classes(error, text)]))
        words = f"Spark failed ({named}); its own log says more"
    return TableError(f"{name}: {words}")


def changed(name: str) -> TableError:
    """The error to raise where rows are asked for again, and others come."""
    return TableError(f"{name}: the frame {CHANGED}; write it to files, and read those")


def _condition(error: BaseException) -> str:
    """The name that Spark has for an error, if it has one."""
    ask: Any = getattr(error, "getCondition", None) or getattr(error, "getErrorClass", None)
    found = ask() if callable(ask) else None
    return found if isinstance(found, str) and re.fullmatch(r"[A-Z0-9_.]+", found) else ""


def _classes(error: BaseException, text: str) -> Iterator[str]:
    """The kinds of errors that are named, from the outermost on."""
    yield type(error).__name__
    yield from _CLASS.findall(text)[:3]
