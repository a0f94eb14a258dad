"""The load reaches every viewer and counts all updates, in every dialect. No peer from npm is needed."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from typing import Any

import pytest

from protocol.codec import Encoding, framed
from tests.bench import connections, scaling, tables
from tests.bench.bench_server import BenchServer
from tests.bench.contestants import CONTESTANTS, RAW, REAL, SOCKETS, TRIVIAL, Contestant
from tests.bench.dialects.boardgame_io import BoardgameMover
from tests.bench.dialects.colyseus import ColyseusViewer
from tests.bench.dialects.plain import PlainDialect, PlainViewer
from tests.bench.load import LoadTable, Mover
from tests.bench.measurement import Effort, Report
from tests.bench.peers import PeerMissing

BRIEF = Effort(rounds=1, seconds=0.3, games=1)
OURS = {contestant.name: contestant for contestant in CONTESTANTS if contestant.name in (RAW, SOCKETS, TRIVIAL, REAL)}


class RecordingTransport(asyncio.Transport):
    """A transport that records what a connection writes."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def write(self, data: Any) -> None:
        # A header of two or four bytes, and four bytes of a mask of zeros.
        self.written.append(data[8:] if data[1] & 127 == 126 else data[6:])


class Shouting(Mover):
    """A mover that sends the number of the move."""

    mark = b"update"

    def move(self, number: int) -> None:
        self.send(b"%d" % number)


def update(text: bytes = b"update") -> bytes:
    return framed(text.ljust(200, b"."), Encoding.MSGPACK)


def connected(viewer: Any) -> RecordingTransport:
    pipeline = RecordingTransport()
    viewer.connection_made(pipeline)
    viewer._is_open = asyncio.get_running_loop().create_future()
    viewer._is_open.set_result(None)
    return pipeline


async def test_a_move_is_timed_until_the_last_viewer_has_it_and_the_next_seat_moves_before() -> None:
    table = LoadTable()
    table.movers = [Shouting(table, seat) for seat in (0, 1)]
    table.watchers = [PlainViewer(table)]
    first, second, watcher = map(connected, table.viewers)
    table.play()
    assert first.written == [b"1"]
    for mover in table.movers:
        mover.data_received(update())
    assert second.written == [b"2"]
    assert (table.stats.deliveries, table.stats.moves) == (2, 0)
    table.watchers[0].data_received(update() + update(b"view")[:50])
    assert (table.stats.deliveries, table.stats.moves) == (3, 1)
    assert watcher.written == []


async def test_updates_that_come_in_pieces_or_together_are_each_counted_once() -> None:
    viewer = PlainViewer(LoadTable())
    connected(viewer)
    stream = update() * 3 + update(b"view") + update()
    for start in range(0, len(stream), 150):
        viewer.data_received(stream[start : start + 150])
    assert viewer.seen == 4
    viewer.data_received(update() * 2)
    assert viewer.seen == 6


