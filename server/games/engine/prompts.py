"""What a seat may answer: the one description that the rules judge by, the page draws and a bot walks.

A prompt is a list of choices; a choice is a command with a space for each of its fields. A space is a short
list where that is small (`OneOf`) and a description where a list would be thousands long (`SomeOf`: these
cheques, three at most, more than 50). An answer is legal exactly when some choice of the prompt admits it:
there is no second judge, so what is drawn, what is sampled and what is accepted cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import ceil, gcd
from operator import or_
from types import MappingProxyType
from typing import ClassVar, NamedTuple, Protocol, TypeGuard

from server.games.engine.serialization import Json, Serializable, is_whole, to_json
from server.model import Refused

Value = int | str


class Rng(Protocol):
    """The part of `random.Random` that sampling needs; rules have no source of chance of their own."""

    def randrange(self, stop: int, /) -> int: ...


class Command(Serializable):
    """What a seat asks for. A field that a choice does not name stays None."""

    __slots__ = ()
    tag: ClassVar[str | None] = "do"


class Space(Protocol):
    """The answers that one field of a command may take."""

    def read(self, answer: object) -> object:
        """Give the answer as the command's field holds it; raise `Unfit` for what the space does not hold."""
        ...

    def sample(self, rng: Rng) -> object: ...

    def to_json(self) -> Json: ...


