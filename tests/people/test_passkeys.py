"""Passkeys: made and used with a software authenticator, on any worker, each challenge once."""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Any

import pytest
from webauthn.helpers import base64url_to_bytes

from server.model import Done
from server.people.passkeys import CHALLENGE_SECONDS, MAX_CREDENTIAL_ID_BYTES, MAX_PASSKEYS
from server.people.sites import Site
from tests.people.authenticator import Authenticator
from tests.people.workers import ORIGIN, Device, Worker
from tests.store.backends import Backend


async def add(worker: Worker, device: Device, authenticator: Authenticator, name: str = "Phone") -> dict[str, Any]:
    options = (await worker.do(device, "begin_passkey"))["options"]
    return await worker.do(device, "add_passkey", credential=authenticator.create(options), name=name)


async def member(worker: Worker, handle: str = "ada") -> tuple[Device, Authenticator]:
    device, authenticator = await worker.guest(), Authenticator(ORIGIN)
    await worker.do(device, "keep_name", handle=handle)
    await add(worker, device, authenticator)
    return device, authenticator


async def options_of(worker: Worker) -> dict[str, Any]:
    options = await worker.service.begin_sign_in(ORIGIN)
    assert isinstance(options, dict)
    return options


async def signed_in(worker: Worker, credential: dict[str, Any], origin: str = ORIGIN) -> str | None:
    """Return the id of the user whom a passkey signs in."""
    found = await worker.service.sign_in_with_passkey(origin, credential, "Chrome on Linux")
    return None if found is None else found[0].id


async def test_a_passkey_makes_the_handle_permanent_and_signs_in_on_another_worker(
    workers: tuple[Worker, Worker], backend: Backend
) -> None:
    here, there = workers
    ada = await here.guest()
    assert await here.refused(ada, "begin_passkey") == "no_account"
    await here.do(ada, "keep_name", handle="ada")
    options = (await here.do(ada, "begin_passkey"))["options"]
    assert options["rp"]["id"] == "play.example"
    assert (options["user"]["name"], base64url_to_bytes(options["user"]["id"])) == ("ada", ada.user.id.encode())
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["authenticatorSelection"]["userVerification"] == "preferred"
    authenticator = Authenticator(ORIGIN)
    added = await there.do(ada, "add_passkey", credential=authenticator.create(options), name=" Ada's  phone ")
    assert (added["handle"], added["passkey"]["name"], added["passkey"]["used"]) == ("ada", "Ada's phone", None)
    backend.clock.now += 3600
    request = await options_of(there)
    assert request.get("allowCredentials", []) == []
    assert await signed_in(here, authenticator.get(request)) == ada.user.id
    account = (await there.do(ada, "get_account"))["account"]
    assert [passkey["used"] for passkey in account["passkeys"]] == [int(backend.clock.now) * 1000]
    assert [device["name"] for device in account["devices"]] == ["Firefox on Windows", "Chrome on Linux"]


async def test_a_challenge_is_used_once_even_at_the_same_time(workers: tuple[Worker, Worker]) -> None:
    here, there = workers
    ada, authenticator = await member(here)
    credential = authenticator.get(await options_of(here))
    results = await asyncio.gather(*(signed_in(worker, credential) for worker in (here, there, here, there)))
    assert sorted(results, key=lambda result: result or "") == [None, None, None, ada.user.id]
    assert await signed_in(here, credential) is None


async def test_a_repeated_request_to_add_a_passkey_gets_the_same_reply(worker: Worker) -> None:
    ada = await worker.guest()
    await worker.do(ada, "keep_name", handle="ada")
    credential = Authenticator(ORIGIN).create((await worker.do(ada, "begin_passkey"))["options"])
    first = await worker.do(ada, "add_passkey", credential=credential, name="Phone")
    assert await worker.do(ada, "add_passkey", credential=credential, name="Phone") == first
    assert len((await worker.do(ada, "get_account"))["account"]["passkeys"]) == 1


async def test_a_challenge_is_valid_for_five_minutes(worker: Worker, memory: Backend) -> None:
    _, authenticator = await member(worker)
    credential = authenticator.get(await options_of(worker))
    memory.clock.now += CHALLENGE_SECONDS
    assert await signed_in(worker, credential) is None


