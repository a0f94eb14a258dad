"""Json websockets: who sits where is in the path, whatever a seat sends is its move, and the rest is ready-made."""

from __future__ import annotations

from itertools import count

from tests.bench.load import LoadTable, Mover, Viewer

_MOVE = b'{"type":"move","place":%d,"number":%d}'


class PlainViewer(Viewer):
    mark = b"update"

    def told(self, payload: bytes) -> None:
        self.shown_whole(len(payload))


class PlainMover(Mover, PlainViewer):
    def move(self, number: int) -> None:
        self.send(_MOVE % (number % 8, number))


class PlainDialect:
    """For servers that have nothing but a socket for each viewer."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._numbers = count(1)

    def mover(self, table: LoadTable, seat: int) -> Mover:
        return PlainMover(table, seat)

    def watcher(self, table: LoadTable) -> Viewer:
        return PlainViewer(table)

    async def invite(self, spectators: int) -> None:
        """Nobody needs to be known."""

    async def found(self, table: LoadTable) -> None:
        table.id = str(next(self._numbers))

    async def enter(self, viewer: Viewer) -> None:
        shown = viewer.expect_view()
        seat = "-" if viewer.seat is None else viewer.seat
        await viewer.connect(self._port, f"/{viewer.table.id}/{seat}")
        await shown
