"""The wheel contains the built client."""

import sys
import zipfile
from pathlib import Path
from subprocess import run

from tests.web.node import ROOT, run_node


def test_the_wheel_contains_the_built_client(tmp_path: Path) -> None:
    run_node("sh", "../.make/web")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    built = run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if name.startswith("server/web/")}
        pages = [archive.read(f"server/web/{page}").decode() for page in ("index.html", "table.html")]
    assets = {name.removeprefix("server/web") for name in names if "/assets/" in name}
    assert {"server/web/favicon.svg", "server/web/index.html.br", "server/web/table.html.gz"} <= names
    assert "server/web/.stamp" not in names
    # The pages refer to no missing asset.
    assert {part for page in pages for part in page.split('"') if part.startswith("/assets/")} <= assets


def test_an_installed_server_finds_its_page(tmp_path: Path) -> None:
    (tmp_path / "server" / "web").mkdir(parents=True)
    for part in ("server", "protocol"):
        for file in (ROOT / part).rglob("*.py"):
            copy = tmp_path / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    shown = run(
        [
            sys.executable,
            "-P",
            "-c",
            "from server.config import Settings; import sys; sys.stdout.write(str(Settings().web))",
        ],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert shown.stdout == str(tmp_path / "server" / "web"), shown.stderr
