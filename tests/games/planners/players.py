"""Players for tests: one without a plan, and some with just enough of one to see every end of the game."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple, Protocol

from server.games.dice import Dice
from server.games.game import Seat
from server.games.options import read_options
from server.games.planners.commands import Confirm, Discard, Draw, Finalize, Lay, Place, Release
from server.games.planners.components import CARDS
from server.games.planners.state import State
from server.games.play import Play, Step, begin
from server.games.prompt import Command, Prompt, Refused
from tests.games.planners import GAME


class Player(Protocol):
    """Answers every prompt of a game; it may look at everything, for it is no opponent."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, luck: random.Random) -> Command: ...


class Uniform:
    """Takes any choice as gladly as any other: throws half of its cards away."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, luck: random.Random) -> Command:
        return prompt.sample(luck)


class Absent:
    """Is never there: whatever is asked, the fallback is played."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, luck: random.Random) -> Command:
        return prompt.fallback


class Keen:
    """Places what it can and takes long columns: builds, connects and has every bonus."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, luck: random.Random) -> Command:
        ideas = [prompt.sample(luck) for _ in range(4)]
        return max(ideas, key=lambda idea: self._liking(play.state, idea))

    def _liking(self, state: State, idea: Command) -> int:
        match idea:
            case Finalize(column):
                return 2 * len(state.columns[column]) - 5
            case Discard() | Release():
                return -1
        return 0


class Filler:
    """Seats that act together so that a city is full before the foundations are out.

    Foundations go to a column of their own, which nobody takes; so do cards that seat 0 has no space for. All others go
    to seat 0, one by one, and it places them all.
    """

    def answer(self, play: Play, seat: Seat, prompt: Prompt, luck: random.Random) -> Command:
        state: State = play.state
        offered = {choice.command for choice in prompt.choices}
        if Lay in offered:
            card = state.stage.card  # type: ignore[attr-defined]
            return Lay(0 if CARDS[card].foundation or not state.cities[0].rows_for(card) else 1)
        if Draw in offered:
            wanted = seat == 0 and len(state.columns[1]) > state.contracts[0]
            return Finalize(1) if wanted else Draw()
        return prompt.sample(luck) if not offered & {Place, Confirm} else prompt.fallback


class Game(NamedTuple):
    """A game as far as it was played."""

    play: Play
    steps: list[Step]
    answers: list[tuple[str, Command]]
    """What each answer was about, and the answer."""


Watch = Callable[[Play, Step], None]


def played(
    player: Player,
    *,
    seats: int,
    seed: int,
    watch: Watch | None = None,
    undo: bool = False,
    **options: object,
) -> Game:
    """Play a game to its end. `watch` sees every step. With `undo`, the first step that can be taken back is."""
    dice, luck = Dice(seed.to_bytes(32, "big")), random.Random(seed)
    play, step = begin(GAME, seats, read_options(GAME.options, options), dice)
    log = [step]
    answers = []
    while play.decision is not None:
        if watch is not None:
            watch(play, log[-1])
        (seat,) = play.awaited
        if undo and play.past:
            undo = False
            play, step = _accepted(play.undo(seat, play.number))
        else:
            command = player.answer(play, seat, play.decision.prompts[seat], luck)
            answers.append((play.decision.about, command))
            play, step = _accepted(play.answer(seat, play.number, command, dice))
        log.append(step)
    if watch is not None:
        watch(play, log[-1])
    return Game(play, log, answers)


def _accepted(result: tuple[Play, Step] | Refused) -> tuple[Play, Step]:
    assert not isinstance(result, Refused), result
    return result
