"""Games that people and bots play by a fixed rule, with undo and chat, and the same games without a server.

Every answer follows from the seat and the number of the decision, so the same game can be played again from the seed in
its log, without server, network or kills: both must have the same steps and end in the same state.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from protocol.client import Client
from server.games.engine.dice import Dice
from server.games.engine.options import read_options
from server.games.engine.play import Play, begin
from server.games.engine.prompts import Command
from server.model import Refused
from tests.faults.kill_points import answer_by_rule
from tests.faults.observers import ExpectedHistory, Observer
from tests.scenarios.people import any_command, until_answered

UNDO_CHANCE = 0.2
CHAT_CHANCE = 0.05
MAX_LINES = 15
"""Chat lines of one table, so that a view holds all of them."""

BANK_SECONDS = 100_000

TABLES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("investors", 3, {"clock": {"kind": "bank", "seconds": BANK_SECONDS, "increment": 5}, "sealed_on_devices": True}),
    ("planners", 2, {"clock": {"kind": "decision", "seconds": 3_600}, "show_decided": False}),
    ("builders", 2, {"hints": "none"}),
)
"""The games of a round, the number of people at each, and its settings; bots have the other seats of three."""

SEATS = 3


@dataclass
class Tally:
    """What was acknowledged at one table."""

    decisions: int = 0
    undos: int = 0
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Rule:
    """What each seat does at each decision of a game."""

    seed: str

    def command(self, seat: int, number: int, prompt: Any) -> dict[str, Any]:
        return any_command(self._rng(seat, number, "command"), prompt)

    def undoes(self, seat: int, number: int) -> bool:
        return self._rng(seat, number, "undo").random() < UNDO_CHANCE

    def says(self, seat: int, number: int) -> bool:
        return self._rng(seat, number, "chat").random() < CHAT_CHANCE

    def _rng(self, seat: int, number: int, what: str) -> random.Random:
        return random.Random(f"{self.seed}/{seat}/{number}/{what}")


async def open_game(people: list[Observer], game: str, **settings: Any) -> str:
    """Open a table as the first person, seat the others and then bots, start the game, and return the table."""
    host, *others = people
    opened = await host.request(
        "create_table", settings={"game": game, "seats": SEATS, "absence_seconds": None, **settings}
    )
    table: str = opened["table"]
    for other in others:
        await other.request("take_seat", table=table, key=opened["key"])
        await other.request("ready", table=table, ready=True)
    for _ in range(SEATS - len(people)):
        await host.request("add_bot", table=table)
    await host.request("start", table=table)
    return table


async def play_by_rule(
    client: Client, table: str, rule: Rule, tally: Tally, think: Callable[[], Awaitable[None]]
) -> None:
    """Play to the end, and think before each answer; a refusal is an error."""
    watched = await client.watch(table)
    while watched.view["table"]["phase"] != "over":
        prompted = watched.prompt
        if prompted is None:
            watched.changed.clear()
            if watched.prompt is None and watched.view["table"]["phase"] != "over":
                await watched.changed.wait()
            continue
        number, prompt = prompted
        await think()
        seat = watched.view["mine"]
        if rule.says(seat, number) and len(tally.lines) < MAX_LINES:
            line = f"line {len(tally.lines)} of this table"
            tally.lines.append(line)
            await client.request("say", table=table, text=line)
        if watched.view["play"]["decision"]["undoable"] and rule.undoes(seat, number):
            await client.request("undo", table=table, decision=number)
            tally.undos += 1
        else:
            await client.request("decide", table=table, decision=number, command=rule.command(seat, number, prompt))
            tally.decisions += 1
        await until_answered(watched, number)


def play_without_server(history: ExpectedHistory, rule: Rule) -> tuple[Play, Counter[str]]:
    """Return the same game played without a server, and the number of its steps by kind."""
    state = history.state
    assert state.seed is not None
    dice = Dice(bytes.fromhex(state.seed))
    play, _ = begin(state.game, len(state.chairs), read_options(state.game.options, state.settings.options), dice)
    steps: Counter[str] = Counter()
    while play.decision is not None:
        # After each step the decision may be another one.
        seat, number = play.awaited[0], play.number
        prompt: Any = play.decision.prompts[seat].to_json()
        if state.chairs[seat].bot is not None:
            steps["bot"] += 1
            answered = play.answer(seat, number, answer_by_rule(state.settings.game, prompt), dice)
        elif play.past and rule.undoes(seat, number):
            steps["undo"] += 1
            answered = play.undo(seat, number)
        else:
            steps["decide"] += 1
            command: Command | Refused = play.decision.prompts[seat].fallback
            if (number, seat) not in history.late:
                command = play.read(seat, number, rule.command(seat, number, prompt))
            assert isinstance(command, Command), command
            answered = play.answer(seat, number, command, dice)
        assert isinstance(answered, tuple), answered
        play, _ = answered
    return play, steps


def check_game(history: ExpectedHistory, rule: Rule, tally: Tally) -> None:
    """Assert that everything acknowledged is in the log once, and that the game went as without a server."""
    state = history.state
    assert state.phase == "over"
    assert state.play is not None
    expected, steps = play_without_server(history, rule)
    assert (tally.decisions, tally.undos) == (steps["decide"], steps["undo"]), "acknowledged, but not played"
    assert history.steps == steps.total(), "steps are missing from the log, or in it twice"
    assert state.play.state == expected.state
    assert state.play.number == expected.number
    clock = state.settings.clock
    if clock.kind == "bank":
        most = (clock.seconds + clock.increment * (steps["decide"] + 1)) * 1000
        assert all(left is None or BANK_SECONDS * 500 < left <= most for left in state.thinking), state.thinking


def check_chat(observer: Observer, table: str, tally: Tally) -> None:
    """Assert that a player sees every acknowledged line once."""
    seen = Counter(line["text"] for line in observer.tables[table].view["talk"])
    assert seen == Counter(tally.lines)
