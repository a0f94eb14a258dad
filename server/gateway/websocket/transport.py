"""A websocket that writes frames straight to its TCP transport and delivers messages by callback.

This is the one file that relies on uvicorn's internals. `WebSocketTransport` is uvicorn's websocket protocol until the
handshake is done; then the application, which finds it in the ASGI scope, attaches a `MessageReceiver`. From then on no
task, queue or `await` stands between a table and the TCP transport: its buffer is the queue, its high-water mark the
bound. The frames of one iteration of the event loop leave in one write (`flush.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request

from protocol.codec import Encoding, encode, framed
from protocol.codes import CLOSES, Close
from server.gateway.limits import DEFAULT_TRANSPORT_LIMITS, TransportLimits
from server.gateway.websocket.api import MessageReceiver
from server.gateway.websocket.flush import FlushScheduler
from server.gateway.websocket.keep_alive import KeepAlive
from server.rate_limit import FREE, RateLimiter

log = logging.getLogger(__name__)

PARSED_AT_ONCE: Final = 4 * 1024
"""Bytes that are parsed before the frame limit is checked: one read may hold thousands of the smallest frames."""

ABNORMAL_CLOSURE: Final = 1006
"""The close code of a connection that ended without a close frame (RFC 6455, 7.1.5)."""

_OPCODES: Final = {Encoding.MSGPACK: Opcode.BINARY, Encoding.JSON: Opcode.TEXT}
_TRANSPORT_KEY: Final = "websocket_transport"
_SCHEDULER_KEY: Final = "flush_scheduler"
_KEEP_ALIVE_KEY: Final = "keep_alive"
_PINGS: Final = {
    encoding: Frame(Opcode.PING, b"").serialize(mask=False) + framed(encode({"type": "alive"}, encoding), encoding)
    for encoding in Encoding
}
"""A ping, which the peer answers by itself, and the message for programs that cannot see it, as pages cannot."""


def transport_of(scope: Mapping[str, Any]) -> WebSocketTransport:
    """Return the transport behind an ASGI websocket scope."""
    transport: WebSocketTransport = scope["state"][_TRANSPORT_KEY]
    return transport


class WebSocketTransport(WebSocketsSansIOProtocol):
    """A websocket that outlives the ASGI application once a receiver is attached."""

    _frame_limiter: RateLimiter

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.close_timeout = DEFAULT_TRANSPORT_LIMITS.close_timeout
        scheduler = app_state.get(_SCHEDULER_KEY)
        if scheduler is None:
            scheduler = app_state[_SCHEDULER_KEY] = FlushScheduler(self.loop)
        self._scheduler: FlushScheduler = scheduler
        keep_alive = app_state.get(_KEEP_ALIVE_KEY)
        if keep_alive is None:
            assert config.ws_ping_interval is not None
            keep_alive = app_state[_KEEP_ALIVE_KEY] = KeepAlive(self.loop, config.ws_ping_interval)
        self._keep_alive: KeepAlive = keep_alive
        self.heard_at = self.asked_at = self.bucket = 0
        self._receiver: MessageReceiver | None = None
        self._limits = DEFAULT_TRANSPORT_LIMITS
        self._opcode = Opcode.BINARY
        self._ping = b""
        self._pending = b""
        self._pending_can_wait = False
        self._can_write = False
        self._is_closing = False
        self._close_code: int | None = None
        self._abort_timer: asyncio.TimerHandle | None = None
        """Runs while the peer has to catch up, or to answer our close frame."""

    # -- handshake ----------------------------------------------------------------------------------------

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["state"][_TRANSPORT_KEY] = self

    async def run_asgi(self) -> None:
        """Run the application, which may return and leave an attached connection open."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except Exception:
            log.exception("handshake failed")
            self.send_500_response()
        else:
            if not self.handshake_complete and self.initial_response is None:
                self.send_500_response()
        if self._receiver is None and self.close_timer is None:
            self.transport.close()

    def attach(self, receiver: MessageReceiver, limits: TransportLimits) -> None:
        """Deliver all messages from now on to the receiver; the application may then return.

        Call it right after the handshake was accepted, without awaiting anything in between.
        """
        if self.disconnected or not self.handshake_complete:
            self.loop.call_soon(receiver.on_disconnect, ABNORMAL_CLOSURE)
            return
        self._receiver = receiver
        self._limits = limits
        self._frame_limiter = RateLimiter(limits.frames, self.loop.time)
        self._opcode = _OPCODES[receiver.encoding]
        self._ping = _PINGS[receiver.encoding]
        self._can_write = True
        self._keep_alive.add(self)
        self.transport.set_write_buffer_limits(high=limits.write_buffer)
        # RFC 6455, 4.1: a client sends no frame before the handshake is answered.
        while not self.queue.empty():
            event = self.queue.get_nowait()
            if event["type"] == "websocket.receive":
                self.close(Close.POLICY)
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        # Free what only the handshake needed: thousands of connections are idle.
        del self.scope, self.request, self.response

    # -- out ----------------------------------------------------------------------------------------------

    def write(self, frame: bytes, can_wait: bool = False) -> bool:
        if not self._can_write:
            return False
        if self._pending:
            self._pending += frame
            if len(self._pending) > self._limits.write_buffer:
                # Let the TCP transport decide whether the peer is too slow.
                self.flush()
            elif self._pending_can_wait and not can_wait:
                self._pending_can_wait = False
                self._scheduler.add(self, can_wait=False)
            return True
        self._pending = frame
        self._pending_can_wait = can_wait
        self._scheduler.add(self, can_wait=can_wait)
        return True

    def flush(self) -> None:
        """Write all pending frames to the TCP transport."""
        pending = self._pending
        if not pending:
            return
        self._pending = b""
        if not self._is_closing and not self.transport.is_closing():
            try:
                self.transport.write(pending)
            except Exception:
                # The caller may be a table that has other subscribers to serve.
                log.exception("connection failed")
                self.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._can_write = False
        if self._receiver is not None and self._abort_timer is None:
            self._abort_timer = self.loop.call_later(self._limits.resume_timeout, self._abort_slow_reader)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._receiver is None or self._is_closing:
            return
        self._cancel_abort()
        self._can_write = True
        try:
            self._receiver.on_writable()
        except Exception:
            log.exception("connection failed")
            self.close(Close.BUG)

    def _abort_slow_reader(self) -> None:
        # The buffer has no room for a close frame either.
        self._close_code = Close.TOO_SLOW
        self.abort()

    # -- in -----------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self._receiver is None:
            super().data_received(data)
            return
        for start in range(0, len(data), PARSED_AT_ONCE):
            if self._is_over():
                return
            super().data_received(data[start : start + PARSED_AT_ONCE])

    def handle_events(self) -> None:
        if self._receiver is None:
            super().handle_events()
            return
        for event in self.conn.events_received():
            if isinstance(event, Frame):
                if self._frame_limiter.take() != FREE:
                    self.close(Close.POLICY)
                else:
                    self._handle_frame(event)
            if self._is_over():
                return

    def _is_over(self) -> bool:
        return self._is_closing or self.transport.is_closing()

    def _handle_frame(self, frame: Frame) -> None:
        opcode = frame.opcode
        # A pong counts only as the answer to a ping: for one that nobody asked for we would fall silent, and so would
        # the connection in the eyes of a proxy, which waits for bytes from the server.
        if opcode is not Opcode.PONG or self.heard_at < self.asked_at:
            self.heard_at = self._keep_alive.tick
        if opcode is Opcode.TEXT or opcode is Opcode.BINARY:
            if opcode is not self._opcode:
                self.close(Close.UNSUPPORTED)
            elif frame.fin:
                self._deliver(bytes(frame.data))
            else:
                self.frames = [bytes(frame.data)]
        elif opcode is Opcode.CONT:
            self._handle_fragment(frame)
        elif opcode is Opcode.PING:
            # RFC 6455, 5.5.3: a pong for the most recent of several pings is enough.
            pongs = self.conn.data_to_send()
            if pongs:
                self.write(pongs[-1])
        elif opcode is Opcode.CLOSE:
            self.handle_close(frame)

    def _handle_fragment(self, frame: Frame) -> None:
        self.frames.append(bytes(frame.data))
        if frame.fin:
            fragments, self.frames = self.frames, []
            self._deliver(b"".join(fragments))
        elif len(self.frames) >= self._limits.fragments:
            self.close(Close.POLICY)

    def _deliver(self, data: bytes) -> None:
        assert self._receiver is not None
        try:
            self._receiver.on_message(data)
        except Exception:
            log.exception("connection failed")
            self.close(Close.BUG)

    # -- closing ------------------------------------------------------------------------------------------

    def close(self, code: Close) -> None:
        if self._is_over():
            return
        self._close_code = code
        self.conn.send_close(code, CLOSES[code])
        self._finish_closing()

    def handle_parser_exception(self) -> None:
        if self._receiver is None:
            super().handle_parser_exception()
            return
        assert self.conn.close_sent is not None
        self._close_code = self.conn.close_sent.code
        self._finish_closing()

    def _finish_closing(self) -> None:
        """Write all pending frames and the close frame, end our direction, and wait for the peer to close its own.

        Closing the socket while bytes of the peer are unread would make the kernel reset the connection, and the peer
        might never see the close code. So everything that still arrives is read and thrown away.
        """
        self.flush()
        self._can_write = False
        self._is_closing = True
        self.close_sent = True
        self.stop_keepalive()
        self.transport.write(b"".join(self.conn.data_to_send()))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._cancel_abort()
        self._abort_timer = self.loop.call_later(self._limits.close_timeout, self.transport.abort)

    def abort(self) -> None:
        self._can_write = False
        self._is_closing = True
        self._pending = b""
        self.transport.abort()

    def keepalive_timeout(self) -> None:
        # A close frame would queue behind bytes that the peer has not read.
        self.abort()

    def start_keepalive(self) -> None:
        """Do nothing: uvicorn would set timers for each connection. `attach` adds it to `KeepAlive`."""

    def stop_keepalive(self) -> None:
        self._keep_alive.remove(self)

    def ping(self) -> bool:
        return self.write(self._ping, can_wait=True)

    def shutdown(self) -> None:
        if self._receiver is None:
            super().shutdown()
        else:
            self.close(Close.RESTART)

    def connection_lost(self, exc: Exception | None) -> None:
        self._can_write = False
        self._pending = b""
        self._cancel_abort()
        super().connection_lost(exc)
        receiver, self._receiver = self._receiver, None
        if receiver is not None:
            receiver.on_disconnect(self._final_close_code())
        # The parser is a generator that refers to the object that has it. Without this cycle, all is freed at once.
        self.conn.parser.close()

    def _final_close_code(self) -> int:
        """Return the close code of the side that closed first."""
        if self._close_code is not None:
            return self._close_code
        received = self.conn.close_rcvd
        return ABNORMAL_CLOSURE if received is None else received.code

    def _cancel_abort(self) -> None:
        if self._abort_timer is not None:
            self._abort_timer.cancel()
            self._abort_timer = None
