"""The files in deploy agree with the project, with the server's settings, and with each other."""

from __future__ import annotations

import posixpath
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from server.config import PREFIX, Settings, described
from tests.deploy.deployment import DEPLOY, need
from tests.gateway.process import ROOT

DOCKERFILE = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
COMPOSE = (DEPLOY / "compose.yaml").read_text()
NGINX = (DEPLOY / "nginx.conf").read_text()
UNIT = DEPLOY / "sanfrancisco@.service"
ENVIRONMENT = (DEPLOY / "sanfrancisco.env").read_text()


def setting_names() -> set[str]:
    return {f"{PREFIX}{name.upper()}" for name, _ in described()}


# -- settings -------------------------------------------------------------------------------------------------


def test_every_setting_is_in_the_example_with_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = re.findall(r"^#(SANFRANCISCO_[A-Z_]+)=(.*)$", ENVIRONMENT, re.MULTILINE)
    assert sorted(name for name, _ in lines) == sorted(setting_names())
    # The number of processors and the place of the built client differ from machine to machine.
    machine = ("BOT_WORKERS", "WEB")
    defaults = Settings()
    for name, value in lines:
        if not name.endswith(machine):
            monkeypatch.setenv(name, value)
    assert Settings.read({}) == defaults


@pytest.mark.parametrize("name", ["Dockerfile", "compose.yaml", "nginx.conf", "sanfrancisco@.service", "RUNBOOK.md"])
def test_no_file_names_a_setting_that_does_not_exist(name: str) -> None:
    assert set(re.findall(r"SANFRANCISCO_[A-Z_]+", (DEPLOY / name).read_text())) <= setting_names()


def seconds(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    assert found is not None
    return int(found[1])


def test_stop_timeouts_exceed_the_drain_time_of_the_server() -> None:
    defaults = Settings()
    assert seconds(r"/socket \{[^}]*proxy_read_timeout (\d+)s", NGINX) > 2 * defaults.ping_seconds
    assert seconds(r"TimeoutStopSec=(\d+)", UNIT.read_text()) > defaults.drain_seconds
    assert seconds(r"&worker\n(?:.*\n)*?  stop_grace_period: (\d+)s", COMPOSE) > defaults.drain_seconds
    assert seconds(r"limit_conn addresses (\d+)", NGINX) == defaults.http_connections_per_address
    assert seconds(r"nofile: (\d+)", COMPOSE) > 2 * defaults.connections
    assert seconds(r"LimitNOFILE=(\d+)", UNIT.read_text()) > 2 * defaults.connections
    assert seconds(r"worker_connections (\d+)", NGINX) > 2 * defaults.connections


# -- container image ------------------------------------------------------------------------------------------


def copies(dockerfile: str = DOCKERFILE) -> list[str]:
    """Return all files that the image, or a part of it, is made of."""
    lines = re.findall(r"^COPY (?!--from)(.*)$", dockerfile, re.MULTILINE)
    return [source for line in lines for source in line.split()[:-1]]


def test_everything_that_the_image_is_made_of_exists_and_is_sent_along() -> None:
    sent = re.findall(r"^!(.*)$", (DEPLOY / "Dockerfile.dockerignore").read_text(), re.MULTILINE)
    for source in copies():
        assert (ROOT / source).exists(), source
        assert any(source == each or source.startswith(f"{each}/") for each in sent), source


def test_the_image_has_whatever_the_wheel_is_made_of() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    # The built client comes from its own build stage.
    wheel = {*project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]} - {"web/dist"}
    about = {project["project"]["readme"], *project["project"]["license-files"], "pyproject.toml"}
    assert wheel | about <= set(copies())
    assert "COPY --from=web /src/web/dist ./web/dist" in DOCKERFILE


