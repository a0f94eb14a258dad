"""Colyseus: a seat in a room is reserved over HTTP, then taken with a websocket; messages are named and in msgpack."""

from __future__ import annotations

from typing import Any

import msgpack

from tests.bench.http_client import post
from tests.bench.load import LoadFailed, LoadTable, Mover, Viewer

_JOIN_ROOM, _ERROR, _ROOM_DATA = 10, 11, 13
_VIEW = bytes([_ROOM_DATA]) + msgpack.packb("view")
_MOVE = bytes([_ROOM_DATA]) + msgpack.packb("move")


class ColyseusViewer(Viewer):
    mark = bytes([_ROOM_DATA]) + msgpack.packb("update")

    def on_message(self, payload: bytes) -> None:
        if payload[0] == _JOIN_ROOM:
            self.send(bytes([_JOIN_ROOM]))
        elif payload.startswith(_VIEW):
            self.on_view(len(payload))
        elif payload[0] == _ERROR:
            self.table.fail(f"Colyseus refused: {payload[1:].decode(errors='replace')}.")


class ColyseusMover(Mover, ColyseusViewer):
    def move(self, number: int) -> None:
        self.send(_MOVE + msgpack.packb({"place": number % 8, "number": number}))


class ColyseusDialect:
    """The dialect of a room `table`, which receives the seat of each client that joins."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reserved: dict[str, dict[str, Any]] = {}

    def mover(self, table: LoadTable, seat: int) -> Mover:
        return ColyseusMover(table, seat)

    def watcher(self, table: LoadTable) -> Viewer:
        return ColyseusViewer(table)

    async def prepare_spectators(self, spectators: int) -> None:
        """Do nothing: spectators need not be known beforehand."""

    async def create_table(self, table: LoadTable) -> None:
        reservation = await post(self._port, "/matchmake/create/table", {"seat": 0})
        table.id = reservation["room"]["roomId"]
        # The creator of a room has a seat in it, and the room is disposed of if the creator does not join.
        self._reserved[table.id] = reservation

    async def join(self, viewer: Viewer) -> None:
        shown = viewer.expect_view()
        table = viewer.table.id
        reservation = self._reserved.pop(table, None) if viewer.seat == 0 else None
        if reservation is None:
            reservation = await post(self._port, f"/matchmake/joinById/{table}", {"seat": viewer.seat})
        if "room" not in reservation:
            raise LoadFailed(f"Colyseus gives no seat: {reservation.get('error')}.")
        room = reservation["room"]
        path = f"/{room['processId']}/{room['roomId']}?sessionId={reservation['sessionId']}"
        await viewer.connect(self._port, path)
        await shown
