"""The commands behind the steps of logs that have events alone: games that go on from others, and old ones.

A command is found by trying: the one whose events agree longest with those in the log. Fields of commands mostly have
the names of the fields of their events, so most are found at once; else short prompts are gone through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Any, Final

from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.events import Event, Seat
from server.games.engine.play import Play
from server.games.engine.prompts import Choice, Command, OneOf, Pair, Prompt, SomeOf, Space

MAX_TRIED: Final = 2_000
"""Commands that are tried for one step."""

_DICE: Final = Dice(bytes(SEED_BYTES))


def command_of_step(before: Play, seat: Seat, events: Sequence[Event]) -> Command | None:
    """Return the command of the one seat that was asked, from the events that followed; None if none fits."""
    assert before.decision is not None
    prompt = before.decision.prompts[seat]
    best: tuple[int, Command | None] = (0, None)
    for command in islice(_likely(prompt, events), MAX_TRIED):
        if prompt.admit(command) is None:
            _, following = before.game.resolve(before.state, {seat: command}, _DICE)
            best = max(best, (_agreeing(following, events), command), key=lambda one: one[0])
    return best[1]


def _agreeing(following: Sequence[Event], events: Sequence[Event]) -> int:
    """Return how many events agree from the first on."""
    number = 0
    for one, other in zip(following, events, strict=False):
        if one != other:
            break
        number += 1
    return number


def _likely(prompt: Prompt, events: Sequence[Event]) -> Iterator[Command]:
    for choice in prompt.choices:
        yield from _from_events(choice, events)
    for choice in prompt.choices:
        yield from _listed(choice)


def _from_events(choice: Choice, events: Sequence[Event]) -> Iterator[Command]:
    for event in events:
        if all(hasattr(event, name) for name in choice.spaces):
            yield choice.command(**{name: getattr(event, name) for name in choice.spaces})


def _listed(choice: Choice) -> Iterator[Command]:
    if choice.condition is not None:
        return
    for values in product(*(_values(space) for space in choice.spaces.values())):
        yield choice.command(**dict(zip(choice.spaces, values, strict=True)))


def _values(space: Space) -> Sequence[Any]:
    match space:
        case OneOf(values):
            return values
        case Pair(groups):
            return [(key, value) for key, values in groups.items() for value in values]
        case SomeOf(values):
            return [(), *((value,) for value in values), values]
    return ()
