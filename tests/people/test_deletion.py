"""Deleting a user: nothing is left but a tombstone, and a deletion that was interrupted goes on."""

from __future__ import annotations

import asyncio
import json
from itertools import count

import pytest
from webauthn.helpers import base64url_to_bytes

from server.lobby.identity import hash_token
from server.people import deletion
from server.people.accounts import WITHHELD_SECONDS
from server.people.directory import FORMER
from server.people.former import UNFINISHED
from server.store.api import KeyValueStore, StorageFailed
from server.store.memory import MemoryKeyValueStore
from tests.people.authenticator import Authenticator
from tests.people.workers import ORIGIN, Device, Worker
from tests.store.backends import Backend, Clock


class BrittleStore(MemoryKeyValueStore):
    """A store that fails when `writes_left` is used up."""

    writes_left: float = float("inf")

    def _write(self) -> None:
        if self.writes_left <= 0:
            raise StorageFailed("The disk is full.")
        self.writes_left -= 1

    async def put(self, kind: str, key: str, value: bytes, expires_at: float | None = None) -> None:
        self._write()
        await super().put(kind, key, value, expires_at)

    async def replace(
        self, kind: str, key: str, expected: bytes, value: bytes, expires_at: float | None = None
    ) -> bool:
        self._write()
        return await super().replace(kind, key, expected, value, expires_at)

    async def take(self, kind: str, key: str) -> bytes | None:
        self._write()
        return await super().take(kind, key)


async def contents(key_values: KeyValueStore) -> dict[tuple[str, str], bytes]:
    return {(kind, key): value for kind in await key_values.kinds() for key, value in await key_values.find(kind)}


def naming(stored: dict[tuple[str, str], bytes], user_id: str) -> dict[tuple[str, str], bytes]:
    """Return the values that name a user, in the key or in the value."""
    return {entry: value for entry, value in stored.items() if user_id in entry[1] or user_id in str(value)}


async def sociable_member(worker: Worker) -> tuple[Device, list[str]]:
    """Return somebody called lovelace, ada before, of whom everything is stored that can be, with the codes."""
    ada, codes = await worker.member("ada")
    bob, _ = await worker.member("bob")
    options = (await worker.do(ada, "begin_passkey"))["options"]
    await worker.do(ada, "add_passkey", credential=Authenticator(ORIGIN).create(options), name="")
    await worker.do(ada, "keep_name", handle="lovelace")
    await worker.identity.make_code(ada.user)
    for kind, key in (
        ("follow", f"{ada.user.id}.{bob.user.id}"),
        ("follower", f"{bob.user.id}.{ada.user.id}"),
        ("follower", f"{ada.user.id}.{bob.user.id}"),
        ("follow", f"{bob.user.id}.{ada.user.id}"),
        ("block", f"{bob.user.id}.{ada.user.id}"),
        ("blocker", f"{ada.user.id}.{bob.user.id}"),
        ("invitation", f"{ada.user.id}.table"),
    ):
        await worker.key_values.put(kind, key, b"1")
    await worker.key_values.put("lesson", ada.user.id, b'{"planners":{"step":"aim","done":true}}')
    await worker.key_values.put("prediction", f"k3q7m2xd.{ada.user.id}", b"\x92\x01\xc3")
    await worker.key_values.put("predicted", f"{ada.user.id}.k3q7m2xd", b"\x92\x01\xc3")
    await worker.key_values.put("prediction_score", ada.user.id, b'{"right":1,"games":1,"last":{}}')
    return ada, codes


async def test_nothing_but_the_tombstone_names_a_deleted_user(workers: tuple[Worker, Worker], backend: Backend) -> None:
    here, there = workers
    ada, codes = await sociable_member(here)
    assert await there.parts.directory.find("lovelace") is not None

    assert await here.refused(ada, "delete_account", confirm="ada") == "not_confirmed"
    await here.do(ada, "delete_account", confirm=" Lovelace ")
    # Connections are closed after the reply.
    assert here.sockets.ended == []
    await asyncio.sleep(0)
    assert here.sockets.ended == [(ada.user.id, None)]

    left = await contents(here.key_values)
    assert naming(left, ada.user.id) == {(FORMER, ada.user.id): b""}
    assert not [entry for entry in left if entry[0] in ("code", "credential", "follow", "follower", "block", "blocker")]
    for worker in workers:
        assert await worker.identity.user_of(ada.token) is None
        assert await worker.parts.directory.find("lovelace") is None
        person = (await worker.parts.directory.of([ada.user.id]))[ada.user.id]
        assert (person.name, person.handle, person.is_former) == ("Former player", None, True)
        assert worker.parts.directory.is_former(ada.user.id)
        assert await worker.service.sign_in_with_code("lovelace", codes[0], "") is None
    for handle in ("ada", "lovelace"):
        assert await here.refused(await here.guest(), "keep_name", handle=handle) == "handle_taken"
    backend.clock.now += WITHHELD_SECONDS
    for handle in ("ada", "lovelace"):
        await here.do(await here.guest(), "keep_name", handle=handle)


