"""A bot's updates of a city lead to the same city as the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from server.bots.planners.city_updates import with_card, with_tracks, with_value
from server.games.engine.dice import Dice
from server.games.engine.prompts import Command
from server.games.planners.city import City
from server.games.planners.commands import Place, TakeDepot, TakeTracks, TakeUniversal, TakeValue
from server.games.planners.components import BONUS_CARDS
from tests.bots.positions import Position, positions
from tests.games.planners import GAME
from tests.games.players import seed_bytes


def grown(city: City, command: Command) -> City | None:
    match command:
        case Place((card, row)):
            return with_card(city, card, row)
        case TakeValue(space):
            return with_value(city, space)
        case TakeTracks(space):
            return with_tracks(city, space)
        case TakeUniversal(row):
            return with_card(city, BONUS_CARDS["universal"], row)
        case TakeDepot(row):
            return with_card(city, BONUS_CARDS["depot"], row)
    return None


def steps() -> Iterator[tuple[Position, Command]]:
    rng = random.Random(1)
    for position in islice(positions(GAME, "growth"), 3_000):
        yield position, position.question.prompt.sample(rng)


def test_every_step_leaves_the_city_that_the_rules_leave() -> None:
    seen = set()
    for position, command in steps():
        state = position.play.state
        city = grown(state.cities[position.seat], command)
        if city is not None:
            after, _ = GAME.resolve(state, {position.seat: command}, Dice(seed_bytes(1)))
            assert after.cities[position.seat] == city
            seen.add(type(command))
    assert seen >= {Place, TakeValue, TakeTracks, TakeUniversal, TakeDepot}
