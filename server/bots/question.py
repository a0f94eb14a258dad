"""Questions as plain values: taken from what a client gets, sent to another process, and read back.

Whatever a strategy is told, in this server or in a program at the other end of the world, comes through here from the
view of one seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from server.bots.strategy import BotChoice, Question
from server.games.engine.options import read_options
from server.games.engine.prompts import Amounts, Choice, Command, OneOf, Pair, Prompt, Shares, SomeOf, Space
from server.games.engine.serialization import JsonReader, to_json
from server.games.registry import game_named


def asked_in(view: Mapping[str, Any]) -> dict[str, Any]:
    """Give the question that a view of a table puts to its own seat, as plain values that may not be changed."""
    settings, play = view["table"]["settings"], view["play"]
    return {
        "game": settings["game"],
        "options": settings["options"],
        "seat": view["mine"],
        "view": play["game"],
        "about": play["decision"]["about"],
        "prompt": play["decision"]["prompt"],
    }


def read_question(asked: Mapping[str, Any]) -> Question:
    """Give the question that plain values describe."""
    return Question(
        asked["game"],
        read_options(game_named(asked["game"]).options, asked["options"]),
        asked["seat"],
        asked["view"],
        asked["about"],
        read_prompt(asked["game"], asked["prompt"]),
    )


def choice_to_json(chosen: BotChoice) -> dict[str, Any]:
    """Give an answer as plain values."""
    reason = chosen.reason
    return {
        "command": to_json(chosen.command),
        "reason": None if reason is None else {"key": reason.key, "values": dict(reason.values)},
    }


def read_prompt(game: str, json_value: Mapping[str, Any]) -> Prompt:
    """Give the prompt that `Prompt.to_json` wrote; it admits the same commands."""
    commands = _commands(game)
    choices = tuple(
        Choice(commands[choice["do"]], {name: _space(space) for name, space in choice.items() if name != "do"})
        for choice in json_value["choices"]
    )
    fallback = _reader(game).read("do", json_value["fallback"])
    assert isinstance(fallback, Command)
    return Prompt(choices, fallback)


@cache
def _commands(game: str) -> dict[str, type[Command]]:
    return {command.name: command for command in game_named(game).commands}


@cache
def _reader(game: str) -> JsonReader:
    return JsonReader(game_named(game).commands)


def _space(json_value: Mapping[str, Any]) -> Space:
    match json_value:
        case {"one_of": values}:
            return OneOf(tuple(values))
        case {"some_of": values, "least": least, "most": most}:
            return SomeOf(tuple(values), least, most, json_value.get("above"))
        case {"pairs": groups}:
            return Pair({key: tuple(values) for key, values in groups})
        case {"amounts": most, "step": step, "least": least}:
            return Amounts(dict(most), step, least)
        case {"shares": values, "dues": dues}:
            return Shares(tuple(values), dict(dues))
    raise AssertionError(f"no space is written {json_value}")
