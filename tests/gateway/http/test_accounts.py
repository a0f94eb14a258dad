"""Signing in with a passkey or a recovery code, signing out, and the download, over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from protocol.codes import Close
from server.gateway.limits import Limits
from server.people import recovery
from server.rate_limit import Rate
from tests.gateway.gateway_server import JSON, ROOMY, GatewayServer, running
from tests.people.authenticator import Authenticator
from tests.people.workers import Device, Worker
from tests.store.backends import MemoryBackend

PLENTY = Rate(1_000_000, 1, burst=1_000_000)


class Site:
    """A gateway with accounts, as a browser sees it at `localhost`."""

    def __init__(self, server: GatewayServer, worker: Worker) -> None:
        self.server = server
        self.worker = worker
        self.origin = f"http://localhost:{server.port}"

    @contextlib.asynccontextmanager
    async def browser(self, token: str | None = None, **headers: str) -> AsyncIterator[httpx.AsyncClient]:
        cookies = {} if token is None else {"sid": token}
        base = {"Origin": self.origin, "Host": f"localhost:{self.server.port}", **headers}
        async with httpx.AsyncClient(
            base_url=self.server.http, headers=base, cookies=cookies, trust_env=False
        ) as client:
            yield client

    async def member(self) -> tuple[Device, Authenticator, list[str]]:
        """Return a user with a passkey and recovery codes."""
        device, codes = await self.worker.member("ada")
        authenticator = Authenticator(self.origin)
        request = {"credential": None, "name": "Key"}
        options = await self.answer(device, "begin_passkey")
        request["credential"] = authenticator.create(options["options"])
        await self.answer(device, "add_passkey", **request)
        return device, authenticator, codes

    async def answer(self, device: Device, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request over a websocket, as the page does, and return its result."""
        async with connect(
            f"ws://localhost:{self.server.port}/socket",
            host="127.0.0.1",
            additional_headers={"Cookie": f"sid={device.token}", "Origin": self.origin},
            subprotocols=[JSON],  # type: ignore[list-item]
            proxy=None,
        ) as socket:
            await socket.send(json.dumps({"type": kind, "id": "x", **fields}))
            while True:
                message = json.loads(await socket.recv())
                if message.get("id") == "x":
                    assert message["type"] == "done", message
                    result: dict[str, Any] = message["result"]
                    return result


@contextlib.contextmanager
def a_site(limits: Limits = ROOMY, **options: Any) -> Iterator[Site]:
    backend = MemoryBackend()
    worker = asyncio.run(Worker.open(backend.store.key_values, backend.clock))
    with running(limits=limits, identity=worker.identity, people=worker.service, **options) as server:
        worker.service.sockets = server.connections
        yield Site(server, worker)


@pytest.fixture(autouse=True)
def fast_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "_scrypt", lambda salt, code: hashlib.sha256(salt + code.encode()).hexdigest())


@pytest.fixture(scope="module")
def shared() -> Iterator[Site]:
    """Yield a site for tests that sign nobody in."""
    with a_site() as made:
        yield made


@pytest.fixture
def site() -> Iterator[Site]:
    with a_site() as made:
        yield made


async def test_a_second_browser_signs_in_with_a_passkey(site: Site) -> None:
    ada, authenticator, _ = await site.member()
    async with site.browser() as browser:
        begun = await browser.post("/api/session/passkey/begin")
        assert begun.status_code == 200
        options = begun.json()["options"]
        assert (options["rpId"], options["userVerification"]) == ("localhost", "preferred")
        agent = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}
        credential = authenticator.get(options)
        answer = await browser.post("/api/session/passkey", json={"credential": credential}, headers=agent)
        assert answer.status_code == 200
        assert answer.json() == {"user": {"id": ada.user.id, "name": ada.user.name, "handle": "ada"}}
        assert "httponly" in answer.headers["set-cookie"].lower()
        again = await browser.post("/api/session/passkey", json={"credential": credential})
        assert (again.status_code, again.json()["code"]) == (403, "bad_passkey")
        session = await browser.post("/api/session")
        assert session.json()["user"] == {"id": ada.user.id, "name": ada.user.name, "handle": "ada"}
    devices = await site.worker.identity.devices(ada.user.id)
    assert "Firefox on Linux" in [device.name for device in devices]


