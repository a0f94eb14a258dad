"""Non-interference: no byte that an observer receives from the server depends on secrets of others.

Two servers that differ only in secrets (hands, decks, seeds, sealed answers, chat of others) get the same requests on
one virtual clock. As long as a separate specification allows both to disclose the same to the observer, every frame
must be the same: its bytes, its order and its time. The observer is a seat or a spectator, with connections that stay,
that resume, and that read too slowly, or a stranger who sees only the lists. The metrics must be the same, too.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgpack

from protocol.codec import Encoding
from protocol.messages import TableSettings
from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.events import Event, Viewer
from server.games.engine.game import Game
from server.games.engine.options import read_options
from server.games.engine.play import Answered, Play, Step, Undone, begin
from server.games.engine.prompts import Command
from server.games.engine.serialization import to_json
from server.model import Refused, User
from server.tables import events
from tests.games.described import near_misses
from tests.games.playing import Move, accepted, by_chance, moved, sampled_options
from tests.games.secrecy import Leak, Secrets, SplicedDice, first_difference
from tests.games.wire import not_plain
from tests.scenarios.server_under_test import (
    TABLE,
    RecordedConnection,
    RecordingTransport,
    ServerUnderTest,
    open_server,
    person,
)
from tests.tables.virtual_time import run_in_virtual_time

STEPS_TOGETHER = 7
"""The maximum of answers that a pair of servers takes."""

DELAYS = (0.0, 0.01, 0.4, 1.5, 9.0, 40.0)
"""Seconds between two actions; the longest exceeds the time for a decision."""

SETTLED_SECONDS = 1.6
"""The time after which all updates have been sent."""

MAX_LENGTH = 200
"""The maximum of answers before the position from which a pair begins."""

DIVERGE_SEALED, DIVERGE_OPEN, TRIES = 0.5, 0.1, 5
"""The probability that another seat answers differently on one server, by kind of decision, and the attempts to find an
answer of the same kind where the same is illegal. A sealed difference must not be noticeable."""

BEGINNING_CHANCE, BEGINNING_TRIES = 0.25, 60
Connections = tuple[RecordedConnection, RecordedConnection]
"""The connections of one user to both servers."""

STRANGER = User("stranger", "Stranger")
OTHER_SPECTATOR = User("user-other", "Other spectator")
"""A spectator; in a cluster, one at the process that owns the table."""


@dataclass
class SearchStatistics:
    """The amount of comparison, so that a search that compares nothing is noticed."""

    pairs: int = 0
    steps: int = 0
    frames: int = 0
    did: Counter[str] = field(default_factory=Counter)


def search(
    game: Game[Any], secrets: Secrets, seed: str, pairs: int, make: type[ServerUnderTest] = ServerUnderTest
) -> SearchStatistics:
    """Compare pairs of servers and return the statistics; raise `Leak` for the first pair that differs."""
    statistics = SearchStatistics()
    for number in range(pairs):
        rng = random.Random(f"{seed}/{number}")
        run_in_virtual_time(_compare_a_pair(game, secrets, rng, statistics, make))
    return statistics


# -- what may be disclosed -----------------------------------------------------------------------------------------


def disclosed(server: ServerUnderTest, secrets: Secrets, new_events: list[Event], viewer: Viewer) -> list[object]:
    """Return all that a log entry may disclose to an observer; independent of the server's own views."""
    return [
        fact
        for event in new_events
        if (fact := _event_disclosed(event, new_events, secrets, viewer, server.settings)) is not None
    ]


def _event_disclosed(
    event: Event, new_events: list[Event], secrets: Secrets, viewer: Viewer, settings: TableSettings
) -> object:
    is_changed = any(isinstance(other, events.AnswerChanged) for other in new_events)
    is_resolved = any(not isinstance(other, (Answered, *events.TABLE_EVENTS)) for other in new_events)
    match event:
        case events.AnswerChanged():
            return None
        case Answered(seat, command) if seat == viewer:
            return (event.name, seat, command)
        case Answered(seat, _):
            return (event.name, seat) if settings.show_decided and not is_changed else None
        case events.TimeRanOut(seat, None) if seat != viewer and not is_resolved:
            return event if settings.show_decided and not is_changed else None
        case events.GameStarted():
            return (event.name, event.digest)
        case events.TableOpened():
            return (event.name, event.host)
        case events.Said(_, _, room, _):
            own = "spectators" if viewer is None else "players"
            return event if room in ("all", own) else None
        case events.NextOpened():
            return None if viewer is None else event
    if isinstance(event, (Undone, *events.TABLE_EVENTS)):
        return event
    return secrets.learned(event, viewer)


