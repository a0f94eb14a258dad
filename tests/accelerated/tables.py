"""Plays a game at a table in virtual time, and hashes every byte that the table writes: its log and its frames."""

from __future__ import annotations

import hashlib
import random
from typing import Any

from protocol.codec import Encoding, Frame
from server.games.engine.game import Game
from server.model import Done, User
from tests.tables.table_server import PatientBots, Screen, TableServer, pass_time, person
from tests.tables.virtual_time import run_in_virtual_time

CLOCK = {"kind": "bank", "seconds": 600, "increment": 3}


class HashingScreen(Screen):
    """A connection that hashes its frames in both encodings."""

    def __init__(self, user: User) -> None:
        super().__init__(user)
        self.hash = hashlib.sha256()

    def send(self, frame: Frame) -> bool:
        for encoding in Encoding:
            self.hash.update(frame.framed(encoding))
        return super().send(frame)


def at_a_table(game: Game[Any], seed: int) -> dict[str, str]:
    """Play a game of two people and a bot before a spectator; return the hashes of the log and of all frames."""
    return run_in_virtual_time(_play(game, seed))


async def _play(game: Game[Any], seed: int) -> dict[str, str]:
    server = TableServer(bots=PatientBots(pause_seconds=0.5, rng=random.Random(seed)))
    screens = [HashingScreen(person(name)) for name in ("ann", "ben", "pat")]
    table = await server.begin("ann", "ben", bots=1, game=game.name, clock=CLOCK, show_decided=seed % 2 == 0)
    for screen in screens:
        await server.watch(screen.user.id, table, screen)
    rng = random.Random(seed)
    while server.state(table).phase == "running":
        play, people = server.state(table).play, ("ann", "ben")
        awaited = [name for name in people if server.state(table).seat_of(name) in play.awaited]
        if not awaited:
            await pass_time(1)
        for name in awaited:
            await pass_time(rng.randrange(3))
            assert isinstance(await server.play_on(table, name, rng), Done)
    log = hashlib.sha256()
    for entry in await server.store.read(table, 0, 10_000):
        log.update(entry.payload + entry.head)
    await server.registry.close()
    frames = {f"frames to {screen.user.id}": screen.hash.hexdigest()[:16] for screen in screens}
    return {"log": log.hexdigest()[:16], **frames}
