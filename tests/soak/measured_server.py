"""The server of the soak test: `python -m tests.soak.measured_server FILE serve ...`.

It is the product, and on SIGUSR1 it writes what its memory holds to the file; `tests.soak.growth` compares two such
measurements. Caches are found and not listed, so that a new one is measured as well. It takes a second or more.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import functools
import gc
import json
import os
import re
import signal
import sys
import tempfile
import types
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, TypeGuard

from server.cli import main
from tests.soak.growth import Cache, Memory

MIB: Final = 1024**2

_SHARED: Final = (
    type,
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.CodeType,
    types.FrameType,
)
"""What a cache may refer to, and does not keep in memory."""


class _MallInfo(ctypes.Structure):
    """The result of `mallinfo2` of the GNU C library, in bytes."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


_C_LIBRARY: Final = ctypes.CDLL(None)
_C_LIBRARY.mallinfo2.restype = _MallInfo
_SQLITE: Final = ctypes.CDLL(_sqlite3.__file__)
_SQLITE.sqlite3_memory_used.restype = ctypes.c_int64


def run(arguments: list[str]) -> int:
    file = Path(arguments[0])
    signal.signal(signal.SIGUSR1, lambda number, frame: _write(file))
    return main(arguments[1:])


def _write(file: Path) -> None:
    part = file.with_suffix(".part")
    part.write_text(json.dumps(asdict(measured())))
    part.replace(file)


def measured() -> Memory:
    """Return what the memory of this process holds. Garbage is collected first, and counted."""
    status = dict(re.findall(r"^(\w+):\s+(\d+)", Path("/proc/self/status").read_text(), re.MULTILINE))
    resident, files = (int(status[name]) * 1024 for name in ("VmRSS", "RssFile"))
    used, free = _allocated()
    gc.unfreeze()
    try:
        gc.collect()
        still_used, _ = _allocated()
        objects = gc.get_objects()
        caches = dict(_caches(objects))
        containers = _containers(objects)
    finally:
        gc.freeze()
    sqlite = _SQLITE.sqlite3_memory_used()
    cached = sum(cache.size for cache in caches.values())
    parts = {
        "caches of functions": cached,
        "other objects": still_used - cached - sqlite,
        "garbage": used - still_used,
        "SQLite": sqlite,
        "free in the allocators": free,
        "program files": files,
        "stacks, tables of the loader, and the like": resident - used - free - files,
    }
    return Memory({name: size / MIB for name, size in parts.items()}, caches, containers)


def _allocated() -> tuple[int, int]:
    """Return the bytes in use, and those that are free, in the allocators of Python and of C together."""
    with tempfile.TemporaryFile() as output:
        # Python writes this to the descriptor of the standard error output only.
        standard_error = os.dup(2)
        os.dup2(output.fileno(), 2)
        try:
            sys._debugmallocstats()
        finally:
            os.dup2(standard_error, 2)
            os.close(standard_error)
        output.seek(0)
        text = output.read().decode().replace(",", "")
    arenas, blocks = (
        int(found[1])
        for pattern in (r"bytes/arena\s+=\s+(\d+)", r"# bytes in allocated blocks\s+=\s+(\d+)")
        if (found := re.search(pattern, text)) is not None
    )
    c = _C_LIBRARY.mallinfo2()
    return blocks + c.uordblks + c.hblkhd, arenas - blocks + c.fordblks


def _caches(objects: Iterable[object]) -> Iterator[tuple[str, Cache]]:
    """Yield the caches of functions of the project, by name."""
    for each in objects:
        if _is_cache(each) and _is_ours(each.__module__):
            info = each.cache_info()
            yield f"{each.__module__}.{each.__qualname__}", Cache(info.currsize, info.maxsize, _size_of(each))


def _is_cache(each: object) -> TypeGuard[functools._lru_cache_wrapper[Any]]:
    return type(each) is functools._lru_cache_wrapper


def _is_ours(module: object) -> bool:
    return str(module).partition(".")[0] in ("server", "protocol")


def _size_of(cache: object) -> int:
    """Return the bytes of everything that a cache refers to, directly or not."""
    seen: set[int] = set()
    waiting, size = gc.get_referents(cache), 0
    while waiting:
        each = waiting.pop()
        if id(each) not in seen and not isinstance(each, _SHARED):
            seen.add(id(each))
            size += sys.getsizeof(each)
            waiting += gc.get_referents(each)
    return size


def _containers(objects: Iterable[object]) -> dict[str, int]:
    """Return the entries of all containers that are attributes of the project's objects, by class and attribute."""
    entries: dict[str, int] = {}
    for each in objects:
        cls = type(each)
        if _is_ours(cls.__module__):
            for name, value in _attributes(each):
                if isinstance(value, (dict, list, set, deque)):
                    place = f"{cls.__module__}.{cls.__qualname__}.{name}"
                    entries[place] = entries.get(place, 0) + len(value)
    return entries


def _attributes(each: object) -> Iterator[tuple[str, object]]:
    yield from getattr(each, "__dict__", {}).items()
    for cls in type(each).__mro__:
        for name, slot in vars(cls).items():
            if isinstance(slot, types.MemberDescriptorType):
                yield name, getattr(each, name, None)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
