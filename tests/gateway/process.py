"""The real server in its own process."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
WAIT = 60.0


class ServerProcess:
    """`sanfrancisco serve` on a free port, with its log in a file, and the operator's pages on another free port.

    `module` replaces the module of the server, with arguments that precede `serve`; `environment` that of this process;
    `tree` is the source tree that it runs from, with the Python of its own environment if it has one.
    """

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        module: tuple[str, ...] = ("server",),
        environment: Mapping[str, str] = os.environ,
        tree: Path = ROOT,
    ) -> None:
        python = tree / ".venv" / "bin" / "python"
        self._log = folder / "log.jsonl"
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *(str(python) if tree != ROOT and python.exists() else sys.executable, "-m", *module),
                    *("serve", "--port", "0", "--web", "nowhere"),
                    *("--metrics-listen", "127.0.0.1:0"),
                    *("--database", str(folder / "tables.db"), *arguments),
                ],
                cwd=tree,
                env={name: value for name, value in environment.items() if name not in _settings(environment)},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.log()
        self.http = line.split()[-1]
        self.port = int(self.http.rpartition(":")[2])

    @property
    def operator_port(self) -> int:
        """Return the port of the operator's pages; of several workers, that of the last that has started."""
        ports = re.findall(r'"event": "operator pages".*"port": (\d+)', self.log())
        assert ports, self.log()
        return int(ports[-1])

    @property
    def operator_http(self) -> str:
        return f"http://127.0.0.1:{self.operator_port}"

    def log(self) -> str:
        return self._log.read_text()

    def tell(self, sign: signal.Signals) -> None:
        self.process.send_signal(sign)

    def exit_code(self) -> int:
        return self.process.wait(WAIT)

    def end(self) -> None:
        """Kill the process if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(WAIT)
        if self.process.stdout is not None:
            self.process.stdout.close()


def _settings(environment: Mapping[str, str]) -> set[str]:
    """Return the variables that would change the settings of a server; the one that chooses the build does not."""
    return {name for name in environment if name.startswith("SANFRANCISCO_") and name != "SANFRANCISCO_BUILD"}


@contextlib.contextmanager
def server_process(folder: Path, *arguments: str) -> Iterator[ServerProcess]:
    process = ServerProcess(folder, *arguments)
    try:
        yield process
    finally:
        process.end()
