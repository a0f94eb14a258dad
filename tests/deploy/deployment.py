"""A whole installation on this machine: nginx, workers and Redis with their deployed configuration."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self

import httpx

from tests.faults.kills import free_port
from tests.gateway.process import ROOT, ServerProcess
from tests.scenarios.people import UNLIMITED
from tests.store.redis_server import RedisServer

DEPLOY = ROOT / "deploy"
TIMEOUT_SECONDS = 20.0


def need(program: str, package: str) -> None:
    """Fail if a program is missing, and name its package: skipping the test would hide that nothing was tested."""
    found = shutil.which(program)
    assert found is not None, f"{program} is needed: install it (on Debian or Ubuntu: sudo apt install {package})."


def nginx_program() -> str:
    """Return the path of nginx, which is fetched if necessary."""
    found = subprocess.run([ROOT / ".make" / "nginx"], capture_output=True, text=True, check=False, timeout=300)
    # The script names the missing package.
    assert found.returncode == 0, found.stderr
    return found.stdout.strip()


class Nginx:
    """nginx with deploy/nginx.conf; only ports and folders differ from a real installation."""

    def __init__(self, folder: Path, certificate: Path | None = None) -> None:
        self._folder = folder
        self._certificate = certificate
        self._program = nginx_program()
        self._process: subprocess.Popen[bytes] | None = None
        self.port = self.tls_port = 0

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def https(self) -> str:
        return f"https://127.0.0.1:{self.tls_port}"

    def start(self, workers: list[ServerProcess]) -> None:
        """Start nginx in front of these workers, and return when it listens."""
        self._write_workers(workers)
        end = time.monotonic() + TIMEOUT_SECONDS
        while True:
            self.port, self.tls_port = free_port(), free_port()
            (self._folder / "nginx.conf").write_text(self._configuration())
            with (self._folder / "nginx.stderr").open("ab") as errors:
                self._process = subprocess.Popen(self._command(), stderr=errors)
            while self._process.poll() is None:
                if _listens(self.port):
                    return
                time.sleep(0.02)
            # Another process may have taken a port meanwhile.
            assert time.monotonic() < end, self.errors()

    def reload(self, workers: list[ServerProcess]) -> None:
        """Replace the list of workers and reload nginx, as an operator does."""
        self._write_workers(workers)
        subprocess.run([*self._command(), "-s", "reload"], check=True, capture_output=True, timeout=TIMEOUT_SECONDS)

    def errors(self) -> str:
        return "".join(path.read_text() for path in self._folder.glob("nginx.*") if path.suffix in (".stderr", ".log"))

    def end(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(TIMEOUT_SECONDS)

    def _command(self) -> list[str]:
        directives = f"daemon off; pid {self._folder}/nginx.pid;"
        if os.getuid() == 0:
            # The workers of nginx must be able to read the folder, which belongs to root.
            directives += " user root;"
        return [self._program, "-p", str(self._folder), "-c", str(self._folder / "nginx.conf"), "-g", directives]

    def _write_workers(self, workers: list[ServerProcess]) -> None:
        text = (DEPLOY / "workers.conf").read_text()
        servers = re.findall(r"^ *server .*;\n", text, re.MULTILINE)
        lines = [re.sub(r":\d+", f":{worker.port}", servers[0]) for worker in workers]
        (self._folder / "workers.conf").write_text(text.replace("".join(servers), "".join(lines)))

    def _configuration(self) -> str:
        text = (DEPLOY / "nginx.conf").read_text()
        if self._certificate is not None:
            text = text.replace("#tls ", "").replace("/etc/nginx/tls", str(self._certificate.parent))
        text = re.sub(r" *listen \[::\].*\n", "", text)
        text = text.replace("listen 80 ", f"listen 127.0.0.1:{self.port} ")
        text = text.replace("listen 443 ", f"listen 127.0.0.1:{self.tls_port} ")
        for place in ("/etc/nginx", "/var/cache", "/var/log/nginx"):
            text = text.replace(f"{place}/", f"{self._folder}/")
        # The default folders for temporary files are compiled in, and exist only where the package is installed.
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        places = "".join(f"    {kind}_temp_path {self._folder}/{kind};\n" for kind in kinds)
        return text.replace("http {\n", f"http {{\n{places}", 1).replace("error.log", "nginx.log")


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Deployment:
    """Redis, workers and nginx, as a context manager that ends all of them."""

    def __init__(self, folder: Path, certificate: Path | None = None) -> None:
        self.folder = folder
        # Redis listens on a Unix socket instead of a port; the rest is as deployed.
        self.redis = RedisServer("--include", str(DEPLOY / "redis.conf"), "--port", "0")
        self.workers: list[ServerProcess] = []
        self.nginx = Nginx(folder, certificate)

    def __enter__(self) -> Self:
        self.redis.start()
        return self

    def __exit__(self, *reason: object) -> None:
        self.nginx.end()
        for worker in self.workers:
            worker.end()
        self.redis.remove()

    def add_workers(self, web: Path, count: int) -> list[ServerProcess]:
        """Start workers that serve the pages in a folder."""
        folders = [self.folder / f"worker{len(self.workers) + place}" for place in range(count)]
        settings = ("--redis", self.redis.url, "--web", str(web), "--forwarded-from", "127.0.0.1", *UNLIMITED)

        def start(folder: Path) -> ServerProcess:
            folder.mkdir()
            worker = ServerProcess(folder, *settings)
            self.workers.append(worker)
            return worker

        with ThreadPoolExecutor(count) as pool:
            return list(pool.map(start, folders))


def health(http: str) -> dict[str, Any]:
    """Return the health report of a worker, or of any worker behind the proxy."""
    answer: dict[str, Any] = httpx.get(f"{http}/healthz", trust_env=False, timeout=TIMEOUT_SECONDS).json()
    return answer


def make_pages(folder: Path, version: str) -> Path:
    """Write a small web client: its two files, and a script whose name changes with its content."""
    (folder / "assets").mkdir(parents=True)
    script = f"main-{version * 8}.js"
    for page in ("index.html", "table.html"):
        (folder / page).write_text(f"<!doctype html><script src=/assets/{script}></script>")
    (folder / "assets" / script).write_text(f"// {version}\n" * 1000)
    return folder
