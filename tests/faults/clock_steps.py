"""Games during which wall clocks are stepped, of the server and of Redis, and bounds that every clock must keep.

The bounds need no tolerance, however busy the machine is: a decision opens after the request that opens it was sent and
before its first frame arrives, so the time since then lies between two spans of the client's own monotonic clock.
"""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

from protocol.client import Client, WatchedTable
from tests.faults.preload import compiled, preloaded
from tests.scenarios.people import any_command, guest_token, open_table, socket_url, until_answered

HOUR, DAY = 3_600.0, 86_400.0
STEPS = (-HOUR, HOUR, DAY, -DAY, -2.0, 2.0)


class SteppedClock:
    """The wall clock of processes that are started with `environment`."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.step_to(0)

    def environment(self) -> dict[str, str]:
        return preloaded(compiled("clock_shift.c"), CLOCK_SHIFT=self._file)

    def step_to(self, seconds: float) -> None:
        """Let the clock be ahead of the real one by so many seconds."""
        shift = int(seconds * 1_000_000_000).to_bytes(8, "little", signed=True)
        if self._file.exists():
            # In place: the processes have the file mapped.
            with self._file.open("r+b") as file:
                file.write(shift)
        else:
            self._file.write_bytes(shift)


class Frame(NamedTuple):
    """A frame with the time of a decision."""

    arrived: float
    decision: int
    elapsed: int


class TimedClient(Client):
    """A client that notes when frames arrive."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, token, max_backoff_seconds=0.3, on_message=self._note)
        self.frames: list[Frame] = []
        self.events: list[str] = []

    def _note(self, message: dict[str, Any]) -> None:
        if message["type"] in ("view", "update"):
            self.events += [event["event"] for event in message.get("events") or message.get("missed") or ()]
            watched = self.tables.get(message["table"])
            # Called after the client has applied the frame.
            play = watched and watched.view and watched.view["play"]
            if play and play["decision"]:
                self.frames.append(Frame(time.monotonic(), play["decision"]["number"], message["elapsed"]))


def _reached(watched: WatchedTable) -> float:
    """Return the number of the open decision; infinite if the game is over."""
    decision = watched.view["play"]["decision"]
    return decision["number"] if decision else float("inf")


class TimedGame:
    """A game of two people. Every decision takes a while, in which other entries are made."""

    def __init__(self, people: list[TimedClient], watched: list[WatchedTable], seed: int) -> None:
        self._people = people
        self.watched = watched
        self._rng = random.Random(seed)
        self._opened_after = 0.0
        """When the request was sent that has opened the current decision; it opened later."""

    @classmethod
    async def begin(cls, stack: AsyncExitStack, http: str, game: str, seed: int, **settings: Any) -> TimedGame:
        people = [await stack.enter_async_context(TimedClient(socket_url(http), guest_token(http))) for _ in range(2)]
        before = time.monotonic()
        table = await open_table([*people], game, 2, **settings)
        begun = cls(people, [await client.watch(table) for client in people], seed)
        begun._opened_after = before
        return begun

    @property
    def is_over(self) -> bool:
        return bool(self.watched[0].view["table"]["phase"] == "over")

    @property
    def number(self) -> int:
        return int(self.watched[0].view["play"]["decision"]["number"])

    async def waver(self) -> None:
        """Make two public entries, and check the time that comes with them."""
        first, number = self._people[0], self.number
        for agree in (True, False):
            known, before = len(first.frames), time.monotonic()
            await first.request("vote", table=self.watched[0].table, on="pause", agree=agree)
            while len(first.frames) == known:
                self.watched[0].changed.clear()
                await self.watched[0].changed.wait()
            self._check(first.frames, number, before)

    def _check(self, frames: list[Frame], number: int, sent: float) -> None:
        """Assert that the time of the decision is what has passed since it was opened."""
        seen = [frame for frame in frames if frame.decision == number]
        opened, latest = seen[0], seen[-1]
        elapsed = latest.elapsed / 1000
        assert elapsed <= latest.arrived - self._opened_after + 0.002, "a clock has jumped forward"
        # Before it arrived first, the decision had been open for a while.
        assert elapsed >= sent - opened.arrived - 0.002, "a clock has jumped back"
        assert [frame.elapsed for frame in seen] == sorted(frame.elapsed for frame in seen)

    async def decide(self) -> None:
        """Let everybody who is asked decide."""
        number = self.number
        for client, watched in zip(self._people, self.watched, strict=True):
            if watched.prompt is not None and watched.prompt[0] == number:
                self._opened_after = time.monotonic()
                command = any_command(self._rng, watched.prompt[1])
                await client.request("decide", table=watched.table, decision=number, command=command)
                await until_answered(watched, number)
        reached = max(map(_reached, self.watched))
        for watched in self.watched:
            while _reached(watched) < reached:
                watched.changed.clear()
                await watched.changed.wait()

    def forget_times(self) -> None:
        """Forget the times so far: the server is restarted, which gives back the time of the open decision."""
        for client in self._people:
            client.frames.clear()

    def events(self) -> list[str]:
        return [event for client in self._people for event in client.events]


async def step_during(games: list[TimedGame], clocks: list[SteppedClock], steps: int, seed: int) -> int:
    """Step one clock after the other while all games are played; return how many steps were made."""
    rng, made = random.Random(seed), 0
    while made < steps and not all(game.is_over for game in games):
        clock = clocks[made % len(clocks)]
        clock.step_to(rng.choice((0.0, *STEPS)))
        made += 1
        for game in games:
            if not game.is_over:
                await game.waver()
                await game.decide()
        await asyncio.sleep(0)
    return made
