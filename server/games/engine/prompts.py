"""Prompts: everything that a seat may answer to a decision.

A prompt is a list of choices; a choice is a command with a space for each of its fields. A space is a list where it is
short (`OneOf`) and a description where a list would have thousands of entries (`SomeOf`: of these cheques, at most
three, together more than 50). An answer is legal exactly if some choice of the prompt admits it. Rules, pages and bots
use the same description, so what is drawn, what is sampled and what is accepted cannot differ.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeGuard

from server.games.engine.commands import Command
from server.games.engine.frozen import frozen
from server.games.engine.serialization import Json, is_whole, to_json
from server.games.engine.shares import can_cover, covering_shares
from server.model import Refused

__all__ = [
    "Amounts",
    "Choice",
    "Command",
    "OneOf",
    "Pair",
    "Payable",
    "Prompt",
    "Rng",
    "Shares",
    "SomeOf",
    "Space",
    "Unfit",
    "Value",
]

Value = int | str


class Rng(Protocol):
    """The method of `random.Random` that sampling needs; rules have no random source of their own."""

    def randrange(self, stop: int, /) -> int: ...


class Space(Protocol):
    """The values that one field of a command may take."""

    def read(self, answer: object) -> object:
        """Return the answer as a value of the command's field; raise `Unfit` if it is outside the space."""
        ...

    def sample(self, rng: Rng) -> object: ...

    def to_json(self) -> Json: ...


class Unfit(ValueError):
    """An answer is outside its space; the message tells a person why."""


@frozen
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


@frozen
class SomeOf:
    """Some of the listed values, each as often as it is listed; `above`: numbers that add up to more than this."""

    values: tuple[Value, ...]
    minimum: int = 0
    maximum: int = 1 << 30
    above: int | None = None

    def read(self, answer: object) -> tuple[Value, ...]:
        if not isinstance(answer, (list, tuple)):
            raise Unfit("a list is expected")
        if not self.minimum <= len(answer) <= min(self.maximum, len(self.values)):
            raise Unfit(f"choose {_span(self.minimum, min(self.maximum, len(self.values)))}, not {len(answer)}")
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
        maximum = min(self.maximum, len(left))
        size = self.minimum + rng.randrange(maximum - self.minimum + 1)
        chosen = [left.pop(rng.randrange(len(left))) for _ in range(size)]
        if self.above is None or _total(chosen) > self.above:
            return tuple(chosen)
        # Too little: add the largest that remain until the sum is enough, dropping the smallest at the maximum count.
        left.sort()
        chosen.sort()
        while _total(chosen) <= self.above:
            if len(chosen) == maximum:
                del chosen[0]
            chosen.append(left.pop())
        return tuple(chosen)

    def to_json(self) -> Json:
        described: dict[str, Json] = {"some_of": list(self.values), "least": self.minimum}
        described["most"] = min(self.maximum, len(self.values))
        if self.above is not None:
            described["above"] = self.above
        return described


@frozen
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
        # Pairs rather than a mapping, since keys of JSON objects are strings.
        return {"pairs": [[key, list(values)] for key, values in self.groups.items()]}


