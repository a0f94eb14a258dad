"""Every request, in every role, in every phase: refused unless `authority.txt` says yes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args
from unittest.mock import patch

import pytest
from pydantic import ValidationError

from protocol import messages
from server.bots.judges import JUDGES
from server.coach.service import Coach
from server.history.parts import HistoryParts
from server.lobby.directory import TableDirectory
from server.model import Done
from server.people.directory import PeopleDirectory
from tests.replies import code_of
from tests.tables.roles import PHASES, PLAYING_ONLY, USERS, fields, play_turn, table_with
from tests.tables.table_server import Reply, Screen, TableServer, person
from tests.tables.virtual_time import in_virtual_time

IMPOSSIBLE = "-"
YES = "yes"


def read_authority() -> dict[tuple[str, str, str], str]:
    """Return the expected result of each (request, phase, role)."""
    text = (Path(__file__).parent / "authority.txt").read_text()
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    (_, _, *roles), rows = lines[0], lines[1:]
    return {
        (request, phase, role): expected
        for request, phase, *cells in rows
        for role, expected in zip(roles, cells, strict=True)
    }


AUTHORITY = read_authority()


def table_requests() -> set[str]:
    def kinds(kind: type[messages.TableRequest]) -> Iterator[type[messages.TableRequest]]:
        for narrower in kind.__subclasses__():
            yield narrower
            yield from kinds(narrower)

    return {get_args(kind.model_fields["type"].annotation)[0] for kind in kinds(messages.TableRequest)}


def history_requests() -> set[str]:
    """Return the requests about one table that tables do not answer: those about finished games."""
    kinds = [kind for kind in messages.HistoryRequest.__subclasses__() if "table" in kind.model_fields]
    return {get_args(kind.model_fields["type"].annotation)[0] for kind in kinds}


def test_every_request_has_a_row_for_every_phase_and_a_column_for_every_role() -> None:
    requests = table_requests() | history_requests()
    assert set(AUTHORITY) == {(request, phase, role) for request in requests for phase in PHASES for role in USERS}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("role", USERS)
def test_what_is_refused_is_refused_with_its_code_and_changes_nothing(role: str, phase: str) -> None:
    if role in PLAYING_ONLY and phase == "open":
        requests = table_requests() | history_requests()
        assert {AUTHORITY[request, phase, role] for request in requests} == {IMPOSSIBLE}
        return
    in_virtual_time(refuse_all)(role, phase)


async def refuse_all(role: str, phase: str) -> None:
    server = TableServer()
    table = await table_with(server, role, phase, "start")
    before = await server.log(table)
    for (request, its_phase, its_role), expected in AUTHORITY.items():
        if (its_phase, its_role) == (phase, role) and expected != YES:
            answer = await put(server, table, role, phase, request)
            assert code_of(answer) == expected, f"{role} asks for {request}: {answer}"
    assert await server.log(table) == before
    await server.registry.close()


ALLOWED = [cell for cell, expected in AUTHORITY.items() if expected == YES]


@pytest.mark.parametrize("request_kind, phase, role", ALLOWED, ids=["-".join(cell) for cell in ALLOWED])
@in_virtual_time
async def test_what_is_allowed_is_done(request_kind: str, phase: str, role: str) -> None:
    server = TableServer()
    table = await table_with(server, role, phase, request_kind)
    answer = await put(server, table, role, phase, request_kind)
    assert isinstance(answer, Done), answer
    await server.registry.close()


async def put(server: TableServer, table: str, role: str, phase: str, request: str) -> Reply:
    user = USERS[role]
    if request == "watch":
        return await server.try_watch(Screen(person(user)), table)
    if request in history_requests():
        return await ask_history(server, user, request, table)
    return await server.ask(user, request, table, **fields(server, table, phase, request))


async def ask_history(server: TableServer, user: str, request: str, table: str) -> Reply:
    """Return the reply of the service for finished games, whose index is up to date."""
    history = HistoryParts(server.store, server.registry.turns)
    history.indexer.report(table)
    await history.indexer._index_reported()
    people, lists = PeopleDirectory(server.store.key_values), TableDirectory()
    ids = lambda user, request_id: f"next{user.id}"  # noqa: E731
    service = history.service(people, lists, server.registry, ids, server.bots.strengths)
    chosen = {"step": 0, "seat": 0} if request == "play_on" else {}
    asked = messages.REQUESTS.validate_python({"type": request, "id": "x", "table": table, **chosen})
    if isinstance(asked, messages.AnalyseGame):
        coach = Coach(server.store, history.finished, 1)
        with patch.dict(JUDGES, {server.state(table).settings.game: JUDGES["planners"]}):
            reply = await coach.answer(person(user), asked, lambda: None)
        await coach.close()
        return reply
    assert isinstance(asked, messages.HistoryRequest)
    return await service.answer(person(user), asked)


@pytest.mark.parametrize("phase", PHASES)
@in_virtual_time
async def test_a_private_table_is_unknown_to_those_without_its_key(phase: str) -> None:
    server = TableServer()
    table = await server.create("hal", seats=2, private=True)
    await server.seat(table, "kim")
    await server.do("hal", "kick", table, seat=1)
    await server.seat(table, "ann")
    if phase != "open":
        await server.do("hal", "start", table)
    for name in ("hal", "ann"):
        if phase in ("paused", "over"):
            await server.do(name, "vote", table, on="pause" if phase == "paused" else "abandon", agree=True)
    before = await server.log(table)
    key = server.key(table)
    for request in sorted(table_requests() - {"watch"}):
        said = fields(server, table, "open", request)
        assert await server.refusal("sue", request, table, **said) == "no_such_table"
        assert await server.refusal("kim", request, table, **said) == "no_such_table"
    for name in ("sue", "kim"):
        assert code_of(await ask_history(server, name, "play_on", table)) == "no_such_table"
        assert code_of(await ask_history(server, name, "analyse_game", table)) == "no_such_table"
        assert code_of(await ask_history(server, name, "get_game", table)) == "no_such_game"
    assert await server.refusal("sue", "take_seat", table, key="0" * 32) == "no_such_table"
    assert await server.refusal("kim", "take_seat", table, key=key) == "no_such_table"
    for name, given in (("sue", None), ("sue", "no key: é"), ("kim", key)):
        answer = await server.try_watch(Screen(person(name)), table, key=given)
        assert code_of(answer) == "no_such_table"
    assert isinstance(await server.try_watch(Screen(person("sue")), table, key=key), Done)
    assert await server.log(table) == before
    await server.registry.close()


def test_no_request_says_for_which_seat_it_speaks() -> None:
    """Check that a seat in a request is always another user's, or a free one."""
    with_seat = {
        get_args(kind.model_fields["type"].annotation)[0]
        for kind in messages.TableRequest.__subclasses__()
        if "seat" in kind.model_fields
    }
    assert with_seat == {"take_seat", "add_bot", "change_bot", "remove_bot", "kick"}
    for request in table_requests() - with_seat:
        with pytest.raises(ValidationError):
            messages.REQUESTS.validate_python({"type": request, "id": "x", "table": "table1", "seat": 0})


@in_virtual_time
async def test_all_that_a_user_does_happens_at_their_own_seat() -> None:
    server = TableServer()
    table = await server.begin("hal", "ann", game="mosaic")
    await play_turn(server, table, "hal")
    await play_turn(server, table, "ann")
    await server.do("hal", "vote", table, on="abandon", agree=True)
    await server.do("ann", "resign", table)
    seats = [(entry[0].name, entry[0].seat) for entry in (await server.entries(table))[2:] if hasattr(entry[0], "seat")]
    assert seats[1:] == [
        ("stone_taken", 0),
        ("stone_placed", 0),
        ("turn_ended", 0),
        ("stone_taken", 1),
        ("stone_placed", 1),
        ("turn_ended", 1),
        ("voted", 0),
        ("resigned", 1),
    ]
    await server.registry.close()
