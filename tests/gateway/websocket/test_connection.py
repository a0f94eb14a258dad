"""What a connection does with what comes in, and with a reader that is slow. Without any socket."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from protocol.codec import Encoding, Frame, decode, encode
from protocol.codes import Close
from server.gateway.connections import ConnectionRegistry, Services
from server.gateway.limits import Limits, Rate
from server.gateway.websocket.connection import MAX_TASKS, MAX_UNSENT, Connection
from tests.gateway.fakes import ENCODINGS, Clock, FakeServices, FakeWire, payload

PLENTY = Rate(1_000_000, 1, burst=1_000_000)


class Scene:
    """A connection between a wire and stand-ins."""

    def __init__(self, encoding: Encoding = Encoding.JSON, limits: Limits | None = None) -> None:
        self.services = FakeServices()
        self.clock = Clock()
        services = Services(
            self.services.identity, self.services.lobby, self.services.tables, games=[{"name": "investors"}]
        )
        self.connections = ConnectionRegistry(services, limits or Limits(), self.clock)
        self.user, self.token = self.services.identity.add("Ann")
        self.wire = FakeWire()
        self.connection = self.open(self.wire, self.token, encoding)
        self.wire.frames.clear()

    def open(self, wire: FakeWire, token: str, encoding: Encoding = Encoding.JSON) -> Connection:
        connection = Connection(
            self.connections, wire, self.services.identity.sessions[token], token, "192.0.2.1", encoding
        )
        assert self.connections.admit(connection) is None
        connection.greet()
        return connection

    def ask(self, **request: Any) -> None:
        self.connection.on_message(encode(request, self.connection.encoding))

    def heard(self, wire: FakeWire | None = None) -> list[dict[str, Any]]:
        """Give what was sent since the last call."""
        wire = wire or self.wire
        frames, wire.frames = wire.frames, []
        return [decode(payload(frame), self.connection.encoding) for frame in frames]

    def heard_one(self) -> dict[str, Any]:
        [message] = self.heard()
        return message


@pytest.fixture
async def scene() -> Scene:
    return Scene()


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_the_first_message_is_a_welcome_and_then_come_ones_own_tables(scene: Scene) -> None:
    wire = FakeWire()
    scene.open(wire, scene.token)
    welcome, own = scene.heard(wire)
    assert welcome == {
        "type": "welcome",
        "protocol": 1,
        "user": {"id": scene.user.id, "name": "Ann"},
        "games": [{"name": "investors"}],
    }
    assert own["type"] == "your_tables"


@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_a_request_for_a_table_goes_there_with_the_user_of_the_session(encoding: Encoding) -> None:
    scene = Scene(encoding)
    scene.ask(type="start", id="1", table="abcd")
    [(user, request)] = scene.services.tables.asked
    assert (user, request.table) == (scene.user, "abcd")
    assert scene.heard_one() == {"type": "done", "id": "1", "result": {}}


@pytest.mark.parametrize(
    "request_, code, request_id",
    [
        ({"type": "start", "id": "1"}, "malformed", "1"),
        ({"type": "start", "id": "1", "table": "abcd", "seat": 2}, "malformed", "1"),
        ({"type": "start", "table": "abcd"}, "malformed", None),
        ({"type": "start", "id": 7, "table": "abcd"}, "malformed", None),
        ({"type": "fly", "id": "1"}, "unknown_request", "1"),
        ({"id": "1"}, "malformed", "1"),
    ],
)
async def test_what_makes_no_sense_is_refused_once_and_the_connection_stays(
    scene: Scene, request_: dict[str, Any], code: str, request_id: str | None
) -> None:
    scene.ask(**request_)
    answer = scene.heard_one()
    assert (answer["type"], answer["id"], answer["code"]) == ("refused", request_id, code)
    assert scene.wire.closed is None
    assert scene.services.tables.asked == []


async def test_too_much_nonsense_closes_the_connection(scene: Scene) -> None:
    for _ in range(10):
        assert scene.wire.closed is None
        scene.ask(type="start", id="1")
    assert scene.wire.closed is Close.POLICY
    assert len(scene.heard()) == 10


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'"text"', b'{"a":NaN}', b'{"a":1,"a":2}', b"[" * 9_000])
async def test_what_cannot_be_decoded_closes_the_connection(scene: Scene, data: bytes) -> None:
    scene.connection.on_message(data)
    assert scene.wire.closed is Close.BAD_DATA
    assert scene.heard() == []


# -- limits ---------------------------------------------------------------------------------------------------


async def test_too_many_requests_are_refused_with_the_time_to_wait(scene: Scene) -> None:
    for number in range(21):
        scene.ask(type="start", id=str(number), table="abcd")
    answers = scene.heard()
    assert [answer["type"] for answer in answers] == ["done"] * 20 + ["refused"]
    assert answers[-1]["id"] == "20"
    assert answers[-1]["code"] == "too_fast"
    assert "1 second." in answers[-1]["sentence"]
    scene.clock.now += 1
    scene.ask(type="start", id="21", table="abcd")
    assert scene.heard_one()["type"] == "done"


async def test_who_goes_on_flooding_is_thrown_out(scene: Scene) -> None:
    for number in range(60):
        scene.ask(type="start", id=str(number), table="abcd")
        if scene.wire.closed is not None:
            break
    assert scene.wire.closed is Close.POLICY
    answers = scene.heard()
    assert len(answers) == len({answer["id"] for answer in answers}) == 50
    assert len(scene.services.tables.asked) == 20


async def test_a_second_connection_of_the_same_user_shares_the_limit(scene: Scene) -> None:
    other = scene.open(FakeWire(), scene.token)
    for number in range(20):
        scene.ask(type="start", id=str(number), table="abcd")
    scene.heard()
    scene.connection = other
    scene.ask(type="start", id="x", table="abcd")
    assert len(scene.services.tables.asked) == 20


async def test_chat_hints_and_opening_tables_have_limits_of_their_own() -> None:
    scene = Scene(limits=Limits(requests=PLENTY))
    for number in range(7):
        scene.ask(type="say", id=str(number), table="abcd", text="hello")
    assert [answer.get("code") for answer in scene.heard()] == [None] * 6 + ["too_fast"]
    for number in range(11):
        scene.ask(type="create_table", id=str(number), settings={"game": "investors", "seats": 3})
    answers = scene.heard()
    for number in range(6):
        scene.ask(type="hint", id=f"h{number}", table="abcd", decision=1)
    assert [answer.get("code") for answer in scene.heard()] == [None] * 5 + ["too_fast"]
    assert [answer.get("code") for answer in answers] == [None] * 10 + ["too_many_tables"]
    assert "6 minutes" in answers[-1]["sentence"]


async def test_while_draining_nothing_is_taken_on(scene: Scene) -> None:
    await scene.connections.drain()
    scene.ask(type="start", id="1", table="abcd")
    assert scene.heard() == []
    assert scene.services.tables.asked == []


# -- people ---------------------------------------------------------------------------------------------------


async def test_a_new_name_reaches_all_connections_of_the_user_and_the_lobby(scene: Scene) -> None:
    other = scene.open(FakeWire(), scene.token)
    scene.ask(type="set_name", id="1", name="Bea")
    await settle()
    assert scene.heard_one() == {"type": "done", "id": "1", "result": {"name": "Bea"}}
    assert other.user.name == scene.connection.user.name == "Bea"
    assert [user.name for user in scene.services.lobby.renames] == ["Bea"]


async def test_a_bad_name_is_refused_in_the_words_of_identity(scene: Scene) -> None:
    scene.ask(type="set_name", id="1", name=" ")
    await settle()
    answer = scene.heard_one()
    assert (answer["code"], answer["sentence"]) == ("bad_name", "Please choose another name.")


async def test_codes_and_tokens_are_made_for_the_user(scene: Scene) -> None:
    scene.ask(type="make_code", id="1")
    await settle()
    assert scene.heard_one()["result"] == {"code": "ABCD2345"}
    scene.ask(type="make_token", id="2")
    await settle()
    token = scene.heard_one()["result"]["token"]
    assert scene.services.identity.sessions[token] == scene.user


async def test_forgetting_devices_closes_connections_of_other_sessions_only(scene: Scene) -> None:
    same, other, foreign = FakeWire(), FakeWire(), FakeWire()
    scene.open(same, scene.token)
    scene.open(other, await scene.services.identity.make_token(scene.user))
    scene.open(foreign, scene.services.identity.add("Bob")[1])
    scene.ask(type="forget_devices", id="1")
    await settle()
    assert scene.heard_one()["type"] == "done"
    assert other.closed is Close.SIGNED_OUT
    assert scene.wire.closed is same.closed is foreign.closed is None


async def test_a_failure_of_storage_is_one_refusal(scene: Scene) -> None:
    scene.services.identity.fails = True
    scene.ask(type="make_code", id="1")
    await settle()
    assert scene.heard_one()["code"] == "storage_failed"


async def test_only_a_few_requests_wait_for_storage_at_once(scene: Scene) -> None:
    scene.services.identity.gate.clear()
    for number in range(MAX_TASKS + 1):
        scene.ask(type="make_code", id=str(number))
    assert scene.heard_one()["code"] == "busy"
    scene.services.identity.gate.set()
    await settle()
    assert sorted(answer["id"] for answer in scene.heard()) == [str(number) for number in range(MAX_TASKS)]
    scene.ask(type="make_code", id="again")
    await settle()
    assert scene.heard_one()["type"] == "done"


# -- following ------------------------------------------------------------------------------------------------


async def test_watching_gives_an_answer_then_a_view_then_updates(scene: Scene) -> None:
    scene.ask(type="watch", id="1", table="abcd")
    scene.services.tables.publish("abcd", {})
    assert [message["type"] for message in scene.heard()] == ["done", "view", "update"]
    scene.ask(type="unwatch", id="2", table="abcd")
    scene.services.tables.publish("abcd", {})
    assert scene.heard_one() == {"type": "done", "id": "2", "result": {}}


async def test_a_table_that_one_does_not_follow_cannot_be_left(scene: Scene) -> None:
    scene.ask(type="unwatch", id="1", table="abcd")
    assert scene.heard_one()["code"] == "not_following"
    scene.ask(type="watch", id="2", table="gone")
    scene.ask(type="unwatch", id="3", table="gone")
    assert [answer["code"] for answer in scene.heard()] == ["no_such_table", "not_following"]


async def test_one_connection_follows_so_many_tables_and_no_more() -> None:
    scene = Scene(limits=Limits(tables_per_connection=2))
    for table in ("aaaa", "bbbb", "aaaa", "cccc"):
        scene.ask(type="watch", id=table, table=table)
    assert [message["code"] for message in scene.heard() if message["type"] == "refused"] == ["busy"]


async def test_a_lost_connection_leaves_nothing_behind(scene: Scene) -> None:
    scene.ask(type="watch", id="1", table="abcd")
    scene.ask(type="list_tables", id="2")
    scene.connection.on_disconnect(1006)
    assert scene.services.tables.watching == {"abcd": []}
    assert scene.services.lobby.subscribers == scene.services.lobby.here == []
    assert len(scene.connections) == 0
    assert list(scene.connections) == []
    assert scene.connections.counts.closed == {"1006": 1}


@pytest.mark.parametrize("leaves", ["by closing", "by unwatch"])
async def test_who_leaves_while_the_table_is_loaded_does_not_follow_it_afterwards(scene: Scene, leaves: str) -> None:
    scene.services.tables.hold_watch = True
    scene.ask(type="watch", id="1", table="abcd")
    if leaves == "by closing":
        scene.connection.on_disconnect(1006)
    else:
        scene.ask(type="unwatch", id="2", table="abcd")
    scene.services.tables.let_in()
    await settle()
    assert scene.services.tables.watching == {}
    expected = ["1"] if leaves == "by closing" else ["1", "2"]
    assert [(message["type"], message["id"]) for message in scene.heard()] == [("done", number) for number in expected]


async def test_the_lists_come_after_the_answer_and_stop_when_told(scene: Scene) -> None:
    scene.ask(type="list_tables", id="1")
    assert [message["type"] for message in scene.heard()] == ["done", "tables"]
    scene.ask(type="unlist_tables", id="2")
    assert scene.heard_one()["type"] == "done"
    assert scene.services.lobby.subscribers == []


# -- slow readers ---------------------------------------------------------------------------------------------


async def test_a_slow_reader_gets_its_answers_and_one_fresh_view(scene: Scene) -> None:
    tables = scene.services.tables
    scene.ask(type="watch", id="1", table="abcd")
    scene.ask(type="watch", id="2", table="calm")
    scene.heard()
    scene.wire.has_room = False
    assert tables.publish("abcd", {}) == [False]
    scene.ask(type="start", id="3", table="abcd")
    assert tables.publish("abcd", {}) == [False]
    scene.wire.has_room = True
    scene.connection.on_writable()
    answer, view = scene.heard()
    assert answer == {"type": "done", "id": "3", "result": {}}
    assert (view["type"], view["table"], view["number"]) == ("view", "abcd", 2)
    assert [table for table, _ in tables.refreshed] == ["abcd"]
    tables.publish("abcd", {})
    assert scene.heard_one()["number"] == 3


async def test_no_update_slips_in_between_a_gap_and_its_view(scene: Scene) -> None:
    tables = scene.services.tables
    scene.ask(type="watch", id="1", table="abcd")
    scene.heard()
    scene.wire.has_room = False
    tables.publish("abcd", {})
    scene.wire.has_room = True
    tables.publish("abcd", {})
    assert scene.heard() == []
    scene.connection.on_writable()
    tables.publish("abcd", {})
    assert [(message["type"], message["number"]) for message in scene.heard()] == [("view", 2), ("update", 3)]


async def test_lists_and_own_tables_are_sent_whole_after_a_gap(scene: Scene) -> None:
    scene.ask(type="list_tables", id="1")
    scene.heard()
    scene.wire.has_room = False
    assert not scene.connection.send(Frame({"type": "tables_changed", "changed": [], "gone": []}))
    assert not scene.connection.send(Frame({"type": "your_tables", "tables": []}))
    scene.wire.has_room = True
    scene.connection.on_writable()
    assert [message["type"] for message in scene.heard()] == ["tables", "your_tables"]
    assert scene.services.lobby.subscribers == [scene.connection]
    assert scene.connection.send(Frame({"type": "tables_changed", "changed": [], "gone": []}))


async def test_a_pause_without_a_loss_costs_no_view(scene: Scene) -> None:
    scene.ask(type="watch", id="1", table="abcd")
    scene.connection.on_writable()
    assert scene.services.tables.refreshed == []


async def test_answers_that_do_not_fit_again_wait_for_the_next_time(scene: Scene) -> None:
    scene.wire.has_room = False
    for number in range(5):
        scene.ask(type="start", id=str(number), table="abcd")
    scene.connection.on_writable()
    scene.wire.has_room = True
    scene.connection.on_writable()
    assert [answer["id"] for answer in scene.heard()] == ["0", "1", "2", "3", "4"]


async def test_a_reader_that_owes_too_many_answers_is_cut_off() -> None:
    scene = Scene(limits=Limits(requests=PLENTY))
    scene.wire.has_room = False
    for number in range(MAX_UNSENT + 1):
        scene.ask(type="start", id=str(number), table="abcd")
    assert scene.wire.is_aborted


# -- the switchboard ------------------------------------------------------------------------------------------


async def test_a_user_and_an_address_have_so_many_connections_and_get_them_back() -> None:
    scene = Scene(limits=Limits(connections_per_user=2, connections_per_address=3))

    def try_in(token: str) -> str | None:
        user = scene.services.identity.sessions[token]
        return scene.connections.admit(
            Connection(scene.connections, FakeWire(), user, token, "192.0.2.1", Encoding.JSON)
        )

    other = scene.services.identity.add("Bob")[1]
    assert try_in(scene.token) is None
    assert try_in(scene.token) == "connections_per_user"
    assert try_in(other) is None
    assert try_in(other) == "connections_per_address"
    assert len(scene.connections) == 3
    scene.connection.on_disconnect(1000)
    assert try_in(other) is None
