"""Non-interference: no byte that an observer receives from the server depends on secrets of others.

Two servers that differ only in secrets (hands, decks, seeds, sealed answers, chat of others) get the same requests on
one virtual clock. As long as a separate specification allows both to disclose the same to the observer, every frame
must be the same: its bytes, its order and its time. The observer is a seat or a spectator, with connections that stay,
that resume, and that read too slowly, or a stranger who sees only the lists. The metrics must be the same, too.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from typing import Any

from protocol.messages import TableSettings
from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.events import Viewer
from server.games.engine.game import Game
from server.games.engine.options import read_options
from server.games.engine.play import Step, begin
from tests.games.playing import accepted, by_chance, moved, sampled_options
from tests.games.secrecy import Secrets, SplicedDice
from tests.scenarios.random_activity import RandomActivity
from tests.scenarios.server_pair import SETTLED_SECONDS, STRANGER, SearchStatistics, ServerPair
from tests.scenarios.server_under_test import TABLE, ServerUnderTest, ideal_commitments, open_server, person
from tests.tables.virtual_time import run_in_virtual_time

MAX_LENGTH = 200
"""The maximum of answers before the position from which a pair begins."""

BEGINNING_CHANCE, BEGINNING_TRIES = 0.25, 60


def search(
    game: Game[Any],
    secrets: Secrets,
    seed: str,
    pairs: int,
    make: type[ServerUnderTest] = ServerUnderTest,
    **settings: Any,
) -> SearchStatistics:
    """Compare pairs of servers and return the statistics; raise `Leak` for the first pair that differs.

    Settings that are not given are random.
    """
    statistics = SearchStatistics()
    with ideal_commitments():
        for number in range(pairs):
            rng = random.Random(f"{seed}/{number}")
            run_in_virtual_time(_compare_a_pair(game, secrets, rng, statistics, make, settings))
    return statistics


# -- pairs ----------------------------------------------------------------------------------------------------


async def _compare_a_pair(
    game: Game[Any],
    secrets: Secrets,
    rng: random.Random,
    statistics: SearchStatistics,
    server_class: type[ServerUnderTest],
    given: Mapping[str, Any],
) -> None:
    seats = rng.choice(game.seats)
    viewer = rng.choice((None, *range(seats)))
    settings = TableSettings.model_validate(
        {
            "game": game.name,
            "seats": seats,
            "options": sampled_options(game, seats, rng),
            "clock": rng.choice(({"kind": "none"}, {"kind": "bank", "seconds": 60, "increment": 5})),
            "absence_seconds": rng.choice((None, 120)),
            "time_up": "fallback",
            "show_decided": rng.random() < 0.5,
            "sealed_on_devices": game.seals_answers and rng.random() < 0.4,
            **given,
        }
    )
    from_the_start = rng.random() < BEGINNING_CHANCE
    make = _pair_from_start if from_the_start else _pair_from_position
    servers = await make(game, secrets, settings, viewer, rng, server_class)
    if servers is None:
        return
    statistics.pairs += 1
    pair = ServerPair(*servers, viewer, secrets, rng)
    try:
        await RandomActivity(pair, rng, statistics, may_restart=from_the_start).run()
    finally:
        statistics.frames += pair.compared
        for server in servers:
            await server.close()


async def _pair_from_start(
    game: Game[Any],
    secrets: Secrets,
    settings: TableSettings,
    viewer: Viewer,
    rng: random.Random,
    make: type[ServerUnderTest],
) -> tuple[ServerUnderTest, ServerUnderTest] | None:
    """Return two servers whose games began with different dice, but disclosed the same; both load from their logs."""
    options = read_options(game.options, settings.options)
    for _ in range(BEGINNING_TRIES):
        seed, other_seed = rng.randbytes(SEED_BYTES), rng.randbytes(SEED_BYTES)
        dice = Dice(seed)
        _, step = begin(game, settings.seats, options, dice)
        _, other_step = begin(game, settings.seats, options, SplicedDice(other_seed, dice, str(rng.random())))
        if _learned(secrets, step, viewer) == _learned(secrets, other_step, viewer):
            return await _open_pair(settings, (step, other_step), (seed, other_seed), viewer, make)
    return None


async def _pair_from_position(
    game: Game[Any],
    secrets: Secrets,
    settings: TableSettings,
    viewer: Viewer,
    rng: random.Random,
    make: type[ServerUnderTest],
) -> tuple[ServerUnderTest, ServerUnderTest] | None:
    """Return two servers at some position of a game, where all that the observer cannot know differs."""
    seed, other_seed = rng.randbytes(SEED_BYTES), rng.randbytes(SEED_BYTES)
    dice = Dice(seed)
    play, first = begin(game, settings.seats, read_options(game.options, settings.options), dice)
    positions = [play]
    while play.decision is not None and len(positions) < MAX_LENGTH:
        play, _ = accepted(moved(play, by_chance(play, rng), dice))
        positions.append(play)
    play = rng.choice(positions[:-1])
    left, right = await _open_pair(settings, (first, first), (seed, other_seed), viewer, make)
    await asyncio.gather(_load(left), _load(right))
    left.put(play, dice, seed)
    right.put(secrets.scrambled(play, viewer, rng), Dice(other_seed), other_seed)
    return left, right


async def _open_pair(
    settings: TableSettings,
    steps: tuple[Step, Step],
    seeds: tuple[bytes, bytes],
    viewer: Viewer,
    make: type[ServerUnderTest],
) -> tuple[ServerUnderTest, ServerUnderTest]:
    # Seats know the key of the invite link; spectators must not learn it.
    keys = ("a" * 32, "a" * 32 if viewer is not None else "b" * 32)
    opening = (open_server(settings, *given, person(viewer), make) for given in zip(steps, seeds, keys, strict=True))
    left, right = await asyncio.gather(*opening)
    return left, right


def _learned(secrets: Secrets, step: Step, viewer: Viewer) -> list[object]:
    return [fact for event in step if (fact := secrets.learned(event, viewer)) is not None]


async def _load(server: ServerUnderTest) -> None:
    """Load the table into memory."""
    line = server.connect(STRANGER)
    line.send("watch", id="load", table=TABLE)
    await asyncio.sleep(SETTLED_SECONDS)
    line.disconnect()
    await asyncio.sleep(SETTLED_SECONDS)
