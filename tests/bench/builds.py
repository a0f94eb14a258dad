"""The builds of the same source: plain, and accelerated, which is what `make accelerate` compiles.

The environment variable `SANFRANCISCO_BUILD` chooses the build of a process.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.bench.measurement import Effort
from tests.bench.processes import ROOT

VARIABLE: Final = "SANFRANCISCO_BUILD"
PLAIN, ACCELERATED = "plain", "accelerated"
FOLDER: Final = ROOT / ".bench" / "accelerated"
IN_PLACE: Final = ROOT / "server" / "accelerated"
"""The build that a process runs if the variable is not set."""

COMPILER: Final = ROOT / ".make" / "accelerate"
MANIFEST: Final = "build.json"
NOT_BUILT: Final = "The accelerated build is not measured: there is none, or it cannot be compiled here."

Environment = Mapping[str, str]
"""Variables that a process has besides those of this one."""


def builds(effort: Effort) -> dict[str, Environment]:
    """Return the environments of processes of the plain build, and of the accelerated one if there is one."""
    found: dict[str, Environment] = {PLAIN: {VARIABLE: PLAIN}}
    folder = effort.accelerated or _compiled(effort)
    if folder is not None:
        found[ACCELERATED] = {VARIABLE: str(folder)}
    return found


def _compiled(effort: Effort) -> Path | None:
    """Return the folder of a build of the present source, compiled first if necessary; None if there is none.

    Compiling takes minutes, so a brief measurement does without unless there is an earlier build.
    """
    if not COMPILER.exists() or not (effort.is_full or (FOLDER / MANIFEST).exists()):
        return None
    command = [sys.executable, str(COMPILER), "--into", str(FOLDER)]
    return FOLDER if subprocess.run(command, check=False, stdout=sys.stderr).returncode == 0 else None


def runs_plain(environment: Environment, folder: Path = IN_PLACE) -> bool:
    """Return whether a process with these variables runs the plain build."""
    chosen = environment.get(VARIABLE)
    return chosen == PLAIN or (not chosen and not (folder / MANIFEST).exists())
