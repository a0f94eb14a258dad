"""Standing orders: what a seat has said beforehand about decisions that it will owe.

A game declares the kinds of orders that fit its decisions. Each kind is a pure function of the fields that a person
has filled in, and of what the seat is asked and may know; it never sees the state. What it returns is only a proposal:
the prompt admits it or refuses it, like the answer of a person.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from protocol.commitments import canonical_json
from server.games.engine.commands import Command
from server.games.engine.events import Seat
from server.games.engine.options import BadOption, Limit, Option, OptionValue, Pick
from server.games.engine.prompts import Prompt, Space
from server.games.engine.serialization import BadJson, Json, JsonReader, to_json

PREPARED = "prepared"
"""The kind of order that every game with orders has: a whole command for the next decision of a kind."""

MAX_COMMAND_LENGTH = 1_000
"""Characters of a prepared command as JSON; games need a third of it."""

Values = Mapping[str, Any]
"""The fields of an order, by name."""


class Situation(NamedTuple):
    """What a seat is asked, and what it may know of the game."""

    seat: Seat
    kind: str
    """The kind of the decision."""

    prompt: Prompt
    view: Mapping[str, Any]

    def offered(self, command: type[Command]) -> Mapping[str, Space] | None:
        """Return the spaces of the first choice with this command; None if it is not offered."""
        return next((choice.spaces for choice in self.prompt.choices if choice.command is command), None)


Answer = Callable[[Values, Situation], Command | None]


class CommandField(NamedTuple):
    """A field that holds a command of the game, as JSON."""

    name: str
    reader: JsonReader

    def read(self, given: object) -> dict[str, Json]:
        try:
            command = to_json(self.reader.read("do", given))
        except BadJson as reason:
            raise BadOption(f"Field {self.name}: {reason}.") from None
        if len(canonical_json(command)) > MAX_COMMAND_LENGTH:
            raise BadOption(f"Field {self.name}: the command is longer than any game needs.")
        return command

    def to_json(self) -> Json:
        return {"name": self.name, "kind": "command"}


class OrderKind(NamedTuple):
    """A kind of order."""

    name: str
    fields: tuple[Option | CommandField, ...]
    answer: Answer
    """Return the answer; None where the order does not concern the decision, or leaves it to the person."""

    continues: frozenset[str] = frozenset()
    """Decisions within a turn that the order does not answer where the person has begun the turn.

    It answers no decision of such a turn that can be taken back, so those need not be named.
    """

    is_sealed: bool = False
    """The order answers sealed decisions."""

    def read(self, given: Values) -> dict[str, OptionValue | dict[str, Json]]:
        """Return a value for every field, given or default; raise `BadOption` for a value that does not fit."""
        names = {field.name for field in self.fields}
        for name in given:
            if name not in names:
                raise BadOption(f"An order of the kind {self.name} has no field {name[:40]!r}.")
        values: dict[str, OptionValue | dict[str, Json]] = {}
        for field in self.fields:
            if field.name in given:
                values[field.name] = field.read(given[field.name])
            elif isinstance(field, CommandField):
                raise BadOption(f"An order of the kind {self.name} needs the field {field.name}.")
            else:
                values[field.name] = field.default
        return values

    def to_json(self) -> Json:
        return {
            "kind": self.name,
            "fields": [field.to_json() for field in self.fields],
            "sealed": self.is_sealed,
        }


class OrderRules(NamedTuple):
    """The orders of a game. `period` is the part of its progress that an order can be limited to, such as the round."""

    kinds: tuple[OrderKind, ...]
    period: str | None = None

    def kind_named(self, name: str) -> OrderKind | None:
        return next((kind for kind in self.kinds if kind.name == name), None)

    def to_json(self) -> Json:
        return {"kinds": [kind.to_json() for kind in self.kinds], "period": self.period}


def prepared_kind(commands: Sequence[type[Command]], decisions: tuple[str, ...]) -> OrderKind:
    """Return the kind of order that holds a whole command for the next of these decisions, none of them sealed."""
    about = Pick("about", "The kind of decision that the command answers.", decisions, decisions[0])
    command = CommandField("command", JsonReader(commands))

    def answer(values: Values, situation: Situation) -> Command | None:
        if situation.kind != values["about"]:
            return None
        read = command.reader.read("do", values["command"])
        assert isinstance(read, Command)
        return read

    return OrderKind(PREPARED, (about, command), answer)


def any_of(name: str, help_text: str, values: Sequence[str]) -> Pick:
    """Return a field for one of these values; the first is the default."""
    return Pick(name, help_text, tuple(values), values[0])


def up_to(name: str, help_text: str, maximum: int, default: int) -> Limit:
    """Return a field for a number from 0."""
    return Limit(name, help_text, 0, maximum, default)
