"""Every request, in every role, in every phase: refused unless `authority.txt` says yes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic import ValidationError

from protocol import messages
from tests.tables.roles import PHASES, PLAYING_ONLY, USERS, fields, play_turn, table_with
from tests.tables.virtual_time import in_virtual_time
from tests.tables.world import Answer, Screen, World, person

IMPOSSIBLE = "-"
YES = "yes"


def read_authority() -> dict[tuple[str, str, str], str]:
    """Give what should come of each (request, phase, role)."""
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


def test_every_request_has_a_row_for_every_phase_and_a_column_for_every_role() -> None:
    expected = {(request, phase, role) for request in table_requests() for phase in PHASES for role in USERS}
    assert set(AUTHORITY) == expected


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("role", USERS)
def test_what_is_refused_is_refused_with_its_code_and_changes_nothing(role: str, phase: str) -> None:
    if role in PLAYING_ONLY and phase == "open":
        assert {AUTHORITY[request, phase, role] for request in table_requests()} == {IMPOSSIBLE}
        return
    in_virtual_time(refuse_all)(role, phase)


async def refuse_all(role: str, phase: str) -> None:
    world = World()
    table = await table_with(world, role, phase, "start")
    before = await world.log(table)
    for (request, its_phase, its_role), expected in AUTHORITY.items():
        if (its_phase, its_role) == (phase, role) and expected != YES:
            answer = await put(world, table, role, phase, request)
            assert (answer["type"], answer.get("code")) == ("refused", expected), f"{role} asks for {request}: {answer}"
    assert await world.log(table) == before
    await world.registry.close()


ALLOWED = [cell for cell, expected in AUTHORITY.items() if expected == YES]


@pytest.mark.parametrize("request_kind, phase, role", ALLOWED, ids=["-".join(cell) for cell in ALLOWED])
@in_virtual_time
async def test_what_is_allowed_is_done(request_kind: str, phase: str, role: str) -> None:
    world = World()
    table = await table_with(world, role, phase, request_kind)
    answer = await put(world, table, role, phase, request_kind)
    assert answer["type"] == "done", answer
    await world.registry.close()


async def put(world: World, table: str, role: str, phase: str, request: str) -> Answer:
    user = USERS[role]
    if request == "watch":
        return await world.try_watch(Screen(person(user)), table)
    return await world.ask(user, request, table, **fields(world, table, phase, request))


@pytest.mark.parametrize("phase", PHASES)
@in_virtual_time
async def test_a_private_table_is_unknown_to_those_without_its_key(phase: str) -> None:
    world = World()
    table = await world.create("hal", seats=2, private=True)
    await world.seat(table, "kim")
    await world.do("hal", "kick", table, seat=1)
    await world.seat(table, "ann")
    if phase != "open":
        await world.do("hal", "start", table)
    for name in ("hal", "ann"):
        if phase in ("paused", "over"):
            await world.do(name, "vote", table, on="pause" if phase == "paused" else "abandon", agree=True)
    before = await world.log(table)
    key = world.key(table)
    for request in sorted(table_requests() - {"watch"}):
        said = fields(world, table, "open", request)
        assert await world.refusal("sue", request, table, **said) == "no_such_table"
        assert await world.refusal("kim", request, table, **said) == "no_such_table"
    assert await world.refusal("sue", "take_seat", table, key="0" * 32) == "no_such_table"
    assert await world.refusal("kim", "take_seat", table, key=key) == "no_such_table"
    for name, given in (("sue", None), ("sue", "no key: é"), ("kim", key)):
        answer = await world.try_watch(Screen(person(name)), table, key=given)
        assert answer.get("code") == "no_such_table"
    assert (await world.try_watch(Screen(person("sue")), table, key=key))["type"] == "done"
    assert await world.log(table) == before
    await world.registry.close()


def test_no_request_says_for_which_seat_it_speaks() -> None:
    """A seat in a message is always somebody else's, or one that is still free."""
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
    world = World()
    table = await world.begin("hal", "ann", game="mosaic")
    await play_turn(world, table, "hal")
    await play_turn(world, table, "ann")
    await world.do("hal", "vote", table, on="abandon", agree=True)
    await world.do("ann", "resign", table)
    seats = [
        (record[0].name, record[0].seat) for record in (await world.records(table))[2:] if hasattr(record[0], "seat")
    ]
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
    await world.registry.close()
