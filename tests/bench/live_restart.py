"""The time from a restart to the first move, with many tables in the database."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from protocol.messages import TableSettings
from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.events import Event
from server.games.engine.play import begin
from server.games.registry import game_named
from server.lobby.identity import Identity
from server.model import Refused, User
from server.store.sqlite import SqliteStore
from server.tables.entries import write_entry
from server.tables.events import GameStarted, SeatReady, SeatTaken, TableOpened
from server.tables.state import TableState, opened
from server.tables.summary import pack_summary
from tests.bench.bench_server import our_server
from tests.bench.dialects.ours import Decider, connect
from tests.bench.load import LoadTable

GAME, SEATS, DECISIONS = "investors", 3, 60


async def first_move_after_restart(tables: int, cores: set[int]) -> float:
    """Return the seconds from the start of a server to the reply to a move at one of its many tables."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        folder = Path(made)
        tokens = await stored(folder / "tables.db", tables)
        start = time.perf_counter()
        with our_server(cores, folder) as server:
            table = LoadTable()
            table.id = f"table{tables // 2}"
            table.movers = [Decider(table, seat, random.Random(seat)) for seat in range(len(tokens))]
            for mover, token in zip(table.movers, tokens, strict=True):
                await connect(mover, server.port, token)
                shown = mover.expect_view()
                mover.watch()
                await shown
            asked = next(mover for mover in table.movers if mover.prompt is not None)
            number, prompt = asked.prompt
            await asked.request("decide", table=table.id, decision=number, command=prompt["fallback"])
            waited = time.perf_counter() - start
            table.close()
    return waited


async def stored(path: Path, tables: int) -> list[str]:
    """Write a database with so many running games of the same three people; return their tokens."""
    store = await SqliteStore.open(path, "fast")
    try:
        identity = Identity(store.key_values)
        guests = [await identity.guest() for _ in range(SEATS)]
        for number in range(tables):
            state, entries = _game(f"table{number}", [user for user, _ in guests], random.Random(number % 20))
            await store.create(state.id, state.phase, pack_summary(state), entries)
        return [token for _, token in guests]
    finally:
        await store.close()


def _game(table: str, users: list[User], rng: random.Random) -> tuple[TableState, list[bytes]]:
    game, seed = game_named(GAME), rng.randbytes(SEED_BYTES)
    settings = TableSettings(game=GAME, seats=SEATS, absence_seconds=None)
    first = TableOpened(table, game.rules_version, settings.model_dump_json(), users[0].id, "key", 1_767_225_600_000)
    seated: list[Event] = [first]
    for seat, user in enumerate(users):
        seated += [SeatTaken(seat, user.id, user.name), SeatReady(seat, True)]
    dice = Dice(seed)
    play, step = begin(game, SEATS, {option.name: option.default for option in game.options}, dice)
    steps: list[list[Event]] = [seated, [GameStarted(seed.hex(), "digest"), *step]]
    while len(steps) < DECISIONS and play.decision is not None:
        seat = play.awaited[0]
        answered = play.answer(seat, play.number, play.decision.prompts[seat].sample(rng), dice)
        assert not isinstance(answered, Refused), answered
        play, step = answered
        steps.append(list(step))
    state = opened(first)
    for number, events in enumerate(steps):
        state.apply(events[1:] if number == 0 else events)
    return state, [write_entry(events, first.created) for events in steps]
