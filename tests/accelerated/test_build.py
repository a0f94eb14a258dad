"""A build is used only if it is of this source and for this Python."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from server import acceleration
from server.acceleration import ACCELERATED, MANIFEST, PLAIN, VARIABLE, Extensions, digest, python, use_build

SOURCES = ["server/model.py", "protocol/patch.py"]
DIGEST = digest(SOURCES)


@pytest.fixture(autouse=True)
def _finders_are_put_back(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patches:
        patches.setattr(sys, "meta_path", [*sys.meta_path])
        yield


def build_in(folder: Path, **fields: object) -> dict[str, str]:
    """Write the manifest of a build, and return the environment that chooses it."""
    manifest = {"python": python(), "sources": SOURCES, "modules": ["server.compiled"], **fields}
    manifest.setdefault("digest", DIGEST)
    (folder / MANIFEST).write_text(json.dumps(manifest))
    return {VARIABLE: str(folder)}


def test_a_build_of_this_source_is_used(tmp_path: Path) -> None:
    assert use_build(build_in(tmp_path)).name == ACCELERATED
    finder = sys.meta_path[0]
    assert isinstance(finder, Extensions)
    found = finder.find_spec("server.compiled")
    assert found is not None
    assert found.origin is not None
    assert Path(found.origin).parent == tmp_path
    assert finder.find_spec("server.interpreted") is None


@pytest.mark.parametrize(
    "fields", [{"digest": "of another source"}, {"python": "another"}, {"sources": ["server/gone.py"]}]
)
def test_a_stale_build_is_never_used(
    fields: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = build_in(tmp_path, **fields)
    finders = [*sys.meta_path]
    with pytest.raises(ImportError, match=f"{VARIABLE}: the build in"):
        use_build(environment)
    monkeypatch.setattr(acceleration, "FOLDER", tmp_path)
    build = use_build({})
    assert build.name == PLAIN
    assert build.reason is not None
    assert str(tmp_path) in str(build)
    assert sys.meta_path == finders


def test_a_changed_source_makes_a_build_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules.py").write_text("LIMIT = 3\n")
    monkeypatch.setattr(acceleration, "ROOT", tmp_path)
    environment = build_in(tmp_path, sources=["rules.py"], digest=digest(["rules.py"]))
    assert use_build(environment).name == ACCELERATED
    (tmp_path / "rules.py").write_text("LIMIT = 4\n")
    with pytest.raises(ImportError):
        use_build(environment)


def test_a_build_can_be_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_in(tmp_path)
    monkeypatch.setattr(acceleration, "FOLDER", tmp_path)
    assert use_build({VARIABLE: PLAIN}) == acceleration.Build(PLAIN)


def test_without_a_build_everything_is_plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acceleration, "FOLDER", tmp_path)
    assert use_build({}) == acceleration.Build(PLAIN)
