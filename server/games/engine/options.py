"""Options of a game, agreed before it begins; a page draws them from their JSON and reads values from text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from server.games.engine.frozen import frozen
from server.games.engine.serialization import Json

OptionValue = bool | int | str | None | tuple[str, ...]


class BadOption(ValueError):
    """A value does not fit its option; the message is a sentence."""


@frozen
class Flag:
    """Yes or no."""

    name: str
    help: str
    default: bool = False

    def read(self, given: object) -> bool:
        if isinstance(given, bool):
            return given
        if isinstance(given, str) and given.lower() in ("yes", "true", "on", "1"):
            return True
        if isinstance(given, str) and given.lower() in ("no", "false", "off", "0"):
            return False
        raise BadOption(f"Option {self.name} is yes or no, not {given!r}.")

    def to_json(self) -> Json:
        return {"name": self.name, "kind": "flag", "help": self.help, "default": self.default}


@frozen
class Limit:
    """A whole number in a range, or none at all where `none` is allowed."""

    name: str
    help: str
    minimum: int
    maximum: int
    default: int | None
    none: bool = False
    unless: str | None = None
    """The name of another option; where that one has a value, this one must have none."""

    def read(self, given: object) -> int | None:
        if self.none and (given is None or given == "none"):
            return None
        if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) < 10:
            given = int(given)
        if type(given) is int and self.minimum <= given <= self.maximum:
            return given
        or_none = " or none" if self.none else ""
        raise BadOption(
            f"Option {self.name} is a number from {self.minimum} to {self.maximum}{or_none}, not {given!r}."
        )

    def to_json(self) -> Json:
        unless: dict[str, Json] = {} if self.unless is None else {"unless": self.unless}
        return {
            "name": self.name,
            "kind": "limit",
            "help": self.help,
            "least": self.minimum,
            "most": self.maximum,
            "default": self.default,
            "none": self.none,
            **unless,
        }


@frozen
class Pick:
    """One of several named values."""

    name: str
    help: str
    values: tuple[str, ...]
    default: str
    each: tuple[str, ...] = ()
    """Things that can have values of their own: a list with the value of each, in this order, fits as well."""

    def read(self, given: object) -> str | tuple[str, ...]:
        if isinstance(given, str) and given in self.values:
            return given
        if self.each:
            return self._read_each(given)
        raise BadOption(f"Option {self.name} is one of {', '.join(self.values)}, not {given!r}.")

    def _read_each(self, given: object) -> str | tuple[str, ...]:
        listed = [part.strip() for part in given.split(",")] if isinstance(given, str) else given
        values = tuple(listed) if isinstance(listed, (list, tuple)) else ()
        if len(values) != len(self.each) or any(value not in self.values for value in values):
            things = f"{len(self.each)} of them for {', '.join(self.each)}"
            raise BadOption(f"Option {self.name} is one of {', '.join(self.values)}, or {things}, not {given!r}.")
        return values[0] if len(set(values)) == 1 else values

    def to_json(self) -> Json:
        each: dict[str, Json] = {"each": list(self.each)} if self.each else {}
        return {
            "name": self.name,
            "kind": "pick",
            "help": self.help,
            "values": list(self.values),
            "default": self.default,
            **each,
        }


@frozen
class Cards:
    """A list of `size` cards, each at most as often as the supply has it; an empty list leaves the choice to chance."""

    name: str
    help: str
    size: int
    supply: Mapping[str, int]
    default: tuple[str, ...] = ()

    def read(self, given: object) -> tuple[str, ...]:
        if isinstance(given, str):
            given = [part.strip() for part in given.split(",") if part.strip()]
        if not isinstance(given, (list, tuple)):
            raise BadOption(f"Option {self.name} is a list of cards, not {given!r}.")
        chosen = tuple(given)
        for card in chosen:
            if not isinstance(card, str) or card not in self.supply:
                raise BadOption(f"Option {self.name}: there is no card {card!r}; there are {', '.join(self.supply)}.")
            if chosen.count(card) > self.supply[card]:
                raise BadOption(f"Option {self.name}: there are only {self.supply[card]} of {card}.")
        if chosen and len(chosen) != self.size:
            raise BadOption(f"Option {self.name} needs {self.size} cards, not {len(chosen)}.")
        return tuple(sorted(chosen, key=list(self.supply).index))

    def to_json(self) -> Json:
        return {
            "name": self.name,
            "kind": "cards",
            "help": self.help,
            "size": self.size,
            "supply": dict(self.supply),
            "default": list(self.default),
        }


Option = Flag | Limit | Pick | Cards


def read_options(options: Sequence[Option], given: Mapping[str, object]) -> dict[str, OptionValue]:
    """Return a value for every option, given or default; raise `BadOption` for a value that does not fit."""
    known = {option.name for option in options}
    for name in given:
        if name not in known:
            raise BadOption(f"There is no option {name!r}; there are {', '.join(sorted(known))}.")
    return {
        option.name: option.read(given[option.name]) if option.name in given else option.default for option in options
    }


def first_seat_option(help_text: str, seats: range) -> Pick:
    """Return the option for the seat that begins: a number, or a random one."""
    return Pick("first_seat", help_text, ("random", *map(str, range(seats.stop - 1))), "random")


def check_first_seat(seats: int, options: Mapping[str, OptionValue]) -> str | None:
    """Return a sentence if the seat that is to begin does not exist in a game with this number of seats."""
    first = str(options["first_seat"])
    if first == "random" or int(first) < seats:
        return None
    return f"Option first_seat: with {seats} players there is no seat {first}."
