"""Logs of tables, made without a server: opened, played by random answers, left and abandoned as a test wants."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from protocol.messages import TableSettings
from server.games.engine.dice import Dice
from server.games.engine.events import Event
from server.games.engine.play import Play, begin
from server.games.registry import game_named
from server.history.game_reader import GameReader, NoRecord
from server.history.record import GameRecord
from server.store.api import Claimed, NewEntry, Position, TableStore
from server.tables import events
from server.tables.entries import open_entry, read_dated, write_entry
from server.tables.settings import read_settings
from server.tables.state import TableState, opened
from server.tables.summary import pack_summary

SECOND = 1_000
BEGIN = 1_700_000_000_000


class Log:
    """The log of a table that grows; times are in milliseconds since 1970."""

    def __init__(self, table: str, game: str, people: Sequence[str], at: int = BEGIN, **settings: Any) -> None:
        """Open a table. `people` are the ids of users, each named after it, and `bot` or `bot:STRENGTH` for bots."""
        read = read_settings(TableSettings(game=game, seats=len(people), **settings))
        assert isinstance(read, TableSettings), read
        self.table = table
        self.at = at
        self.entries: list[bytes] = []
        host = next((user for user in people if not user.startswith("bot")), "host")
        rules_version = game_named(game).rules_version
        first = events.TableOpened(table, rules_version, read.model_dump_json(), host, "key", at, "secret")
        self.state: TableState = opened(first)
        seated: list[Event] = []
        for seat, user in enumerate(people):
            kind, _, strength = user.partition(":")
            if kind == "bot":
                seated.append(events.BotSeated(seat, strength or "easy", f"Juniper {seat}"))
            else:
                seated.append(events.SeatTaken(seat, user, user.capitalize()))
        self.state.apply(seated)
        self.entries.append(write_entry([first, *seated], at))

    def add(self, *new_events: Event, play: Play | None = None, after: int = SECOND) -> None:
        """Append an entry, so many milliseconds after the last one."""
        self.at += after
        self.state.apply(new_events, play, self.at)
        self.entries.append(write_entry(new_events, self.at))

    def start(self, seed: int = 1) -> Log:
        """Start the game."""
        dice = Dice(random.Random(seed).randbytes(32))
        options = self.state.settings.options
        read = {option.name: option.read(options[option.name]) for option in self.state.game.options}
        play, step = begin(self.state.game, len(self.state.chairs), read, dice)
        self.add(events.GameStarted(random.Random(seed).randbytes(32).hex(), "digest"), *step, play=play)
        return self

    def play(self, seed: int = 1, decisions: int | None = None) -> Log:
        """Answer at random, to the end or so often."""
        rng, count = random.Random(seed), 0
        while self.state.phase == "running" and count != decisions:
            play = self.state.play
            assert play is not None
            assert play.decision is not None
            assert self.state.dice is not None
            seat = rng.choice(play.awaited)
            command = play.decision.prompts[seat].sample(rng)
            answered = play.answer(seat, play.number, command, self.state.dice)
            assert isinstance(answered, tuple), answered
            self.add(*answered[1], play=answered[0])
            count += 1
        return self

    def resign(self, seat: int) -> Log:
        """Let a bot play a seat to the end."""
        self.add(events.Resigned(seat, "easy"))
        return self

    def abandon(self) -> Log:
        """Let all agree to abandon the game."""
        self.add(events.Abandoned())
        return self

    async def store_in(self, store: TableStore) -> None:
        """Create the table with this log."""
        await store.create(self.table, self.state.phase, pack_summary(self.state), self.entries)

    async def store_but_last(self, store: TableStore) -> None:
        """Create the table with all entries but the last, as while the game runs."""
        running = replayed_state(self.entries[:-1])
        await store.create(self.table, running.phase, pack_summary(running), self.entries[:-1])

    async def store_last(self, store: TableStore) -> None:
        """Append the last entry, which ends the game."""
        claimed = await store.claim(self.table, "worker", 60)
        assert isinstance(claimed, Claimed)
        entry = NewEntry(self.entries[-1], summary=pack_summary(self.state), phase=self.state.phase)
        await store.append(self.table, claimed.fence, Position(claimed.seq, claimed.head), entry)
        await store.release(self.table, claimed.fence)

    def found(self) -> GameRecord | NoRecord:
        """Return the record of the game."""
        reader, state = GameReader(), None
        for entry in self.entries:
            at, new_events = read_dated(entry, None if state is None else state.settings.game)
            if state is None:
                state = open_entry(entry)
            else:
                state.apply(new_events, at=at)
            reader.add(state, new_events)
        return reader.found

    def record(self) -> GameRecord:
        """Return the record of the game, which must be over."""
        found = self.found()
        assert isinstance(found, GameRecord)
        return found


def replayed_state(entries: Sequence[bytes]) -> TableState:
    """Return the table after some entries."""
    state = open_entry(entries[0])
    for entry in entries[1:]:
        at, new_events = read_dated(entry, state.settings.game)
        state.apply(new_events, at=at)
    return state


def rated_log(table: str, people: Sequence[str], ended: int, game: str = "planners", leaver: int = 0) -> Log:
    """Return the shortest log of a rated game: one person resigns, then the game is abandoned, at this time."""
    log = Log(table, game, people, ended - 3 * SECOND, rated=True, hints="none")
    return log.start().resign(leaver).abandon()