# -- two servers ----------------------------------------------------------------------------------------------


class ServerPair:
    """Two servers and the connections of one observer to each."""

    def __init__(
        self, left: ServerUnderTest, right: ServerUnderTest, viewer: Viewer, secrets: Secrets, rng: random.Random
    ) -> None:
        self.servers = (left, right)
        self.viewer = viewer
        self.secrets = secrets
        self.rng = rng
        self._observing: list[Connections] = []
        self._compared = 0
        self._between = left.between, right.between
        self.seat_people()

    def seat_people(self) -> None:
        """Connect all seats, to decide; they do not watch the table."""
        self._seats = [
            [server.connect(person(seat)) for seat in range(server.settings.seats)] for server in self.servers
        ]
        own = self.own()
        if own is not None:
            self._observing.append(own)
        self._others = [server.connect(OTHER_SPECTATOR) for server in self.servers]
        self.other_spectator("watch", {}, {})

    def other_spectator(self, kind: str, *fields: dict[str, Any] | None) -> None:
        """Send a request of another spectator to each server, or nothing where the fields are None."""
        for server, line, given in zip(self.servers, self._others, fields, strict=True):
            request_id = server.next_id()
            if given is not None:
                line.send(kind, id=request_id, table=TABLE, **given)

    def connect(self, user: User, encoding: Encoding = Encoding.MSGPACK) -> Connections:
        """Return another connection of the observer, or a stranger, to each server."""
        left, right = (server.connect(user, encoding) for server in self.servers)
        self._observing.append((left, right))
        return left, right

    def both(self, lines: Connections, kind: str, **fields: Any) -> None:
        """Send the same over both connections."""
        for server, line in zip(self.servers, lines, strict=True):
            line.send(kind, id=server.next_id(), **fields)

    def seat(self, seat: int, *messages: dict[str, Any] | None) -> None:
        """Send a message of a seat to each server, or nothing where it is None; request ids stay equal."""
        for server, lines, message in zip(self.servers, self._seats, messages, strict=True):
            request_id = server.next_id()
            if message is not None:
                lines[seat].send(message["type"], **{**message, "id": request_id, "table": TABLE})

    def own(self) -> Connections | None:
        """Return the connections over which the observer decides, or None for a spectator."""
        return None if self.viewer is None else (self._seats[0][self.viewer], self._seats[1][self.viewer])

    async def settle(self) -> bool:
        """Wait for all updates and return whether both servers may disclose the same to the observer.

        Raise `Leak` if they may, but their frames differ.
        """
        await asyncio.sleep(SETTLED_SECONDS)
        left, right = [await self._disclosed(server) for server in self.servers]
        if left != right:
            return False
        for number, (ours, theirs) in enumerate(self._observing):
            self._compare(f"connection {number}", ours.transport, theirs.transport)
        pages = [server.metrics.page() for server in self.servers]
        if pages[0] != pages[1]:
            lines = [page.decode().splitlines() for page in pages]
            raise Leak(f"The metrics differ: {sorted(set(lines[0]) ^ set(lines[1]))}")
        if self._between[0] is not None and self._between[1] is not None:
            self._compare("the way between processes", *self._between)
        return True

    async def _disclosed(self, server: ServerUnderTest) -> list[object]:
        entries = await server.new_entries()
        facts = [fact for new_events in entries for fact in disclosed(server, self.secrets, new_events, self.viewer)]
        # When the game is over, the seed is disclosed to all.
        return [*facts, server.state.seed] if server.state.phase == "over" else facts

    def _compare(self, where: str, left: RecordingTransport, right: RecordingTransport) -> None:
        ours, theirs = left.frames, right.frames
        for place, (one, other) in enumerate(zip(ours, theirs, strict=False)):
            if one != other:
                raise Leak(f"{self._observer} gets another frame {place} on {where}: {_words(one, other)}")
        if len(ours) != len(theirs):
            raise Leak(f"{self._observer} gets {len(ours)} or {len(theirs)} frames on {where}")
        if left.closed != right.closed:
            raise Leak(f"{self._observer} is closed with {left.closed} or {right.closed}")
        self._compared += len(ours)

    @property
    def _observer(self) -> str:
        return "A spectator" if self.viewer is None else f"Seat {self.viewer}"

    @property
    def compared(self) -> int:
        """Return the number of comparisons of frames."""
        return self._compared


