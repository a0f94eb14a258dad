"""A second reading of prompts: which commands are legal, judged from the JSON of a prompt alone.

The rules judge by their own spaces. These functions look only at the sent description, as a page or a bot does, and
are written independently; tests compare the two. `near_misses` returns the commands worth comparing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

Described = dict[str, Any]


def describes(prompt: Described, command: object) -> bool:
    """Return whether a prompt, as it was sent, offers a command."""
    return any(_choice_describes(choice, command) for choice in prompt["choices"])


def _choice_describes(choice: Described, command: object) -> bool:
    return (
        isinstance(command, dict)
        and command.keys() == choice.keys()
        and _alike(command["do"], choice["do"])
        and all(space_describes(choice[name], command[name]) for name in choice if name != "do")
        and all(_can_give(space, command[space["beside"]], command[name]) for name, space in _payable(choice))
    )


def _payable(choice: Described) -> list[tuple[str, Described]]:
    return [(name, space) for name, space in choice.items() if name != "do" and "payable" in space]


def _can_give(space: Described, amounts: list[int], draws: list[int]) -> bool:
    """Return whether something is promised, and enough numbers are left when the largest are given for the amounts."""
    left = sorted(space["payable"])
    missing = {tuple(amounts)}
    while left and not any(map(_is_given, missing)):
        number = left.pop()
        missing = {
            (*each[:key], max(0, each[key] - number), *each[key + 1 :]) for each in missing for key in range(len(each))
        }
    is_promise = any(amounts) or any(draws)
    return is_promise and any(map(_is_given, missing)) and len(left) >= sum(draws)


def _is_given(missing: tuple[int, ...]) -> bool:
    return not any(missing)


def space_describes(space: Described, answer: object) -> bool:
    """Return whether a space, as it was sent, offers an answer."""
    match space:
        case {"one_of": values}:
            return any(_alike(value, answer) for value in values)
        case {"some_of": values, "least": least, "most": most}:
            return _is_list(answer, least, most) and _is_part(answer, values) and _is_enough(answer, space)
        case {"pairs": groups}:
            return any(
                _is_list(answer, 2, 2) and _alike(key, answer[0]) and any(_alike(value, answer[1]) for value in values)
                for key, values in groups
            )
        case {"amounts": amounts, "step": step, "least": least}:
            return (
                _is_list(answer, len(amounts), len(amounts))
                and all(
                    type(number) is int and number in range(0, most + 1, step)
                    for number, (_, most) in zip(answer, amounts, strict=True)
                )
                and sum(answer) >= least
            )
        case {"shares": values, "dues": dues, "most": most}:
            return (
                _is_list(answer, len(dues), len(dues))
                and all(_is_list(share, 0, len(values)) for share in answer)
                and _is_part([value for share in answer for value in share], values)
                and sum(map(len, answer)) <= most
                and all(sum(share) >= due for share, (_, due) in zip(answer, dues, strict=True))
                and not any(share and not due for share, (_, due) in zip(answer, dues, strict=True))
            )
    raise AssertionError(f"no page knows how to draw {space}")


def _is_enough(answer: Any, space: Described) -> bool:
    return "above" not in space or sum(answer) > space["above"]


def _is_list(answer: object, least: int, most: int) -> bool:
    return isinstance(answer, list) and least <= len(answer) <= most


def _is_part(answer: Any, values: list[Any]) -> bool:
    """Return whether every value of the answer is listed, as often as it is answered."""
    return all(type(value) in (int, str) for value in answer) and Counter(answer) <= Counter(values)


def _alike(one: object, other: object) -> bool:
    """Return whether two values are equal and of the same type, since True == 1 in Python."""
    return type(one) is type(other) and one == other


NONSENSE: tuple[object, ...] = (None, True, False, -1, 0, 10**9, 1.5, "", "nonsense", [], [[]], [None], {}, {"do": 1})


def near_misses(command: Described, names: Iterable[str]) -> Iterator[object]:
    """Yield variations of the JSON of a command: most of them illegal, some legal by chance.

    `names` are the names of all commands of the game.
    """
    yield from NONSENSE
    for name in (*names, "nonsense", None, 7, ["sit"]):
        if name != command["do"]:
            yield {**command, "do": name}
    yield {**command, "extra": 1}
    for field, value in command.items():
        yield {name: part for name, part in command.items() if name != field}
        if field != "do":
            yield from ({**command, field: other} for other in (*NONSENSE, *_neighbours(value)))


def _neighbours(value: object) -> Iterator[object]:
    """Yield values that are easily confused with this one."""
    if type(value) is int:
        yield from (value + 1, value - 1, -value, float(value), str(value), [value], bool(value))
    elif type(value) is str:
        yield from (value + " ", value.upper(), value[:-1], [value])
    elif type(value) is list:
        yield from (value[::-1], value + value, value + value[:1], value[:-1], value[1:], [value])
        for position, part in enumerate(value):
            for other in _neighbours(part):
                yield [*value[:position], other, *value[position + 1 :]]
