"""A connection handles requests and slow readers; no socket is needed."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.codec import Encoding, Frame
from protocol.codes import Close
from server.gateway.limits import Limits
from server.gateway.services import NoPeople
from server.gateway.websocket.connection import MAX_TASKS
from server.gateway.websocket.outgoing import MAX_UNSENT
from server.rate_limit import Rate
from server.tables.api import Subscriber
from tests.gateway.fakes import ENCODINGS, FakeTransport
from tests.gateway.websocket.scene import PLENTY, Scene, settle


async def test_a_welcome_and_the_own_tables_are_sent_first(scene: Scene) -> None:
    transport = FakeTransport()
    scene.open(transport, scene.token)
    welcome, own = scene.sent(transport)
    assert welcome == {
        "type": "welcome",
        "protocol": 1,
        "user": {"id": scene.user.id, "name": "Ann", "handle": None, "language": None},
        "games": [{"name": "investors"}],
    }
    assert own["type"] == "your_tables"


@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_a_table_request_is_passed_on_with_the_user_of_the_session(encoding: Encoding) -> None:
    scene = Scene(encoding)
    scene.request(type="start", id="1", table="abcd")
    [(user, request)] = scene.services.tables.requests
    assert (user, request.table) == (scene.user, "abcd")
    assert scene.sent_one() == {"type": "done", "id": "1", "result": {}}


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
async def test_a_malformed_request_gets_one_refusal_and_the_connection_stays(
    scene: Scene, request_: dict[str, Any], code: str, request_id: str | None
) -> None:
    scene.request(**request_)
    answer = scene.sent_one()
    assert (answer["type"], answer["id"], answer["code"]) == ("refused", request_id, code)
    assert scene.transport.closed is None
    assert scene.services.tables.requests == []


async def test_too_many_malformed_requests_close_the_connection(scene: Scene) -> None:
    for _ in range(10):
        assert scene.transport.closed is None
        scene.request(type="start", id="1")
    assert scene.transport.closed is Close.POLICY
    assert len(scene.sent()) == 10


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'"text"', b'{"a":NaN}', b'{"a":1,"a":2}', b"[" * 9_000])
async def test_undecodable_data_closes_the_connection(scene: Scene, data: bytes) -> None:
    scene.connection.on_message(data)
    assert scene.transport.closed is Close.BAD_DATA
    assert scene.sent() == []


async def test_requests_are_ignored_while_draining(scene: Scene) -> None:
    await scene.connections.drain()
    scene.request(type="start", id="1", table="abcd")
    assert scene.sent() == []
    assert scene.services.tables.requests == []


# -- users ----------------------------------------------------------------------------------------------------


async def test_a_new_name_reaches_all_connections_of_the_user_and_the_lobby(scene: Scene) -> None:
    other = scene.open(FakeTransport(), scene.token)
    scene.request(type="set_name", id="1", name="Bea")
    await settle()
    assert scene.sent_one() == {"type": "done", "id": "1", "result": {"name": "Bea"}}
    assert other.user.name == scene.connection.user.name == "Bea"
    assert [user.name for user in scene.services.lobby.renames] == ["Bea"]


async def test_a_bad_name_is_refused_with_the_sentence_of_identity(scene: Scene) -> None:
    scene.request(type="set_name", id="1", name=" ")
    await settle()
    answer = scene.sent_one()
    assert (answer["code"], answer["sentence"]) == ("bad_name", "Please choose another name.")


async def test_the_language_of_the_user_is_stored_and_named_to_other_devices(scene: Scene) -> None:
    scene.request(type="set_language", id="1", language="pl")
    await settle()
    assert scene.sent_one() == {"type": "done", "id": "1", "result": {}}
    device = FakeTransport()
    scene.open(device, scene.token)
    assert scene.sent(device)[0]["user"]["language"] == "pl"
    scene.request(type="set_language", id="2", language="fr")
    assert scene.sent_one()["code"] == "malformed"


async def test_codes_and_tokens_are_made_for_the_user(scene: Scene) -> None:
    scene.request(type="make_code", id="1")
    await settle()
    assert scene.sent_one()["result"] == {"code": "ABCD2345"}
    scene.request(type="make_token", id="2")
    await settle()
    token = scene.sent_one()["result"]["token"]
    assert scene.services.identity.sessions[token] == scene.user


async def test_forget_devices_closes_only_connections_of_other_sessions(scene: Scene) -> None:
    same, other, foreign = FakeTransport(), FakeTransport(), FakeTransport()
    scene.open(same, scene.token)
    scene.open(other, await scene.services.identity.make_token(scene.user))
    scene.open(foreign, scene.services.identity.add("Bob")[1])
    scene.request(type="forget_devices", id="1")
    await settle()
    assert scene.sent_one()["type"] == "done"
    assert other.closed is Close.SIGNED_OUT
    assert scene.transport.closed is same.closed is foreign.closed is None


async def test_a_storage_failure_is_one_refusal(scene: Scene) -> None:
    scene.services.identity.fails = True
    scene.request(type="make_code", id="1")
    await settle()
    assert scene.sent_one()["code"] == "storage_failed"


async def test_only_a_few_requests_wait_for_storage_at_once(scene: Scene) -> None:
    scene.services.identity.gate.clear()
    for number in range(MAX_TASKS + 1):
        scene.request(type="make_code", id=str(number))
    assert scene.sent_one()["code"] == "busy"
    scene.services.identity.gate.set()
    await settle()
    assert sorted(answer["id"] for answer in scene.sent()) == [str(number) for number in range(MAX_TASKS)]
    scene.request(type="make_code", id="again")
    await settle()
    assert scene.sent_one()["type"] == "done"


# -- watching -------------------------------------------------------------------------------------------------


async def test_watching_gives_an_answer_then_a_view_then_updates(scene: Scene) -> None:
    scene.request(type="watch", id="1", table="abcd")
    scene.services.tables.publish("abcd", {})
    assert [message["type"] for message in scene.sent()] == ["done", "view", "update"]
    scene.request(type="unwatch", id="2", table="abcd")
    scene.services.tables.publish("abcd", {})
    assert scene.sent_one() == {"type": "done", "id": "2", "result": {}}


async def test_unwatch_of_a_table_that_is_not_watched_is_refused(scene: Scene) -> None:
    scene.request(type="unwatch", id="1", table="abcd")
    assert scene.sent_one()["code"] == "not_following"
    scene.request(type="watch", id="2", table="gone")
    scene.request(type="unwatch", id="3", table="gone")
    assert [answer["code"] for answer in scene.sent()] == ["no_such_table", "not_following"]


async def test_the_tables_of_one_connection_are_limited() -> None:
    scene = Scene(limits=Limits(tables_per_connection=2))
    for table in ("aaaa", "bbbb", "aaaa", "cccc"):
        scene.request(type="watch", id=table, table=table)
    assert [message["code"] for message in scene.sent() if message["type"] == "refused"] == ["busy"]


async def test_a_closed_connection_leaves_nothing_behind(scene: Scene) -> None:
    scene.request(type="watch", id="1", table="abcd")
    scene.request(type="list_tables", id="2")
    scene.connection.on_disconnect(1006)
    assert scene.services.tables.watching == {"abcd": []}
    assert scene.services.lobby.subscribers == scene.services.lobby.here == []
    assert len(scene.connections) == 0
    assert list(scene.connections) == []
    assert scene.connections.counters.closed == {"1006": 1}


@pytest.mark.parametrize("leaves", ["by closing", "by unwatch"])
async def test_a_client_that_leaves_while_the_table_loads_is_not_subscribed(scene: Scene, leaves: str) -> None:
    scene.services.tables.hold_watch = True
    scene.request(type="watch", id="1", table="abcd")
    if leaves == "by closing":
        scene.connection.on_disconnect(1006)
    else:
        scene.request(type="unwatch", id="2", table="abcd")
    scene.services.tables.let_in()
    await settle()
    assert scene.services.tables.watching == {}
    expected = ["1"] if leaves == "by closing" else ["1", "2"]
    assert [(message["type"], message["id"]) for message in scene.sent()] == [("done", number) for number in expected]


async def test_the_lists_follow_the_reply_and_stop_after_unlist(scene: Scene) -> None:
    scene.request(type="list_tables", id="1")
    assert [message["type"] for message in scene.sent()] == ["done", "tables"]
    scene.request(type="unlist_tables", id="2")
    assert scene.sent_one()["type"] == "done"
    assert scene.services.lobby.subscribers == []


async def test_lists_are_limited_and_their_queries_checked() -> None:
    scene = Scene(limits=Limits(lists=Rate(1, 60, burst=2)))
    for number in range(3):
        scene.request(type="list_tables", id=f"l{number}", open={"search": f"a{number}", "after": "0.0.-3.17.k3xq7m2p"})
    assert [answer["type"] for answer in scene.sent()] == ["done", "tables", "done", "tables", "refused"]
    assert scene.connections.counters.limited == {"lists": 1}
    for query in ({"limit": 101}, {"limit": 0}, {"after": "1.2.k3xq"}, {"after": "0.0.0.0.K3XQ"}, {"search": "x" * 41}):
        scene.request(type="list_tables", id="bad", open=query)
        assert scene.sent_one()["code"] == "malformed"
    assert len(scene.services.lobby.list_requests) == 2


async def test_a_change_of_settings_goes_through_the_lobby_which_counts_public_tables(scene: Scene) -> None:
    settings = {"game": "planners", "seats": 2}
    scene.request(type="change_settings", id="1", table="abcd", settings=settings)
    assert scene.sent_one()["type"] == "done"
    [request] = scene.services.lobby.requests
    assert request.type == "change_settings"
    assert scene.services.tables.requests == []


# -- slow readers ---------------------------------------------------------------------------------------------


async def test_a_slow_reader_gets_its_replies_and_one_fresh_view(scene: Scene) -> None:
    tables = scene.services.tables
    scene.request(type="watch", id="1", table="abcd")
    scene.request(type="watch", id="2", table="calm")
    scene.sent()
    scene.transport.has_room = False
    assert tables.publish("abcd", {}) == [False]
    scene.request(type="start", id="3", table="abcd")
    assert tables.publish("abcd", {}) == [False]
    scene.transport.has_room = True
    scene.connection.on_writable()
    answer, view = scene.sent()
    assert answer == {"type": "done", "id": "3", "result": {}}
    assert (view["type"], view["table"], view["number"]) == ("view", "abcd", 2)
    assert [table for table, _ in tables.refreshed] == ["abcd"]
    tables.publish("abcd", {})
    assert scene.sent_one()["number"] == 3


async def test_no_update_is_sent_between_a_gap_and_its_view(scene: Scene) -> None:
    tables = scene.services.tables
    scene.request(type="watch", id="1", table="abcd")
    scene.sent()
    scene.transport.has_room = False
    tables.publish("abcd", {})
    scene.transport.has_room = True
    tables.publish("abcd", {})
    assert scene.sent() == []
    scene.connection.on_writable()
    tables.publish("abcd", {})
    assert [(message["type"], message["number"]) for message in scene.sent()] == [("view", 2), ("update", 3)]


async def test_lists_and_own_tables_are_sent_whole_after_a_gap(scene: Scene) -> None:
    scene.request(type="list_tables", id="1", running=None, open={"game": "planners"})
    scene.sent()
    scene.transport.has_room = False
    assert not scene.connection.send(Frame({"type": "tables_changed", "changed": [], "gone": []}))
    assert not scene.connection.send(Frame({"type": "your_tables", "tables": []}))
    scene.transport.has_room = True
    scene.connection.on_writable()
    assert [message["type"] for message in scene.sent()] == ["tables", "your_tables"]
    assert scene.services.lobby.subscribers == [scene.connection]
    first, again = scene.services.lobby.list_requests
    assert first == again
    assert scene.connection.send(Frame({"type": "tables_changed", "changed": [], "gone": []}))


class FakePeople(NoPeople):
    """Sends the two messages about people again when it is asked to."""

    def refresh(self, subscriber: Subscriber) -> None:
        subscriber.send(Frame({"type": "invitations", "invitations": []}))
        subscriber.send(Frame({"type": "people_changed", "people": []}))


@pytest.mark.parametrize("dropped", ["invitations", "people_changed"])
async def test_messages_about_people_are_sent_again_after_a_gap(dropped: str) -> None:
    scene = Scene(people=FakePeople())
    scene.sent()
    scene.transport.has_room = False
    assert not scene.connection.send(Frame({"type": dropped}))
    scene.transport.has_room = True
    # The next one is whole, so it need not wait.
    assert scene.connection.send(Frame({"type": dropped, "number": 1}))
    scene.transport.has_room = False
    assert not scene.connection.send(Frame({"type": dropped}))
    scene.transport.has_room = True
    scene.connection.on_writable()
    first, *again = scene.sent()
    assert first == {"type": dropped, "number": 1}
    assert dropped in [message["type"] for message in again]
    assert scene.connection._missed is None


async def test_dropped_changes_of_a_list_that_is_not_wanted_any_more_are_forgotten(scene: Scene) -> None:
    scene.request(type="list_tables", id="1", running=None, open={"game": "planners"})
    scene.transport.has_room = False
    scene.connection.send(Frame({"type": "tables_changed", "changed": [], "gone": []}))
    scene.transport.has_room = True
    scene.request(type="unlist_tables", id="2")
    scene.connection.on_writable()
    assert scene.connection._missed is None


async def test_a_pause_without_dropped_frames_needs_no_view(scene: Scene) -> None:
    scene.request(type="watch", id="1", table="abcd")
    scene.connection.on_writable()
    assert scene.services.tables.refreshed == []


async def test_replies_that_do_not_fit_wait_until_the_transport_is_writable_again(scene: Scene) -> None:
    scene.transport.has_room = False
    for number in range(5):
        scene.request(type="start", id=str(number), table="abcd")
    scene.connection.on_writable()
    scene.transport.has_room = True
    scene.connection.on_writable()
    assert [answer["id"] for answer in scene.sent()] == ["0", "1", "2", "3", "4"]


async def test_a_reader_with_too_many_unsent_replies_is_aborted() -> None:
    scene = Scene(limits=Limits(requests=PLENTY))
    scene.transport.has_room = False
    for number in range(MAX_UNSENT + 1):
        scene.request(type="start", id=str(number), table="abcd")
    assert scene.transport.is_aborted
