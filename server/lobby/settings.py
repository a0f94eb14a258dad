"""Whether a table can be opened with what its host has chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protocol.messages import TableSettings
from server.games.engine.game import Game
from server.games.engine.options import BadOption, OptionValue, read_options
from server.games.registry import UnknownGame, game_named
from server.model import Refused


def read_settings(settings: TableSettings) -> TableSettings | Refused:
    """Give the settings with a value for every option of the game, or say what is wrong with them."""
    try:
        game = game_named(settings.game)
        options = read_options(game.options, settings.options)
    except (UnknownGame, BadOption) as reason:
        return Refused("bad_settings", str(reason))
    if settings.seats not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        return Refused("bad_settings", f"This game has {least} to {most} seats, not {settings.seats}.")
    contradiction = game.check_options(settings.seats, options)
    if contradiction is not None:
        return Refused("bad_settings", contradiction)
    json_value = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
    return settings.model_copy(update={"options": json_value})


def has_default_options(game: Game[Any], options: Mapping[str, OptionValue]) -> bool:
    """Tell whether somebody who has not looked at the options will find the game as expected."""
    try:
        return read_options(game.options, options) == read_options(game.options, {})
    except BadOption:
        return False
