"""Compiled loops are kept on disk, by what they are made of.

Numba keeps a function by the text of its own file. A loop of ours is compiled together with all that it calls, most of
which stands in other files: after a change there, or an upgrade, the old code would be run. Here a loop is kept by the
byte code of itself and of every loop that it reaches, the constants they name, and the compiler that made it.

What is found is linked and run; numba's knowledge of types and of how to compile them, a third of its time to load, is
loaded only when something has to be compiled. Nothing is looked up before a loop is called.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from hashlib import sha256
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import BuiltinFunctionType, CodeType, ModuleType
from typing import Any

import numba
import numpy as np
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.dispatcher import Dispatcher
from numba.core.environment import Environment, lookup_environment
from numba.core.runtime import rtsys

__all__ = ["KeptCode", "KeptIndex", "stamp"]


class KeptIndex(IndexDataCacheFile):  # type: ignore[misc]  # numba has no types
    """What is kept of one loop. An index that names a class which is gone is that of another version: nothing is."""

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except (AttributeError, ImportError):
            return {}

    def _load_data(self, name: str) -> Any:
        return _KeptReader(BytesIO(Path(self._data_path(name)).read_bytes())).load()


class _KeptReader(pickle.Unpickler):
    """Reads code that is kept, without loading the modules of numba's that parts of it were made from."""

    def find_class(self, module: str, name: str, /) -> Any:
        if (module, name) == ("numba.core.environment", "_rebuild_env"):
            return _surroundings
        return super().find_class(module, name)


def _surroundings(module: str, constants: list[Any], name: str) -> Any:
    """Those of a function, as numba makes them, which loads its module for their names: for numba's own functions that
    is most of what it knows of compiling, and code without objects of Python never looks a name up."""
    known = lookup_environment(name)
    if known is None:
        loaded = {"__name__": module} if module.startswith("numba.") else import_module(module).__dict__
        known = Environment(loaded)
        known.consts[:] = constants
        known.env_name = name
        Environment._memo[name] = known
    return known


class KeptCode(FunctionCache):  # type: ignore[misc]  # numba has no types
    """Where the compiled forms of one loop are kept."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._py_func = function
        self._name = repr(function)
        self.enable()

    @cached_property
    def _impl(self) -> Any:
        return CompileResultCacheImpl(self._py_func)

    @cached_property
    def _cache_path(self) -> str:
        return str(self._impl.locator.get_cache_path())

    @cached_property
    def _cache_file(self) -> Any:
        return KeptIndex(self._cache_path, self._impl.filename_base, stamp(self._py_func))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for these types if it is kept. It needs numba's memory, and nothing else of it."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def stamp(function: Callable[..., Any]) -> str:
    """All that the code of a loop depends on, as a digest."""
    told = sha256(_compiler())
    for part in _parts(function):
        told.update(repr(part).encode())
    return told.hexdigest()


@cache
def _compiler() -> bytes:
    """What compiles: numba, how it is set, and what of it is ours."""
    told = sha256(repr((numba.__version__, np.__version__, config.BOUNDSCHECK, config.OPT)).encode())
    here = Path(__file__).parent
    for file in sorted([here.with_name("compiled.py"), *here.glob("*.py")]):
        told.update(file.read_bytes())
    return told.digest()


def _parts(function: Callable[..., Any]) -> Iterator[object]:
    """The code of a loop and of all that it reaches, each once, and what they name."""
    waiting, seen = [function], {id(function)}
    while waiting:
        each: Any = waiting.pop()
        yield (each.__module__, each.__qualname__, each.__defaults__, *_code(each.__code__))
        for cell in each.__closure__ or ():
            yield _named(cell.cell_contents)
        for name in sorted(_names(each.__code__)):
            value = each.__globals__.get(name)
            if isinstance(value, Dispatcher):
                yield (name, value.py_func.__module__, value.py_func.__qualname__, sorted(value.targetoptions))
                if id(value.py_func) not in seen:
                    seen.add(id(value.py_func))
                    waiting.append(value.py_func)
            else:
                yield (name, _named(value))


def _code(code: CodeType) -> Iterator[object]:
    """Byte code without places in files."""
    yield code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_argcount
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _code(each)
        else:
            yield each


def _names(code: CodeType) -> set[str]:
    inside = [_names(each) for each in code.co_consts if isinstance(each, CodeType)]
    return set(code.co_names).union(*inside)


def _named(value: object) -> object:
    """A constant by its value, anything else by its name."""
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | np.generic):
        return value
    if isinstance(value, tuple):
        return tuple(map(_named, value))
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, type):
        return value.__module__, value.__qualname__, getattr(value, "_fields", ())
    if isinstance(value, BuiltinFunctionType | np.ufunc) or callable(value):
        return getattr(value, "__module__", ""), getattr(value, "__name__", "")
    raise TypeError(f"a loop names a {type(value).__name__}, by which compiled code cannot be kept")
