"""Node, as the commands of the project find it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
WEB = ROOT / "web"


def run_node(*command: str) -> str:
    """Run a command of Node's in the folder of the web client, and give what it printed; fail with all of it."""
    found = subprocess.run([ROOT / ".make" / "node"], capture_output=True, text=True, check=False, timeout=120)
    assert found.returncode == 0, found.stderr
    path = f"{found.stdout.strip()}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        command,
        cwd=WEB,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout
