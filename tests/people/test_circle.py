"""Following, blocking and inviting: who sees and hears what of whom."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from protocol.messages import REPLIES, REQUESTS, PeopleRequest
from server.lobby.directory import TableDirectory
from server.model import Done, Refused, User
from server.people import circle as module
from server.people.circle import SEND_DELAY_SECONDS, Circle
from server.people.directory import ACCOUNT, FORMER, HANDLE, USER, PeopleDirectory
from server.people.followers import FollowerIndex
from server.people.handles import handle_key
from server.people.invitations import MAX_INVITATIONS, Invitations
from server.people.relations import BLOCK, MAX_FOLLOWED, Relations
from server.store.api import StorageFailed
from server.store.memory import MemoryStore
from tests.lobby.fakes import summary
from tests.people.workers import Worker
from tests.tables.virtual_time import in_virtual_time


class Connection:
    """A connection that records what it is sent."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.messages: list[dict[str, Any]] = []

    def send(self, frame: Any) -> bool:
        REPLIES.validate_python(frame.message)
        self.messages.append(frame.message)
        return True

    def last(self, kind: str) -> dict[str, Any] | None:
        return next((each for each in reversed(self.messages) if each["type"] == kind), None)


class Peers:
    """The other workers of a cluster, each with a circle on the same store."""

    def __init__(self) -> None:
        self.circles: list[Circle] = []

    def relations_changed(self, user_id: str, other_id: str) -> None:
        for circle in self.circles:
            circle.on_relations_changed(user_id, other_id)

    def invitations_changed(self, user_id: str) -> None:
        for circle in self.circles:
            circle.on_invitations_changed(user_id)


class Town:
    """People with accounts (lower-case names are their ids and handles), and one worker's circle."""

    def __init__(self, town: Town | None = None) -> None:
        self.store = MemoryStore() if town is None else town.store
        self.tables = TableDirectory(asyncio.get_running_loop())
        self.relations = Relations(self.store.key_values)
        self.people = PeopleDirectory(self.store.key_values, self.relations)
        self.peers = Peers()
        invitations = Invitations(self.store.key_values)
        self.circle = Circle(self.people, self.relations, invitations, self.tables, self.peers)

    async def settle(self, name: str, privacy: str = "public") -> Connection:
        """Give somebody an account, and connect them."""
        user_id = name.lower()
        account = {"handle": user_id, "privacy": privacy}
        await self.store.key_values.put(USER, user_id, json.dumps({"name": name}).encode())
        await self.store.key_values.put(ACCOUNT, user_id, json.dumps(account).encode())
        key = handle_key(user_id)
        assert key is not None
        await self.store.key_values.put(HANDLE, key, json.dumps({"user": user_id}).encode())
        return self.connect(User(user_id, name, handle=user_id))

    def connect(self, user: User) -> Connection:
        connection = Connection(user)
        self.tables.connected(connection)
        self.circle.connected(connection)
        return connection

    def disconnect(self, connection: Connection) -> None:
        self.tables.disconnected(connection)
        self.circle.disconnected(connection)

    async def ask(self, connection: Connection, kind: str, **fields: Any) -> Done | Refused:
        request = REQUESTS.validate_python({"type": kind, "id": "r1", **fields})
        assert isinstance(request, PeopleRequest) or kind == "invite"
        return await self.circle.answer(connection, request)

    async def followed(self, connection: Connection) -> dict[str, dict[str, Any]]:
        """Return the people whom the user of a connection follows, by id."""
        reply = await self.ask(connection, "list_people")
        assert isinstance(reply, Done)
        return {person["id"]: person for person in reply.result["people"]}


async def pass_time() -> None:
    await asyncio.sleep(2 * SEND_DELAY_SECONDS)


def code(reply: Done | Refused) -> str:
    assert isinstance(reply, Refused)
    return reply.code


@in_virtual_time
async def test_a_follower_sees_who_is_online_and_their_public_tables() -> None:
    town = Town()
    ada, bob = await town.settle("Ada"), await town.settle("Bob")
    assert await town.ask(ada, "follow", user="bob", follow=True) == Done()
    town.tables.update(summary("t1", "Bob", phase="running"), private=False)
    town.tables.update(summary("t2", "Bob", settings={"private": True}), private=True)
    followed = await town.followed(ada)
    assert followed["bob"]["online"]
    assert [table["table"] for table in followed["bob"]["tables"]] == ["t1"]
    assert await town.followed(bob) == {}
    town.disconnect(bob)
    await pass_time()
    changed = ada.last("people_changed")
    assert changed is not None
    assert not changed["people"][0]["online"]


@in_virtual_time
async def test_only_those_who_asked_are_told_and_only_of_people_whom_they_follow() -> None:
    town = Town()
    ada, bob, cyd = [await town.settle(name) for name in ("Ada", "Bob", "Cyd")]
    await town.ask(ada, "follow", user="bob", follow=True)
    await town.ask(cyd, "follow", user="bob", follow=True)
    await town.followed(ada)
    town.disconnect(await town.settle("Dora"))
    await pass_time()
    assert ada.last("people_changed") is None
    town.disconnect(bob)
    await pass_time()
    assert ada.last("people_changed") is not None
    assert cyd.last("people_changed") is None


@in_virtual_time
async def test_privacy_hides_whether_somebody_is_online() -> None:
    town = Town()
    ada = await town.settle("Ada")
    await town.settle("Bob", privacy="friends")
    await town.settle("Cyd", privacy="nobody")
    town.tables.update(summary("t1", "Bob", "Cyd", phase="running"), private=False)
    for user in ("bob", "cyd"):
        await town.ask(ada, "follow", user=user, follow=True)
    followed = await town.followed(ada)
    assert not followed["bob"]["online"]
    assert not followed["cyd"]["online"]
    assert followed["bob"]["tables"] == followed["cyd"]["tables"] == []
    await town.relations.follow("bob", "ada")
    assert (await town.followed(ada))["bob"]["online"]


@in_virtual_time
async def test_whom_one_can_follow() -> None:
    town = Town()
    ada = await town.settle("Ada")
    guest = town.connect(User("gil", "Gil"))
    await town.store.key_values.put(USER, "gil", b'{"name": "Gil"}')
    assert code(await town.ask(guest, "follow", user="ada", follow=True)) == "no_account"
    for nobody in ("gil", "ada", "unknown"):
        assert code(await town.ask(ada, "follow", user=nobody, follow=True)) == "no_such_person"
    for number in range(MAX_FOLLOWED):
        await town.relations.follow("ada", f"other{number}")
    await town.settle("Bob")
    assert code(await town.ask(ada, "follow", user="bob", follow=True)) == "busy"


@in_virtual_time
async def test_who_is_blocked_sees_nothing_cannot_follow_and_cannot_join() -> None:
    town = Town()
    ada, bob = await town.settle("Ada"), await town.settle("Bob")
    await town.ask(bob, "follow", user="ada", follow=True)
    await town.ask(ada, "follow", user="bob", follow=True)
    assert await town.people.may_join("bob", ["ada", "cyd"])
    assert await town.ask(ada, "block", user="bob", block=True) == Done()
    assert await town.followed(bob) == {}
    assert await town.followed(ada) == {}
    assert code(await town.ask(bob, "follow", user="ada", follow=True)) == "no_such_person"
    assert code(await town.ask(ada, "follow", user="bob", follow=True)) == "no_such_person"
    assert not await town.people.may_join("bob", ["ada", "cyd"])
    assert await town.people.may_join("ada", ["bob"])
    assert await town.people.hidden_from("bob") == {"ada"}
    assert await town.people.hidden_from("ada") == {"bob"}
    assert await town.people.hidden_from("cyd") == frozenset()
    person = await town.people.find("ada")
    assert person is not None
    assert not await town.people.may_see("bob", person)
    reply = await town.ask(ada, "list_people")
    assert isinstance(reply, Done)
    assert reply.result["blocked"] == [{"id": "bob", "name": "Bob", "handle": "bob"}]
    await town.ask(ada, "block", user="bob", block=False)
    assert await town.people.may_join("bob", ["ada", "cyd"])


