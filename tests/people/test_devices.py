"""Devices: sessions with a name, signed out one by one."""

from __future__ import annotations

import asyncio
import hashlib

import pytest
from starlette.requests import HTTPConnection

from server.gateway.http.devices import device_of
from tests.people.workers import Device, Worker


async def test_a_device_is_signed_out_on_all_workers(workers: tuple[Worker, Worker]) -> None:
    here, there = workers
    ada = await here.guest()
    begun = await there.identity.begin_session(ada.user.id, "Safari on iPhone")
    assert begun is not None
    phone = Device(*begun)
    assert await here.identity.user_of(phone.token) is not None
    devices = (await here.do(ada, "get_account"))["account"]["devices"]
    assert [(each["name"], each["current"]) for each in devices] == [
        ("Firefox on Windows", True),
        ("Safari on iPhone", False),
    ]
    await there.do(ada, "sign_out", device=devices[1]["id"])
    # Only after the reply: a device may sign itself out.
    assert there.sockets.ended == []
    await asyncio.sleep(0)
    assert there.sockets.ended == [(ada.user.id, hashlib.sha256(phone.token.encode()).hexdigest())]
    for worker in workers:
        assert await worker.identity.user_of(phone.token) is None
        assert await worker.identity.user_of(ada.token) is not None
    assert await here.refused(ada, "sign_out", device=devices[1]["id"]) == "no_such_device"


async def test_nobody_signs_out_the_device_of_another_user(worker: Worker) -> None:
    ada, bob = await worker.guest(), await worker.guest()
    device = (await worker.do(ada, "get_account"))["account"]["devices"][0]["id"]
    assert await worker.refused(bob, "sign_out", device=device) == "no_such_device"
    assert await worker.identity.user_of(ada.token) is not None


async def test_a_program_has_a_device_too(worker: Worker) -> None:
    ada = await worker.guest()
    await worker.identity.make_token(ada.user)
    devices = (await worker.do(ada, "get_account"))["account"]["devices"]
    assert {each["name"] for each in devices} == {"Firefox on Windows", "Program"}


async def test_a_session_of_an_earlier_version_is_listed_without_a_name(worker: Worker) -> None:
    ada = await worker.guest()
    for key, _ in await worker.key_values.find("session"):
        await worker.key_values.put("session", key, b'{"used": 1000000}')
    worker.identity.forget_all()
    devices = (await worker.do(ada, "get_account"))["account"]["devices"]
    assert [(each["name"], each["created"]) for each in devices] == [("", None)]


@pytest.mark.parametrize(
    "agent, name",
    [
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
            "Chrome on Linux",
        ),
        (
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                "Version/18.5 Mobile/15E148 Safari/604.1"
            ),
            "Safari on iPhone",
        ),
        (
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) "
                "Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0"
            ),
            "Edge on macOS",
        ),
        ("Mozilla/5.0 (Linux; Android 15) Gecko/140.0 Firefox/140.0", "Firefox on Android"),
        ("python-httpx/0.28", "Program"),
        ("<script>alert(1)</script>", "Program"),
        ("", "Program"),
    ],
)
def test_a_device_is_named_after_its_browser_and_system(agent: str, name: str) -> None:
    assert device_of(HTTPConnection({"type": "http", "headers": [(b"user-agent", agent.encode())]})) == name
