"""Logs on disk: one file per simulated game, written completely or not at all, never over another file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

from server.games.engine.game import Game
from server.games.engine.game_log import write_log
from server.tools.simulate import PlayedGame


class NoPlaceForLogs(OSError):
    """Logs cannot be written to a folder; the message is a sentence."""


class LogFolder:
    """The folder for the logs of some simulated games. The constructor creates it and checks that it can be used."""

    def __init__(self, folder: Path, game: Game[Any], seed: int, games: int) -> None:
        self._folder = folder
        self._game = game
        self._name = f"{game.name}-{seed}-{{:0{len(str(games))}}}.log"
        existing = next((path for path in map(self.path, range(1, games + 1)) if os.path.lexists(path)), None)
        if existing is not None:
            raise NoPlaceForLogs(f"{existing} exists already; logs never overwrite a file.")
        try:
            folder.mkdir(exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise NoPlaceForLogs(f"Logs cannot be written to {folder}: {error.strerror}.") from None

    def path(self, number: int) -> Path:
        return self._folder / self._name.format(number)

    def write(self, played: PlayedGame) -> None:
        """Write the log of a game; raise `NoPlaceForLogs` and leave no file behind if that fails."""
        path = self.path(played.number)
        text = write_log(self._game, played.steps)
        try:
            with path.open("xb") as file:
                _write_all(file, text.encode(), path)
        except OSError as error:
            raise NoPlaceForLogs(f"{path} could not be written: {error.strerror}.") from None


def _write_all(file: BinaryIO, content: bytes, path: Path) -> None:
    try:
        file.write(content)
        file.flush()
    except BaseException:
        path.unlink()
        raise