@in_virtual_time
async def test_an_invitation_reaches_all_connections_and_those_that_come_later() -> None:
    town = Town()
    ada, bob = await town.settle("Ada"), await town.settle("Bob")
    town.tables.update(summary("table1", "Ada"), private=False)
    assert await town.ask(ada, "invite", table="table1", handle="Bob", key="secret") == Done()
    await pass_time()
    told = bob.last("invitations")
    assert told is not None
    (invitation,) = told["invitations"]
    assert (invitation["table"], invitation["key"], invitation["by"]["handle"]) == ("table1", "secret", "ada")
    later = town.connect(bob.user)
    await pass_time()
    assert later.last("invitations") == told
    await town.ask(later, "dismiss_invitation", table="table1")
    await pass_time()
    assert bob.last("invitations") == {"type": "invitations", "invitations": []}


@in_virtual_time
async def test_invitations_to_tables_that_have_begun_are_not_shown() -> None:
    town = Town()
    ada, bob = await town.settle("Ada"), await town.settle("Bob")
    town.tables.update(summary("table1", "Ada"), private=False)
    await town.ask(ada, "invite", table="table1", handle="bob")
    town.tables.update(summary("table1", "Ada", phase="running"), private=False)
    later = town.connect(bob.user)
    await pass_time()
    assert later.last("invitations") is None


@in_virtual_time
async def test_what_an_invitation_needs() -> None:
    town = Town()
    ada, bob = await town.settle("Ada"), await town.settle("Bob")
    town.tables.update(summary("table1", "Ada", "Bob"), private=False)
    town.tables.update(summary("table2", "Ada", phase="running"), private=False)
    town.tables.update(summary("table3", "Bob"), private=False)
    assert code(await town.ask(ada, "invite", table="table3", handle="bob")) == "not_seated"
    assert code(await town.ask(ada, "invite", table="table2", handle="bob")) == "wrong_phase"
    assert code(await town.ask(ada, "invite", table="table1", handle="nobody")) == "no_such_person"
    assert code(await town.ask(ada, "invite", table="table1", handle="bob")) == "already_seated"
    await town.settle("Dora")
    await town.ask(ada, "block", user="dora", block=True)
    reply = await town.ask(ada, "invite", table="table1", handle="dora")
    assert isinstance(reply, Refused)
    assert (reply.code, "Unblock" in reply.sentence) == ("no_such_person", True)
    # Who is blocked does not learn it.
    cyd = await town.settle("Cyd")
    await town.ask(cyd, "block", user="ada", block=True)
    assert await town.ask(ada, "invite", table="table1", handle="cyd") == Done()
    await pass_time()
    assert not (cyd.last("invitations") or {"invitations": []})["invitations"]
    assert bob.last("invitations") is None


@in_virtual_time
async def test_invitations_of_people_who_were_deleted_or_blocked_are_not_shown() -> None:
    town = Town()
    ada, bob, cyd = [await town.settle(name) for name in ("Ada", "Bob", "Cyd")]
    town.tables.update(summary("table1", "Ada"), private=False)
    town.tables.update(summary("table2", "Bob"), private=False)
    await town.ask(ada, "invite", table="table1", handle="cyd")
    await town.ask(bob, "invite", table="table2", handle="cyd")
    await town.store.key_values.put(FORMER, "ada", b"")
    town.people.forget("ada")
    # A block that another worker stored at the same time as the invitation.
    await town.relations.block("cyd", "bob")
    later = town.connect(cyd.user)
    await pass_time()
    assert later.last("invitations") is None


@in_virtual_time
async def test_a_connection_that_missed_a_message_gets_everything_again() -> None:
    town = Town()
    ada, bob = await town.settle("Ada"), await town.settle("Bob")
    await town.ask(ada, "follow", user="bob", follow=True)
    bob.messages.clear()
    town.circle.refresh(bob)
    await pass_time()
    # Also nothing, since the message that was dropped may have said so; people only to those who asked for them.
    assert bob.messages == [{"type": "invitations", "invitations": []}]
    await town.followed(ada)
    ada.messages.clear()
    town.circle.refresh(ada)
    await pass_time()
    assert {message["type"] for message in ada.messages} == {"invitations", "people_changed"}


