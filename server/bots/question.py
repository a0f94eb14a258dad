"""Questions as JSON values: taken from a seat's view of a table, sent to a worker process, and read back.

Everything that a strategy learns comes through here from the view of one seat, in this server and in a remote client.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from server.bots.strategy import BotChoice, Question, Style
from server.games.engine.options import read_options
from server.games.engine.prompts import Amounts, Choice, Command, OneOf, Pair, Payable, Prompt, Shares, SomeOf, Space
from server.games.engine.serialization import JsonReader, to_json
from server.games.registry import game_named


def question_from_view(view: Mapping[str, Any], style: str | None = None) -> dict[str, Any]:
    """Return the question that a view of a table puts to its own seat, as JSON values that must not be changed."""
    settings, play = view["table"]["settings"], view["play"]
    return {
        "game": settings["game"],
        "options": settings["options"],
        "seat": view["mine"],
        "view": play["game"],
        "about": play["decision"]["about"],
        "prompt": play["decision"]["prompt"],
        "style": style,
    }


def read_question(json_value: Mapping[str, Any]) -> Question:
    """Return the question that `question_from_view` wrote."""
    return Question(
        json_value["game"],
        read_options(game_named(json_value["game"]).options, json_value["options"]),
        json_value["seat"],
        json_value["view"],
        json_value["about"],
        read_prompt(json_value["game"], json_value["prompt"]),
        None if json_value.get("style") is None else Style(json_value["style"]),
    )


def choice_to_json(choice: BotChoice) -> dict[str, Any]:
    """Return a choice as JSON values."""
    reason = choice.reason
    return {
        "command": to_json(choice.command),
        "reason": None if reason is None else {"key": reason.key, "values": dict(reason.values)},
    }


def read_prompt(game: str, json_value: Mapping[str, Any]) -> Prompt:
    """Return the prompt that `Prompt.to_json` wrote; it admits the same commands."""
    choices = tuple(_choice(game, choice) for choice in json_value["choices"])
    fallback = _reader(game).read("do", json_value["fallback"])
    assert isinstance(fallback, Command)
    return Prompt(choices, fallback)


def _choice(game: str, json_value: Mapping[str, Any]) -> Choice:
    described = {name: space for name, space in json_value.items() if name != "do"}
    conditions = (
        Payable(tuple(space["payable"]), space["beside"], name)
        for name, space in described.items()
        if "payable" in space
    )
    spaces = {name: _space(space) for name, space in described.items()}
    return Choice(_commands(game)[json_value["do"]], spaces, next(conditions, None))


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
        case {"some_of": values, "least": minimum, "most": maximum}:
            return SomeOf(tuple(values), minimum, maximum, json_value.get("above"))
        case {"pairs": groups}:
            return Pair({key: tuple(values) for key, values in groups})
        case {"amounts": maxima, "step": step, "least": minimum}:
            return Amounts(dict(maxima), step, minimum)
        case {"shares": values, "dues": dues, "most": maximum}:
            return Shares(tuple(values), dict(dues), maximum)
    raise AssertionError(f"not a space of a prompt: {json_value}")