async def test_a_recovery_code_signs_in_once(site: Site) -> None:
    ada, _, codes = await site.member()
    async with site.browser() as browser:
        body = {"handle": "Ada", "code": codes[0].lower()}
        answer = await browser.post("/api/session/recovery", json=body)
        assert (answer.status_code, answer.json()["user"]["id"]) == (200, ada.user.id)
        again = await browser.post("/api/session/recovery", json=body)
        unknown = await browser.post("/api/session/recovery", json={"handle": "nobody-here", "code": codes[1]})
        assert (again.status_code, again.json()) == (unknown.status_code, unknown.json())
        assert (again.status_code, again.json()["code"]) == (403, "wrong_code")
        assert "set-cookie" not in again.headers


@pytest.mark.parametrize(
    "path, body",
    [
        ("/api/session/passkey", "{}"),
        ("/api/session/passkey", "[1]"),
        ("/api/session/passkey", '{"credential": "x"}'),
        ("/api/session/passkey", '{"credential": {}, "more": 1}'),
        ("/api/session/passkey", '{"credential": {"id": "' + "x" * 20_000 + '"}}'),
        ("/api/session/passkey", "not json"),
        ("/api/session/recovery", '{"handle": "ada"}'),
        ("/api/session/recovery", '{"handle": 1, "code": "x"}'),
        ("/api/session/recovery", '{"handle": "ada", "code": "' + "x" * 2_000 + '"}'),
    ],
)
async def test_a_malformed_body_is_refused(shared: Site, path: str, body: str) -> None:
    async with shared.browser() as browser:
        answer = await browser.post(path, content=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize(
    "method, path",
    [
        ("POST", "/api/session/passkey/begin"),
        ("POST", "/api/session/passkey"),
        ("POST", "/api/session/recovery"),
        ("POST", "/api/session/end"),
        ("GET", "/api/account.json"),
    ],
)
async def test_a_foreign_page_gets_nothing(shared: Site, method: str, path: str) -> None:
    ada = await shared.worker.guest()
    async with shared.browser(ada.token, Origin="https://evil.example") as browser:
        answer = await browser.request(method, path)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert await shared.worker.identity.user_of(ada.token) is not None


@pytest.mark.parametrize("path", ["/api/session/passkey", "/api/session/recovery", "/api/session/end"])
async def test_other_methods_are_refused(shared: Site, path: str) -> None:
    async with shared.browser() as browser:
        answer = await browser.get(path)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.fixture
def strict() -> Iterator[Site]:
    limits = Limits(codes=Rate(1, 3_600, burst=3), sign_ins=Rate(1, 3_600, burst=2), handshakes=PLENTY, sessions=PLENTY)
    with a_site(limits) as made:
        yield made


async def test_wrong_passkeys_and_codes_are_limited_by_address_together(strict: Site) -> None:
    site = strict
    _, authenticator, codes = await site.member()
    async with site.browser() as browser:
        statuses = []
        for path, body in (
            ("/api/session/passkey", {"credential": {"id": "AAAA"}}),
            ("/api/session/recovery", {"handle": "ada", "code": "wrong"}),
            ("/api/session/code", {"code": "ABCD234567"}),
            ("/api/session/passkey", {"credential": {"id": "AAAA"}}),
            ("/api/session/recovery", {"handle": "ada", "code": codes[0]}),
        ):
            statuses.append((await browser.post(path, json=body)).status_code)
        assert statuses == [403, 403, 403, 429, 429]
        # Nothing was used up by the refusal.
        assert await site.worker.service.sign_in_with_code("ada", codes[0], "") is not None
    assert authenticator.passkeys


async def test_beginning_to_sign_in_is_limited_by_address(strict: Site) -> None:
    async with strict.browser() as browser:
        statuses = [(await browser.post("/api/session/passkey/begin")).status_code for _ in range(3)]
        assert statuses == [200, 200, 429]


async def test_an_address_with_a_number_has_no_passkeys(shared: Site) -> None:
    async with shared.browser(Host=f"127.0.0.1:{shared.server.port}", Origin=shared.server.http) as browser:
        answer = await browser.post("/api/session/passkey/begin")
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_passkey")


@pytest.fixture
def configured() -> Iterator[Site]:
    with a_site(origins=("https://play.example",)) as made:
        yield made


async def test_the_origin_of_a_configured_site_counts(configured: Site) -> None:
    origin, site = "https://play.example", configured
    async with site.browser(Host="play.example", Origin=origin) as browser:
        answer = await browser.post("/api/session/passkey/begin")
        assert answer.json()["options"]["rpId"] == "play.example"
    async with site.browser(Host="evil.example", Origin="https://evil.example") as browser:
        assert (await browser.post("/api/session/passkey/begin")).status_code == 403


async def test_signing_out_removes_the_cookie_and_closes_the_connections(site: Site) -> None:
    ada = await site.worker.guest()
    async with (
        site.browser(ada.token) as browser,
        connect(
            f"ws://127.0.0.1:{site.server.port}/socket",
            additional_headers={"Authorization": f"Bearer {ada.token}"},
            subprotocols=[JSON],  # type: ignore[list-item]
            proxy=None,
        ) as socket,
    ):
        await socket.recv()
        answer = await browser.post("/api/session/end")
        assert (answer.status_code, answer.json()) == (200, {"ended": True})
        assert 'sid=""' in answer.headers["set-cookie"]
        assert "max-age=0" in answer.headers["set-cookie"].lower()
        await asyncio.wait_for(socket.wait_closed(), 10)
        assert socket.close_code == Close.SIGNED_OUT
        assert await site.worker.identity.user_of(ada.token) is None
        # The next visit is that of a new guest, and ending nothing is no mistake.
        assert (await browser.post("/api/session/end")).status_code == 200
        guest = await browser.post("/api/session")
        assert guest.json()["user"]["id"] != ada.user.id


async def test_the_download_is_a_file(site: Site) -> None:
    ada, _, _ = await site.member()
    async with site.browser(ada.token) as browser:
        answer = await browser.get("/api/account.json", headers={"Sec-Fetch-Site": "same-origin"})
        assert answer.status_code == 200
        assert answer.headers["content-disposition"] == 'attachment; filename="san-francisco-tables-ada.json"'
        assert answer.headers["cache-control"] == "no-store"
        stored = answer.json()
        assert (stored["account"]["handle"], stored["games"]) == ("ada", [])
        assert ada.token not in answer.text
        foreign = await browser.get("/api/account.json", headers={"Sec-Fetch-Site": "cross-site"})
        assert foreign.status_code == 403
    async with site.browser() as stranger:
        answer = await stranger.get("/api/account.json")
        assert (answer.status_code, answer.json()["code"]) == (401, "no_session")


async def test_a_store_that_fails_is_not_a_wrong_code(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: Any) -> None:
        raise OSError("disc full at secret-place")

    for name in ("begin_sign_in", "sign_in_with_passkey", "sign_in_with_code", "end_session", "download"):
        monkeypatch.setattr(site.worker.service, name, fail)
    ada = await site.worker.guest()
    async with site.browser(ada.token) as browser:
        answers = [
            await browser.post("/api/session/passkey/begin"),
            await browser.post("/api/session/passkey", json={"credential": {}}),
            await browser.post("/api/session/recovery", json={"handle": "ada", "code": "x"}),
            await browser.post("/api/session/end"),
            await browser.get("/api/account.json"),
        ]
        assert [answer.status_code for answer in answers] == [503] * 5
        assert not any("secret" in answer.text for answer in answers)