async def test_a_guest_is_deleted_by_name(worker: Worker) -> None:
    guest = await worker.guest()
    await worker.do(guest, "keep_name", handle="ada")
    assert await worker.refused(guest, "delete_account", confirm="ada") == "not_confirmed"
    await worker.do(guest, "delete_account", confirm=guest.user.name)
    await worker.do(await worker.guest(), "keep_name", handle="ada")
    assert worker.parts.directory.is_former(guest.user.id)


async def test_bots_get_the_seats_of_a_deleted_user(worker: Worker) -> None:
    ada, _ = await worker.member("ada")
    worker.seats.tables[ada.user.id] = [
        {"table": "open1", "phase": "open"},
        {"table": "running1", "phase": "running"},
        {"table": "started1", "phase": "open"},
    ]
    worker.seats.refusals["started1", "leave_seat"] = "wrong_phase"
    await worker.do(ada, "delete_account", confirm="ada")
    asked = {(kind, table) for _, kind, table in worker.seats.requests}
    # The table that has begun meanwhile is asked again.
    assert asked == {
        ("leave_seat", "open1"),
        ("resign", "running1"),
        ("leave_seat", "started1"),
        ("resign", "started1"),
    }


async def test_nothing_is_deleted_while_a_table_cannot_be_reached(worker: Worker) -> None:
    ada, codes = await worker.member("ada")
    worker.seats.tables[ada.user.id] = [{"table": "running1", "phase": "running"}]
    worker.seats.refusals["running1", "resign"] = "storage_failed"
    assert await worker.refused(ada, "delete_account", confirm="ada") == "busy"
    assert await worker.identity.user_of(ada.token) is not None
    assert await worker.service.sign_in_with_code("ada", codes[0], "") is not None
    assert not worker.parts.directory.is_former(ada.user.id)


