"""A table in every phase, with somebody in every role at it: what the tests of authority look at.

seat 0   hal, the host
seat 1   ann, whom the running game waits for
seat 2   otto, who is in the game; or rita, who resigned; or stan, for whom a bot stands in
         before them kim, whom the host sent away
seat 3   free, and only there while the table is open
"""

from __future__ import annotations

from typing import Any

from tests.tables.table_server import TableServer, pass_time, settle

PHASES = ("open", "running", "paused", "over")
USERS = {
    "stranger": "sue",
    "spectator": "pat",
    "other": "otto",
    "awaited": "ann",
    "host": "hal",
    "kicked": "kim",
    "resigned": "rita",
    "stood_in": "stan",
}
PLAYING_ONLY = ("resigned", "stood_in")
"""Roles that do not exist before the game starts."""


async def table_with(server: TableServer, role: str, phase: str, request: str) -> str:
    """Return a table in this phase with a user of this role, prepared so that the request could succeed."""
    server.bots.strengths_offered = ("normal", "random")
    third = {"resigned": "rita", "stood_in": "stan"}.get(role, "otto")
    is_open = phase == "open"
    table = await server.create(
        "hal",
        game="auction" if is_open else "mosaic",
        seats=4 if is_open else 3,
        options={} if is_open else {"board": "large"},
        clock={"kind": "decision", "seconds": 5},
        hints="all",
        absence_seconds=None,
    )
    await server.seat(table, "ann", "kim")
    await server.do("hal", "kick", table, seat=2)
    await server.seat(table, third)
    if role == "spectator":
        await server.watch("pat", table)
    if is_open:
        if request in ("remove_bot", "change_bot", "start"):
            await server.do("hal", "add_bot", table)
        return table
    await server.do("hal", "start", table)
    await play_until_ann_can_place(server, table, third)
    if phase == "paused":
        await agree(server, table, "pause")
    if phase == "over":
        await agree(server, table, "abandon")
    return table


async def play_until_ann_can_place(server: TableServer, table: str, third: str) -> None:
    for name in ("hal", "ann"):
        await play_turn(server, table, name)
    if third == "rita":
        await server.do("rita", "resign", table)
    if third == "stan":
        await pass_time(6)
    if third == "otto":
        await play_turn(server, table, "otto")
    while server.bots.asked:
        server.bots.decide()
        await settle()
    await play_turn(server, table, "hal")
    await server.do("ann", "decide", table, **choice(server, table))


async def play_turn(server: TableServer, table: str, name: str) -> None:
    for _ in range(3):
        await server.do(name, "decide", table, **choice(server, table))


def choice(server: TableServer, table: str) -> dict[str, Any]:
    """Return a legal answer to the open decision of a game of Mosaic."""
    play = server.state(table).play
    state = play.state
    if play.decision.kind == "end":
        command: dict[str, Any] = {"do": "end_turn"}
    elif play.decision.kind == "place":
        command = {"do": "place_stone", "spot": state.free_spots[0]}
    else:
        command = {"do": "take_stone", "kind": state.row[0]}
    return {"decision": play.number, "command": command}


async def agree(server: TableServer, table: str, on: str) -> None:
    """Let all people whose votes it takes vote for something."""
    state = server.state(table)
    for seat in state.players():
        if on == "pause" and state.chairs[seat].stand_in is not None:
            # They are away.
            continue
        await server.do(state.chairs[seat].user, "vote", table, on=on, agree=True)


def fields(server: TableServer, table: str, phase: str, request: str) -> dict[str, Any]:
    """Return the fields of a valid request of this kind."""
    is_open = phase == "open"
    match request:
        case "decide":
            return {"decision": 1, "command": {"do": "sit"}} if is_open else choice(server, table)
        case "look_ahead":
            return {"decision": 1, "command": {"do": "sit"}} if is_open else choice(server, table)
        case "hint" | "undo":
            return {"decision": 1 if is_open else server.state(table).play.number}
        case "change_settings":
            return {"settings": {"game": server.state(table).settings.game, "seats": len(server.state(table).chairs)}}
        case "take_seat":
            return {"seat": None}
        case "add_bot":
            return {"seat": 3 if is_open else 2}
        case "change_bot":
            return {"seat": 3 if is_open else 2, "strength": "random"}
        case "remove_bot":
            return {"seat": 3 if is_open else 2}
        case "kick":
            return {"seat": 2}
        case "ready":
            return {"ready": True}
        case "seal":
            number = 1 if is_open else server.state(table).play.number
            return {"decision": number, "attempt": 0, "commitment": "0" * 43}
        case "unseal":
            command = {"decision": 1, "command": {"do": "sit"}} if is_open else choice(server, table)
            return {**command, "salt": "0" * 32}
        case "commit_seed":
            return {"game": 1, "commitment": "0" * 64}
        case "open_seed":
            return {"game": 1, "seed": "0" * 64}
        case "take_holiday":
            return {"on": True}
        case "vote":
            return {"on": "resume" if phase == "paused" else "pause", "agree": True}
        case "say":
            return {"text": "hello"}
        case "mute":
            return {"user": "pat", "muted": True}
        case "predict":
            return {"winner": 1}
        case "look_back":
            return {"step": 0}
        case "invite":
            return {"handle": "bo"}
    return {}
