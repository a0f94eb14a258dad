"""Random games at the core of a table, in virtual time, with everything that verifiers must cope with.

People commit to seeds or do not, leave during the exchange or are late, change sealed answers, keep them on their
devices and open them or do not, take steps back, run out of time, resign, pause, and abandon games. Each table is a
function of its number alone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from protocol import messages
from protocol.commitments import answer_commitment, canonical_json, seed_commitment
from protocol.messages import TableSettings
from server.games.engine.events import Event
from server.games.engine.serialization import to_json
from server.games.registry import GAMES
from server.model import Refused, User
from server.tables import events
from server.tables.core import TableCore
from server.tables.entries import write_entry
from server.tables.public_chain import PublicChain
from server.tables.results import Accepted, Result
from server.tables.seating import sat_down
from server.tables.seed_exchange import server_seed_drawn
from server.tables.settings import read_settings
from server.tables.state import opened
from server.tables.table_export import TableExport
from tests.games.playing import sampled_options

TITLES = ("investors", "planners", "builders")
SECOND = 1_000


class PlayedTable:
    """A table with its log. `number` decides everything that is not given."""

    def __init__(self, number: int, title: str | None = None, **given: Any) -> None:
        self.rng = random.Random(number)
        rng = self.rng
        game = GAMES[title or TITLES[number % len(TITLES)]]
        seats = given.pop("seats", None) or rng.choice(game.seats)
        # From a source of their own: an option more must not change all that happens at the tables of other games.
        options = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in sampled_options(game, seats, random.Random(f"options of {number}")).items()
        }
        wanted: dict[str, Any] = {
            "game": game.name,
            "seats": seats,
            "options": options,
            "clock": {"kind": "decision", "seconds": 30},
            "show_decided": rng.random() < 0.6,
            "time_up": rng.choice(("fallback", "bot")),
            **given,
        }
        settings = read_settings(TableSettings.model_validate(wanted))
        assert isinstance(settings, TableSettings)
        self.id = f"table{number}"
        self.now, self.at = 0, 1_767_225_600_000
        self.host = User("user0", "User 0")
        opening = events.TableOpened(
            self.id, game.rules_version, settings.model_dump_json(), self.host.id, "key", self.at, "secret"
        )
        seed = server_seed_drawn(self.id, 1, self.entropy(), expects_seats=False)
        first: list[Event] = [opening, seed, *sat_down(0, self.host.id, self.host.name, settings)]
        self.state = opened(opening)
        self.state.apply(first[1:])
        self.chain = PublicChain(self.state)
        self.chain.add(first)
        self.core = TableCore(self.state, self.now, ("normal",), chain=self.chain)
        self.entries = [write_entry(first, self.at)]
        self.seeds: dict[tuple[int, int], bytes] = {}
        self.kept: dict[int, tuple[dict[str, Any], str]] = {}
        """By seat: the last answer that its device has kept, and its salt."""

        self.people = 1

    # -- requests -------------------------------------------------------------------------------------------------

    def entropy(self) -> bytes:
        return self.rng.randbytes(32)

    def done(self, result: Result) -> Accepted | None:
        """Append the events of a result to the log; return None if it was refused."""
        if isinstance(result, Refused):
            return None
        self.now += self.rng.randrange(SECOND)
        if result.events:
            self.core.commit(result, self.now, self.at + self.now)
            self.chain.add(result.events)
            self.entries.append(write_entry(result.events, self.at + self.now))
        return result

    def ask(self, seat: int, kind: type[Any], **fields: Any) -> Accepted | None:
        """Send a request of the person in a seat."""
        user = self.state.chairs[seat].user
        assert user is not None
        return self.ask_as(User(user, user), kind, **fields)

    def ask_as(self, user: User, kind: type[Any], **fields: Any) -> Accepted | None:
        name = kind.model_fields["type"].annotation.__args__[0]
        request = kind.model_validate({"type": name, "id": "1", "table": self.id, **fields})
        return self.done(self.core.handle(user, request, self.entropy, self.now))

    def wait(self, seconds: int) -> None:
        """Let time pass, and what is due then happen."""
        self.now += seconds * SECOND
        self.done(self.core.time_ran_out(self.now, self.entropy))

    # -- before the game ------------------------------------------------------------------------------------------

    def sit_down(self) -> int:
        user = User(f"user{self.people}", f"User {self.people}")
        self.people += 1
        accepted = self.ask_as(user, messages.TakeSeat)
        assert accepted is not None
        assert accepted.result is not None
        seat: int = accepted.result["seat"]
        return seat

    def commit(self, seat: int) -> None:
        """Commit to random bytes, as the page of a seat does."""
        exchange, user = self.state.exchange, self.state.chairs[seat].user
        assert exchange is not None
        assert user is not None
        seed = self.seeds[exchange.game, seat] = self.entropy()
        commitment = seed_commitment(self.id, exchange.game, seat, user, seed)
        self.ask(seat, messages.CommitSeed, game=exchange.game, commitment=commitment)

    def open_seeds(self, late: int | None = None) -> None:
        """Open the random bytes of all seats, except for one that is late."""
        exchange = self.state.exchange
        assert exchange is not None
        for seat in exchange.late if exchange.stage == "open" else ():
            if seat != late:
                seed = self.seeds[exchange.game, seat].hex()
                assert self.ask(seat, messages.OpenSeed, game=exchange.game, seed=seed) is not None

    def begin(self, *, people: int, contributors: int, leaves: bool = False, is_late: bool = False) -> None:
        """Seat people and bots, and begin the game. Somebody may leave before, or be late with the opening."""
        for _ in range(people - 1):
            self.sit_down()
        while any(chair.is_free for chair in self.state.chairs):
            self.ask(0, messages.AddBot)
        seats = [seat for seat, chair in enumerate(self.state.chairs) if chair.user is not None]
        if leaves and people > 1:
            # Somebody commits, leaves, and another person comes.
            self.commit(seats[-1])
            self.ask(seats[-1], messages.LeaveSeat)
            self.sit_down()
        for seat in seats[: contributors if self.rng.random() < 0.7 else contributors - 1]:
            self.commit(seat)
        self._start(seats)
        if is_late and self.state.exchange is not None and self.state.exchange.is_running:
            late = self.state.exchange.late[-1]
            self.wait(3)
            self.open_seeds(late)
            self.wait(11)
            for seat in seats[:contributors]:
                self.commit(seat)
            self._start(seats)
        if self.state.phase == "open":
            for seat in seats[:contributors]:
                if self.state.exchange is not None and seat not in self.state.exchange.commitments:
                    self.commit(seat)
            self.wait(3)
            self.open_seeds()
        assert self.state.phase != "open"

    def _start(self, seats: list[int]) -> None:
        for seat in seats:
            self.ask(seat, messages.Ready, ready=True)
        self.ask(0, messages.Start)

    # -- the game -------------------------------------------------------------------------------------------------

    def answer(self, seat: int, command: dict[str, Any] | None = None, *, seals: bool = True) -> Accepted | None:
        """Answer the open decision for a seat; the page of a person commits to a sealed answer unless told not to."""
        play = self.state.play
        assert play is not None
        assert play.decision is not None
        if command is None:
            command = to_json(play.decision.prompts[seat].sample(self.rng))
        if self.state.chairs[seat].player is not None:
            return self.done(self.core.bot_decided(seat, play.number, command, self.now))
        fields: dict[str, Any] = {}
        if play.decision.sealed and seals:
            salt = self.rng.randbytes(16)
            exchange = self.state.exchange
            assert exchange is not None
            attempt = self.state.seals[seat].attempt + 1 if seat in self.state.seals else 0
            place = (self.id, exchange.game, play.number, seat, attempt)
            commitment = answer_commitment(*place, canonical_json(command), salt)
            if self.state.seals_on_devices and self.rng.random() < 0.8:
                self.kept[seat] = command, salt.hex()
                return self.ask(seat, messages.Seal, decision=play.number, attempt=attempt, commitment=commitment)
            fields = {"salt": salt.hex(), "commitment": commitment}
        return self.ask(seat, messages.Decide, decision=play.number, command=command, **fields)

    def open(self, seat: int) -> Accepted | None:
        """Open the answer that the device of a seat keeps."""
        assert self.state.play is not None
        command, salt = self.kept[seat]
        return self.ask(seat, messages.Unseal, decision=self.state.play.number, command=command, salt=salt)

    def _open_or_not(self, late: Sequence[int]) -> None:
        """Open the answer of one of these seats, or let something else happen."""
        chance = self.rng.random()
        if chance < 0.08:
            self.wait(11)
        elif chance < 0.11:
            for seat in self.state.players():
                self.ask(seat, messages.Vote, on="pause", agree=True)
        elif chance < 0.13 and len(self.state.players()) > 1:
            self.ask(self.rng.choice(self.state.players()), messages.Resign)
        else:
            self.open(self.rng.choice(late))

    def play(self, steps: int = 10_000) -> None:
        """Play on by chance, with all that may happen on the way."""
        rng = self.rng
        for _ in range(steps):
            play = self.state.play
            if self.state.phase == "over" or play is None or play.decision is None:
                return
            if self.state.paused:
                for seat in self.state.players():
                    self.ask(seat, messages.Vote, on="resume", agree=True)
                continue
            if self.state.is_opening:
                self._open_or_not(play.awaited)
                continue
            chance = rng.random()
            people = [seat for seat in self.state.players() if self.state.chairs[seat].player is None]
            answered = {*play.answers, *self.state.kept}
            if chance < 0.02:
                self.wait(40)
            elif chance < 0.03 and len(people) > 1:
                self.ask(rng.choice(people), messages.Resign)
            elif chance < 0.04 and people:
                for seat in self.state.players():
                    self.ask(seat, messages.Vote, on="pause", agree=True)
            elif chance < 0.06 and self.state.players():
                self.ask(rng.choice(self.state.players()), messages.ReturnToSeat)
            elif chance < 0.16 and people and play.past:
                self.ask(rng.choice(people), messages.Undo, decision=play.number)
            elif chance < 0.22 and play.decision.sealed and (sealed := [seat for seat in people if seat in answered]):
                self.answer(rng.choice(sealed), seals=rng.random() < 0.8)
            else:
                self.answer(rng.choice(self.state.awaited()), seals=rng.random() < 0.8)

    def abandon(self) -> None:
        """Abandon the game, as all players can."""
        for seat in self.state.players():
            if self.state.phase == "running":
                self.ask(seat, messages.Vote, on="abandon", agree=True)
        if self.state.phase == "running":
            self.done(self.core.deserted())

    def export(self) -> TableExport:
        """Return the log."""
        return TableExport(self.id, (), tuple(self.entries))


def played(number: int, title: str | None = None) -> PlayedTable:
    """Return a table of this number with a finished game."""
    name = title or TITLES[number % len(TITLES)]
    table = PlayedTable(number, name, sealed_on_devices=GAMES[name].seals_answers and number % 2 == 1)
    rng = table.rng
    people = rng.randint(1, len(table.state.chairs))
    table.begin(
        people=people,
        contributors=rng.randint(0, people),
        leaves=rng.random() < 0.2,
        is_late=rng.random() < 0.2,
    )
    if rng.random() < 0.2:
        table.play(rng.randint(1, 60))
        if table.state.phase == "running":
            table.abandon()
    table.play()
    assert table.state.phase == "over"
    return table