async def test_a_challenge_belongs_to_its_purpose_its_user_and_its_site(worker: Worker) -> None:
    ada, authenticator = await member(worker)
    other = await worker.guest()
    await worker.do(other, "keep_name", handle="byron")
    for_ada = (await worker.do(ada, "begin_passkey"))["options"]
    credential = Authenticator(ORIGIN).create(for_ada)
    assert await worker.refused(other, "add_passkey", credential=credential, name="") == "bad_passkey"
    # The refusal has used the challenge up.
    assert await worker.refused(ada, "add_passkey", credential=credential, name="") == "bad_passkey"
    assert await signed_in(worker, authenticator.get(for_ada)) is None
    credential = authenticator.get(await options_of(worker))
    assert await signed_in(worker, credential, "https://evil.example") is None
    evil = Authenticator("https://evil.example")
    evil.passkeys = authenticator.passkeys
    assert await signed_in(worker, evil.get(await options_of(worker))) is None


async def test_a_passkey_of_another_key_is_refused(worker: Worker) -> None:
    ada, authenticator = await member(worker)
    thief = Authenticator(ORIGIN)
    thief.create((await worker.do(ada, "begin_passkey"))["options"])
    thief.passkeys[0].id = authenticator.passkeys[0].id
    assert await signed_in(worker, thief.get(await options_of(worker))) is None
    unknown = Authenticator(ORIGIN)
    unknown.create((await worker.do(ada, "begin_passkey"))["options"])
    assert await signed_in(worker, unknown.get(await options_of(worker))) is None


async def test_a_counter_that_goes_back_is_refused(worker: Worker) -> None:
    """A copied authenticator repeats a number that the original has used (WebAuthn, section 6.1.1)."""
    ada, authenticator = await member(worker)
    for _ in range(3):
        assert await signed_in(worker, authenticator.get(await options_of(worker))) == ada.user.id
    authenticator.passkeys[0].sign_count = 1
    assert await signed_in(worker, authenticator.get(await options_of(worker))) is None


async def test_a_synced_passkey_without_a_counter_signs_in_again_and_again(worker: Worker) -> None:
    ada, authenticator = await member(worker)
    authenticator.counts = False
    for _ in range(3):
        assert await signed_in(worker, authenticator.get(await options_of(worker))) == ada.user.id


async def test_the_last_way_in_cannot_be_removed(worker: Worker) -> None:
    ada, authenticator = await member(worker)
    passkeys = (await worker.do(ada, "get_account"))["account"]["passkeys"]
    only = passkeys[0]["id"]
    assert await worker.refused(ada, "remove_passkey", passkey=only) == "last_way_in"
    assert await worker.refused(ada, "remove_passkey", passkey="none") == "no_such_passkey"
    laptop = Authenticator(ORIGIN)
    second = (await add(worker, ada, laptop, "Laptop"))["passkey"]["id"]
    await worker.do(ada, "remove_passkey", passkey=only)
    assert await signed_in(worker, authenticator.get(await options_of(worker))) is None
    assert await signed_in(worker, laptop.get(await options_of(worker))) == ada.user.id
    assert await worker.refused(ada, "remove_passkey", passkey=second) == "last_way_in"
    await worker.do(ada, "make_recovery_codes")
    await worker.do(ada, "remove_passkey", passkey=second)


async def test_two_devices_that_remove_the_last_two_passkeys_at_once_keep_one(workers: tuple[Worker, Worker]) -> None:
    here, there = workers
    ada, _ = await member(here)
    await add(here, ada, Authenticator(ORIGIN))
    passkeys = (await here.do(ada, "get_account"))["account"]["passkeys"]
    replies = await asyncio.gather(
        here.request(ada, "remove_passkey", passkey=passkeys[0]["id"]),
        there.request(ada, "remove_passkey", passkey=passkeys[1]["id"]),
    )
    assert sorted(getattr(reply, "code", "done") for reply in replies) == ["done", "last_way_in"]


