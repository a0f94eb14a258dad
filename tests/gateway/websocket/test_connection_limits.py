"""The limits of connections: what one user, one address and new users may ask for."""

from __future__ import annotations

from typing import Any, cast

import pytest

from protocol.codec import Encoding, decode, encode
from protocol.codes import Close
from server.gateway import connections as connections_module
from server.gateway.limits import Limits
from server.gateway.services import NoPeople
from server.gateway.websocket.connection import Connection
from server.model import User
from server.rate_limit import Rate
from tests.gateway.fakes import FakeTransport, payload
from tests.gateway.websocket.scene import PLENTY, Scene, settle


async def test_too_many_requests_are_refused_with_the_time_to_wait(scene: Scene) -> None:
    for number in range(21):
        scene.request(type="start", id=str(number), table="abcd")
    answers = scene.sent()
    assert [answer["type"] for answer in answers] == ["done"] * 20 + ["refused"]
    assert answers[-1]["id"] == "20"
    assert answers[-1]["code"] == "too_fast"
    assert "1 second." in answers[-1]["sentence"]
    scene.clock.now += 1
    scene.request(type="start", id="21", table="abcd")
    assert scene.sent_one()["type"] == "done"


async def test_a_client_that_goes_on_flooding_is_closed(scene: Scene) -> None:
    for number in range(60):
        scene.request(type="start", id=str(number), table="abcd")
        if scene.transport.closed is not None:
            break
    assert scene.transport.closed is Close.POLICY
    answers = scene.sent()
    assert len(answers) == len({answer["id"] for answer in answers}) == 50
    assert len(scene.services.tables.requests) == 20


async def test_a_second_connection_of_the_same_user_shares_the_limit(scene: Scene) -> None:
    other = scene.open(FakeTransport(), scene.token)
    for number in range(20):
        scene.request(type="start", id=str(number), table="abcd")
    scene.sent()
    scene.connection = other
    scene.request(type="start", id="x", table="abcd")
    assert len(scene.services.tables.requests) == 20


async def test_chat_hints_and_creating_tables_have_their_own_limits() -> None:
    scene = Scene(limits=Limits(requests=PLENTY))
    for number in range(7):
        scene.request(type="say", id=str(number), table="abcd", text="hello")
    assert [answer.get("code") for answer in scene.sent()] == [None] * 6 + ["too_fast"]
    for number in range(11):
        scene.request(type="create_table", id=str(number), settings={"game": "investors", "seats": 3})
    await settle()
    answers = scene.sent()
    for number in range(6):
        scene.request(type="hint", id=f"h{number}", table="abcd", decision=1)
    assert [answer.get("code") for answer in scene.sent()] == [None] * 5 + ["too_fast"]
    assert [answer.get("code") for answer in answers] == [None] * 10 + ["too_many_tables"]
    assert "6 minutes" in answers[-1]["sentence"]