@in_virtual_time
async def test_a_block_that_could_not_be_stored_whole_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    town = Town()
    await town.settle("Ada")
    await town.settle("Bob")
    put, delete = town.store.key_values.put, town.store.key_values.delete

    async def put_half(kind: str, key: str, value: bytes, expires_at: float | None = None) -> None:
        if kind == BLOCK:
            raise StorageFailed("The disk is full.")
        await put(kind, key, value, expires_at)

    async def delete_half(kind: str, key: str) -> bool:
        if kind != BLOCK:
            raise StorageFailed("The disk is full.")
        return await delete(kind, key)

    with monkeypatch.context() as patch:
        patch.setattr(town.store.key_values, "put", put_half)
        with pytest.raises(StorageFailed):
            await town.relations.block("ada", "bob")
    assert await town.people.may_join("bob", ["ada"])
    await town.relations.block("ada", "bob")
    assert not await town.people.may_join("bob", ["ada"])
    with monkeypatch.context() as patch:
        patch.setattr(town.store.key_values, "delete", delete_half)
        with pytest.raises(StorageFailed):
            await town.relations.unblock("ada", "bob")
    assert await town.people.may_join("bob", ["ada"])


async def test_followers_see_soon_that_somebody_has_hidden_the_profile(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SEND_DELAY_SECONDS", 0.0)
    (ada, _), (bob, _) = await worker.member("ada"), await worker.member("bob")
    worker.service.connected(ada)
    await worker.do(ada, "follow", user=bob.user.id, follow=True)
    assert (await worker.do(ada, "list_people"))["people"][0]["online"]
    ada.received.clear()
    await worker.do(bob, "set_profile", motto="", languages=[], privacy="nobody")
    await asyncio.wait_for(ada.received.wait(), 10)
    assert ada.messages[-1]["type"] == "people_changed"
    assert not ada.messages[-1]["people"][0]["online"]


def test_followers_are_found_by_the_people_whom_they_follow() -> None:
    index = FollowerIndex()
    ada, bob = Connection(User("ada", "Ada")), Connection(User("bob", "Bob"))
    index.put(ada, frozenset({"cyd", "dora"}))
    index.put(bob, frozenset({"dora"}))
    assert index.of({"cyd"}) == {ada}
    assert index.of({"dora", "cyd", "unknown"}) == {ada, bob}
    index.put(ada, frozenset({"emil"}))
    assert index.of({"cyd"}) == set()
    assert index.of({"dora", "emil"}) == {ada, bob}
    index.remove(bob)
    assert (bob in index, ada in index, index.of({"dora"})) == (False, True, set())
    index.remove(ada)
    assert not index._followers


@in_virtual_time
async def test_the_oldest_of_too_many_invitations_goes() -> None:
    town = Town()
    now = time.time()
    invitations = Invitations(town.store.key_values, lambda: now)
    for number in range(MAX_INVITATIONS + 2):
        now += 1
        await invitations.add("bob", f"table{number}", "planners", None, "ada")
    kept = [invitation.table for invitation in await invitations.of("bob")]
    assert kept == [f"table{number}" for number in range(MAX_INVITATIONS + 1, 1, -1)]


@in_virtual_time
async def test_another_worker_learns_of_blocks_and_invitations() -> None:
    one = Town()
    two = Town(one)
    one.peers.circles.append(two.circle)
    ada, bob = await one.settle("Ada"), await two.settle("Bob")
    assert await two.people.may_join("bob", ["ada"])
    await one.ask(ada, "block", user="bob", block=True)
    assert not await two.people.may_join("bob", ["ada"])
    await one.ask(ada, "block", user="bob", block=False)
    for worker in (one, two):
        worker.tables.update(summary("table1", "Ada"), private=False)
    await one.ask(ada, "invite", table="table1", handle="bob")
    await pass_time()
    told = bob.last("invitations")
    assert told is not None
    assert len(told["invitations"]) == 1
