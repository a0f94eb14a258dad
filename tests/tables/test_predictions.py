"""Predictions of spectators: who may predict and until when, who is told, and what a kill leaves of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from server.games.registry import GAMES
from server.model import Done, Refused
from server.tables import predictions
from server.tables.prediction_scores import KEPT_GAMES, PREDICTION_SCORE, PredictionScores, counted, score_of
from server.tables.predictions import OWN_RATE, PREDICTED, PREDICTION, RATE_OF_ALL, TELL_SECONDS
from tests.replies import code_of
from tests.tables.faulty_store import FaultyStore
from tests.tables.table_server import Screen, TableServer, pass_time, person, settle, toys, wall
from tests.tables.test_former_people import People
from tests.tables.virtual_time import in_virtual_time


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    with toys():
        # Predictions are open in the first round.
        GAMES["auction"] = replace(GAMES["auction"], is_early=lambda state: state.round <= 1)
        yield


async def predict(server: TableServer, name: str, table: str, winner: int) -> None:
    await pass_time(2)
    await server.do(name, "predict", table, winner=winner)


def shown(screen: Screen) -> dict[str, Any] | None:
    """Return the predictions that a page shows: those of the last view or message."""
    found: dict[str, Any] | None = None
    for message in screen.messages:
        if message["type"] == "view":
            found = message.get("predictions")
        elif message["type"] == "predictions":
            found = {**(found or {}), "counts": message["counts"], "open": message["open"]}
    return found


async def play_to_the_end(server: TableServer, table: str, *stayers: str) -> None:
    """Let the people of an auction bid their first card in every round, except those who stay out."""
    while server.state(table).phase != "over":
        state = server.state(table)
        for seat in state.play.awaited:
            name = state.chairs[seat].user
            prompt = state.play.decision.prompts[seat]
            command = {"do": "sit"} if name in stayers and state.play.decision.kind == "bid" else None
            if command is None:
                await server.play_on(table, name, server.bots.rng)
            else:
                assert prompt is not None
                await server.do(name, "decide", table, decision=state.play.number, command=command)


async def stored(server: TableServer, kind: str) -> list[str]:
    return [key for key, _ in await server.store.key_values.find(kind)]


# -- predicting -----------------------------------------------------------------------------------------------


@in_virtual_time
async def test_spectators_see_the_numbers_and_their_own_prediction_and_players_see_nothing() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    pat, sue, ann = [await server.watch(name, table) for name in ("pat", "sue", "ann")]
    assert shown(pat) == {"counts": [0, 0], "open": True, "own": None}
    await predict(server, "pat", table, 1)
    await predict(server, "sue", table, 1)
    await predict(server, "sue", table, 0)
    await pass_time(TELL_SECONDS)
    for screen in (pat, sue):
        found = shown(screen)
        assert found is not None
        assert (found["counts"], found["open"]) == ([1, 1], True)
    late = await server.watch("pat", table)
    assert shown(late) == {"counts": [1, 1], "open": True, "own": 1}
    assert shown(ann) is None
    assert "predictions" not in str(ann.messages)
    assert all(
        waits for message, waits in zip(pat.messages, pat.can_wait, strict=True) if message["type"] == "predictions"
    )
    await server.registry.close()


@in_virtual_time
async def test_predictions_leave_no_trace_in_the_log_and_in_numbers() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    pat = await server.watch("pat", table)
    before, number = await server.log(table), pat.number
    await predict(server, "pat", table, 1)
    await pass_time(TELL_SECONDS)
    assert (await server.log(table), pat.number) == (before, number)
    await server.registry.close()


@in_virtual_time
async def test_who_has_a_seat_cannot_predict_also_after_resigning() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", "cat")
    await server.watch("ann", table)
    assert await server.refusal("ann", "predict", table, winner=1) == "already_seated"
    await server.do("ann", "resign", table)
    assert await server.refusal("ann", "predict", table, winner=1) == "already_seated"
    assert await stored(server, PREDICTION) == []
    await server.registry.close()


@in_virtual_time
async def test_a_bad_prediction_is_refused_and_changes_nothing() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.watch("pat", table)
    assert await server.refusal("pat", "predict", table, winner=0) == "wrong_phase"
    await server.seat(table, "ben")
    await server.do("ann", "start", table)
    assert await server.refusal("pat", "predict", table, winner=2) == "no_such_seat"
    assert await server.refusal("sue", "predict", table, winner=0) == "not_following"
    await predict(server, "pat", table, 0)
    await play_to_the_end(server, table)
    assert await server.refusal("pat", "predict", table, winner=1) == "wrong_phase"
    found = shown(await server.watch("pat", table))
    assert found == {"counts": [1, 0], "open": False, "own": 0}
    await server.registry.close()


@in_virtual_time
async def test_predictions_close_when_the_game_is_not_early_any_more_and_spectators_are_told() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    pat, ann = await server.watch("pat", table), await server.watch("ann", table)
    await predict(server, "pat", table, 0)
    while server.state(table).play.state.round <= 1:
        state = server.state(table)
        for seat in state.play.awaited:
            await server.play_on(table, state.chairs[seat].user, server.bots.rng)
    assert await server.refusal("pat", "predict", table, winner=1) == "predictions_closed"
    await pass_time(TELL_SECONDS)
    found = shown(pat)
    assert found is not None
    assert (found["counts"], found["open"]) == ([1, 0], False)
    assert shown(ann) is None
    await server.registry.close()


@in_virtual_time
async def test_a_table_that_delays_its_spectators_has_no_predictions_and_says_so_alike_at_all_times() -> None:
    server = TableServer()
    delay = {"kind": "minutes", "minutes": 1}
    table = await server.begin("ann", "ben", delayed_view=delay, spectators_delayed=True, absence_seconds=None)
    pat = await server.watch("pat", table)
    assert await server.refusal("pat", "predict", table, winner=0) == "predictions_closed"
    await play_to_the_end(server, table)
    assert await server.refusal("pat", "predict", table, winner=0) == "predictions_closed"
    await pass_time(300)
    assert "predictions" not in str(pat.messages)
    await server.registry.close()


@in_virtual_time
async def test_the_same_prediction_again_is_one_prediction() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.watch("pat", table)
    for _ in range(2):
        await server.do("pat", "predict", table, id="same", winner=1)
    await predict(server, "pat", table, 1)
    assert shown(await server.watch("sue", table)) == {"counts": [0, 1], "open": True, "own": None}
    assert await stored(server, PREDICTION) == [f"{table}.pat"]
    await server.registry.close()


@in_virtual_time
async def test_a_flood_of_predictions_is_refused_and_no_player_waits() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.watch("pat", table)
    replies = [await server.ask("pat", "predict", table, winner=number % 2) for number in range(30)]
    refusals = [reply for reply in replies if isinstance(reply, Refused)]
    assert len(replies) - len(refusals) == OWN_RATE.burst
    assert {reply.code for reply in refusals} == {"too_fast"}
    names = [f"s{number}" for number in range(RATE_OF_ALL.burst + 10)]
    for name in names:
        await server.watch(name, table)
    replies = [await server.ask(name, "predict", table, winner=0) for name in names]
    assert {code_of(reply) for reply in replies} == {None, "too_fast"}
    assert isinstance(await server.bid("ann", table, -1), Done)
    await server.registry.close()


@in_virtual_time
async def test_the_number_of_predictions_at_a_table_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predictions, "MAX_PREDICTIONS", 2)
    server = TableServer()
    table = await server.begin("ann", "ben")
    for name in ("pat", "sue", "tom"):
        await server.watch(name, table)
    await predict(server, "pat", table, 0)
    await predict(server, "sue", table, 0)
    assert await server.refusal("tom", "predict", table, winner=0) == "busy"
    await predict(server, "sue", table, 1)
    await server.registry.close()


# -- durable --------------------------------------------------------------------------------------------------


@in_virtual_time
async def test_predictions_survive_a_kill_and_a_restart() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.watch("pat", table)
    await predict(server, "pat", table, 1)
    await server.crash()
    assert shown(await server.watch("pat", table)) == {"counts": [0, 1], "open": True, "own": 1}
    await predict(server, "pat", table, 0)
    await server.restart()
    assert shown(await server.watch("pat", table)) == {"counts": [1, 0], "open": True, "own": 0}
    await server.registry.close()


@in_virtual_time
async def test_no_decision_waits_while_a_prediction_is_written() -> None:
    store = FaultyStore(asyncio.get_running_loop().time, wall)
    server = TableServer(store)
    table = await server.begin("ann", "ben")
    await server.watch("pat", table)
    put, gate = store.key_values.put, asyncio.Event()

    async def slow_put(*args: Any) -> None:
        await gate.wait()
        await put(*args)

    store.key_values.put = slow_put  # type: ignore[method-assign]
    waiting = server.send("pat", "predict", table, winner=1)
    assert isinstance(await server.bid("ann", table, -1), Done)
    assert not waiting.done(), "it is not durable yet"
    gate.set()
    assert isinstance(await waiting, Done)
    await server.registry.close()


@in_virtual_time
async def test_an_owner_that_has_lost_the_table_overwrites_no_later_prediction() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.watch("pat", table)
    await predict(server, "pat", table, 0)
    # Another owner has written a later one.
    key = f"{table}.pat"
    later = predictions._Made(1, has_account=False).pack()
    await server.store.key_values.put(PREDICTION, key, later)
    server.registry._actors[table]._predictions._made["pat"] = predictions._Made(0, has_account=False)
    replies = await server.ask("pat", "predict", table, winner=0)
    assert isinstance(replies, Done), "as far as the old owner knows, nothing changes"
    await pass_time(2)
    table_predictions = server.registry._actors[table]._predictions
    before, made = predictions._Made(0, has_account=True), predictions._Made(0, has_account=False)
    assert not await table_predictions._stored("pat", before, made)
    assert await server.store.key_values.get(PREDICTION, key) == later
    assert table_predictions.of("pat") == 1, "it knows the later one now"
    await server.registry.close()


@in_virtual_time
async def test_damaged_predictions_in_the_store_do_not_stop_a_table() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.store.key_values.put(PREDICTION, f"{table}.pat", b"\xc1")
    await server.restart()
    assert shown(await server.watch("pat", table)) == {"counts": [0, 0], "open": True, "own": None}
    await server.registry.close()


@in_virtual_time
async def test_the_prediction_of_a_deleted_user_is_gone() -> None:
    people = People()
    server = TableServer(people=people)
    table = await server.begin("ann", "ben")
    pat = await server.watch("pat", table)
    await server.watch("sue", table)
    await predict(server, "pat", table, 1)
    await predict(server, "sue", table, 1)
    people.former.add("sue")
    server.registry.on_user_deleted("sue")
    await predictions.delete_predictions(server.store.key_values, "sue")
    await pass_time(TELL_SECONDS)
    found = shown(pat)
    assert found is not None
    assert found["counts"] == [0, 1]
    assert (await stored(server, PREDICTION), await stored(server, PREDICTED)) == ([f"{table}.pat"], [f"pat.{table}"])
    assert await predictions.stored_predictions(server.store.key_values, "pat") == [{"table": table, "winner": 1}]
    await server.registry.close()


@in_virtual_time
async def test_a_prediction_that_is_written_while_its_user_is_deleted_leaves_nothing() -> None:
    people = People()
    server = TableServer(people=people)
    table = await server.begin("ann", "ben")
    await server.watch("pat", table)
    people.former.add("pat")
    assert isinstance(await server.ask("pat", "predict", table, winner=0), Refused)
    assert (await stored(server, PREDICTION), await stored(server, PREDICTED)) == ([], [])
    await server.registry.close()


# -- after the end --------------------------------------------------------------------------------------------


@in_virtual_time
async def test_after_the_end_everybody_sees_the_numbers_and_people_with_an_account_have_a_score() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    ann = await server.watch("ann", table)
    for name in ("@pat", "@sue", "tom"):
        await server.watch(name, table)
    await predict(server, "@pat", table, 0)
    await predict(server, "@sue", table, 1)
    await predict(server, "tom", table, 1)
    await play_to_the_end(server, table, "ben")
    (winner,) = predictions.winners_of(server.state(table))
    assert winner == 0, "who stays out wins nothing"
    await pass_time(TELL_SECONDS)
    found = shown(ann)
    assert found is not None
    assert (found["counts"], found["open"]) == ([1, 2], False)
    assert await stored(server, PREDICTION_SCORE) == ["pat", "sue"], "guests have none"
    scores = await PredictionScores(server.store.key_values, lambda: 0.0).of(["pat", "sue", "tom"])
    assert scores == {"pat": (1, 1), "sue": (0, 1), "tom": (0, 0)}
    await server.registry.close()


@in_virtual_time
async def test_a_kill_after_the_last_move_counts_every_prediction_once() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.watch("@pat", table)
    await predict(server, "@pat", table, 0)
    counting = server.registry._actors[table]._predictions

    async def killed(*_: object) -> None:
        raise asyncio.CancelledError

    counting._count = killed  # type: ignore[method-assign]
    await play_to_the_end(server, table, "ben")
    await settle()
    assert await stored(server, PREDICTION_SCORE) == []
    await server.crash()
    for _ in range(3):
        await server.watch("ann", table)
        await pass_time(1)
        await server.restart()
    scores = await PredictionScores(server.store.key_values, lambda: 0.0).of(["pat"])
    assert scores == {"pat": (1, 1)}
    await server.registry.close()


@in_virtual_time
async def test_nobody_was_right_about_an_abandoned_game() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben")
    await server.watch("@pat", table)
    await predict(server, "@pat", table, 0)
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="abandon", agree=True)
    await pass_time(5)
    assert await stored(server, PREDICTION_SCORE) == []
    await server.registry.close()


def test_a_game_counts_once_and_a_correction_replaces_it() -> None:
    nothing = {"right": 0, "games": 0, "last": {}}
    one = counted(nothing, "t1", is_right=True)
    assert counted(one, "t1", is_right=True) == one
    assert score_of(one) == (1, 1)
    assert score_of(counted(one, "t1", is_right=False)) == (0, 1)
    many = nothing
    for number in range(KEPT_GAMES + 10):
        many = counted(many, f"t{number}", is_right=number % 2 == 0)
    assert len(many["last"]) == KEPT_GAMES
    assert score_of(many) == (30, KEPT_GAMES + 10)


@pytest.mark.parametrize("name", ["investors", "planners", "builders"])
@in_virtual_time
async def test_predictions_are_open_at_the_beginning_of_every_game_and_points_can_be_read(name: str) -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", bots=1, game=name)
    state = server.state(table)
    assert predictions.is_open(state)
    game = state.play.game
    assert len(game.points_shown(game.public_view(state.play.state))) == 3
    assert person("ann").handle is None
    await server.registry.close()