def test_the_client_is_built_from_all_its_sources() -> None:
    # The inputs that trigger a new build of the client are the files that it is built from.
    needed = re.search(r"find (.*) -type f", (ROOT / ".make/web").read_text())
    assert needed is not None
    inputs = {posixpath.normpath(f"web/{name}") for name in needed[1].split()}
    # The rules to read and the data of the games are not in the folder of the client.
    assert {"server/games/*/RULES*.md", "server/games/*/*.json"} <= inputs
    copied = copies(DOCKERFILE.partition("RUN node build.mjs")[0])
    assert {name for name in inputs if not any(f"{name}/".startswith(f"{source}/") for source in copied)} == set()


def test_the_image_does_not_run_as_root() -> None:
    last_stage = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.findall(r"^USER (.*)$", last_stage, re.MULTILINE) == ["10001:10001"]


def test_the_runtime_lock_has_what_the_server_needs_and_no_tools_of_developers() -> None:
    def names(*more: str) -> set[str]:
        command = [sys.executable, ROOT / ".make/runtime-lock", *more]
        text = subprocess.run(command, check=True, capture_output=True, text=True, timeout=20).stdout
        assert all(entry.count("--hash=sha256:") for entry in re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:])
        return set(re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE))

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    dependencies = {re.split(r"[^a-z0-9-]", each)[0] for each in project["project"]["dependencies"]}
    assert dependencies | {"hiredis", "pydantic-core", "anyio"} <= names()
    assert not names() & {*project["dependency-groups"]["dev"], "pluggy", "mypy-extensions"}
    assert names("hatchling") - names() >= {"hatchling", "pluggy", "pathspec"}


# -- compose --------------------------------------------------------------------------------------------------


def test_the_files_that_compose_mounts_exist() -> None:
    mounted = set(re.findall(r"- \./([\w.-]+):", COMPOSE))
    # The operator provides the certificate.
    assert mounted == {"nginx.conf", "redis.conf", "tls"}
    assert all((DEPLOY / name).is_file() for name in mounted - {"tls"})
    assert "context: ..\n    dockerfile: deploy/Dockerfile" in COMPOSE


def test_the_proxy_of_compose_knows_the_workers_and_they_know_the_proxy() -> None:
    services = dict(re.findall(r"^  ([a-z0-9-]+):\n((?:    .*\n|\n)+)", COMPOSE, re.MULTILINE))
    addresses = {name: re.findall(r"ipv4_address: ([\d.]+)", text) for name, text in services.items()}
    workers = {address for name, found in addresses.items() if name.startswith("worker-") for address in found}
    assert len(workers) >= 2
    listed = re.findall(r"server ([\d.]+):8000 ", services["workers"])
    assert set(listed) == workers
    assert f"SANFRANCISCO_FORWARDED_FROM: {addresses['proxy'][0]}\n" in COMPOSE


def test_compose_passes_requests_to_workers_as_the_list_for_systemd_does() -> None:
    def described_in(text: str) -> str:
        block = text[text.index("upstream workers") :]
        block = re.sub(r" *#.*\n", "", block[: block.index("}")])
        return " ".join(re.sub(r"[\d.]+:\d+", "ADDRESS", block).split())

    assert described_in(COMPOSE) == described_in((DEPLOY / "workers.conf").read_text())


# -- systemd --------------------------------------------------------------------------------------------------


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """Return the unit, with the command of this environment in place of an installed one."""
    if sys.platform != "linux":
        pytest.skip("systemd is of Linux alone")
    need("systemd-analyze", "systemd")
    path = tmp_path / "sanfrancisco@8001.service"
    installed = "/opt/sanfrancisco/bin/sanfrancisco"
    text = UNIT.read_text()
    assert installed in text
    path.write_text(text.replace(installed, str(Path(sys.executable).with_name("sanfrancisco"))))
    return path


def test_systemd_understands_the_unit(unit: Path) -> None:
    command = ["systemd-analyze", "verify", "--recursive-errors=no", "--man=no", unit]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert "sanfrancisco" not in said.stderr
    assert said.returncode == 0, said.stderr


def test_the_unit_may_do_little(unit: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=25", "--no-pager", unit]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert "Overall exposure level" in said.stdout
    assert said.returncode == 0, said.stdout
