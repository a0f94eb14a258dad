"""The accelerated build: extension modules compiled by mypyc from the same source, imported in place of it.

`make accelerate` writes them to `server/accelerated`, with a manifest. They are used all or none: compiled modules call
each other directly and contain constants of the modules that they import. So the manifest has a hash of all sources
that they depend on; if a source has changed, or if the build is for another Python, everything runs from the source.

The environment variable `SANFRANCISCO_BUILD` is `plain` for the source, or another folder with a build, which then must
fit.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

VARIABLE: Final = "SANFRANCISCO_BUILD"
PLAIN: Final = "plain"
ACCELERATED: Final = "accelerated"
MANIFEST: Final = "build.json"
ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = ROOT / "server" / "accelerated"


class Build(NamedTuple):
    """The build that runs: plain or accelerated, and why it is plain although there is an accelerated one."""

    name: str
    reason: str | None = None

    def __str__(self) -> str:
        return self.name if self.reason is None else f"{self.name}: {self.reason}"


class Extensions:
    """A finder of modules (`sys.meta_path`) that finds the extension modules of a build."""

    def __init__(self, folder: Path, modules: Iterable[str]) -> None:
        self._files = {module: str(extension_file(folder, module)) for module in modules}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to load a module of the build; None for any other module."""
        file = self._files.get(name)
        return None if file is None else spec_from_file_location(name, file, loader=ExtensionFileLoader(name, file))


def extension_file(folder: Path, module: str) -> Path:
    """Return the file of an extension module in the folder of a build."""
    return folder / f"{module}{EXTENSION_SUFFIXES[0]}"


def use_build(environment: Mapping[str, str] = os.environ) -> Build:
    """Import from the accelerated build from now on if there is one that fits; return the build that runs."""
    chosen = environment.get(VARIABLE, "")
    folder = Path(chosen) if chosen else FOLDER
    if chosen == PLAIN or not (chosen or (folder / MANIFEST).exists()):
        return Build(PLAIN)
    reason = _misfit(folder)
    if reason is None:
        return Build(ACCELERATED)
    if chosen:
        raise ImportError(f"{VARIABLE}: {reason}")
    return Build(PLAIN, reason)


def _misfit(folder: Path) -> str | None:
    """Return why the build in a folder cannot be used; if it can, import from it from now on."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        if manifest["python"] != python():
            return f"the build in {folder} is for {manifest['python']}, not for {python()}"
        if manifest["digest"] != digest(manifest["sources"]):
            return f"the build in {folder} is not of this source"
    except (OSError, ValueError) as error:
        return f"the build in {folder} cannot be read: {error}"
    sys.meta_path.insert(0, Extensions(folder.absolute(), manifest["modules"]))
    return None


def python() -> str:
    """Return for which Python an extension module is."""
    return EXTENSION_SUFFIXES[0].strip(".")


def digest(sources: Iterable[str]) -> str:
    """Return the hash of the source files; paths are relative to the folder of the packages."""
    hashed = hashlib.sha256()
    for source in sources:
        text = (ROOT / source).read_bytes()
        hashed.update(f"{source} {len(text)}\n".encode())
        hashed.update(text)
    return hashed.hexdigest()
