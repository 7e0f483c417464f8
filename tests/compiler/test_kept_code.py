"""A compiled loop is kept by what it is made of, and found again without numba's registries."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from sfumato.compiler.kept import KeptIndex, stamp
from sfumato.testing.bounds import loops

PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
from numba.core import event
compiled = []
class Listener(event.Listener):
    def on_start(self, told): compiled.append(told.data["dispatcher"].py_func.__name__)
    def on_end(self, told): pass
event.register("numba:compile", Listener())
from outer import doubled
print(doubled(20), sorted(compiled), "numba.np.arrayobj" in sys.modules)
"""
OUTER = """
from sfumato.compiled import compiled
from helping import helped

@compiled
def doubled(number):
    return 2 * helped(number)
"""
HELPING = """
from sfumato.compiled import inner

PLUS = {plus}

@inner
def helped(number):
    return number + PLUS
"""


def _run(folder: Path, then: str = "") -> str:
    place = os.environ | {"NUMBA_CACHE_DIR": str(folder / "kept"), "PYTHONDONTWRITEBYTECODE": "1"}
    program = [sys.executable, "-c", textwrap.dedent(PROGRAM).format(folder=str(folder)) + then]
    return subprocess.run(program, env=place, check=True, capture_output=True, text=True).stdout.strip()


def test_a_change_in_another_file_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "outer.py").write_text(OUTER)
    (tmp_path / "helping.py").write_text(HELPING.format(plus=1))
    assert _run(tmp_path) == "42 ['doubled', 'helped'] True"
    assert _run(tmp_path) == "42 [] False"  # kept, and nothing loaded to compile with
    (tmp_path / "helping.py").write_text("# moved down a line\n" + HELPING.format(plus=1))
    assert _run(tmp_path) == "42 [] False"
    (tmp_path / "helping.py").write_text(HELPING.format(plus=2))
    assert _run(tmp_path) == "44 ['doubled', 'helped'] True"


MAKING = """
import numpy as np
from sfumato.compiled import compiled

@compiled
def doubled(number):
    if number < 0:
        raise ValueError("below zero")
    made = np.zeros(2)
    made[:] = np.full(2, number)
    return int(made.sum())
"""
MORE = """
import numpy as np
from sfumato.compiled import compiled
try:
    doubled(-1)
except ValueError as error:
    print(error)

@compiled
def filled(number):
    return np.full(2, number).sum() + np.zeros(2).sum()

print(filled(2), "numba.np.arrayobj" in sys.modules)
"""


@pytest.mark.thorough
def test_a_loop_that_makes_arrays_is_found_without_what_makes_them(tmp_path: Path) -> None:
    (tmp_path / "outer.py").write_text(MAKING)
    first = _run(tmp_path)
    assert "'doubled'" in first and first.endswith("] True")
    assert _run(tmp_path) == "40 [] False"


@pytest.mark.thorough
def test_what_was_found_raises_and_is_compiled_into_others_later(tmp_path: Path) -> None:
    (tmp_path / "outer.py").write_text(MAKING)
    (tmp_path / "later.py").write_text("import sys\nfrom outer import doubled\n" + MORE)
    first = _run(tmp_path, "import later")
    (tmp_path / "later.py").write_text(
        "import sys\nfrom outer import doubled\n" + MORE.replace("2, number", "3, number")
    )
    second = _run(tmp_path, "import later")
    assert first.splitlines()[1:] == ["below zero", "4.0 True"]
    assert second.splitlines() == ["40 [] False", "below zero", "6.0 True"]


def test_every_loop_has_a_stamp_of_its_own() -> None:
    every = loops()
    assert len({stamp(each.py_func) for each in every.values()}) == len(every) > 200


def _with(function: Any, **named: Any) -> FunctionType:
    return FunctionType(function.__code__, {**function.__globals__, **named}, function.__name__, None, None)


LIMIT: Any = 3


def _limited(number: int) -> int:
    return int(min(number, LIMIT))


@pytest.mark.parametrize(
    "value", [4, 3.0, True, None, "3", (3, 4), np.int32(3), np.array([3]), np.array([3.0]), np, np.min, int]
)
def test_what_a_loop_names_is_part_of_it(value: object) -> None:
    assert stamp(_limited) == stamp(_with(_limited))
    assert stamp(_limited) != stamp(_with(_limited, LIMIT=value))


def test_what_cannot_be_told_apart_is_refused() -> None:
    with pytest.raises(TypeError, match="names a object"):
        stamp(_with(_limited, LIMIT=object()))


@pytest.mark.parametrize("gone", [b"csfumato.gone\nGone\n.", b"csfumato.compiler.kept\nGone\n."])
def test_an_index_that_names_a_class_which_is_gone_is_that_of_another_version(tmp_path: Path, gone: bytes) -> None:
    import numba

    index = KeptIndex(str(tmp_path), "loop", "stamp")
    (tmp_path / "loop.nbi").write_bytes(pickle.dumps(numba.__version__, protocol=-1) + gone)
    assert index.load("any") is None
    (tmp_path / "loop.nbi").write_bytes(pickle.dumps(numba.__version__, protocol=-1) + pickle.dumps(("stamp", {})))
    assert index.load("any") is None
