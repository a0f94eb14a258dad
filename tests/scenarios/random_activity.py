"""Random activity of everybody at a table: what the secrecy tests let two servers do."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

import msgpack

from protocol.codec import Encoding
from server.games.engine.play import Play
from server.games.engine.prompts import Command
from server.games.engine.serialization import to_json
from server.model import Refused
from server.tables.sealing import next_attempt
from tests.games.described import near_misses
from tests.games.playing import Move, by_chance
from tests.games.secrecy import Leak
from tests.games.wire import not_plain
from tests.scenarios.server_pair import STRANGER, SearchStatistics, ServerPair
from tests.scenarios.server_under_test import HIDDEN_COMMITMENT, TABLE, RecordedConnection, person, salt_of

STEPS_TOGETHER = 7
"""The maximum of answers that a pair of servers takes."""

DELAYS = (0.0, 0.01, 0.4, 1.5, 9.0, 40.0)
ALONE_SECONDS = 0.01
"""Seconds between two actions; the longest exceeds the time for a decision."""

DIVERGE_SEALED, DIVERGE_OPEN, TRIES = 0.5, 0.1, 5
"""The probability that another seat answers differently on one server, by kind of decision, and the attempts to find an
answer of the same kind where the same is illegal. A sealed difference must not be noticeable."""


class RandomActivity:
    """Random actions at a pair of servers, until they may differ for the observer."""

    def __init__(
        self, pair: ServerPair, rng: random.Random, statistics: SearchStatistics, *, may_restart: bool
    ) -> None:
        self._pair = pair
        self._rng = rng
        self._statistics = statistics
        self._may_restart = may_restart
        self._user = person(pair.viewer)
        self._kept: tuple[dict[int, Command], dict[int, Command]] = ({}, {})
        """On each server, by seat: the last answer that its device keeps."""

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
            self._step_back,
            self._stop_reading,
            self._talk,
            self._talk_of_spectators,
            self._try_something,
            self._change_an_answer,
            self._answer_early,
        )
        if self._pair.servers[0].settings.holiday_days:
            asides = (*asides, self._take_a_holiday, self._take_a_holiday)
        for _ in range(STEPS_TOGETHER):
            # Devices open within ten seconds, unless something else happens meanwhile.
            is_opening = any(server.state.is_opening for server in self._pair.servers)
            for aside in self._rng.sample(asides, 0 if is_opening and self._rng.random() < 0.7 else 3):
                aside()
                delay = self._rng.choice(DELAYS)
                # What happens on one server alone must not decide which of two later requests is the first.
                await asyncio.sleep(max(delay, ALONE_SECONDS) if aside == self._talk_of_spectators else delay)
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

    def _step_back(self) -> None:
        """Look back, with eyes of everybody: in a running game spectators see what was public, and others nothing."""
        eyes = self._rng.choice((None, "spectators", "all", 0, 1))
        step = self._rng.choice((0, 0, 1, 5))
        between = self._rng.random() < 0.5
        self._pair.both(self._staying, "look_back", table=TABLE, step=step, eyes=eyes, between=between)
        self._pair.both(
            self._staying, "get_timeline", table=TABLE, eyes=eyes, **self._rng.choice(({}, {"log_from": 0}))
        )
        self._note("step back")

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

    def _take_a_holiday(self) -> None:
        """Let somebody begin or end a holiday, which moves deadlines whether the seat has answered or not."""
        seat = self._rng.randrange(self._pair.servers[0].settings.seats)
        message = {"type": "take_holiday", "on": self._rng.random() < 0.6}
        self._pair.seat(seat, message, message)
        self._note("holiday")

    def _change_an_answer(self) -> None:
        """Change a sealed answer of another seat on one server; the observer must not notice."""
        side = self._rng.randrange(2)
        state, play = self._pair.servers[side].state, self._pair.servers[side].play
        changing = [seat for seat in sorted({*play.answers, *state.kept}) if seat != self._pair.viewer]
        if play.decision is not None and changing:
            seat = self._rng.choice(changing)
            self._answer_on(side, seat, play.decision.prompts[seat].sample(self._rng))
            self._note("change")

    def _answer_early(self) -> None:
        """Let another seat decide on one server only, at a table that hides who has decided."""
        side = self._rng.randrange(2)
        server = self._pair.servers[side]
        play, deciding = server.play, server.state.deciding(server.play)
        waiting = [seat for seat in deciding if seat != self._pair.viewer]
        if play.decision is None or server.settings.show_decided or len(deciding) < 2 or not waiting:
            return
        seat = self._rng.choice(waiting)
        self._answer_on(side, seat, play.decision.prompts[seat].sample(self._rng))
        self._note("early")

    def _answer_on(self, side: int, seat: int, command: Any) -> None:
        message = self._answer(side, seat, command, is_kept=self._rng.random() < 0.5)
        self._pair.seat(seat, *(message if side == each else None for each in range(2)))

    def _answer(self, side: int, seat: int, command: Command, *, is_kept: bool) -> dict[str, Any]:
        """Return the message of an answer on one server, which stays on the device of the seat if it can."""
        server = self._pair.servers[side]
        decision = server.play.decision
        if not is_kept or decision is None or not decision.sealed or not server.state.seals_on_devices:
            return {"type": "decide", "decision": server.play.number, "command": to_json(command)}
        self._kept[side][seat] = command
        attempt = next_attempt(server.state, seat)
        return {"type": "seal", "decision": server.play.number, "attempt": attempt, "commitment": HIDDEN_COMMITMENT}

    def _opening(self, side: int, seat: int) -> dict[str, Any]:
        """Return the message that opens the answer which a device keeps."""
        command = to_json(self._kept[side][seat])
        number = self._pair.servers[side].play.number
        return {"type": "unseal", "decision": number, "command": command, "salt": salt_of(command)}

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
        if any(server.state.is_opening for server in pair.servers):
            return self._open(left, right)
        # A seat that has answered on one server only goes first, so that both stay in step.
        deciding = [server.state.deciding(server.play) for server in pair.servers]
        ahead = sorted(set(deciding[0]) ^ set(deciding[1]))
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
        is_kept = self._rng.random() < 0.7
        pair.seat(
            seat, *(self._answer(side, seat, each, is_kept=is_kept) for side, each in enumerate((command, answer)))
        )
        return True

    def _open(self, left: Play, right: Play) -> bool:
        """Let a device open the answer that it keeps, on both servers."""
        both = sorted(set(left.awaited) & set(right.awaited))
        if not both or not all(server.state.is_opening for server in self._pair.servers):
            return False
        seat = self._rng.choice(both)
        self._pair.seat(seat, *(self._opening(side, seat) for side in range(2)))
        self._note("open")
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
