"""Keeping a name: reservations, accounts, changes of handle, and races between two workers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from server.lobby.identity import SESSION_SECONDS
from server.model import Refused
from server.people.accounts import (
    MAX_EARLIER_HANDLES,
    RESERVED_SECONDS,
    STALE_SECONDS,
    WITHHELD_SECONDS,
    Account,
    Change,
)
from server.people.directory import ACCOUNT, HANDLE
from tests.people.workers import Worker
from tests.store.backends import Backend

DAY = 86_400


async def test_a_guest_keeps_the_name_and_stays_the_same_user(workers: tuple[Worker, Worker], backend: Backend) -> None:
    here, there = workers
    ada = await here.guest()
    reserved = await here.do(ada, "keep_name", handle="Ada")
    assert reserved == {"handle": "ada", "until": (int(backend.clock.now) + RESERVED_SECONDS) * 1000}
    assert (await there.identity.user_of(ada.token) or ada.user).handle is None
    made = await here.do(ada, "make_recovery_codes")
    assert made["handle"] == "ada"
    user = await there.identity.user_of(ada.token)
    assert user is not None
    assert (user.id, user.handle) == (ada.user.id, "ada")
    assert [changed.handle for changed in here.sockets.changed] == ["ada"]
    person = await there.parts.directory.find("ADA")
    assert person is not None
    assert (person.id, person.name, person.is_former) == (ada.user.id, ada.user.name, False)


async def test_of_two_people_who_take_a_handle_at_the_same_time_one_gets_it(workers: tuple[Worker, Worker]) -> None:
    here, there = workers
    for round_number in range(10):
        people = [(worker, await worker.guest()) for worker in (here, there) for _ in range(2)]
        handles = [f"ill{round_number}x", f"lll{round_number}x", f"i-ll{round_number}x", f"il1{round_number}x"]
        replies = await asyncio.gather(
            *(
                worker.request(device, "keep_name", handle=handle)
                for (worker, device), handle in zip(people, handles, strict=True)
            )
        )
        assert sorted(getattr(reply, "code", "done") for reply in replies) == ["done"] + ["handle_taken"] * 3


async def test_two_devices_that_make_the_account_at_the_same_time_make_one(workers: tuple[Worker, Worker]) -> None:
    here, there = workers
    ada = await here.guest()
    await here.do(ada, "keep_name", handle="ada")
    first, second = await asyncio.gather(here.do(ada, "make_recovery_codes"), there.do(ada, "make_recovery_codes"))
    account = (await here.do(ada, "get_account"))["account"]
    assert account["recovery"]["left"] == 10
    valid = [made for made in (first, second) if await here.service.sign_in_with_code("ada", made["codes"][0], "")]
    assert len(valid) == 1


async def test_a_reservation_expires(worker: Worker, memory: Backend) -> None:
    ada, bob = await worker.guest(), await worker.guest()
    await worker.do(ada, "keep_name", handle="ada")
    assert await worker.refused(bob, "keep_name", handle="a-da") == "handle_taken"
    memory.clock.now += RESERVED_SECONDS
    assert await worker.refused(ada, "make_recovery_codes") == "no_account"
    await worker.do(bob, "keep_name", handle="ada")
    assert await worker.parts.directory.find("ada") is None


async def test_another_reservation_frees_the_first(worker: Worker) -> None:
    ada, bob = await worker.guest(), await worker.guest()
    await worker.do(ada, "keep_name", handle="ada")
    await worker.do(ada, "keep_name", handle="lovelace")
    await worker.do(bob, "keep_name", handle="ada")
    assert (await worker.do(ada, "get_account"))["account"]["reserved"]["handle"] == "lovelace"


async def test_a_changed_handle_is_withheld_from_others_for_30_days(worker: Worker, memory: Backend) -> None:
    (ada, _), bob = await worker.member("ada"), await worker.guest()
    assert await worker.do(ada, "keep_name", handle="lovelace") == {"handle": "lovelace", "until": None}
    assert await worker.parts.directory.find("ada") is None
    assert await worker.refused(bob, "keep_name", handle="ada") == "handle_taken"
    memory.clock.now += WITHHELD_SECONDS - 1
    assert await worker.refused(bob, "keep_name", handle="ada") == "handle_taken"
    memory.clock.now += 1
    await worker.do(bob, "keep_name", handle="ada")
    found = await worker.parts.directory.find("lovelace")
    assert found is not None
    assert found.id == ada.user.id


async def test_the_owner_can_take_a_handle_back_and_respell_it(worker: Worker, memory: Backend) -> None:
    ada, _ = await worker.member("ada")
    for handle in ("lovelace", "ada", "a-da", "ada"):
        assert (await worker.do(ada, "keep_name", handle=handle))["handle"] == handle
        found = await worker.parts.directory.find(handle)
        assert found is not None
        assert found.id == ada.user.id
    # A handle that was taken back does not expire.
    memory.clock.now += 2 * WITHHELD_SECONDS
    assert await worker.refused(await worker.guest(), "keep_name", handle="ada") == "handle_taken"
    account = await worker.parts.directory.of([ada.user.id])
    assert account[ada.user.id].handle == "ada"


def change_late(monkeypatch: pytest.MonkeyPatch, worker: Worker, meanwhile: Callable[[], Awaitable[Any]]) -> None:
    """Let something happen when a worker has taken a new handle and is about to write the account."""
    accounts = worker.service._parts.accounts
    change = accounts.change

    async def late(user_id: str, wanted: Change) -> Account | Refused:
        await meanwhile()
        return await change(user_id, wanted)

    monkeypatch.setattr(accounts, "change", late)


async def test_two_devices_that_change_to_the_same_handle_at_once_both_succeed_and_keep_it(
    workers: tuple[Worker, Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = workers
    ada, _ = await here.member("ada")
    change_late(monkeypatch, here, lambda: there.do(ada, "keep_name", handle="lovelace"))
    assert (await here.do(ada, "keep_name", handle="lovelace"))["handle"] == "lovelace"
    account = (await there.do(ada, "get_account"))["account"]
    assert (account["handle"], [each["handle"] for each in account["earlier"]]) == ("lovelace", ["ada"])
    for handle in ("lovelace", "ada"):
        assert await there.refused(await there.guest(), "keep_name", handle=handle) == "handle_taken"


async def test_of_two_devices_that_change_to_different_handles_at_once_one_succeeds_and_the_other_handle_is_free(
    workers: tuple[Worker, Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = workers
    ada, _ = await here.member("ada")
    change_late(monkeypatch, here, lambda: there.do(ada, "keep_name", handle="byron"))
    assert await here.refused(ada, "keep_name", handle="lovelace") == "busy"
    assert (await there.do(ada, "get_account"))["account"]["handle"] == "byron"
    assert await there.refused(await there.guest(), "keep_name", handle="byron") == "handle_taken"
    await there.do(await there.guest(), "keep_name", handle="lovelace")


async def test_an_earlier_handle_stays_withheld_when_taking_it_back_fails(
    workers: tuple[Worker, Worker], backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = workers
    ada, _ = await here.member("ada")
    await here.do(ada, "keep_name", handle="lovelace")
    change_late(monkeypatch, here, lambda: there.do(ada, "keep_name", handle="byron"))
    assert await here.refused(ada, "keep_name", handle="ada") == "busy"
    guest = await there.guest()
    assert await there.refused(guest, "keep_name", handle="ada") == "handle_taken"
    backend.clock.now += WITHHELD_SECONDS
    await there.do(guest, "keep_name", handle="ada")


async def test_nobody_collects_handles_by_changing(worker: Worker, memory: Backend) -> None:
    ada, _ = await worker.member("ada")
    for number in range(MAX_EARLIER_HANDLES):
        await worker.do(ada, "keep_name", handle=f"lovelace{'x' * number}")
    assert await worker.refused(ada, "keep_name", handle="byron") == "too_fast"
    memory.clock.now += WITHHELD_SECONDS
    await worker.do(ada, "keep_name", handle="byron")


async def test_a_handle_whose_worker_was_killed_on_the_way_is_not_lost_for_ever(
    worker: Worker, memory: Backend
) -> None:
    ada, bob = await worker.guest(), await worker.guest()
    await worker.do(ada, "keep_name", handle="ada")
    # The handle is kept, and the worker is killed before the account is written.
    await worker.do(ada, "make_recovery_codes")
    await memory.store.key_values.delete(ACCOUNT, ada.user.id)
    assert await worker.refused(bob, "keep_name", handle="ada") == "handle_taken"
    memory.clock.now += STALE_SECONDS
    assert await worker.refused(bob, "keep_name", handle="ada") == "handle_taken"
    memory.clock.now += WITHHELD_SECONDS
    await worker.do(bob, "keep_name", handle="ada")


async def test_accounts_stay_when_guests_expire(workers: tuple[Worker, Worker], backend: Backend) -> None:
    here, _ = workers
    (ada, codes), bob = await here.member("ada"), await here.guest()
    await here.identity.rename(ada.user, "Ada Lovelace")
    backend.clock.now += SESSION_SECONDS + DAY
    here.identity.forget_all()
    here.parts.directory.forget_all()
    found = await here.parts.directory.of([ada.user.id, bob.user.id])
    assert [person.name for person in found.values()] == ["Ada Lovelace"]
    signed_in = await here.service.sign_in_with_code("ada", codes[0], "Chrome on Linux")
    assert signed_in is not None
    assert (signed_in[0].name, signed_in[0].handle) == ("Ada Lovelace", "ada")


async def test_an_account_survives_the_loss_of_its_users_name(worker: Worker, memory: Backend) -> None:
    ada, codes = await worker.member("ada")
    await memory.store.key_values.delete("user", ada.user.id)
    worker.identity.forget_all()
    signed_in = await worker.service.sign_in_with_code("ada", codes[0], "")
    assert signed_in is not None
    assert (signed_in[0].id, signed_in[0].name) == (ada.user.id, "ada")


async def test_the_profile_is_cleaned_and_told_to_all_workers(workers: tuple[Worker, Worker]) -> None:
    here, there = workers
    ada, _ = await here.member("ada")
    await there.parts.directory.of([ada.user.id])
    profile = {"motto": " One\nmore  stick. ", "languages": ["de", "en", "de"], "privacy": "friends"}
    await here.do(ada, "set_profile", **profile)
    person = (await there.parts.directory.of([ada.user.id]))[ada.user.id]
    assert (person.motto, person.languages, person.privacy) == ("One more stick.", ("de", "en"), "friends")
    assert await here.refused(ada, "set_profile", motto="x" * 121, languages=[], privacy="public") == "bad_text"
    assert (
        await here.refused(await here.guest(), "set_profile", motto="", languages=[], privacy="public") == "no_account"
    )


async def test_the_language_is_part_of_what_is_stored_about_a_user(workers: tuple[Worker, Worker]) -> None:
    here, there = workers
    (ada, _), guest = await here.member("ada"), await here.guest()
    for device in (ada, guest):
        assert (await here.do(device, "get_account"))["account"]["user"]["language"] is None
        await there.identity.set_language(device.user, "it")
        assert (await here.do(device, "get_account"))["account"]["user"]["language"] == "it"
        stored = await here.service.download(device.user, device.token)
        assert stored["account"]["user"]["language"] == "it"


@pytest.mark.parametrize("privacy, seen", [("public", "oef"), ("friends", "of"), ("nobody", "o")])
async def test_a_profile_is_open_to_those_whom_its_owner_chose(worker: Worker, privacy: str, seen: str) -> None:
    (ada, _), friend, everybody = await worker.member("ada"), await worker.guest(), await worker.guest()
    await worker.do(ada, "set_profile", motto="", languages=[], privacy=privacy)
    await worker.key_values.put("follow", f"{ada.user.id}.{friend.user.id}", b"1")
    # Following somebody opens nothing: the owner must follow.
    await worker.key_values.put("follow", f"{everybody.user.id}.{ada.user.id}", b"1")
    person = await worker.parts.directory.find("ada")
    assert person is not None
    viewers = {"o": ada, "e": everybody, "f": friend}
    may_see = worker.parts.directory.may_see
    assert {mark for mark, viewer in viewers.items() if await may_see(viewer.user.id, person)} == set(seen)


async def test_the_account_lists_what_is_stored(worker: Worker, memory: Backend) -> None:
    ada, _ = await worker.member("ada")
    phone = await worker.service.sign_in_with_code("ada", "wrong", "Safari on iPhone")
    assert phone is None
    await worker.identity.begin_session(ada.user.id, "Safari on iPhone")
    account = (await worker.do(ada, "get_account"))["account"]
    now = int(memory.clock.now) * 1000
    assert account["user"] == {"id": ada.user.id, "name": ada.user.name, "created": now, "language": None}
    assert (account["handle"], account["since"], account["privacy"]) == ("ada", now, "public")
    assert account["recovery"] == {"left": 10, "made": now}
    assert [(each["name"], each["current"]) for each in account["devices"]] == [
        ("Firefox on Windows", True),
        ("Safari on iPhone", False),
    ]
    assert ada.token not in repr(account)
    assert await worker.key_values.get(HANDLE, "ada") is not None


async def test_a_handle_that_is_being_kept_is_not_reserved_again(worker: Worker, memory: Backend) -> None:
    ada, _ = await worker.member("ada")
    # Another device asks for the same handle in the moment between keeping it and writing the account.
    account = await worker.key_values.take(ACCOUNT, ada.user.id)
    assert account is not None
    await worker.do(ada, "keep_name", handle="ada")
    await worker.key_values.put(ACCOUNT, ada.user.id, account)
    memory.clock.now += RESERVED_SECONDS
    assert await worker.refused(await worker.guest(), "keep_name", handle="ada") == "handle_taken"


async def test_two_workers_that_change_a_user_at_the_same_time_lose_nothing(workers: tuple[Worker, Worker]) -> None:
    here, there = workers
    for _ in range(5):
        ada = await here.guest()
        await asyncio.gather(here.identity._change(ada.user.id, played=True), there.identity.rename(ada.user, "Ada"))
        user = await here.identity.user_of(ada.token)
        assert user is not None
        assert (user.name, user.has_played) == ("Ada", True)
