"""Logs on disk: one file per game, written completely or not at all, never over another file."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import BinaryIO

import pytest

from server.games.engine.game_log import read_log
from server.games.engine.options import read_options
from server.tools import log_folder
from server.tools.log_folder import LogFolder, NoPlaceForLogs
from server.tools.simulate import PlayedGame, random_game
from tests.games.toys import MOSAIC, TOYS


def game_number(number: int) -> PlayedGame:
    return random_game(MOSAIC, 2, read_options(MOSAIC.options, {}), seed=6, number=number)


def test_every_game_gets_a_file_that_can_be_read_back(tmp_path: Path) -> None:
    folder = LogFolder(tmp_path / "new", MOSAIC, seed=6, games=10)
    for number in range(1, 11):
        folder.write(game_number(number))
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [
        f"mosaic-6-{number:02}.log" for number in range(1, 11)
    ]
    log = read_log(folder.path(3).read_text("ascii"), TOYS)
    assert list(log.steps) == game_number(3).steps


def test_a_file_that_is_there_already_is_noticed_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "mosaic-6-3.log").write_text("mine")
    with pytest.raises(NoPlaceForLogs, match=r"mosaic-6-3\.log exists already"):
        LogFolder(tmp_path, MOSAIC, seed=6, games=5)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


def test_a_link_that_leads_nowhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mosaic-6-1.log").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NoPlaceForLogs, match="exists already"):
        LogFolder(tmp_path, MOSAIC, seed=6, games=1)


def test_a_file_that_appears_later_is_not_written_over_either(tmp_path: Path) -> None:
    folder = LogFolder(tmp_path, MOSAIC, seed=6, games=1)
    folder.path(1).write_text("mine")
    with pytest.raises(NoPlaceForLogs, match="could not be written: File exists"):
        folder.write(game_number(1))
    assert folder.path(1).read_text() == "mine"


def test_a_full_disk_leaves_no_partial_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class FullDisk:
        def __init__(self, file: BinaryIO) -> None:
            self._file = file

        def write(self, content: bytes) -> None:
            self._file.write(content[: len(content) // 2])

        def flush(self) -> None:
            self._file.flush()
            raise OSError(errno.ENOSPC, "No space left on device")

    write_all = log_folder._write_all
    monkeypatch.setattr(log_folder, "_write_all", lambda file, content, path: write_all(FullDisk(file), content, path))
    folder = LogFolder(tmp_path, MOSAIC, seed=6, games=1)
    with pytest.raises(NoPlaceForLogs, match="could not be written: No space left on device"):
        folder.write(game_number(1))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_used_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path / "file", tmp_path / "no" / "such" / "folder"):
        with pytest.raises(NoPlaceForLogs, match=f"Logs cannot be written to {folder}: .*[.]"):
            LogFolder(folder, MOSAIC, seed=6, games=1)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