async def test_a_passkey_belongs_to_one_account(worker: Worker) -> None:
    ada, authenticator = await member(worker)
    bob = await worker.guest()
    await worker.do(bob, "keep_name", handle="bob")
    options = (await worker.do(bob, "begin_passkey"))["options"]
    copy = Authenticator(ORIGIN).create(options, authenticator.passkeys[0].id)
    assert await worker.refused(bob, "add_passkey", credential=copy, name="") == "bad_passkey"
    assert await signed_in(worker, authenticator.get(await options_of(worker))) == ada.user.id


async def test_an_account_has_a_bounded_number_of_passkeys(worker: Worker) -> None:
    ada, _ = await member(worker)
    for _ in range(MAX_PASSKEYS - 1):
        await add(worker, ada, Authenticator(ORIGIN))
    assert await worker.refused(ada, "begin_passkey") == "bad_passkey"


async def test_the_id_of_a_passkey_has_a_bounded_length(worker: Worker) -> None:
    ada, _ = await member(worker)
    for length, is_accepted in ((MAX_CREDENTIAL_ID_BYTES, True), (MAX_CREDENTIAL_ID_BYTES + 1, False)):
        options = (await worker.do(ada, "begin_passkey"))["options"]
        credential = Authenticator(ORIGIN).create(options, secrets.token_bytes(length))
        reply = await worker.request(ada, "add_passkey", credential=credential, name="")
        assert isinstance(reply, Done) == is_accepted


async def test_a_passkey_that_names_another_user_or_none_is_refused(worker: Worker) -> None:
    """WebAuthn, section 7.2: the authenticator must name the user to whom the credential belongs."""
    ada, authenticator = await member(worker)
    bob, _ = await member(worker, "bob")
    passkey = authenticator.passkeys[0]
    for user_id in (bob.user.id.encode(), b""):
        passkey.user_id = user_id
        assert await signed_in(worker, authenticator.get(await options_of(worker))) is None
    credential = authenticator.get(await options_of(worker))
    del credential["response"]["userHandle"]
    assert await signed_in(worker, credential) is None
    passkey.user_id = ada.user.id.encode()
    assert await signed_in(worker, authenticator.get(await options_of(worker))) == ada.user.id


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8000", "http://[::1]:8000", "https://192.0.2.7", "null"])
def test_an_address_with_a_number_has_no_passkeys(origin: str) -> None:
    assert Site(origin).relying_party is None


@pytest.mark.parametrize(
    "origin, host", [("http://localhost:8000", "localhost"), ("https://play.example:8443", "play.example")]
)
def test_the_relying_party_is_the_name_of_the_host(origin: str, host: str) -> None:
    assert Site(origin).relying_party == host


async def test_an_address_with_a_number_is_refused_with_a_reason(worker: Worker) -> None:
    refusal = await worker.service.begin_sign_in("http://127.0.0.1:8000")
    assert not isinstance(refusal, dict)
    assert "localhost" in refusal.sentence


@pytest.mark.parametrize(
    "damage",
    [
        lambda credential: {},
        lambda credential: {**credential, "id": 7},
        lambda credential: {**credential, "response": []},
        lambda credential: {**credential, "response": {**credential["response"], "clientDataJSON": "!"}},
        lambda credential: {
            **credential,
            "response": {**credential["response"], "authenticatorData": "AAAA", "attestationObject": "AAAA"},
        },
        lambda credential: {
            **credential,
            "response": {**credential["response"], "signature": None, "attestationObject": 7},
        },
        lambda credential: {**credential, "rawId": "AAAA"},
        lambda credential: {**credential, "type": "password"},
        lambda credential: json.loads(json.dumps(credential).replace("a", "b")),
    ],
)
async def test_whatever_a_browser_sends_is_refused_or_right(worker: Worker, damage: Any) -> None:
    _, authenticator = await member(worker)
    assert await signed_in(worker, damage(authenticator.get(await options_of(worker)))) is None
    ada = await worker.guest()
    await worker.do(ada, "keep_name", handle="byron")
    created = Authenticator(ORIGIN).create((await worker.do(ada, "begin_passkey"))["options"])
    assert await worker.refused(ada, "add_passkey", credential=damage(created), name="") == "bad_passkey"
    assert (await worker.do(ada, "get_account"))["account"]["handle"] is None
