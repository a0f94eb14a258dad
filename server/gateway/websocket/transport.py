"""Websockets whose frames go straight to the transport, and come in by a callback.

This is the one file that knows uvicorn's inside. `WebSocketTransport` is uvicorn's own websocket protocol until the handshake
is done; then the application, which finds it in the scope, takes it over. From there on no task, no queue and no
`await` stands between a table and the transport: the transport's buffer is the queue and its high-water mark the bound.
The frames that gather during one turn of the loop leave in one write (`turns.py`).

`missing_internals` says whether the installed uvicorn still is what this file was written for.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request

from protocol.codec import MAX_MESSAGE_BYTES, Encoding
from protocol.codes import CLOSES, Close
from server.gateway.limits import DEFAULT_BOUNDS, Bounds
from server.gateway.websocket.flush import FlushScheduler
from server.gateway.websocket.wire import FAST_WIRE, MessageReceiver

try:
    from websockets.speedups import apply_mask
except ImportError:  # installed without a compiler
    from websockets.utils import apply_mask

log = logging.getLogger(__name__)

SLICE: Final = 4 * 1024
"""Bytes that are parsed before the limits get a say: a read may bring thousands of the smallest frames."""

_WHOLE: Final = 0x80
_MASKED: Final = 0x80
_OPCODES: Final = {Encoding.MSGPACK: Opcode.BINARY, Encoding.JSON: Opcode.TEXT}
_ABNORMAL: Final = 1006
_SCHEDULER_KEY: Final = "fast_wire_turns"


class WebSocketTransport(WebSocketsSansIOProtocol):
    """A websocket that the application can take over after the handshake."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.close_timeout = DEFAULT_BOUNDS.close_within
        turns = app_state.get(_SCHEDULER_KEY)
        self._turns: FlushScheduler = (
            turns if turns is not None else app_state.setdefault(_SCHEDULER_KEY, FlushScheduler(self.loop))
        )
        self._receiver: MessageReceiver | None = None
        self._came_early = False
        self._rest = b""
        self._bounds = DEFAULT_BOUNDS
        self._opcode = Opcode.BINARY
        self._waiting = b""
        self._is_patient = False
        """What waits can wait for a few turns more."""
        self._can_write = False
        self._is_closing = False
        self._close_code: int | None = None
        self._frames_paid_at = 0.0
        self._patience: asyncio.TimerHandle | None = None

    # -- before the application takes over ----------------------------------------------------------------

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["state"][FAST_WIRE] = self

    async def run_asgi(self) -> None:
        """Run the application, which may return and leave a connection that it has taken over."""
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

    def take_over(self, receiver: MessageReceiver, bounds: Bounds) -> None:
        if self.disconnected or not self.handshake_complete:
            # The peer has left in the meantime; the receiver need not know why.
            self.loop.call_soon(receiver.on_disconnect, _ABNORMAL)
            return
        self._receiver = receiver
        self._bounds = bounds
        self._opcode = _OPCODES[receiver.encoding]
        self._can_write = True
        self.transport.set_write_buffer_limits(high=bounds.write_buffer)
        # What came early lies in uvicorn's queue, and nobody else will take it out.
        while not self.queue.empty():
            event = self.queue.get_nowait()
            if event["type"] == "websocket.receive":
                self.close(Close.POLICY)
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        # Thousands of idle connections need not each remember how they began.
        del self.scope, self.request, self.response

    # -- out ----------------------------------------------------------------------------------------------

    def write(self, frame: bytes, can_wait: bool = False) -> bool:
        if not self._can_write:
            return False
        if self._waiting:
            self._waiting += frame
            if len(self._waiting) > self._bounds.write_buffer:
                # The transport decides whether that was too much.
                self.flush()
            elif self._is_patient and not can_wait:
                self._is_patient = False
                self._turns.add(self, can_wait=False)
            return True
        self._waiting = frame
        self._is_patient = can_wait
        self._turns.add(self, can_wait=can_wait)
        return True

    def flush(self) -> None:
        """Hand what has gathered to the transport."""
        waiting = self._waiting
        if not waiting:
            return
        self._waiting = b""
        if not self._is_closing and not self.transport.is_closing():
            try:
                self.transport.write(waiting)
            except Exception:
                # Whoever sends here is a table with other connections.
                log.exception("connection failed")
                self.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._can_write = False
        if self._receiver is not None and self._patience is None:
            self._patience = self.loop.call_later(self._bounds.resume_within, self._give_up)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._receiver is None or self._is_closing:
            return
        self._stop_patience()
        self._can_write = True
        try:
            self._receiver.on_writable()
        except Exception:
            log.exception("connection failed")
            self.close(Close.BUG)

    def _give_up(self) -> None:
        # There is no room for a goodbye either.
        self._close_code = Close.TOO_SLOW
        self.abort()

    # -- in -----------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self._is_closing:
            return
        if self._receiver is None:
            self._came_early = self._came_early or self.handshake_complete
            super().data_received(data)
        elif self._came_early:
            # The parser may be in the middle of a frame, so it must have the rest too.
            for start in range(0, len(data), SLICE):
                super().data_received(data[start : start + SLICE])
                if self._is_over():
                    return
        else:
            rest, self._rest = self._rest, b""
            self._take_frames(rest + data if rest else data)

    def _take_frames(self, data: bytes) -> None:
        """Take one frame after the other: whole messages as they are, and all else by way of the parser."""
        start = parsed = 0
        while not self._is_over():
            payload, end = frame_bounds(data, start)
            is_message = end is not None and payload < end and self._is_message(data, start)
            if start > parsed and (is_message or end is None or start - parsed > SLICE):
                # Several frames at once, so that many pings get one answer.
                super().data_received(data[parsed:start])
                parsed = start
            elif end is None:
                self._rest = data[start:]
                return
            elif is_message and self._may_come_in():
                start = parsed = end
                self._deliver(apply_mask(data[payload:end], data[payload - 4 : payload]))
            elif is_message:
                self.close(Close.POLICY)
            else:
                start = end

    def _is_message(self, data: bytes, start: int) -> bool:
        """Tell whether the frame that starts here is one whole message, as clients send them."""
        return data[start] == _WHOLE | self._opcode and data[start + 1] >= _MASKED and not self.frames

    def handle_events(self) -> None:
        if self._receiver is None:
            super().handle_events()
            return
        for event in self.conn.events_received():
            if isinstance(event, Frame):
                if not self._may_come_in():
                    self.close(Close.POLICY)
                else:
                    self._handle_frame(event)
            if self._is_over():
                return

    def _is_over(self) -> bool:
        return self._is_closing or self.transport.is_closing()

    def _may_come_in(self) -> bool:
        now = self.loop.time()
        rate = self._bounds.frames
        self._frames_paid_at = max(self._frames_paid_at, now) + rate.interval
        return self._frames_paid_at - now <= rate.interval * rate.burst

    def _handle_frame(self, frame: Frame) -> None:
        opcode = frame.opcode
        if opcode is Opcode.TEXT or opcode is Opcode.BINARY:
            if opcode is not self._opcode:
                self.close(Close.UNSUPPORTED)
            elif frame.fin:
                self._deliver(bytes(frame.data))
            else:
                self.frames = [bytes(frame.data)]
        elif opcode is Opcode.CONT:
            self.frames.append(bytes(frame.data))
            if frame.fin:
                services, self.frames = self.frames, []
                self._deliver(b"".join(services))
            elif len(self.frames) >= self._bounds.fragments:
                self.close(Close.POLICY)
        elif opcode is Opcode.PING:
            # The answer to the last of several pings answers all of them; who does not read needs none.
            pongs = self.conn.data_to_send()
            if pongs:
                self.write(pongs[-1])
        elif opcode is Opcode.PONG:
            self.handle_pong(frame)
        else:
            self.handle_close(frame)

    def _deliver(self, data: bytes) -> None:
        assert self._receiver is not None
        try:
            self._receiver.on_message(data)
        except Exception:
            log.exception("connection failed")
            self.close(Close.BUG)

    # -- the end ------------------------------------------------------------------------------------------

    def close(self, code: Close) -> None:
        if self._is_over():
            return
        self._close_code = code
        self.conn.send_close(code, CLOSES[code])
        self._say_goodbye()

    def handle_parser_exception(self) -> None:
        if self._receiver is None:
            super().handle_parser_exception()
            return
        assert self.conn.close_sent is not None
        self._close_code = self.conn.close_sent.code
        self._say_goodbye()

    def _say_goodbye(self) -> None:
        """Write what has gathered and the close frame behind it, then only wait for the peer to let go.

        Closing at once, with bytes of the peer still unread, would make the kernel reset the connection, and the peer
        might never see the code. So our direction ends, and whatever still arrives is thrown away unparsed.
        """
        self.flush()
        self._can_write = False
        self._is_closing = True
        self.close_sent = True
        self.stop_keepalive()
        self.transport.write(b"".join(self.conn.data_to_send()))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._stop_patience()
        self._patience = self.loop.call_later(self._bounds.close_within, self.transport.abort)

    def abort(self) -> None:
        self._can_write = False
        self._is_closing = True
        self._waiting = b""
        self.transport.abort()

    def keepalive_timeout(self) -> None:
        if self._receiver is None:
            super().keepalive_timeout()
        else:
            # A goodbye would wait behind what the peer has not taken either.
            self.abort()

    def shutdown(self) -> None:
        if self._receiver is None:
            super().shutdown()
        else:
            self.close(Close.RESTART)

    def connection_lost(self, exc: Exception | None) -> None:
        self._can_write = False
        self._waiting = b""
        self._stop_patience()
        super().connection_lost(exc)
        receiver, self._receiver = self._receiver, None
        if receiver is not None:
            receiver.on_disconnect(self._code())

    def _code(self) -> int:
        """Give the close code of whichever side spoke first."""
        if self._close_code is not None:
            return self._close_code
        received = self.conn.close_rcvd
        return _ABNORMAL if received is None else received.code

    def _stop_patience(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


def frame_bounds(data: bytes, start: int) -> tuple[int, int | None]:
    """Give where the payload of the frame that starts here begins, and where the frame ends; None if that is not here.

    A frame that is too large ends with its head: that is all the parser needs to refuse it.
    """
    if len(data) < start + 2:
        return start, None
    size = data[start + 1] & 0x7F
    payload = start + 2
    if size > 125:
        width = 2 if size == 126 else 8
        payload += width
        if len(data) < payload:
            return payload, None
        size = int.from_bytes(data[payload - width : payload], "big")
    if data[start + 1] & _MASKED:
        payload += 4
    end = payload if size > MAX_MESSAGE_BYTES else payload + size
    return payload, end if end <= len(data) else None


# What is overridden, called or read above.
_METHODS: Final = """
    connection_lost data_received handle_close handle_connect handle_events handle_parser_exception handle_pong
    keepalive_timeout pause_writing receive resume_writing run_asgi send send_500_response shutdown stop_keepalive
"""
_ATTRIBUTES: Final = """
    app close_sent close_timer conn disconnected frames handshake_complete initial_response loop queue read_paused
    transport
"""


def missing_internals(base: type = WebSocketsSansIOProtocol) -> list[str]:
    """Give the names that this file relies on and that uvicorn no longer has."""
    missing = [name for name in _METHODS.split() if not callable(getattr(base, name, None))]
    # The names that a function sets on `self` stand in its code, so no connection is needed to look.
    known = base.__dict__["__init__"].__code__.co_names
    return missing + [name for name in _ATTRIBUTES.split() if name not in known]
