"""Small C libraries that are compiled for a test and loaded into a process with LD_PRELOAD."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest


@cache
def compiled(source: str) -> Path:
    """Compile a file of this folder, once per process, and return the path of the library."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("a C compiler is needed; on Debian: apt install gcc libc6-dev")
    library = Path(tempfile.mkdtemp(prefix="preload-")) / f"{Path(source).stem}.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O2", "-Wall", "-o", library, Path(__file__).with_name(source), "-ldl"],
        check=True,
    )
    return library


def preloaded(library: Path, **variables: object) -> dict[str, str]:
    """Return the environment of a process that loads the library, with more variables."""
    return os.environ | {"LD_PRELOAD": str(library)} | {name: str(value) for name, value in variables.items()}


def memory_folder(prefix: str) -> Path:
    """Return a new folder in memory where there is one: thousands of disk images need no disk."""
    memory = Path("/dev/shm")  # noqa: S108 - a new folder in it, for this process only
    return Path(tempfile.mkdtemp(prefix=prefix, dir=memory if os.access(memory, os.W_OK) else None))
