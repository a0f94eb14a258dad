"""The builds of the same source: plain, and accelerated, which is what `make accelerate` compiles.

The environment variable `SANFRANCISCO_BUILD` chooses the build of a process.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.bench.measurement import Effort
from tests.bench.processes import ROOT

VARIABLE: Final = "SANFRANCISCO_BUILD"
PLAIN, ACCELERATED = "plain", "accelerated"
FOLDER: Final = ROOT / "server" / "accelerated"
MANIFEST: Final = "build.json"
NOT_BUILT: Final = "The accelerated build is not measured: there is none; `make accelerate` makes it."

Environment = Mapping[str, str]
"""Variables that a process has besides those of this one."""


def builds(effort: Effort) -> dict[str, Environment]:
    """Return the environments of processes of the plain build, and of the accelerated one if there is one."""
    folder = effort.accelerated or (str(FOLDER) if (FOLDER / MANIFEST).exists() else None)
    found: dict[str, Environment] = {PLAIN: {VARIABLE: PLAIN}}
    if folder is not None:
        found[ACCELERATED] = {VARIABLE: folder}
    return found


def runs_plain(environment: Environment, folder: Path = FOLDER) -> bool:
    """Return whether a process with these variables runs the plain build."""
    return environment.get(VARIABLE) == PLAIN or not (folder / MANIFEST).exists()
