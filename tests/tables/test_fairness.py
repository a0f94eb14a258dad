"""Seed exchanges, commitments to sealed answers, and the public chain, at tables in virtual time."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from protocol.commitments import (
    Contribution,
    answer_commitment,
    base64url,
    canonical_json,
    chain_next,
    chain_start,
    game_seed,
    seed_commitment,
    server_commitment,
    server_salt,
)
from server.model import Done
from server.tables import events
from server.tables.entries import write_entry
from server.tables.public_chain import public_line
from server.tables.summary import pack_summary
from tests.replies import code_of
from tests.tables.rollback import come_back, put_back, tables_of
from tests.tables.table_server import Screen, TableServer, pass_time, settle
from tests.tables.virtual_time import in_virtual_time

SEEDS = {"ann": b"\x0a" * 32, "ben": b"\x0b" * 32, "cat": b"\x0c" * 32}
ANN_SALT = "5a" * 16


async def open_table(server: TableServer, *names: str, **settings: Any) -> str:
    host, *others = names
    table = await server.create(host, seats=len(names), **{"absence_seconds": None, **settings})
    await server.seat(table, *others)
    return table


def commitment_of(server: TableServer, table: str, name: str) -> str:
    state = server.state(table)
    return seed_commitment(table, state.exchange.game, state.seat_of(name), name, SEEDS[name])


async def commit(server: TableServer, table: str, *names: str) -> None:
    for name in names:
        game, commitment = server.state(table).exchange.game, commitment_of(server, table, name)
        await server.do(name, "commit_seed", table, game=game, commitment=commitment)


async def reveal(server: TableServer, table: str, *names: str) -> None:
    for name in names:
        game = server.state(table).exchange.game
        await server.do(name, "open_seed", table, game=game, seed=SEEDS[name].hex())


async def begin(server: TableServer, *names: str, **settings: Any) -> str:
    """Return a table whose game has begun after a whole exchange."""
    table = await open_table(server, *names, **settings)
    await commit(server, table, *names)
    await server.do(names[0], "start", table)
    await reveal(server, table, *names)
    assert server.state(table).phase == "running"
    return table


async def events_of(server: TableServer, table: str, kind: type[Any]) -> list[Any]:
    return [event for entry in await server.entries(table) for event in entry if isinstance(event, kind)]


# -- the exchange ---------------------------------------------------------------------------------------------


@in_virtual_time
async def test_the_server_commits_before_anybody_and_shows_its_seed_to_nobody() -> None:
    server = TableServer()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    assert ann.view is not None
    exchange = server.state(table).exchange
    shown = ann.view["table"]["fairness"]
    assert shown == {
        "game": 1,
        "commitment": server_commitment(table, 1, bytes.fromhex(exchange.seed)),
        "stage": "waiting",
        "committed": [],
        "opened": [],
        "differs": [],
    }
    assert exchange.seed not in str(ann.messages)
    await server.registry.close()


@in_virtual_time
async def test_the_seed_of_the_game_follows_from_the_seeds_of_the_server_and_of_all_seats() -> None:
    server = TableServer()
    table = await open_table(server, "ann", "ben")
    await commit(server, table, "ann", "ben")
    await server.do("ann", "start", table)
    assert server.state(table).exchange.stage == "open"
    await reveal(server, table, "ben")
    assert server.state(table).phase == "open"
    await reveal(server, table, "ann")
    state = server.state(table)
    assert (state.phase, state.exchange.stage) == ("running", "begun")
    seats = [Contribution("ann", SEEDS["ann"]), Contribution("ben", SEEDS["ben"])]
    deck = ("auction", "2", canonical_json({}))
    expected = game_seed(bytes.fromhex(state.exchange.seed), table, 1, str(state.game.rules_version), deck, seats)
    assert state.seed == expected.hex()
    await server.registry.close()


@in_virtual_time
async def test_who_has_not_committed_is_waited_for_shortly_and_then_takes_no_part() -> None:
    server = TableServer()
    table = await open_table(server, "ann", "ben")
    await commit(server, table, "ann")
    await server.do("ann", "start", table)
    assert server.state(table).exchange.stage == "commit"
    await pass_time(1.9)
    assert server.state(table).exchange.stage == "commit"
    await pass_time(0.2)
    assert server.state(table).exchange.stage == "open"
    refused = await server.refusal("ben", "commit_seed", table, game=1, commitment=commitment_of(server, table, "ben"))
    assert refused == "stale_seeds"
    await reveal(server, table, "ann")
    assert server.state(table).phase == "running"
    assert list(server.state(table).exchange.opened) == [0]
    await server.registry.close()


@in_virtual_time
async def test_the_last_commitment_that_is_waited_for_closes_the_stage() -> None:
    server = TableServer()
    table = await open_table(server, "ann", "ben")
    await commit(server, table, "ann")
    await server.do("ann", "start", table)
    await commit(server, table, "ben")
    assert server.state(table).exchange.stage == "open"
    await server.registry.close()


@in_virtual_time
async def test_without_any_commitment_the_game_begins_at_once() -> None:
    server = TableServer()
    table = await open_table(server, "ann", "ben")
    await server.do("ann", "start", table)
    assert server.state(table).phase == "running"
    assert server.state(table).seed != server.state(table).exchange.seed
    await server.registry.close()


@in_virtual_time
async def test_a_seat_that_does_not_open_in_time_is_unready_and_everything_starts_anew() -> None:
    server = TableServer()
    table = await open_table(server, "ann", "ben")
    pat = await server.watch("pat", table)
    await commit(server, table, "ann", "ben")
    await server.do("ann", "start", table)
    await reveal(server, table, "ann")
    before = server.state(table).exchange
    await pass_time(9.9)
    assert server.state(table).exchange.stage == "open"
    await pass_time(0.2)
    state = server.state(table)
    assert (state.phase, state.exchange.game, state.exchange.stage) == ("open", 2, "waiting")
    assert (state.exchange.commitments, state.exchange.opened) == ({}, {})
    assert state.exchange.seed != before.seed
    assert [chair.ready for chair in state.chairs] == [False, False]
    voided = next(event for event in pat.events if event["event"] == "seeds_voided")
    assert voided == {"event": "seeds_voided", "game": 1, "late": [1], "seed": before.seed}
    assert server_commitment(table, 1, bytes.fromhex(voided["seed"])) == before.commitment
    assert await server.refusal("ben", "open_seed", table, game=1, seed=SEEDS["ben"].hex()) == "stale_seeds"
    await commit(server, table, "ann", "ben")
    await server.do("ben", "ready", table, ready=True)
    await server.do("ann", "start", table)
    await reveal(server, table, "ann", "ben")
    assert server.state(table).phase == "running"
    await server.registry.close()


@in_virtual_time
async def test_other_bytes_than_those_committed_are_refused_and_change_nothing() -> None:
    server = TableServer()
    table = await open_table(server, "ann", "ben")
    await commit(server, table, "ann", "ben")
    assert await server.refusal("ann", "open_seed", table, game=1, seed=SEEDS["ann"].hex()) == "wrong_phase"
    await server.do("ann", "start", table)
    before = await server.entries(table)
    assert await server.refusal("ann", "open_seed", table, game=1, seed=SEEDS["ben"].hex()) == "bad_seed"
    assert await server.refusal("ann", "open_seed", table, game=2, seed=SEEDS["ann"].hex()) == "stale_seeds"
    assert await server.entries(table) == before
    await reveal(server, table, "ann", "ann")
    assert await server.refusal("ann", "open_seed", table, game=1, seed=SEEDS["ben"].hex()) == "bad_seed"
    await reveal(server, table, "ben")
    assert server.state(table).phase == "running"
    await server.registry.close()


@in_virtual_time
async def test_nothing_else_changes_while_the_exchange_runs_and_leaving_ends_it() -> None:
    server = TableServer()
    table = await open_table(server, "ann", "ben")
    await commit(server, table, "ann", "ben")
    await server.do("ann", "start", table)
    assert await server.refusal("ann", "kick", table, seat=1) == "wrong_phase"
    assert await server.refusal("ben", "ready", table, ready=False) == "wrong_phase"
    assert await server.refusal("ann", "start", table) == "wrong_phase"
    await server.do("ben", "leave_seat", table)
    exchange = server.state(table).exchange
    assert (exchange.game, exchange.stage, exchange.commitments) == (2, "waiting", {})
    await server.registry.close()


@in_virtual_time
async def test_a_seat_that_is_left_or_moved_loses_its_commitment() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    await server.seat(table, "ben")
    await commit(server, table, "ann", "ben")
    await server.do("ben", "take_seat", table, seat=2)
    assert list(server.state(table).exchange.commitments) == [0]
    await commit(server, table, "ben")
    await server.do("ann", "kick", table, seat=2)
    assert list(server.state(table).exchange.commitments) == [0]
    await server.registry.close()


@pytest.mark.parametrize("ending", ["restart", "crash"])
@pytest.mark.parametrize("stage", ["commit", "open"])
@in_virtual_time
async def test_an_exchange_goes_on_at_the_next_owner(stage: str, ending: str) -> None:
    server = TableServer()
    table = await open_table(server, "ann", "ben")
    await commit(server, table, "ann", *(["ben"] if stage == "open" else []))
    await server.do("ann", "start", table)
    before = server.state(table).exchange
    await (server.restart() if ending == "restart" else server.crash())
    await server.watch("ann", table)
    assert server.state(table).exchange == before
    assert server.state(table).exchange.stage == stage
    await commit(server, table, *(["ben"] if stage == "commit" else []))
    await reveal(server, table, "ann", "ben")
    assert server.state(table).phase == "running"
    await server.registry.close()


@in_virtual_time
async def test_a_deadline_runs_anew_after_a_take_over() -> None:
    server = TableServer()
    table = await open_table(server, "ann", "ben")
    await commit(server, table, "ann", "ben")
    await server.do("ann", "start", table)
    await pass_time(9)
    await server.crash()
    await server.watch("ann", table)
    await pass_time(9)
    assert server.state(table).exchange.stage == "open"
    await pass_time(2)
    assert server.state(table).exchange.game == 2
    await server.registry.close()


@in_virtual_time
async def test_the_next_game_of_people_who_took_part_waits_for_them() -> None:
    server = TableServer()
    table = await server.create("ann", seats=2, begin="full", absence_seconds=None)
    await commit(server, table, "ann")
    await server.do("ben", "take_seat", table, key=server.key(table))
    assert server.state(table).exchange.stage == "commit"
    await commit(server, table, "ben")
    await reveal(server, table, "ann", "ben")
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="abandon", agree=True)
    again = (await server.do("ann", "play_again", table))["table"]
    await server.do("ben", "play_again", table)
    assert server.state(again).exchange.stage == "commit"
    await pass_time(2.1)
    assert server.state(again).phase == "running", "nobody took part this time"
    await server.registry.close()


# -- sealed answers -------------------------------------------------------------------------------------------


async def seal(server: TableServer, table: str, name: str, command: dict[str, Any], salt: str, attempt: int) -> Any:
    state = server.state(table)
    seat, number = state.seat_of(name), state.play.number
    answer = canonical_json(command)
    commitment = answer_commitment(table, state.exchange.game, number, seat, attempt, answer, bytes.fromhex(salt))
    return await server.ask(name, "decide", table, decision=number, command=command, commitment=commitment, salt=salt)


@in_virtual_time
async def test_the_commitment_of_a_page_is_shown_at_once_and_opened_at_the_reveal() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    ann, pat = await server.watch("ann", table), await server.watch("pat", table)
    assert ann.decision["attempt"] == 0
    card = server.state(table).play.state.hands[0][0]
    assert isinstance(await seal(server, table, "ann", {"do": "bid", "card": card}, ANN_SALT, 0), Done)
    assert ann.decision["attempt"] == 1
    assert "attempt" not in pat.decision
    sealed = pat.events[-1]
    assert sealed.keys() == {"event", "seat", "decision", "commitment"}
    await server.bid("ben", table, None)
    opened = next(event for event in pat.events if event["event"] == "answers_opened")
    assert opened["decision"] == 1
    mine, bens = opened["openings"]
    assert mine == {
        "seat": 0,
        "attempt": 0,
        "commitment": sealed["commitment"],
        "salt": ANN_SALT,
        "answer": canonical_json({"do": "bid", "card": card}),
        "by_server": False,
    }
    seed = bytes.fromhex(server.state(table).seed)
    assert (bens["by_server"], bens["salt"]) == (True, server_salt(seed, 1, 1, 0).hex())
    assert server.state(table).seals == {}
    await server.registry.close()


@in_virtual_time
async def test_a_commitment_that_does_not_fit_is_refused_and_seals_nothing() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    card = server.state(table).play.state.hands[0][0]
    before = await server.entries(table)
    bid = {"decision": 1, "command": {"do": "bid", "card": card}}
    for proof in (
        {"commitment": "A" * 43, "salt": ANN_SALT},
        {"commitment": "A" * 43},
        {"salt": ANN_SALT},
    ):
        assert await server.refusal("ann", "decide", table, **bid, **proof) == "bad_commitment"
    assert code_of(await seal(server, table, "ann", {"do": "bid", "card": card}, ANN_SALT, 1)) == "bad_commitment"
    assert await server.entries(table) == before
    await server.registry.close()


@in_virtual_time
async def test_a_changed_answer_is_a_new_numbered_commitment_which_others_learn_of_at_the_reveal() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    pat = await server.watch("pat", table)
    low, high, *_ = server.state(table).play.state.hands[0]
    await seal(server, table, "ann", {"do": "bid", "card": low}, ANN_SALT, 0)
    seen = len(pat.messages)
    assert isinstance(await seal(server, table, "ann", {"do": "bid", "card": high}, "6b" * 16, 1), Done)
    assert len(pat.messages) == seen
    await server.bid("ben", table, None)
    opened = next(event for event in pat.events if event["event"] == "answers_opened")
    assert [(each["seat"], each["attempt"]) for each in opened["openings"]] == [(0, 1), (1, 0)]
    sealed = await events_of(server, table, events.AnswerSealed)
    assert [(each.seat, each.attempt) for each in sealed] == [(0, 0), (0, 1), (1, 0)]
    await server.registry.close()


@in_virtual_time
async def test_bots_stand_ins_and_fallbacks_commit_with_salts_that_follow_from_the_seed() -> None:
    server = TableServer()
    clock = {"kind": "decision", "seconds": 10}
    table = await server.begin("ann", "ben", bots=1, clock=clock, time_up="fallback", absence_seconds=None)
    server.bots.decide()
    await settle()
    await pass_time(11)
    sealed = [each for each in await events_of(server, table, events.AnswerSealed) if each.decision == 1]
    seed = bytes.fromhex(server.state(table).seed)
    assert {each.seat for each in sealed} == {0, 1, 2}
    for each in sealed:
        assert each.by_server
        assert each.salt == server_salt(seed, 1, each.seat, 0).hex()
    await server.registry.close()


@in_virtual_time
async def test_the_command_of_an_open_decision_is_in_the_log_and_shown_to_nobody() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", game="mosaic")
    screens = [await server.watch(name, table) for name in ("ann", "ben", "pat")]
    play = server.state(table).play
    command = {"do": "take_stone", "kind": play.state.row[0]}
    await server.do("ann", "decide", table, decision=play.number, command=command)
    (given,) = await events_of(server, table, events.CommandGiven)
    assert given == events.CommandGiven(0, canonical_json(command))
    assert not any("command_given" in str(screen.messages) for screen in screens)
    await server.registry.close()


# -- the chain ------------------------------------------------------------------------------------------------


async def chain_of(server: TableServer, table: str) -> list[str]:
    """Return the heads after each line, from the log alone."""
    state, heads, head = server.state(table), [], chain_start(table)
    for entry in await server.entries(table):
        line = public_line(state, entry, len(heads) + 1)
        if line is not None:
            head = chain_next(head, line)
            heads.append(base64url(head))
    return heads


def last_head(screen: Screen) -> tuple[int, str]:
    last = next(message for message in reversed(screen.messages) if "head" in message)
    return last["line"], last["head"]


@pytest.mark.parametrize("show_decided", [True, False])
@in_virtual_time
async def test_every_viewer_gets_the_heads_of_the_same_chain(show_decided: bool) -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben", show_decided=show_decided)
    screens = [await server.watch(name, table) for name in ("ann", "ben", "pat")]
    await server.bid("ann", table, -1)
    await server.bid("ann", table, None)
    await server.bid("ben", table, -1)
    heads = await chain_of(server, table)
    for screen in screens:
        assert last_head(screen) == (len(heads), heads[-1])
        for message in screen.messages:
            if "head" in message:
                assert heads[message["line"] - 1] == message["head"]
    await server.restart()
    assert last_head(await server.watch("pat", table)) == (len(heads), heads[-1])
    await server.registry.close()


@in_virtual_time
async def test_a_request_that_names_another_history_is_refused_and_everybody_is_told_once() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    ann, ben = await server.watch("ann", table), await server.watch("ben", table)
    line, head = last_head(ann)
    bid = {"decision": 1, "command": {"do": "sit"}}
    other = "B" * 43
    for _ in range(2):
        assert await server.refusal("ann", "decide", table, **bid, seen=f"{line}.{other}") == "other_history"
    assert await server.refusal("ann", "undo", table, decision=1, seen=f"{line + 7}.{head}") == "other_history"
    told = [event for event in ben.events if event["event"] == "history_differs"]
    assert told == [{"event": "history_differs", "seat": 0, "line": line, "head": other}]
    assert server.state(table).play.answers == {}
    assert ben.view is not None
    assert ben.view["table"]["fairness"]["differs"] == [0]
    await server.do("ann", "decide", table, **bid, seen=f"{line}.{head}")
    await server.registry.close()


@in_virtual_time
async def test_after_a_rollback_an_old_head_is_refused_without_an_alarm() -> None:
    server = TableServer()
    table = await begin(server, "ann", "ben")
    ann = await server.watch("ann", table)
    copy = deepcopy(tables_of(server))
    await pass_time(1)
    await server.bid("ben", table, None)
    line, head = last_head(ann)
    await put_back(server, copy)
    await come_back(server, ann, table)
    for name in ("ann", "ben"):
        await server.do(name, "vote", table, on="resume", agree=True)
    bid = {"decision": 1, "command": {"do": "sit"}, "seen": f"{line}.{head}"}
    assert await server.refusal("ann", "decide", table, **bid) == "stale_decision"
    assert not await events_of(server, table, events.HistoryDiffers)
    await server.registry.close()


@in_virtual_time
async def test_a_table_of_an_earlier_version_goes_on_without_proofs() -> None:
    server = TableServer()
    table = await open_table(server, "ann", "ben")
    old = [
        write_entry([event for event in entry if not isinstance(event, events.ServerSeedDrawn)], 1_000)
        for entry in await server.entries(table)
    ]
    summary = pack_summary(server.state(table))
    await server.registry.close()
    later = TableServer()
    await later.store.create(table, "open", summary, old)
    ann = await later.watch("ann", table)
    assert await later.refusal("ann", "commit_seed", table, game=1, commitment="0" * 64) == "wrong_phase"
    await later.do("ann", "start", table)
    await later.bid("ann", table, None)
    await later.bid("ben", table, None)
    assert ann.view is not None
    assert ann.view["table"]["fairness"] is None
    assert "head" not in str(ann.messages)
    names = [event.name for entry in await later.entries(table) for event in entry]
    assert not {"answer_sealed", "answers_opened", "command_given"} & {*names}
    await later.registry.close()
