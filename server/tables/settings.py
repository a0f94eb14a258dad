"""Checks of the settings that a host chooses for a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from protocol.messages import TableSettings
from server.games.engine.game import Game
from server.games.engine.options import BadOption, OptionValue, read_options
from server.games.registry import UnknownGame, game_named
from server.model import Refused, User
from server.tables.pace import is_day_clock
from server.tables.results import refused
from server.text import BadText, clean_name

MAX_TABLE_NAME_LENGTH: Final = 40


def read_settings(settings: TableSettings) -> TableSettings | Refused:
    """Return the settings with a value for every option of the game and a sanitized name, or the refusal.

    A rated table has no hints, and one that is played by the day no bank for absence.
    """
    try:
        game = game_named(settings.game)
        options = read_options(game.options, settings.options)
        name = None if settings.name is None else clean_name(settings.name, MAX_TABLE_NAME_LENGTH)
    except (UnknownGame, BadOption, BadText) as reason:
        return Refused("bad_settings", str(reason))
    if settings.seats not in game.seats:
        sentence = f"This game has {game.seats[0]} to {game.seats[-1]} seats, not {settings.seats}."
        return Refused("bad_settings", sentence, "seats", {"least": game.seats[0], "most": game.seats[-1]})
    contradiction = game.check_options(settings.seats, options)
    if contradiction is not None:
        return Refused("bad_settings", contradiction)
    if settings.sealed_on_devices and not game.seals_answers:
        sentence = "This game has no sealed answers that could stay on devices."
        return Refused("bad_settings", sentence, "unsealed")
    if settings.spectators_delayed and settings.delayed_view is None:
        return Refused("bad_settings", "Spectators cannot be delayed without a delay.", "delay")
    json_value = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
    hints = "none" if settings.rated else settings.hints
    read = {"options": json_value, "name": name, "hints": hints}
    by_pace = {"absence_seconds": None} if is_day_clock(settings.clock) else {"holiday_days": 0}
    return settings.model_copy(update=read | by_pace)


def not_rated(user: User, settings: TableSettings) -> Refused | None:
    """Return the refusal of a guest who would play for ratings."""
    return refused("not_rated") if settings.rated and user.handle is None else None


_DEFAULTS: Final = TableSettings(game="", seats=0).model_dump(mode="json")


def completed(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored settings as JSON, with the defaults of those that older versions did not know."""
    return {**_DEFAULTS, **settings}


def has_default_options(game: Game[Any], options: Mapping[str, OptionValue]) -> bool:
    """Return whether all options have their default values."""
    try:
        return read_options(game.options, options) == read_options(game.options, {})
    except BadOption:
        return False
