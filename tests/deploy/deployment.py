"""A whole installation on this machine: nginx as it is deployed, before workers as they are deployed, on one Redis."""

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

from tests.gateway.process import ROOT, ServerProcess
from tests.scenarios.people import UNLIMITED
from tests.store.redis_server import RedisServer

DEPLOY = ROOT / "deploy"
PATIENCE_SECONDS = 20.0


def need(program: str, package: str) -> None:
    """Fail, and say in one sentence what is missing: a test that passes where nothing was tested tells a lie."""
    found = shutil.which(program)
    assert found is not None, f"{program} is needed: install it (on Debian or Ubuntu: sudo apt install {package})."


def nginx_program() -> str:
    """Return the path of nginx, which is fetched if necessary."""
    found = subprocess.run([ROOT / ".make" / "nginx"], capture_output=True, text=True, check=False, timeout=300)
    # Says in one sentence what is missing.
    assert found.returncode == 0, found.stderr
    return found.stdout.strip()


class Nginx:
    """nginx with deploy/nginx.conf; only ports and folders are others than on a machine of its own."""

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
        """Start it before these workers, and come back when it listens."""
        self._list(workers)
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            self.port, self.tls_port = _free_port(), _free_port()
            (self._folder / "nginx.conf").write_text(self._configuration())
            with (self._folder / "nginx.stderr").open("ab") as complaints:
                self._process = subprocess.Popen(self._command(), stderr=complaints)
            while self._process.poll() is None:
                if _listens(self.port):
                    return
                time.sleep(0.02)
            # Another process may have taken a port meanwhile.
            assert time.monotonic() < end, self.complaints()

    def reload(self, workers: list[ServerProcess]) -> None:
        """Pass requests to these workers from now on, as an operator makes it do."""
        self._list(workers)
        subprocess.run([*self._command(), "-s", "reload"], check=True, capture_output=True, timeout=PATIENCE_SECONDS)

    def complaints(self) -> str:
        return "".join(path.read_text() for path in self._folder.glob("nginx.*") if path.suffix in (".stderr", ".log"))

    def end(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(PATIENCE_SECONDS)

    def _command(self) -> list[str]:
        directives = f"daemon off; pid {self._folder}/nginx.pid;"
        if os.getuid() == 0:
            # The folder is nobody else's.
            directives += " user root;"
        return [self._program, "-p", str(self._folder), "-c", str(self._folder / "nginx.conf"), "-g", directives]

    def _list(self, workers: list[ServerProcess]) -> None:
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
        # Where nginx keeps what it cannot keep in memory is compiled in, and needs its package to be installed.
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        places = "".join(f"    {kind}_temp_path {self._folder}/{kind};\n" for kind in kinds)
        return text.replace("http {\n", f"http {{\n{places}", 1).replace("error.log", "nginx.log")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Deployment:
    """Redis, workers and nginx. Use it as a context manager: all of them are ended."""

    def __init__(self, folder: Path, certificate: Path | None = None) -> None:
        self.folder = folder
        # On a socket in a folder instead of a port; the rest is as deployed.
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

        def begin(folder: Path) -> ServerProcess:
            folder.mkdir()
            worker = ServerProcess(folder, *settings)
            self.workers.append(worker)
            return worker

        with ThreadPoolExecutor(count) as pool:
            return list(pool.map(begin, folders))


def health(http: str) -> dict[str, Any]:
    """Return the health report of a worker, or of any worker behind the proxy."""
    answer: dict[str, Any] = httpx.get(f"{http}/healthz", trust_env=False, timeout=PATIENCE_SECONDS).json()
    return answer


def make_pages(folder: Path, version: str) -> Path:
    """Make a small client: a page, and a script whose name changes with its content."""
    (folder / "assets").mkdir(parents=True)
    script = f"main-{version * 8}.js"
    (folder / "index.html").write_text(f"<!doctype html><script src=/assets/{script}></script>")
    (folder / "assets" / script).write_text(f"// {version}\n" * 1000)
    return folder