def _words(one: tuple[float, bytes], other: tuple[float, bytes]) -> str:
    if one[1] == other[1]:
        return f"at {one[0]} or {other[0]}"
    try:
        shown = [msgpack.unpackb(frame[{126: 4, 127: 10}.get(frame[1], 2) :]) for _, frame in (one, other)]
        return first_difference(*shown)
    except (ValueError, StopIteration):
        return f"{one[1][:2000]!r} or {other[1][:2000]!r}"


# -- pairs ----------------------------------------------------------------------------------------------------


async def _compare_a_pair(
    game: Game[Any],
    secrets: Secrets,
    rng: random.Random,
    statistics: SearchStatistics,
    server_class: type[ServerUnderTest],
) -> None:
    seats = rng.choice(game.seats)
    viewer = rng.choice((None, *range(seats)))
    settings = TableSettings.model_validate(
        {
            "game": game.name,
            "seats": seats,
            "options": sampled_options(game, seats, rng),
            "clock": rng.choice(({"kind": "none"}, {"kind": "bank", "seconds": 60, "increment": 5})),
            "absence_seconds": rng.choice((None, 120)),
            "time_up": "fallback",
            "show_decided": rng.random() < 0.5,
        }
    )
    from_the_start = rng.random() < BEGINNING_CHANCE
    make = _pair_from_start if from_the_start else _pair_from_position
    servers = await make(game, secrets, settings, viewer, rng, server_class)
    if servers is None:
        return
    statistics.pairs += 1
    pair = ServerPair(*servers, viewer, secrets, rng)
    try:
        await _RandomActivity(pair, rng, statistics, may_restart=from_the_start).run()
    finally:
        statistics.frames += pair.compared
        for server in servers:
            await server.close()


async def _pair_from_start(
    game: Game[Any],
    secrets: Secrets,
    settings: TableSettings,
    viewer: Viewer,
    rng: random.Random,
    make: type[ServerUnderTest],
) -> tuple[ServerUnderTest, ServerUnderTest] | None:
    """Return two servers whose games began with different dice, but disclosed the same; both load from their logs."""
    options = read_options(game.options, settings.options)
    for _ in range(BEGINNING_TRIES):
        seed, other_seed = rng.randbytes(SEED_BYTES), rng.randbytes(SEED_BYTES)
        dice = Dice(seed)
        _, step = begin(game, settings.seats, options, dice)
        _, other_step = begin(game, settings.seats, options, SplicedDice(other_seed, dice, str(rng.random())))
        if _learned(secrets, step, viewer) == _learned(secrets, other_step, viewer):
            return await _open_pair(settings, (step, other_step), (seed, other_seed), viewer, make)
    return None


async def _pair_from_position(
    game: Game[Any],
    secrets: Secrets,
    settings: TableSettings,
    viewer: Viewer,
    rng: random.Random,
    make: type[ServerUnderTest],
) -> tuple[ServerUnderTest, ServerUnderTest] | None:
    """Return two servers at some position of a game, where all that the observer cannot know differs."""
    seed, other_seed = rng.randbytes(SEED_BYTES), rng.randbytes(SEED_BYTES)
    dice = Dice(seed)
    play, first = begin(game, settings.seats, read_options(game.options, settings.options), dice)
    positions = [play]
    while play.decision is not None and len(positions) < MAX_LENGTH:
        play, _ = accepted(moved(play, by_chance(play, rng), dice))
        positions.append(play)
    play = rng.choice(positions[:-1])
    left, right = await _open_pair(settings, (first, first), (seed, other_seed), viewer, make)
    await asyncio.gather(_load(left), _load(right))
    left.put(play, dice, seed)
    right.put(secrets.scrambled(play, viewer, rng), Dice(other_seed), other_seed)
    return left, right


async def _open_pair(
    settings: TableSettings,
    steps: tuple[Step, Step],
    seeds: tuple[bytes, bytes],
    viewer: Viewer,
    make: type[ServerUnderTest],
) -> tuple[ServerUnderTest, ServerUnderTest]:
    # Seats know the key of the invite link; spectators must not learn it.
    keys = ("a" * 32, "a" * 32 if viewer is not None else "b" * 32)
    opening = (open_server(settings, *given, person(viewer), make) for given in zip(steps, seeds, keys, strict=True))
    left, right = await asyncio.gather(*opening)
    return left, right


def _learned(secrets: Secrets, step: Step, viewer: Viewer) -> list[object]:
    return [fact for event in step if (fact := secrets.learned(event, viewer)) is not None]