async def test_a_paced_move_that_waited_for_the_last_one_is_counted_from_when_it_was_due(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr("tests.bench.load.time.perf_counter", lambda: now)
    table = LoadTable()
    table.movers = [Shouting(table, 0)]
    connected(table.movers[0])
    table.play(pause=lambda: 1.0)
    now = 103.5  # the first update is late, and so is the second move, which was due at 101
    table.movers[0].data_received(update())
    now = 104.0
    table.movers[0].data_received(update())
    table.stop()
    assert table.stats.to_all == [3.5, 3.0]


async def test_a_move_that_was_not_due_yet_when_play_stopped_begins_the_next_run() -> None:
    table = LoadTable()
    table.movers = [Shouting(table, seat) for seat in (0, 1)]
    first, second = map(connected, table.movers)
    table.play(pause=lambda: 60.0, first=60.0)
    table.stop()
    assert (first.written, table.moves) == ([], 0)
    table.play()
    assert (first.written, second.written) == ([b"1"], [])


async def test_what_a_server_refuses_ends_the_play_with_its_reason() -> None:
    table = LoadTable()
    table.movers = [Shouting(table, 0)]
    connected(table.movers[0])
    table.play()
    table.movers[0].data_received(b"\x88\x07\x03\xe8sorry")
    assert table.over.is_set()
    assert table.failure == "The server closed a connection: sorry."


async def test_a_seat_in_a_room_of_colyseus_is_confirmed_before_anything_is_shown() -> None:
    viewer = ColyseusViewer(LoadTable())
    pipeline, shown = connected(viewer), viewer.expect_view()
    viewer.on_payload(bytes([10]) + b"\x05token\x06schema")
    assert pipeline.written == [bytes([10])]
    viewer.on_payload(bytes([13]) + b"\xa4view\x80")
    assert shown.done()
    viewer.on_payload(bytes([13]) + b"\xa6update\x80")
    assert viewer.seen == 1


async def test_a_move_in_boardgame_io_names_the_state_that_it_was_made_in() -> None:
    table = LoadTable()
    table.id = "m"
    table.movers = [BoardgameMover(table, 0)]
    (mover,) = table.movers
    mover.credentials = "secret"
    pipeline, shown = connected(mover), mover.expect_view()
    for said in (b'0{"sid":"x"}', b'40/marks,{"sid":"y"}', b'42/marks,["sync","m",{"state":{"_stateID":6}}]', b"2"):
        mover.on_payload(said)
    assert pipeline.written == [b"40/marks,", b'42/marks,["sync", "m", "0", "secret", 1]', b"3"]
    assert shown.done()
    mover.on_payload(b'42/marks,["update","m",{"G":{},"_stateID":7},[]]')
    table.play()
    table.moves = mover.seen
    mover.move(1)
    assert b'"args": [1]' in pipeline.written[-1]
    assert pipeline.written[-1].endswith(b'}}, 7, "m", "0"]')


async def test_all_contestants_are_measured_under_the_same_load_and_who_is_missing_is_named() -> None:
    def missing(cores: set[int]) -> AbstractContextManager[BenchServer]:
        raise PeerMissing("it is not measured: this is a test.")

    report = Report("Tables", rows=[tables._HEAD])
    workload = tables.Workload(tables.WATCHED, tables=2, watchers=3)
    everybody = [*OURS.values(), Contestant("somebody", missing, PlainDialect)]
    await tables.measure(report, workload, everybody, BRIEF, cores=set())
    assert report.notes == ["somebody: it is not measured: this is a test."]
    measured = report.figures[tables.WATCHED]["contestants"]
    assert list(measured) == [RAW, SOCKETS, TRIVIAL, REAL]
    for figures in measured.values():
        assert figures["moves_per_second"][0] > 0
        assert figures["deliveries_per_second"][0] >= 6 * figures["moves_per_second"][0]
        assert figures["microseconds_per_delivery"][0] > 0
    # The others send about 220 bytes; ours hold the head of the public chain besides.
    assert 180 < measured[TRIVIAL]["update_bytes"][0] < 320
    assert measured[RAW]["update_bytes"] == measured[SOCKETS]["update_bytes"] == [220]


async def test_all_connections_come_back_from_a_reconnect_storm_and_play_on() -> None:
    report = Report("Connections", rows=[connections._HEAD])
    scale = connections.Scale(tables=1, watchers=2, idle=3, newcomers=1)
    await connections.measure(report, [OURS[TRIVIAL]], scale, rounds=1, cores=set())
    assert report.notes == []
    assert report.figures[TRIVIAL]["storm"][0] > 0
    assert report.figures[TRIVIAL]["first_bytes"][0] > 0


async def test_scaling_is_reported_as_a_ratio_to_the_smallest_size() -> None:
    report = Report("Scaling", rows=[scaling._HEAD])
    scale = scaling.Scale(tables=(), moves_per_second=0, spectators=(1, 2), lengths=(), length_tables=0)
    await scaling.spectators(report, scale, BRIEF, cores=set())
    assert [row[0] for row in report.rows[1:]] == ["spectators", "  1 spectator", "  2 spectators"]
    assert report.rows[2][2] == report.rows[2][4] == "1.00"
