"""boardgame.io: matches are made over HTTP, and everything else is socket.io on a websocket, in text."""

from __future__ import annotations

import json
import re

from tests.bench.http_client import post
from tests.bench.load import TEXT, Connection, LoadTable, Mover, Viewer

GAME = "marks"
_SPACE = f"/{GAME},"
_OPEN, _PING, _PONG, _CONNECT, _EVENT = b"0", b"2", b"3", f"40{_SPACE}".encode(), f"42{_SPACE}".encode()
_STATE_ID = re.compile(rb'"_stateID":(\d+)')


class BoardgameViewer(Viewer):
    opcode = TEXT
    mark = _EVENT + b'["update"'

    def __init__(self, table: LoadTable, seat: int | None = None) -> None:
        super().__init__(table, seat)
        self.credentials: str | None = None
        self.state_id = 0

    def emit(self, *message: object) -> None:
        self.send(_EVENT + json.dumps(message).encode())

    def on_message(self, payload: bytes) -> None:
        if payload == _PING:
            self.send(_PONG)
        elif payload.startswith(_OPEN):
            self.send(_CONNECT)
        elif payload.startswith(_CONNECT):
            player = None if self.seat is None else str(self.seat)
            self.emit("sync", self.table.id, player, self.credentials, len(self.table.movers))
        elif payload.startswith(_EVENT + b'["sync"'):
            self.note_state(payload)
            self.on_view(len(payload))

    def note_state(self, payload: bytes) -> None:
        """Remember the number of the state, which a move must name."""
        found = _STATE_ID.search(payload)
        if found is not None:
            self.state_id = int(found[1])


class BoardgameMover(Mover, BoardgameViewer):
    def data_received(self, data: bytes) -> None:
        # Every update is parsed: it contains the number of the state.
        Connection.data_received(self, data)

    def on_payload(self, payload: bytes) -> None:
        if payload.startswith(self.mark):
            self.note_state(payload)
        super().on_payload(payload)

    def move(self, number: int) -> None:
        player = str(self.seat)
        content = {"type": "putMark", "args": [number % 8], "playerID": player, "credentials": self.credentials}
        self.emit("update", {"type": "MAKE_MOVE", "payload": content}, self.state_id, self.table.id, player)


class BoardgameDialect:
    """The dialect of a game `marks` whose seats take turns, one move each."""

    def __init__(self, port: int) -> None:
        self._port = port

    def mover(self, table: LoadTable, seat: int) -> Mover:
        return BoardgameMover(table, seat)

    def watcher(self, table: LoadTable) -> Viewer:
        return BoardgameViewer(table)

    async def prepare_spectators(self, spectators: int) -> None:
        """Do nothing: spectators need not be known beforehand."""

    async def create_table(self, table: LoadTable) -> None:
        made = await post(self._port, f"/games/{GAME}/create", {"numPlayers": len(table.movers)})
        table.id = made["matchID"]
        for mover in table.movers:
            seat = {"playerID": str(mover.seat), "playerName": f"Player {mover.seat}"}
            joined = await post(self._port, f"/games/{GAME}/{table.id}/join", seat)
            mover.credentials = joined["playerCredentials"]

    async def join(self, viewer: Viewer) -> None:
        shown = viewer.expect_view()
        await viewer.connect(self._port, "/socket.io/?EIO=4&transport=websocket")
        await shown
