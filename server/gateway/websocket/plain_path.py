"""Websockets by ASGI alone: slower and dearer than the fast path, and never in use while that one works.

One task reads, another writes what waits in a queue with a bound in bytes.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque

from starlette.websockets import WebSocket, WebSocketDisconnect

from protocol.codec import Encoding
from protocol.codes import CLOSES, Close
from server.gateway.limits import Bounds
from server.gateway.websocket.wire import MessageReceiver

log = logging.getLogger(__name__)

_ABNORMAL = 1006


class PlainSocket:
    """A websocket that is served by `run` until it is closed."""

    def __init__(self, websocket: WebSocket, bounds: Bounds) -> None:
        self._websocket = websocket
        self._bounds = bounds
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._is_behind = False
        self._wake = asyncio.Event()
        self._close_code: Close | None = None
        self._is_cut_off = False

    # -- the wire -----------------------------------------------------------------------------------------

    def write(self, frame: bytes, can_wait: bool = False) -> bool:
        if self._is_behind or self._close_code is not None:
            return False
        self._waiting.append(frame)
        self._waiting_bytes += len(frame)
        self._is_behind = self._waiting_bytes > self._bounds.write_buffer
        self._wake.set()
        return True

    def close(self, code: Close) -> None:
        if self._close_code is None:
            self._close_code = code
            self._wake.set()

    def abort(self) -> None:
        self._is_cut_off = True
        self.close(Close.TOO_SLOW)

    # -- serving ------------------------------------------------------------------------------------------

    async def run(self, receiver: MessageReceiver) -> None:
        """Serve the connection, whose handshake was accepted, to its end."""
        code = _ABNORMAL
        reader = asyncio.create_task(self._read(receiver))
        writer = asyncio.create_task(self._write(receiver))
        try:
            await asyncio.wait((reader, writer), return_when=asyncio.FIRST_COMPLETED)
            code = self._close_code or (reader.result() if reader.done() else _ABNORMAL)
        finally:
            reader.cancel()
            writer.cancel()
            await asyncio.gather(reader, writer, return_exceptions=True)
            receiver.on_disconnect(code)

    async def _read(self, receiver: MessageReceiver) -> int:
        kind = "bytes" if receiver.encoding is Encoding.MSGPACK else "text"
        while True:
            event = await self._websocket.receive()
            if event["type"] == "websocket.disconnect":
                return int(event["code"])
            data = event.get(kind)
            if data is None:
                self.close(Close.UNSUPPORTED)
                continue
            try:
                receiver.on_message(data if isinstance(data, bytes) else data.encode())
            except Exception:
                log.exception("connection failed")
                self.close(Close.BUG)

    async def _write(self, receiver: MessageReceiver) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                async with asyncio.timeout(self._bounds.resume_within):
                    await self._send_waiting(receiver.encoding)
            except (TimeoutError, WebSocketDisconnect):
                self._close_code = self._close_code or Close.TOO_SLOW
                return
            if self._close_code is not None:
                if not self._is_cut_off:
                    await self._websocket.close(self._close_code, CLOSES[self._close_code])
                return
            if self._is_behind:
                self._is_behind = False
                receiver.on_writable()

    async def _send_waiting(self, encoding: Encoding) -> None:
        while self._waiting and not self._is_cut_off:
            frame = self._waiting.popleft()
            self._waiting_bytes -= len(frame)
            payload = _payload(frame)
            if encoding is Encoding.MSGPACK:
                await self._websocket.send_bytes(payload)
            else:
                await self._websocket.send_text(payload.decode())


def _payload(frame: bytes) -> bytes:
    """Give what stands behind the header of a frame from a server."""
    return frame[{126: 4, 127: 10}.get(frame[1], 2) :]
