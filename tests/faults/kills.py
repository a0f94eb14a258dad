"""Games that are played during faults, and the same games without a server for comparison.

Answers depend only on the seat and the number of the decision, so the same game can be played again from the seed in
its log, without server, network or kills: both must end in the same state.
"""

from __future__ import annotations

import random
import socket
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from protocol.client import Client
from server.games.engine.dice import Dice
from server.games.engine.options import read_options
from server.games.engine.play import Play, begin
from server.games.engine.prompts import Command
from server.tables.state import TableState
from tests.scenarios.people import (
    Choose,
    play_to_the_end,
)


@dataclass
class Report:
    """The statistics of a run."""

    kills: int = 0
    reconnects: int = 0
    accepted: Counter[str] = field(default_factory=Counter)
    """The number of accepted decisions by table."""


async def counted_play(client: Client, table: str, choose: Choose, report: Report) -> None:
    """Play to the end, and count the decisions."""

    def counted(seat: int, number: int, prompt: dict[str, Any]) -> dict[str, Any]:
        # Called once for each decision; a refusal would end the run.
        report.accepted[table] += 1
        return choose(seat, number, prompt)

    await play_to_the_end(client, table, counted)


def replay_without_server(state: TableState, choose: Choose) -> Play:
    """Return the same game played without a server: same seed, same answers, no kills."""
    assert state.seed is not None
    dice = Dice(bytes.fromhex(state.seed))
    options = read_options(state.game.options, state.settings.options)
    play, _ = begin(state.game, len(state.chairs), options, dice)
    while play.decision is not None:
        for seat in play.awaited:
            prompt: Any = play.decision.prompts[seat].to_json()
            command = play.read(seat, play.number, choose(seat, play.number, prompt))
            assert isinstance(command, Command), command
            answered = play.answer(seat, play.number, command, dice)
            assert isinstance(answered, tuple), answered
            play, _ = answered
    return play


def check(state: TableState, steps: int, accepted: int, choose: Choose) -> None:
    """Assert that every accepted decision is in the log once, and that the game ended as without faults."""
    assert steps == accepted
    assert state.play is not None
    expected = replay_without_server(state, choose)
    assert state.play.state == expected.state
    assert state.play.number == expected.number


def free_port() -> int:
    """Return a free port, for a server that restarts on the same port.

    It lies below those that the system gives to connections, which could take it before the server does.
    """
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
