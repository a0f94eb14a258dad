"""Players for tests, with just enough strategy to reach every end of the game."""

from __future__ import annotations

import random
from functools import partial

from server.games.engine.game import Seat
from server.games.engine.play import Play
from server.games.engine.prompts import Command, Prompt
from server.games.planners.commands import Confirm, Discard, Draw, Finalize, Lay, Place, Release
from server.games.planners.components import CARDS
from server.games.planners.state import State
from tests.games.planners import GAME
from tests.games.players import played_by


class Keen:
    """A player that places all it can and takes long columns: it builds, connects and gets every bonus."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, rng: random.Random) -> Command:
        ideas = [prompt.sample(rng) for _ in range(4)]
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

    def answer(self, play: Play, seat: Seat, prompt: Prompt, rng: random.Random) -> Command:
        state: State = play.state
        offered = {choice.command for choice in prompt.choices}
        if Lay in offered:
            card = state.stage.card  # type: ignore[attr-defined]
            return Lay(0 if CARDS[card].foundation or not state.cities[0].rows_for(card) else 1)
        if Draw in offered:
            takes = seat == 0 and len(state.columns[1]) > state.contracts[0]
            return Finalize(1) if takes else Draw()
        return prompt.sample(rng) if not offered & {Place, Confirm} else prompt.fallback


played = partial(played_by, GAME)