class Newcomers:
    """Users at addresses, who were created a moment ago unless a test says otherwise."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.scene = Scene(limits=limits)
        self.scene.connections.wall = lambda: 1e9
        self.services = self.scene.services

    def connection(
        self, address: str = "192.0.2.1", created: int = 999_999_990, has_played: bool = False
    ) -> Connection:
        known, token = self.services.identity.add()
        user = User(known.id, "Ann", created=created, has_played=has_played)
        made = Connection(self.scene.connections, FakeTransport(), user, token, address, Encoding.JSON)
        assert self.scene.connections.admit(made) is None
        made.greet()
        return made

    async def ask(self, connection: Connection, count: int, **request: Any) -> list[str | None]:
        """Send a request so many times; return the codes of the replies, None for done."""
        transport = cast("FakeTransport", connection._transport)
        transport.frames.clear()
        for number in range(count):
            connection.on_message(encode({**request, "id": str(number)}, Encoding.JSON))
        await settle()
        sent = [decode(payload(frame), Encoding.JSON) for frame in transport.frames]
        return [message.get("code") for message in sent if message["type"] in ("done", "refused")]


CREATE = {"type": "create_table", "settings": {"game": "investors", "seats": 3}}
MATCH = {"type": "quick_match", "game": "investors"}


async def test_51_new_guests_of_one_address_open_60_tables_and_not_510() -> None:
    newcomers = Newcomers()
    opened = 0
    for _ in range(51):
        opened += (await newcomers.ask(newcomers.connection(), 10, **CREATE)).count(None)
    assert opened == len(newcomers.services.lobby.requests) == 60
    assert newcomers.scene.connections.counters.limited["new_creations"] == 450
    # Elsewhere, and for people who have been here for long, nothing has changed.
    assert await newcomers.ask(newcomers.connection("192.0.2.2"), 1, **CREATE) == [None]
    old = newcomers.connection(created=0, has_played=True)
    assert await newcomers.ask(old, 11, **CREATE) == [None] * 10 + ["too_many_tables"]


async def test_an_age_without_a_game_is_not_enough() -> None:
    newcomers = Newcomers(Limits(new_creations=Rate(1, 3_600, burst=1)))
    assert await newcomers.ask(newcomers.connection(created=0), 2, **CREATE) == [None, "too_many_tables"]


async def test_waiting_for_the_address_uses_up_nothing_of_the_user() -> None:
    newcomers = Newcomers(Limits(new_creations=Rate(1, 600, burst=1), creations=Rate(1, 3_600, burst=1)))
    assert await newcomers.ask(newcomers.connection(), 1, **CREATE) == [None]
    patient = newcomers.connection()
    assert await newcomers.ask(patient, 5, **CREATE) == ["too_many_tables"] * 5
    assert await newcomers.ask(patient, 5, **MATCH) == ["too_many_tables"] * 5
    newcomers.scene.clock.now += 600
    assert await newcomers.ask(patient, 1, **CREATE) == [None]


async def test_a_club_of_200_newcomers_opens_50_tables_and_finds_seats_at_once() -> None:
    newcomers = Newcomers()
    club = [newcomers.connection() for _ in range(200)]
    for host in club[:50]:
        assert await newcomers.ask(host, 1, **CREATE) == [None]
    for member in club:
        assert await newcomers.ask(member, 1, **MATCH) == [None]


class Blocking(NoPeople):
    async def blocked_by(self, user: User) -> frozenset[str]:
        return frozenset({"cy"})


async def test_a_quick_match_avoids_the_people_whom_the_user_blocks() -> None:
    scene = Scene(people=Blocking())
    scene.request(id="q1", **MATCH)
    await settle()
    assert scene.services.lobby.avoided == {"cy"}


async def test_tables_that_quick_matches_open_count_like_others() -> None:
    newcomers = Newcomers(Limits(new_creations=Rate(1, 3_600, burst=3)))
    newcomers.services.lobby.result = {"table": "abcd", "created": True}
    for _ in range(3):
        assert await newcomers.ask(newcomers.connection(), 1, **MATCH) == [None]
    assert await newcomers.ask(newcomers.connection(), 1, **MATCH) == ["too_many_tables"]
    assert await newcomers.ask(newcomers.connection(), 1, **CREATE) == ["too_many_tables"]
    assert await newcomers.ask(newcomers.connection(created=0, has_played=True), 1, **MATCH) == [None]


@pytest.mark.parametrize(
    "limit, request_",
    [
        ("new_matches", MATCH),
        ("new_chat", {"type": "say", "table": "abcd", "text": "hello"}),
        ("new_hints", {"type": "hint", "table": "abcd", "decision": 1}),
    ],
)
async def test_new_users_at_one_address_share_a_limit(limit: str, request_: dict[str, Any]) -> None:
    rates: dict[str, Any] = {limit: Rate(1, 3_600, burst=3)}
    newcomers = Newcomers(Limits(**rates))
    assert await newcomers.ask(newcomers.connection(), 2, **request_) == [None] * 2
    assert await newcomers.ask(newcomers.connection(), 2, **request_) == [None, "too_fast"]
    assert newcomers.scene.connections.counters.limited[limit] == 1
    assert await newcomers.ask(newcomers.connection("192.0.2.2"), 1, **request_) == [None]
    assert await newcomers.ask(newcomers.connection(created=0, has_played=True), 3, **request_) == [None] * 3


async def test_a_new_name_makes_nobody_older() -> None:
    newcomers = Newcomers(Limits(new_creations=Rate(1, 3_600, burst=1)))
    connection = newcomers.connection()
    newcomers.scene.connections.rename_local(User(connection.user.id, "Bea"))
    assert await newcomers.ask(connection, 2, **CREATE) == [None, "too_many_tables"]


async def test_the_first_accepted_decision_is_noted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections_module, "MAX_PLAYED", 1)
    newcomers = Newcomers()
    connection, other = newcomers.connection(), newcomers.connection(has_played=True)
    decide = {"type": "decide", "table": "abcd", "decision": 1, "command": {}}
    newcomers.services.tables.refuses = True
    await newcomers.ask(connection, 1, **decide)
    assert newcomers.services.identity.played == []
    newcomers.services.tables.refuses = False
    assert await newcomers.ask(connection, 3, **decide) == [None] * 3
    await newcomers.ask(other, 1, **decide)
    assert newcomers.services.identity.played == [connection.user.id]


async def test_users_who_have_played_are_stored_together_and_none_is_lost_in_a_restart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections_module, "PLAYED_SECONDS", 0.0)
    newcomers = Newcomers()
    registry, played = newcomers.scene.connections, newcomers.services.identity.played
    first, second, third = (newcomers.connection().user for _ in range(3))
    registry.note_played(first)
    registry.note_played(second)
    assert played == []
    await settle()
    assert played == [first.id, second.id]
    registry.note_played(third)
    await registry.drain()
    assert played == [first.id, second.id, third.id]
