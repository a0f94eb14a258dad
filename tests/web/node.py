"""Run commands with the Node that the project uses."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
WEB = ROOT / "web"

TIMEOUT = 900.0
"""Seconds that a command may take on a busy machine."""


def run_node(*command: str) -> str:
    """Run a command in the folder of the web client and return its output; fail with its output."""
    found = subprocess.run([ROOT / ".make" / "node"], capture_output=True, text=True, check=False, timeout=TIMEOUT)
    assert found.returncode == 0, found.stderr
    path = f"{found.stdout.strip()}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        command,
        cwd=WEB,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def bundled(script: str, folder: Path) -> Path:
    """Bundle a script of this folder, which may use the JSX syntax of the client, for Node; return the bundle."""
    bundle = folder / Path(script).with_suffix(".mjs")
    flags = ("--bundle", "--format=esm", "--platform=node", "--log-level=error")
    syntax = (
        "--jsx=automatic",
        "--jsx-import-source=preact",
        "--loader:.js=jsx",
        "--loader:.svg=empty",
        "--loader:.css=empty",
    )
    run_node("node_modules/.bin/esbuild", f"../tests/web/{script}", *flags, *syntax, f"--outfile={bundle}")
    return bundle
