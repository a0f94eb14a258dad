"""Other people's programs that we measure ourselves against, each in an environment of its own under .bench/peers."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

from tests.bench.processes import ROOT

FOLDER = ROOT / ".bench" / "peers"


class PeerMissing(RuntimeError):
    """A peer cannot be had; the message is a sentence."""


def python_with(name: str, *requirements: str) -> Path:
    """Give a Python that has these packages, installing them first if need be; raise `PeerMissing`."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    folder = FOLDER / f"{name}-{version}"
    python, stamp = folder / "bin" / "python", folder / "installed"
    wanted = "\n".join(requirements)
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    print(f"Installing {name} ...", file=sys.stderr)
    try:
        venv.create(folder, clear=True, with_pip=True)
        install = ["-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check", *requirements]
        subprocess.run([python, *install], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        raise PeerMissing(
            f"{name} is not measured: it could not be installed, which needs the network and the package index."
        ) from None
    stamp.write_text(wanted)
    return python
