"""A runner for the sequences of PROTOCOL.md: devices carry out each step on a live server and wait for its messages."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from typing import Any, Self

import httpx
import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.codec import Encoding, encode
from tests.protocol.document import Values, filled, meet
from tests.scenarios.people import socket_url

TIMEOUT_SECONDS = 60.0
_MAX_SHOWN = 300


def _decoded(data: str | bytes) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(data) if isinstance(data, str) else msgpack.unpackb(data)
    return message


class Device:
    """A browser or program of one person: a session, and at most one websocket."""

    def __init__(self, http: str, encoding: Encoding) -> None:
        self._http = http
        self._encoding = encoding
        self._browser = httpx.AsyncClient(base_url=http, headers={"Origin": http}, trust_env=False, timeout=20)
        self._token: str | None = None
        self._connection: ClientConnection | None = None
        self.answer: httpx.Response | None = None

    @classmethod
    def of_program(cls, http: str, encoding: Encoding, token: str) -> Self:
        """Return a device with a token instead of a cookie."""
        device = cls(http, encoding)
        device._token = token
        return device

    def use_session(self, token: str) -> None:
        """Use a session of another device."""
        self._browser.cookies.set("sid", token)

    async def post(self, path: str, body: Any) -> None:
        self.answer = await self._browser.post(path, json=body)

    async def connect(self, subprotocol: str) -> None:
        """Open the websocket with the session or the token of this device."""
        await self.hang_up()
        if self._token is not None:
            headers = {"Authorization": f"Bearer {self._token}"}
        else:
            cookies = "; ".join(f"{name}={value}" for name, value in self._browser.cookies.items())
            headers = {"Cookie": cookies, "Origin": self._http}
        self._connection = await connect(
            socket_url(self._http),
            subprotocols=[Subprotocol(subprotocol)],
            additional_headers=headers,
            compression=None,
            proxy=None,
        )

    async def send(self, message: dict[str, Any]) -> None:
        assert self._connection is not None
        payload = encode(message, self._encoding)
        await self._connection.send(payload if self._encoding is Encoding.MSGPACK else payload.decode())

    async def get(self, pattern: dict[str, Any], values: Values) -> Values:
        """Wait for a message that matches the pattern; others may come first, but no other reply to a request."""
        assert self._connection is not None
        received: list[str] = []
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while True:
                    message = _decoded(await self._connection.recv())
                    met = meet(pattern, message, values)
                    if met is not None:
                        return met
                    received.append(str(message)[:_MAX_SHOWN])
                    assert message.get("id") is None, f"expected {pattern}, got {message}"
        except (TimeoutError, ConnectionClosed) as end:
            raise AssertionError(f"expected {pattern}, got {received} ({end!r})") from None

    async def close_code(self) -> int | None:
        """Wait until the server closes, and return the code."""
        assert self._connection is not None
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await self._connection.wait_closed()
        return self._connection.close_code

    async def hang_up(self) -> None:
        if self._connection is not None:
            await self._connection.close()

    async def aclose(self) -> None:
        await self.hang_up()
        await self._browser.aclose()


class SequenceRunner:
    """A live server and the devices of all participants. All of them use one encoding."""

    def __init__(self, http: str, encoding: Encoding) -> None:
        self.http = http
        self.encoding = encoding
        self.values: Values = {}
        self._devices: dict[str, Device] = {}
        self._closing = AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *reason: object) -> None:
        await self._closing.aclose()

    def device(self, name: str) -> Device:
        """Return the device of this name, which is created when it is first used."""
        if name not in self._devices:
            if name.endswith("program"):
                device = Device.of_program(self.http, self.encoding, self.values["$token"])
            else:
                device = Device(self.http, self.encoding)
            self._closing.push_async_callback(device.aclose)
            self._devices[name] = device
        return self._devices[name]

    def subprotocol_of(self, subprotocol: str) -> str:
        """Return the subprotocol with the encoding of this runner, and the version as it is."""
        version = subprotocol.rpartition(".")[0]
        return f"{version}.{self.encoding.value}"

    async def play(self, steps: list[list[Any]]) -> None:
        """Carry out all steps; values from received messages can be used in later steps."""
        for who, what, *rest in steps:
            await self._step(self.device(who), what, rest)

    async def _step(self, device: Device, what: str, rest: list[Any]) -> None:
        match what, rest:
            case "posts", [path, body]:
                await device.post(path, filled(body, self.values))
            case "is answered", [status, body]:
                assert device.answer is not None
                assert device.answer.status_code == status
                met = meet(body, device.answer.json(), self.values)
                assert met is not None, device.answer.text
                self.values = met
            case "connects", [subprotocol]:
                await device.connect(self.subprotocol_of(subprotocol))
            case "sends", [message]:
                await device.send(filled(message, self.values))
            case "gets", [message]:
                self.values = await device.get(message, self.values)
            case "is closed", [code]:
                assert await device.close_code() == code
            case "hangs up", []:
                await device.hang_up()
            case _:
                raise AssertionError(f"unknown step: {what}")
