"""Plain websockets: the path names table and seat, every message of a seat is a move, all frames are constant."""

from __future__ import annotations

from itertools import count

from tests.bench.load import LoadTable, Mover, Viewer

_MOVE = b'{"type":"move","place":%d,"number":%d}'


class PlainViewer(Viewer):
    mark = b"update"

    def on_message(self, payload: bytes) -> None:
        self.on_view(len(payload))


class PlainMover(Mover, PlainViewer):
    def move(self, number: int) -> None:
        self.send(_MOVE % (number % 8, number))


class PlainDialect:
    """The dialect of servers that have only a socket for each viewer."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._numbers = count(1)

    def mover(self, table: LoadTable, seat: int) -> Mover:
        return PlainMover(table, seat)

    def watcher(self, table: LoadTable) -> Viewer:
        return PlainViewer(table)

    async def prepare_spectators(self, spectators: int) -> None:
        """Do nothing: spectators need not be known beforehand."""

    async def create_table(self, table: LoadTable) -> None:
        table.id = str(next(self._numbers))

    async def join(self, viewer: Viewer) -> None:
        shown = viewer.expect_view()
        seat = "-" if viewer.seat is None else viewer.seat
        await viewer.connect(self._port, f"/{viewer.table.id}/{seat}")
        await shown
