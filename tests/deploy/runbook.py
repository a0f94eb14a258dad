"""The commands in RUNBOOK.md, and a shell that runs them against servers of the tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.deploy.deployment import DEPLOY, TIMEOUT_SECONDS, nginx_program
from tests.gateway.process import ROOT
from tests.store.redis_server import redis_server

RUNBOOK = (DEPLOY / "RUNBOOK.md").read_text()

NOT_HERE = {
    "docker ": "needs a Docker daemon; the services are compared with compose.yaml",
    "systemctl ": "needs systemd as process 1; the units are compared with the files in deploy",
    "journalctl ": "needs the journal of systemd; the unit is compared with the files in deploy",
    "make dist": "builds the client and the wheel for minutes; `make test` builds the client before it starts",
    "python3 -m venv ": "fills the new environment in the next lines",
    "/opt/sanfrancisco/bin/pip ": "downloads all packages again; the lock is tested in test_files.py",
    "for port in ": "restarts units of systemd; its syntax and its units are checked",
    "set_real_ip_from ": "a directive of nginx, tested with the two after it",
    "real_ip_header ": "a directive of nginx",
    "proxy_set_header ": "a directive of nginx",
    "  curl --silent --header ": "the address of another machine; tests/gateway has the token",
}
"""Commands, by how they begin, that cannot run on the machine of a developer, and why."""


class Command(NamedTuple):
    section: str
    text: str

    @property
    def runs_here(self) -> bool:
        return not self.text.startswith(tuple(NOT_HERE))


def is_complete(text: str) -> bool:
    """Return whether a shell takes a text for whole commands."""
    return subprocess.run(["sh", "-n", "-c", text], capture_output=True, check=False).returncode == 0


def commands(section: str | None = None) -> list[Command]:
    """Return the commands of the document, or of one section, in order; some have several lines."""
    found: list[Command] = []
    for part in re.split(r"^##+ ", RUNBOOK, flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        if section not in (None, heading):
            continue
        begun = ""
        for line in re.findall(r"^    (.*)$", body, re.MULTILINE):
            begun = f"{begun}\n{line}" if begun else line
            if is_complete(begun):
                found.append(Command(heading, begun))
                begun = ""
        assert not begun, f"{heading}: {begun!r} is not a whole command"
    return found


class Shell:
    """Runs commands of the runbook in a folder, with other paths, ports and addresses than an installation has."""

    def __init__(self, folder: Path, redis_socket: Path) -> None:
        self.folder = folder
        self.replaced: dict[str, str] = {
            "/var/backups": str(folder / "backups"),
            "/var/lib": str(folder / "lib"),
            "/etc": str(folder / "etc"),
            "redis://127.0.0.1:6379/0": f"unix://{redis_socket}",
        }
        self.environment: dict[str, str] = {}
        for path in ("backups", "lib/sanfrancisco", "lib/redis", "etc/systemd/system", "etc/nginx", "etc/redis", "bin"):
            (folder / path).mkdir(parents=True)
        (folder / "deploy").symlink_to(DEPLOY)
        for name in (".make", "requirements.lock", "pyproject.toml"):
            (folder / name).symlink_to(ROOT / name)
        client = folder / "bin" / "redis-cli"
        client.write_text(f'#!/bin/sh\nexec {Path(redis_server()).with_name("redis-cli")} -s {redis_socket} "$@"\n')
        client.chmod(0o755)
        self._path = [folder / "bin", Path(sys.executable).parent, Path(nginx_program()).parent]
        self.ran: list[Command] = []

    def line(self, command: Command) -> str:
        """Return the command with everything replaced."""
        text = command.text
        for there, here in self.replaced.items():
            text = text.replace(there, here)
        return text

    def variables(self) -> dict[str, str]:
        path = os.pathsep.join([*map(str, self._path), os.environ["PATH"]])
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SANFRANCISCO_")}
        return {**kept, **self.environment, "PATH": path}

    def run(self, command: Command) -> str:
        """Run a command; it must succeed. Return what it prints."""
        self.ran.append(command)
        done = self._done(command)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    def refusal(self, command: Command) -> str:
        """Run a command that must be refused, and return the sentence."""
        done = self._done(command)
        assert done.returncode == 2, (command, done.stdout, done.stderr)
        return done.stderr

    def _done(self, command: Command) -> subprocess.CompletedProcess[str]:
        assert command.runs_here, command
        line = ["sh", "-c", self.line(command)]
        output = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": 3 * TIMEOUT_SECONDS}
        return subprocess.run(line, cwd=self.folder, env=self.variables(), check=False, **output)

    def run_section(self, section: str) -> str:
        """Run all commands of a section that can run here."""
        return "".join(self.run(command) for command in commands(section) if command.runs_here)
