"""Shows a recorded game to a page: serves the files of a build, and a websocket that answers like the server."""

from __future__ import annotations

import asyncio
import json
import mimetypes
from pathlib import Path
from typing import Any

import msgpack
from playwright.async_api import BrowserContext, Route
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from tests.web.frames.recording import Message, Recording

LOG_PAGE = 100
"""Updates on a page of the log, as the server sends them."""

PAINT_SECONDS = 60.0


class Playback:
    """A websocket on a free port that shows one recording to one page at a time."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.files = Path()
        """The files of the build that is shown."""

        self.painted = asyncio.Event()
        self._server: Server | None = None
        self._page: ServerConnection | None = None

    async def __aenter__(self) -> Playback:
        self._server = await serve(
            self._talk,
            "127.0.0.1",
            0,
            process_request=self._file,
            subprotocols=[Subprotocol("sanfrancisco.1.msgpack")],
            compression=None,
        )
        return self

    async def __aexit__(self, *reason: object) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    @property
    def http(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{next(iter(self._server.sockets)).getsockname()[1]}"

    async def answer_session(self, context: BrowserContext) -> None:
        """Answer the only request of a context that is not a GET, which this server cannot read."""

        async def answer(route: Route) -> None:
            await route.fulfill(status=200, content_type="application/json", body=json.dumps({"token": "none"}))

        await context.route("**/api/session", answer)

    def _file(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return a file of the build; None for the websocket."""
        if request.path == "/socket":
            return None
        file = self.files / ("table.html" if request.path.startswith("/t/") else request.path.lstrip("/"))
        body = file.read_bytes()
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        # As the server does. A sheet of symbols that may not be kept is fetched and read again for every new symbol.
        keep = "public, max-age=31536000, immutable" if request.path.startswith("/assets/") else "no-cache"
        headers = {"Content-Type": kind, "Content-Length": str(len(body)), "Cache-Control": keep}
        return Response(200, "OK", Headers(headers), body)

    async def show(self, message: Message) -> None:
        """Send a message, and return once the page has painted the frame that shows it."""
        assert self._page is not None
        self.painted.clear()
        await self._send(self._page, message)
        await self.until_painted()

    async def until_painted(self) -> None:
        await asyncio.wait_for(self.painted.wait(), PAINT_SECONDS)

    async def _talk(self, page: ServerConnection) -> None:
        self._page = page
        await self._send(page, self.recording.welcome)
        try:
            async for data in page:
                if isinstance(data, str):
                    self.painted.set()
                    continue
                request = msgpack.unpackb(data)
                await self._send(page, {"type": "done", "id": request["id"], "result": self._result(request)})
                if request["type"] == "watch":
                    await self._send(page, self.recording.view)
                    seats = len(self.recording.view["view"]["seats"])
                    presence = {"seats": ["here"] + ["bot"] * (seats - 1), "spectators": 0, "away": [None] * seats}
                    await self._send(page, {"type": "presence", "table": self.recording.table, **presence})
        except ConnectionClosed:
            return

    def _result(self, request: Message) -> dict[str, Any]:
        if request["type"] != "read_log":
            return {}
        older = [entry for entry in self.recording.log if entry["number"] < request["before"]]
        return {"entries": older[-LOG_PAGE:], "more": len(older) > LOG_PAGE}

    @staticmethod
    async def _send(page: ServerConnection, message: Message) -> None:
        await page.send(msgpack.packb(message))