@frozen
class Amounts:
    """A whole number for each key, each up to its own maximum, in steps; together at least `minimum`."""

    maximum: Mapping[int, int]
    step: int = 1
    minimum: int = 0

    def read(self, answer: object) -> tuple[int, ...]:
        if not isinstance(answer, (list, tuple)) or len(answer) != len(self.maximum):
            raise Unfit(f"a list of {len(self.maximum)} numbers is expected")
        for number, maximum in zip(answer, self.maximum.values(), strict=True):
            if not is_whole(number) or not 0 <= number <= maximum or number % self.step:
                raise Unfit(f"{_quoted(number)} is not a number from 0 to {maximum} in steps of {self.step}")
        if sum(answer) < self.minimum:
            raise Unfit(f"{sum(answer)} in all is not enough; at least {self.minimum} is needed")
        return tuple(answer)

    def sample(self, rng: Rng) -> tuple[int, ...]:
        amounts = [rng.randrange(maximum // self.step + 1) * self.step for maximum in self.maximum.values()]
        for position, maximum in enumerate(self.maximum.values()):
            if sum(amounts) < self.minimum:
                amounts[position] = maximum - maximum % self.step
        return tuple(amounts)

    def to_json(self) -> Json:
        return {
            "amounts": [[key, maximum] for key, maximum in self.maximum.items()],
            "step": self.step,
            "least": self.minimum,
        }


@frozen
class Shares:
    """A distribution of some of the listed numbers among keys: each key gets at least its due, nothing if it has none.

    All shares together have at most `maximum` numbers.
    """

    values: tuple[int, ...]
    dues: Mapping[int, int]
    maximum: int = 1 << 30

    def read(self, answer: object) -> tuple[tuple[int, ...], ...]:
        if not isinstance(answer, (list, tuple)) or len(answer) != len(self.dues):
            raise Unfit(f"{len(self.dues)} lists are expected")
        for share in answer:
            if not isinstance(share, (list, tuple)):
                raise Unfit("a list of lists is expected")
        SomeOf(self.values, maximum=self.maximum).read([value for share in answer for value in share])
        for share, due in zip(answer, self.dues.values(), strict=True):
            if sum(share) < due:
                raise Unfit(f"{sum(share)} is less than the {due} that is due")
            if share and not due:
                raise Unfit("nothing is due to one of them")
        return tuple(tuple(share) for share in answer)

    def sample(self, rng: Rng) -> tuple[tuple[int, ...], ...]:
        shares = covering_shares(self.values, tuple(self.dues.values()), self.maximum)
        assert shares is not None, "a choice that nobody can make was offered"
        return shares

    def to_json(self) -> Json:
        return {
            "shares": list(self.values),
            "dues": [[key, due] for key, due in self.dues.items()],
            "most": min(self.maximum, len(self.values)),
        }


@frozen
class Payable:
    """A condition on two fields of a command together: something is promised, and the listed numbers can give it.

    `amounts` and `draws` are the names of the fields, each with a number for each key. Every key can get some of the
    listed numbers that add up to its amount at least, and as many numbers are left as all draws together.
    """

    values: tuple[int, ...]
    amounts: str = "amounts"
    draws: str = "draws"

    def check(self, amounts: Sequence[int], draws: Sequence[int]) -> None:
        """Raise `Unfit` if the condition does not hold."""
        if not sum(amounts) + sum(draws):
            raise Unfit("nothing is promised")
        if not can_cover(self.values, amounts, len(self.values) - sum(draws)):
            raise Unfit("that is more than there is to give")

    def sample(self, spaces: Mapping[str, Space], rng: Rng) -> dict[str, tuple[int, ...]]:
        """Return random values of both fields: each listed number is paid to somebody, left to be drawn, or kept."""
        space = spaces[self.amounts]
        assert isinstance(space, Amounts)
        keys, step = len(space.maximum), space.step
        sums, draws = [0] * keys, [0] * keys
        for value in self.values:
            use = rng.randrange(2 * keys + 1)
            if use < keys:
                sums[use] += value
            elif use < 2 * keys:
                draws[use - keys] += 1
        if not any(sums) and not any(draws):
            draws[rng.randrange(keys)] = 1
        amounts = [total and (1 + rng.randrange(total // step)) * step for total in sums]
        return {self.amounts: tuple(amounts), self.draws: tuple(draws)}

    def to_json(self) -> dict[str, Json]:
        """Return what is added to the description of the draws."""
        return {"beside": self.amounts, "payable": list(self.values)}


class Choice(NamedTuple):
    """A command that a seat may choose, a space for each of its fields, and perhaps a condition on two of them."""

    command: type[Command]
    spaces: Mapping[str, Space] = MappingProxyType({})
    condition: Payable | None = None

    def to_json(self) -> Json:
        described: dict[str, Any] = {"do": self.command.name}
        described |= {name: space.to_json() for name, space in self.spaces.items()}
        if self.condition is not None:
            described[self.condition.draws] |= self.condition.to_json()
        return described


class Prompt(NamedTuple):
    """Everything that one seat may answer to a decision, and the fallback that is played when its time runs out.

    Several choices may have the same command, with different spaces.
    """

    choices: tuple[Choice, ...]
    fallback: Command

    def admit(self, command: Command) -> Refused | None:
        """Return None if the command is legal, else the refusal."""
        refusal = None
        for kind, spaces, condition in self.choices:
            if kind is type(command):
                refusal = _misfit(spaces, command)
                if refusal is None and condition is not None:
                    refusal = _unmet(condition, to_json(command))
                if refusal is None:
                    return None
        return refusal or self._not_offered(command.name)

    def read(self, json_value: object) -> Command | Refused:
        """Return the legal command that an untrusted JSON value describes, or the refusal."""
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
        """Return a random legal command: a choice with equal probability, then a value for each field."""
        choices = self.choices
        kind, spaces, condition = choices[0] if len(choices) == 1 else choices[rng.randrange(len(choices))]
        if not spaces:
            return kind()
        values = {}
        for name, space in spaces.items():  # a comprehension would cost another call
            values[name] = space.sample(rng)
        if condition is not None:
            values.update(condition.sample(spaces, rng))
        return kind(**values)

    @property
    def has_one_answer(self) -> bool:
        """Return whether exactly one answer is legal, which is the fallback."""
        return len(self.choices) == 1 and all(map(_has_one_value, self.choices[0].spaces.values()))

    def to_json(self) -> Json:
        return {"choices": [choice.to_json() for choice in self.choices], "fallback": to_json(self.fallback)}

    def _read_choice(self, choice: Choice, json_value: dict[object, object]) -> Command | Refused:
        if json_value.keys() - {"do"} != choice.spaces.keys():
            needed = _listed(tuple(choice.spaces)) or "nothing"
            return Refused("malformed_command", f'"{choice.command.name}" needs {needed} besides "do".')
        values: dict[str, Any] = {}
        for name, space in choice.spaces.items():
            try:
                values[name] = space.read(json_value[name])
            except Unfit as unfit:
                return Refused("illegal_choice", f"{name.capitalize()}: {unfit}.")
        unmet = None if choice.condition is None else _unmet(choice.condition, values)
        return unmet or choice.command(**values)

    def _not_offered(self, name: str) -> Refused:
        offered = _listed(tuple(dict.fromkeys(choice.command.name for choice in self.choices)))
        return Refused("not_offered", f"{_quoted(name)} is not possible now; possible now: {offered}.")


def _has_one_value(space: Space) -> bool:
    match space:
        case OneOf(values):
            return len(values) == 1
        case SomeOf(values):
            return not values
        case Pair(groups):
            return [len(values) for values in groups.values()] == [1]
        case Shares(values, dues):
            return len(values) <= 1 or not any(dues.values())
    return False


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


def _unmet(condition: Payable, values: Mapping[str, Any]) -> Refused | None:
    try:
        condition.check(values[condition.amounts], values[condition.draws])
    except Unfit as unfit:
        return Refused("illegal_choice", f"{condition.amounts.capitalize()} and {condition.draws}: {unfit}.")
    return None


def _one_of(answer: object, values: Collection[Value]) -> Value:
    if _is_value(answer) and answer in values:
        return answer
    raise Unfit(f"{_quoted(answer)} is not possible; possible now: {_listed(tuple(values))}")


def _is_value(answer: object) -> TypeGuard[Value]:
    # By exact type, since True == 1 and 1.0 == 1 in Python, but not on the wire.
    return type(answer) is int or type(answer) is str


def _total(numbers: Sequence[Value]) -> int:
    return sum(number for number in numbers if isinstance(number, int))


def _quoted(answer: object) -> str:
    return f'"{answer[:40]}"' if isinstance(answer, str) else str(answer)[:40]


def _listed(values: tuple[Value, ...]) -> str:
    shown = ", ".join(str(value) for value in values[:12])
    return f"{shown} and {len(values) - 12} more" if len(values) > 12 else shown


def _span(minimum: int, maximum: int) -> str:
    return str(minimum) if minimum == maximum else f"{minimum} to {maximum}"