async def _load(server: ServerUnderTest) -> None:
    """Load the table into memory."""
    line = server.connect(STRANGER)
    line.send("watch", id="load", table=TABLE)
    await asyncio.sleep(SETTLED_SECONDS)
    line.disconnect()
    await asyncio.sleep(SETTLED_SECONDS)


# -- random activity ---------------------------------------------------------------------------------------------


class _RandomActivity:
    """Random actions at a pair of servers, until they may differ for the observer."""

    def __init__(
        self, pair: ServerPair, rng: random.Random, statistics: SearchStatistics, *, may_restart: bool
    ) -> None:
        self._pair = pair
        self._rng = rng
        self._statistics = statistics
        self._may_restart = may_restart
        self._user = person(pair.viewer)
        self._connect()

    def _connect(self) -> None:
        """Connect the observer three times, and a stranger who reads the lists."""
        pair = self._pair
        self._staying = pair.connect(self._user)
        self._resuming = pair.connect(self._user, Encoding.JSON)
        self._slow = pair.connect(self._user)
        for lines in (self._staying, self._resuming, self._slow):
            pair.both(lines, "watch", table=TABLE)
        pair.both(pair.connect(STRANGER), "list_tables")

    async def run(self) -> None:
        if not await self._pair.settle():
            return
        asides: tuple[Callable[[], None], ...] = (
            self._come_back,
            self._come_back,
            self._read_the_log,
            self._stop_reading,
            self._talk,
            self._talk_of_spectators,
            self._try_something,
            self._change_an_answer,
            self._answer_early,
        )
        for _ in range(STEPS_TOGETHER):
            for aside in self._rng.sample(asides, 3):
                aside()
                await asyncio.sleep(self._rng.choice(DELAYS))
            if self._may_restart and self._rng.random() < 0.3:
                await self._restart()
            self._note("pause")
            if not await self._pair.settle() or not self._move() or not await self._pair.settle():
                return
            self._statistics.steps += 1

    def _note(self, what: str) -> None:
        self._statistics.did[what] += 1

    # -- actions of the observer -------------------------------------------------------------------------------

    def _come_back(self) -> None:
        """Break a connection and reconnect, resuming from the last frame, an earlier one, or none."""
        number = _last_number(self._staying[0])
        have = self._rng.choice((None, number, max(0, number - 1), self._rng.randrange(number + 1)))
        for line in self._resuming:
            line.disconnect()
        self._resuming = self._pair.connect(self._user, self._rng.choice(tuple(Encoding)))
        self._pair.both(self._resuming, "watch", table=TABLE, **({} if have is None else {"have": have}))
        self._note("come back")

    def _read_the_log(self) -> None:
        """Read a page of the log, which must show what the updates showed."""
        number = _last_number(self._staying[0])
        fields = self._rng.choice(({}, {"before": self._rng.randint(1, number + 2)}))
        self._pair.both(self._staying, "read_log", table=TABLE, limit=self._rng.choice((1, 5, 100)), **fields)
        self._note("read the log")

    def _stop_reading(self) -> None:
        """Stop reading, or read again."""
        is_reading = self._slow[0].transport.has_room
        for line in self._slow:
            line.transport.has_room = not is_reading
            if line.transport.has_room:
                line.connection.on_writable()
        self._note("slow")

    def _try_something(self) -> None:
        """Send an illegal command, whose refusal might leak something."""
        left, right = (server.play for server in self._pair.servers)
        lines, viewer = self._pair.own() or self._staying, self._pair.viewer
        if left.decision is None or right.decision is None:
            return
        prompts = left.decision.prompts
        sample = prompts.get(-1 if viewer is None else viewer, prompts[min(prompts)]).sample(self._rng)
        misses = near_misses(to_json(sample), [kind.name for kind in left.game.commands])
        attempt = self._rng.choice([each for each in misses if isinstance(each, dict) and _can_travel(each)])
        number = left.number - self._rng.choice((0, 0, 1))
        if viewer is None or all(isinstance(play.read(viewer, number, attempt), Refused) for play in (left, right)):
            self._pair.both(lines, "decide", table=TABLE, decision=number, command=attempt)
            self._note("try")

    # -- actions of others ---------------------------------------------------------------------------------------

    def _talk(self) -> None:
        """Let another seat chat; to a spectator the chat of players is secret, so it differs between the servers."""
        viewer = self._pair.viewer
        speakers = [seat for seat in range(self._pair.servers[0].settings.seats) if seat != viewer]
        if not speakers:
            return
        texts = ("Well.", "Well, well.") if viewer is None else ("Well.", "Well.")
        self._pair.seat(self._rng.choice(speakers), *({"type": "say", "text": text} for text in texts))
        self._note("talk")

    def _talk_of_spectators(self) -> None:
        """Let another spectator chat; to a seat that is secret, so it differs, or happens on one of the servers."""
        if self._pair.viewer is None:
            texts: tuple[str | None, str | None] = ("Look.", "Look.")
        else:
            texts = self._rng.choice((("Look.", "Look, look."), ("Look.", None), (None, "Look.")))
        self._pair.other_spectator("say", *(None if text is None else {"text": text} for text in texts))
        self._note("talk of spectators")

    def _change_an_answer(self) -> None:
        """Change a sealed answer of another seat on one server; the observer must not notice."""
        side = self._rng.randrange(2)
        play = self._pair.servers[side].play
        changing = [seat for seat in play.answers if seat != self._pair.viewer]
        if play.decision is not None and changing:
            seat = self._rng.choice(changing)
            self._answer_on(side, seat, play.decision.prompts[seat].sample(self._rng))
            self._note("change")

    def _answer_early(self) -> None:
        """Let another seat decide on one server only, at a table that hides who has decided."""
        side = self._rng.randrange(2)
        server = self._pair.servers[side]
        play = server.play
        waiting = [seat for seat in play.awaited if seat != self._pair.viewer]
        if play.decision is None or server.settings.show_decided or len(play.awaited) < 2 or not waiting:
            return
        seat = self._rng.choice(waiting)
        self._answer_on(side, seat, play.decision.prompts[seat].sample(self._rng))
        self._note("early")

    def _answer_on(self, side: int, seat: int, command: Any) -> None:
        message = _decide(self._pair.servers[side], command)
        self._pair.seat(seat, *(message if side == each else None for each in range(2)))

    async def _restart(self) -> None:
        await asyncio.gather(*(server.restart() for server in self._pair.servers))
        self._pair.seat_people()
        self._connect()
        self._note("restart")

    # -- the next answer ---------------------------------------------------------------------------------------------

    def _move(self) -> bool:
        """Let a seat answer on both servers; return whether the two can continue alike."""
        pair = self._pair
        left, right = (server.play for server in pair.servers)
        if left.decision is None or right.decision is None:
            return False
        # A seat that has answered on one server only goes first, so that both stay in step.
        ahead = sorted(set(left.awaited) ^ set(right.awaited))
        if ahead:
            move: Move | None = (ahead[0], left.decision.prompts[ahead[0]].sample(self._rng))
        else:
            move = by_chance(left, self._rng)
        if move is None:
            steps_back = [{"type": "undo", "decision": server.play.number} for server in pair.servers]
            pair.seat(left.awaited[0], *steps_back)
            return bool(right.past)
        seat, command = move
        answer = self._answer_there(right, seat, command)
        if answer is None:
            return False
        pair.seat(seat, _decide(pair.servers[0], command), _decide(pair.servers[1], answer))
        return True

    def _answer_there(self, right: Play, seat: int, command: Command) -> Command | None:
        """Return the answer of a seat on the right server: the same, a different one, or one of the same kind."""
        assert right.decision is not None
        prompt, viewer = right.decision.prompts[seat], self._pair.viewer
        if seat != viewer and self._rng.random() < (DIVERGE_SEALED if right.decision.sealed else DIVERGE_OPEN):
            return prompt.sample(self._rng)
        if prompt.admit(command) is None:
            return command
        if seat == viewer:
            raise Leak(f"Seat {seat} may answer {command} on one of the servers only")
        samples = (prompt.sample(self._rng) for _ in range(TRIES))
        return next((sample for sample in samples if type(sample) is type(command)), None)


def _decide(server: ServerUnderTest, command: Any) -> dict[str, Any]:
    return {"type": "decide", "decision": server.play.number, "command": to_json(command)}


def _can_travel(value: object) -> bool:
    return not_plain(value) is None


def _last_number(line: RecordedConnection) -> int:
    """Return the number of the last frame that a connection received of its table."""
    for _, frame in reversed(line.transport.frames):
        message = msgpack.unpackb(frame[{126: 4, 127: 10}.get(frame[1], 2) :])
        if message["type"] in ("view", "update"):
            number: int = message["number"]
            return number
    return 0
