"""Peers: other projects' programs to compare with, each in its own environment under .bench/peers."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

from tests.bench.processes import ROOT

FOLDER = ROOT / ".bench" / "peers"
SOURCES = Path(__file__).parent / "peers_src"
_NPM_INSTALL = ("install", "--omit=dev", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")


class PeerMissing(RuntimeError):
    """A peer cannot be installed; the message is a sentence."""


def python_with(name: str, *requirements: str) -> Path:
    """Return a Python with these packages, installing them first if necessary; raise `PeerMissing` on failure."""
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
        raise _not_installed(name) from None
    stamp.write_text(wanted)
    return python


def node_server(name: str) -> list[str]:
    """Return the command of a Node server in `peers_src`, installing its packages first if necessary.

    Raise `PeerMissing` if they cannot be installed.
    """
    source, folder = SOURCES / name.lower().replace(".", "_"), FOLDER / name.lower()
    stamp, wanted = folder / "installed", (source / "package.json").read_text()
    try:
        node = node_folder()
        if not stamp.exists() or stamp.read_text() != wanted:
            print(f"Installing {name} ...", file=sys.stderr)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            (folder / "package.json").write_text(wanted)
            subprocess.run([node / "npm", *_NPM_INSTALL], cwd=folder, check=True, capture_output=True)
            stamp.write_text(wanted)
        for file in (source / "server.js", SOURCES / "marks.js"):
            shutil.copy(file, folder)
    except (OSError, subprocess.CalledProcessError):
        raise _not_installed(name) from None
    return [str(node / "node"), str(folder / "server.js")]


def node_folder() -> Path:
    """Return the folder of Node and npm that the web client is built with."""
    return Path(subprocess.run([ROOT / ".make" / "node"], check=True, capture_output=True, text=True).stdout.strip())


def _not_installed(name: str) -> PeerMissing:
    return PeerMissing(
        f"{name} is not measured: it could not be installed, which needs the network and the package index."
    )