class Unfit(ValueError):
    """An answer lies outside its space; the message says why to a person."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """Exactly one of the listed values."""

    values: tuple[Value, ...]

    def read(self, answer: object) -> Value:
        return _one_of(answer, self.values)

    def sample(self, rng: Rng) -> Value:
        values = self.values
        return values[rng.randrange(len(values))]

    def to_json(self) -> Json:
        return {"one_of": list(self.values)}


@dataclass(frozen=True, slots=True)
class SomeOf:
    """Some of the listed values, each as often as it is listed; `above`: numbers that add up to more than this."""

    values: tuple[Value, ...]
    least: int = 0
    most: int = 1 << 30
    above: int | None = None

    def read(self, answer: object) -> tuple[Value, ...]:
        if not isinstance(answer, (list, tuple)):
            raise Unfit("a list is expected")
        if not self.least <= len(answer) <= min(self.most, len(self.values)):
            raise Unfit(f"choose {_span(self.least, min(self.most, len(self.values)))}, not {len(answer)}")
        left = list(self.values)
        for value in answer:
            if not _is_value(value) or value not in left:
                raise Unfit(f"{_quoted(value)} is not among what you may choose from")
            left.remove(value)
        if self.above is not None and _total(answer) <= self.above:
            raise Unfit(f"{_total(answer)} is not enough; more than {self.above} is needed")
        return tuple(answer)

    def sample(self, rng: Rng) -> tuple[Value, ...]:
        left = list(self.values)
        most = min(self.most, len(left))
        size = self.least + rng.randrange(most - self.least + 1)
        chosen = [left.pop(rng.randrange(len(left))) for _ in range(size)]
        if self.above is None or _total(chosen) > self.above:
            return tuple(chosen)
        # Too little: take the largest that remain until it is enough, giving the smallest back when hands are full.
        left.sort()
        chosen.sort()
        while _total(chosen) <= self.above:
            if len(chosen) == most:
                del chosen[0]
            chosen.append(left.pop())
        return tuple(chosen)

    def to_json(self) -> Json:
        described: dict[str, Json] = {"some_of": list(self.values), "least": self.least}
        described["most"] = min(self.most, len(self.values))
        if self.above is not None:
            described["above"] = self.above
        return described


@dataclass(frozen=True, slots=True)
class Pair:
    """A key and one of the values listed under it, such as a stick and where it may go."""

    groups: Mapping[Value, tuple[Value, ...]]

    def read(self, answer: object) -> tuple[Value, Value]:
        if not isinstance(answer, (list, tuple)) or len(answer) != 2:
            raise Unfit("a pair is expected")
        key, value = answer
        group = self.groups[_one_of(key, self.groups)]
        return key, _one_of(value, group)

    def sample(self, rng: Rng) -> tuple[Value, Value]:
        keys = tuple(self.groups)
        key = keys[rng.randrange(len(keys))]
        values = self.groups[key]
        return key, values[rng.randrange(len(values))]

    def to_json(self) -> Json:
        # Pairs rather than a mapping: JSON would turn a number that is a key into a text.
        return {"pairs": [[key, list(values)] for key, values in self.groups.items()]}


@dataclass(frozen=True, slots=True)
class Amounts:
    """A whole number for each key, each up to its own most, in steps; together at least `least`."""

    most: Mapping[int, int]
    step: int = 1
    least: int = 0

    def read(self, answer: object) -> tuple[int, ...]:
        if not isinstance(answer, (list, tuple)) or len(answer) != len(self.most):
            raise Unfit(f"a list of {len(self.most)} numbers is expected")
        for number, most in zip(answer, self.most.values(), strict=True):
            if not is_whole(number) or not 0 <= number <= most or number % self.step:
                raise Unfit(f"{_quoted(number)} is not a number from 0 to {most} in steps of {self.step}")
        if sum(answer) < self.least:
            raise Unfit(f"{sum(answer)} in all is not enough; at least {self.least} is needed")
        return tuple(answer)

    def sample(self, rng: Rng) -> tuple[int, ...]:
        amounts = [rng.randrange(most // self.step + 1) * self.step for most in self.most.values()]
        for position, most in enumerate(self.most.values()):
            if sum(amounts) < self.least:
                amounts[position] = most - most % self.step
        return tuple(amounts)

    def to_json(self) -> Json:
        return {
            "amounts": [[key, most] for key, most in self.most.items()],
            "step": self.step,
            "least": self.least,
        }


@dataclass(frozen=True, slots=True)
class Shares:
    """Some of the listed numbers handed out to keys, so that each key gets at least its due."""

    values: tuple[int, ...]
    dues: Mapping[int, int]

    def read(self, answer: object) -> tuple[tuple[int, ...], ...]:
        if not isinstance(answer, (list, tuple)) or len(answer) != len(self.dues):
            raise Unfit(f"{len(self.dues)} lists are expected")
        for share in answer:
            if not isinstance(share, (list, tuple)):
                raise Unfit("a list of lists is expected")
        SomeOf(self.values).read([value for share in answer for value in share])
        for share, due in zip(answer, self.dues.values(), strict=True):
            if sum(share) < due:
                raise Unfit(f"{sum(share)} is less than the {due} that is due")
        return tuple(tuple(share) for share in answer)

    def sample(self, rng: Rng) -> tuple[tuple[int, ...], ...]:
        shares = covering_shares(self.values, tuple(self.dues.values()))
        assert shares is not None, "a choice that nobody can make was offered"
        return shares

    def to_json(self) -> Json:
        return {"shares": list(self.values), "dues": [[key, due] for key, due in self.dues.items()]}


def covering_shares(values: Sequence[int], dues: Sequence[int]) -> tuple[tuple[int, ...], ...] | None:
    """Give a way to hand out values that covers every due, each in its turn as closely as can be, or None."""
    left = sorted(values)
    shares = []
    for position in range(len(dues)):
        share = _closest_cover(left, dues[position:])
        if share is None:
            return None
        for value in share:
            left.remove(value)
        shares.append(share)
    return tuple(shares)


def _closest_cover(values: Sequence[int], dues: Sequence[int]) -> tuple[int, ...] | None:
    """Give the values with the smallest sum that cover the first due and leave enough for the others.

    A large hand can be handed out in more ways than anybody can go through. But ways with the same sums are alike
    here, and the last due gets whatever is left. So a way is a few sums, read as the digits of a number, and all
    ways that can be reached are the bits of one large number.
    """
    unit = gcd(*values) or 1
    coins = [value // unit for value in values]
    *needs, rest = (ceil(due / unit) for due in (dues if len(dues) > 1 else (*dues, 0)))
    spare = sum(coins) - sum(needs) - rest
    if spare < 0:
        return None
    weights = [(sum(coins) + 1) ** place for place in reversed(range(len(needs)))]
    ways = [1]  # those that can be reached with no coin, with the first, with the first two, ...
    for coin in coins:
        ways.append(reduce(or_, (ways[-1] << coin * weight for weight in weights), ways[-1]))
    # A cover that cannot spare any of its coins exceeds its due by less than the largest of them.
    for excess in product(range(max(coins, default=1)), repeat=len(needs)):
        way = sum((need + more) * weight for need, more, weight in zip(needs, excess, weights, strict=True))
        if sum(excess) <= spare and ways[-1] >> way & 1:
            return tuple(
                value for value, key in zip(values, _traced(way, ways, coins, weights), strict=True) if key == 0
            )
    return None


def _traced(way: int, ways: Sequence[int], coins: Sequence[int], weights: Sequence[int]) -> list[int | None]:
    """Give to which due each coin goes on a way that can be reached; None for a coin that goes to none of them."""
    keys: list[int | None] = []
    for coin, before in zip(reversed(coins), reversed(ways[:-1]), strict=True):
        key = None
        if not before >> way & 1:
            moves = [way - coin * weight for weight in weights]
            key = next(key for key, earlier in enumerate(moves) if earlier >= 0 and before >> earlier & 1)
            way = moves[key]
        keys.append(key)
    return keys[::-1]


class Choice(NamedTuple):
    """One way to answer: a command, and a space for each of its fields."""

    command: type[Command]
    spaces: Mapping[str, Space] = MappingProxyType({})

    def to_json(self) -> Json:
        return {"do": self.command.name, **{name: space.to_json() for name, space in self.spaces.items()}}


class Prompt(NamedTuple):
    """All that one seat may answer to one decision, and what is played for it when its time has run out.

    Several choices may share a command: the same question asked in different ways.
    """

    choices: tuple[Choice, ...]
    fallback: Command

    def admit(self, command: Command) -> Refused | None:
        """Give nothing if the command is legal, else the refusal."""
        refusal = None
        for kind, spaces in self.choices:
            if kind is type(command):
                refusal = _misfit(spaces, command)
                if refusal is None:
                    return None
        return refusal or self._not_offered(command.name)

    def read(self, json_value: object) -> Command | Refused:
        """Give the legal command that a plain value from outside describes, or the refusal."""
        if not isinstance(json_value, dict) or not isinstance(json_value.get("do"), str):
            return Refused("malformed_command", 'A command is an object with a text under "do".')
        read: Command | Refused | None = None
        for choice in self.choices:
            if choice.command.name == json_value["do"]:
                read = self._read_choice(choice, json_value)
                if isinstance(read, Command):
                    return read
        return read or self._not_offered(json_value["do"])

    def sample(self, rng: Rng) -> Command:
        """Give some legal command: first a choice, all alike likely, then a value for each field."""
        choices = self.choices
        kind, spaces = choices[0] if len(choices) == 1 else choices[rng.randrange(len(choices))]
        values = {}
        for name, space in spaces.items():  # not a comprehension, which would be a call of its own
            values[name] = space.sample(rng)
        return kind(**values)

    def to_json(self) -> Json:
        return {"choices": [choice.to_json() for choice in self.choices], "fallback": to_json(self.fallback)}

    def _read_choice(self, choice: Choice, json_value: dict[object, object]) -> Command | Refused:
        if json_value.keys() - {"do"} != choice.spaces.keys():
            needed = _listed(tuple(choice.spaces)) or "nothing"
            return Refused("malformed_command", f'"{choice.command.name}" needs {needed} besides "do".')
        values = {}
        for name, space in choice.spaces.items():
            try:
                values[name] = space.read(json_value[name])
            except Unfit as unfit:
                return Refused("illegal_choice", f"{name.capitalize()}: {unfit}.")
        return choice.command(**values)

    def _not_offered(self, name: str) -> Refused:
        offered = _listed(tuple(dict.fromkeys(choice.command.name for choice in self.choices)))
        return Refused("not_offered", f"{_quoted(name)} cannot be done now; possible now: {offered}.")


def _misfit(spaces: Mapping[str, Space], command: Command) -> Refused | None:
    for name in command.__match_args__:
        value = getattr(command, name)
        space = spaces.get(name)
        if space is None:
            if value is not None:
                return Refused("illegal_choice", f"{name.capitalize()} is not asked for now.")
            continue
        try:
            space.read(value)
        except Unfit as unfit:
            return Refused("illegal_choice", f"{name.capitalize()}: {unfit}.")
    return None


def _one_of(answer: object, values: Collection[Value]) -> Value:
    if _is_value(answer) and answer in values:
        return answer
    raise Unfit(f"{_quoted(answer)} is not open to you; possible now: {_listed(tuple(values))}")


def _is_value(answer: object) -> TypeGuard[Value]:
    # By exact type: Python counts True as 1 and 1.0 as 1, the wire does not.
    return type(answer) is int or type(answer) is str


def _total(numbers: Sequence[Value]) -> int:
    return sum(number for number in numbers if isinstance(number, int))


def _quoted(answer: object) -> str:
    return f'"{answer[:40]}"' if isinstance(answer, str) else str(answer)[:40]


def _listed(values: tuple[Value, ...]) -> str:
    shown = ", ".join(str(value) for value in values[:12])
    return f"{shown} and {len(values) - 12} more" if len(values) > 12 else shown


def _span(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"
