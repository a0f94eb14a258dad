"""The decisions of a game from its log: all that seats decided themselves, and nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest

from server.coach.commands import command_of_step
from server.coach.decisions import Decided, PlayedGame, game_of_entries
from server.coach.files import game_of_file
from server.fairness.transcript import transcript_of, transcript_text
from server.games.engine.game import view_of
from server.history.finished import FinishedGames
from server.history.game_files import GameFiles
from server.tables.table_export import TableExport
from tests.coach.games import decision_at, play_before, played_game
from tests.history.finished_games import with_finished_game
from tests.tables.table_server import PatientBots, TableServer, pass_time, person
from tests.tables.virtual_time import in_virtual_time

GAMES = ("investors", "planners", "builders")


async def finished(game: str, **settings: Any) -> tuple[TableServer, list[bytes], PlayedGame]:
    server, table = await with_finished_game(game, **settings)
    return await read(server, table)


async def read(server: TableServer, table: str) -> tuple[TableServer, list[bytes], PlayedGame]:
    payloads = [entry.payload for entry in await server.store.read(table, 0, 100_000)]
    found = game_of_entries(payloads)
    assert found is not None
    return server, payloads, found


def brief(decided: Decided) -> tuple[int, int, str, object]:
    return decided.step, decided.seat, decided.question.kind, decided.command


@pytest.mark.parametrize("game", GAMES)
@in_virtual_time
async def test_log_and_transcript_have_the_same_decisions(game: str) -> None:
    server, payloads, found = await finished(game)
    transcript = transcript_text(transcript_of(TableExport("table1", (), tuple(payloads))))
    again = game_of_file(transcript)
    assert list(map(brief, again.decisions)) == list(map(brief, found.decisions))
    assert [moment.step for moment in again.moments] == [moment.step for moment in found.moments]
    assert len(found.decisions) > 50
    await server.registry.close()


@pytest.mark.parametrize("game", GAMES)
@in_virtual_time
async def test_steps_have_the_numbers_of_the_replay(game: str) -> None:
    server, _, found = await finished(game)
    table = next(iter(await server.store.names()))
    timeline = await server.do("ann", "get_timeline", table)
    kinds = {row["step"]: (row["kind"], row["stage"]) for row in timeline["steps"]}
    assert found.moments[-1].step == timeline["last"]
    for decided in found.decisions:
        assert kinds[decided.step] == (decided.question.kind, decided.stage)
    undone = {step for step, (kind, _) in kinds.items() if kind == "undo"}
    assert undone.isdisjoint(moment.step for moment in found.moments)
    assert {decided.step for decided in found.decisions} <= {moment.step for moment in found.moments}
    assert len(found.moments) + 2 * len(undone) == timeline["last"] + 1
    await server.registry.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_question_holds_what_the_seat_knew_and_what_it_answered(game: str) -> None:
    found = played_game(game, 3, 1)
    for decided in found.decisions[::7]:
        play = play_before(found, decided.step)
        assert decided.question.view == view_of(found.game, play.state, decided.seat)
        assert decided.question.prompt.admit(decided.command) is None
        assert not decided.question.prompt.has_one_answer
    assert decision_at(found, found.decisions[0].step, found.decisions[0].seat) == found.decisions[0]


@pytest.mark.parametrize("game", GAMES)
@in_virtual_time
async def test_commands_are_found_where_the_log_has_events_alone(game: str) -> None:
    server, _, found = await finished(game)
    events = {moment.step: moment.events for moment in found.moments}
    rng, missed, tried = random.Random(1), [], 0
    for decided in rng.sample(found.decisions, min(len(found.decisions), 60)):
        play = play_before(found, decided.step)
        if play.decision is None or play.decision.sealed:
            continue
        tried += 1
        command = command_of_step(play, decided.seat, events[decided.step])
        if command != decided.command:
            missed.append((decided.question.kind, command, decided.command))
    assert tried > 10
    assert missed == []
    await server.registry.close()


@pytest.mark.parametrize("way", ["runs out of time", "resigns"])
@in_virtual_time
async def test_answers_of_the_clock_and_of_a_stand_in_are_not_decisions_of_the_seat(way: str) -> None:
    server = TableServer(bots=PatientBots(0))
    table = await server.create(
        "ann", game="planners", seats=2, absence_seconds=None, clock={"kind": "decision", "seconds": 30}
    )
    await server.seat(table, "ben")
    await server.do("ann", "start", table)
    ann, ben = (server.state(table).seat_of(name) for name in ("ann", "ben"))
    assert ann is not None
    assert ben is not None
    rng, timed_out = random.Random(3), 0
    if way == "resigns":
        await server.do("ben", "resign", table)
    while server.state(table).phase != "over":
        state = server.state(table)
        if ann in state.awaited():
            await server.play_on(table, "ann", rng)
        elif ben in state.awaited() and state.chairs[ben].stand_in is None:
            timed_out += 1
            await pass_time(31)
        else:
            await pass_time(0.1)
    _, _, found = await read(server, table)
    assert {decided.seat for decided in found.decisions} == {ann}
    assert (timed_out > 0) == (way != "resigns")
    assert any(moment.play.decision is not None and ben in moment.play.decision.prompts for moment in found.moments), (
        "the seat was asked"
    )
    await server.registry.close()


@in_virtual_time
async def test_an_abandoned_game_has_the_decisions_so_far() -> None:
    server = TableServer(bots=PatientBots(0))
    table = await server.begin("ann", "ben", game="planners")
    rng = random.Random(3)
    for _ in range(8):
        for name in ("ann", "ben"):
            if server.state(table).seat_of(name) in server.state(table).awaited():
                await server.play_on(table, name, rng)
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="abandon", agree=True)
    _, _, found = await read(server, table)
    assert found.decisions
    assert found.game.outcome(found.moments[-1].play.state) is None
    await server.registry.close()


@in_virtual_time
async def test_an_imported_log_has_the_same_decisions() -> None:
    server, payloads, found = await finished("planners")
    table = next(iter(await server.store.names()))
    files = GameFiles(FinishedGames(server.store, server.registry.turns), lambda user, request: "x", lambda: b"")
    text = await files.download(person("ann"), table, None)
    assert isinstance(text, str)
    assert list(map(brief, game_of_file(text).decisions)) == list(map(brief, found.decisions))
    assert payloads
    await server.registry.close()