async def test_a_deletion_that_was_interrupted_goes_on_at_the_next_start(
    workers: tuple[Worker, Worker], backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, _ = workers
    ada, _ = await here.member("ada")

    async def killed(user_id: str) -> None:
        raise StorageFailed("killed")

    monkeypatch.setattr(here.identity, "delete", killed)
    await here.do(ada, "delete_account", confirm="ada")
    here.parts.close()
    assert await here.key_values.get(FORMER, ada.user.id) == UNFINISHED
    again = await Worker.open(here.key_values, backend.clock)
    assert again.parts.directory.is_former(ada.user.id)
    await asyncio.gather(*again.parts._tasks)
    assert await here.key_values.get(FORMER, ada.user.id) == b""
    assert await here.key_values.get("user", ada.user.id) is None
    assert await again.identity.user_of(ada.token) is None


@pytest.mark.parametrize("is_killed", [False, True], ids=["failed", "killed"])
async def test_a_deletion_that_fails_at_any_step_is_finished_later(
    is_killed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deletion, "RETRY_SECONDS", 0.0)
    for writes in count(1):
        clock = Clock()
        store = BrittleStore(clock)
        worker = await Worker.open(store, clock)
        ada, _ = await sociable_member(worker)
        store.writes_left = writes
        # The tombstone is written, so the reply is the same whether the rest was deleted or not.
        await worker.do(ada, "delete_account", confirm="lovelace")
        is_whole = store.writes_left > 0
        store.writes_left = float("inf")
        if is_killed:
            worker.parts.close()
            worker = await Worker.open(store, clock)
        await asyncio.gather(*worker.parts._tasks)
        left = await contents(store)
        assert naming(left, ada.user.id) == {(FORMER, ada.user.id): b""}, writes
        assert [key for kind, key in left if kind == "credential"] == [], writes
        if is_whole:
            assert writes > 10
            return


async def test_a_deletion_without_a_tombstone_changes_nothing() -> None:
    clock = Clock()
    store = BrittleStore(clock)
    worker = await Worker.open(store, clock)
    ada, _ = await sociable_member(worker)
    before = await contents(store)
    store.writes_left = 0
    with pytest.raises(StorageFailed):
        await worker.request(ada, "delete_account", confirm="lovelace")
    assert await contents(store) == before
    assert worker.shown_as_former == []


async def test_a_worker_that_missed_a_deletion_learns_of_it_after_the_gap(workers: tuple[Worker, Worker]) -> None:
    here, there = workers
    ada, _ = await here.member("ada")
    here.peers = []
    await here.do(ada, "delete_account", confirm="ada")
    assert not there.parts.directory.is_former(ada.user.id)
    there.parts.on_gap()
    await asyncio.gather(*there.parts._tasks)
    assert there.parts.directory.is_former(ada.user.id)
    assert there.shown_as_former == [ada.user.id]


async def test_an_account_that_is_made_during_the_deletion_does_not_stay(worker: Worker) -> None:
    ada = await worker.guest()
    await worker.do(ada, "keep_name", handle="ada")
    await worker.key_values.put(FORMER, ada.user.id, UNFINISHED)
    assert await worker.refused(ada, "make_recovery_codes") == "no_account"
    assert await worker.key_values.get("account", ada.user.id) is None


async def test_a_late_write_does_not_bring_a_user_back(workers: tuple[Worker, Worker], backend: Backend) -> None:
    here, there = workers
    ada, _ = await here.member("ada")
    assert await there.identity.user_of(ada.token) is not None
    backend.clock.now += 2 * 86_400
    await here.do(ada, "delete_account", confirm="ada")
    assert await there.identity.user_of(ada.token) is None
    await there.identity.note_played(ada.user)
    await there.identity.rename(ada.user, "Ada again")
    assert await here.key_values.get("user", ada.user.id) is None


async def test_the_download_has_what_is_stored(worker: Worker, memory: Backend) -> None:
    (ada, codes), (bob, _), (cyd, _) = [await worker.member(name) for name in ("ada", "bob", "cyd")]
    authenticator = Authenticator(ORIGIN)
    options = (await worker.do(ada, "begin_passkey"))["options"]
    await worker.do(ada, "add_passkey", credential=authenticator.create(options), name="Key")
    await worker.do(ada, "follow", user=bob.user.id, follow=True)
    await worker.do(bob, "follow", user=ada.user.id, follow=True)
    await worker.do(cyd, "block", user=ada.user.id, block=True)
    worker.seats.tables[bob.user.id] = [{"table": "k3q7m2xd", "game": "planners", "phase": "open", "seats": []}]
    await worker.do(bob, "invite", table="k3q7m2xd", handle="ada")
    await worker.key_values.put("predicted", f"{ada.user.id}.k3q7m2xd", b"\x92\x01\xc3")
    await worker.key_values.put("prediction_score", ada.user.id, b'{"right":1,"games":2,"last":{"k3q7m2xd":true}}')
    worker.games = [{"table": "k3q7m2xd", "game": "planners", "place": 1}]
    stored = await worker.service.download(ada.user, ada.token)

    account = (await worker.do(ada, "get_account"))["account"]
    (passkey,) = stored["account"].pop("passkeys")
    (shown,) = account.pop("passkeys")
    assert stored["account"] == account
    assert passkey.items() > shown.items()
    assert base64url_to_bytes(passkey["credential"]) == authenticator.passkeys[0].id
    since = int(memory.clock.now * 1000)
    friend = {"user": bob.user.id, "name": bob.user.name, "handle": "bob", "since": since}
    assert (stored["follows"], stored["followers"], stored["blocks"]) == ([friend], [friend], [])
    (invitation,) = stored["invitations"]
    assert (invitation["table"], invitation["by"]) == ("k3q7m2xd", bob.user.id)
    assert stored["lessons"] == {}
    assert stored["predictions"] == [{"table": "k3q7m2xd", "winner": 1}]
    assert stored["prediction_score"] == {"right": 1, "games": 2, "last": {"k3q7m2xd": True}}
    assert (stored["games"], stored["more_games"]) == (worker.games, False)
    # Who blocks somebody stays hidden from them, and the file signs nobody in.
    text = json.dumps(stored)
    assert cyd.user.id not in text
    held = await worker.key_values.get("account", ada.user.id)
    assert held is not None
    assert not [each for each in json.loads(held)["recovery"]["hashes"].values() if each in text]
    assert not [each for each in (ada.token, hash_token(ada.token), *codes) if each in text]
