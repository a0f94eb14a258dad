"""The seed exchange before a game: the server and the seats commit to random bytes, then open them.

So nobody can choose the shuffle alone (`docs/fairness.md`). All of it is in the log, so that a restart or another owner
goes on where the exchange was. Only its deadlines are not: they begin again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from protocol import messages
from protocol.commitments import (
    SEED_BYTES,
    Contribution,
    canonical_json,
    game_seed,
    seed_commitment,
    server_commitment,
)
from server.games.engine.events import Event, Seat
from server.tables import events
from server.tables.results import Accepted, RequestContext, Result, refused

if TYPE_CHECKING:
    from server.tables.core import TableCore
    from server.tables.state import TableState

COMMIT_MILLISECONDS: Final = 2_000
"""How long people who have not committed are waited for; who does not commit takes no part."""

OPEN_MILLISECONDS: Final = 10_000
"""How long seats that have committed are waited for; who does not open is no longer ready."""


class SeedExchange(NamedTuple):
    """The seeds of the next game, or of the one that has begun. `stage` is `waiting`, `commit`, `open` or `begun`."""

    game: int
    seed: str
    commitment: str
    expects_seats: bool = False
    """The clients of these people have taken part in an exchange before, and are waited for."""

    stage: str = "waiting"
    commitments: Mapping[Seat, tuple[str, str]] = {}
    """By seat: the identity of its user, and the commitment."""

    opened: Mapping[Seat, str] = {}

    @property
    def is_running(self) -> bool:
        """Return whether the table waits for commitments or openings, so that nothing else may change."""
        return self.stage in ("commit", "open")

    @property
    def late(self) -> tuple[Seat, ...]:
        """Return the seats that have committed and not opened."""
        return tuple(sorted(self.commitments.keys() - self.opened.keys()))

    def without(self, seats: Sequence[Seat]) -> SeedExchange:
        """Return the exchange without the commitments of seats, whose people have left them."""
        kept = {seat: each for seat, each in self.commitments.items() if seat not in seats}
        return self._replace(commitments=kept)

    def shown(self) -> dict[str, object]:
        """Return what everybody may know."""
        return {
            "game": self.game,
            "commitment": self.commitment,
            "stage": self.stage,
            "committed": sorted(self.commitments),
            "opened": sorted(self.opened),
        }


def server_seed_drawn(table: str, game: int, seed: bytes, *, expects_seats: bool) -> events.ServerSeedDrawn:
    """Return the event of a new seed of the server."""
    return events.ServerSeedDrawn(game, seed.hex(), server_commitment(table, game, seed), expects_seats)


def seed_of_game(state: TableState, exchange: SeedExchange) -> bytes:
    """Return the seed of the game that begins now."""
    settings = state.settings
    seats = [
        Contribution(exchange.commitments[seat][0], bytes.fromhex(exchange.opened[seat]))
        if seat in exchange.opened
        else Contribution()
        for seat in range(len(state.chairs))
    ]
    deck = (settings.game, str(len(seats)), canonical_json(dict(settings.options)))
    server_seed = bytes.fromhex(exchange.seed)
    return game_seed(server_seed, state.id, exchange.game, str(state.rules_version), deck, seats)


def asked(state: TableState) -> list[Event] | None:
    """Return the events that ask for seeds before the game begins; None if no seat takes part in an exchange."""
    exchange = state.exchange
    if exchange is None or not (exchange.commitments or exchange.expects_seats):
        return None
    asked_now = events.SeedsAsked(exchange.game)
    if people_of(state) <= exchange.commitments.keys():
        return [asked_now, events.SeedsClosed(exchange.game)]
    return [asked_now]


def people_of(state: TableState) -> set[Seat]:
    """Return the seats of people."""
    return {seat for seat, chair in enumerate(state.chairs) if chair.user is not None}


def voided(state: TableState, exchange: SeedExchange, late: Sequence[Seat], seed: bytes) -> list[Event]:
    """Return the events that end an exchange without a game; another one can begin with a fresh seed of the server."""
    return [
        events.SeedsVoided(exchange.game, tuple(late), exchange.seed),
        *(events.SeatReady(seat, ready=False) for seat in late),
        server_seed_drawn(state.id, exchange.game + 1, seed, expects_seats=True),
    ]


def wait_milliseconds(exchange: SeedExchange | None) -> int | None:
    """Return how long a stage of an exchange lasts at most; None if none is running."""
    if exchange is None or not exchange.is_running:
        return None
    return COMMIT_MILLISECONDS if exchange.stage == "commit" else OPEN_MILLISECONDS


def timed_out(state: TableState, entropy: Callable[[], bytes]) -> list[Event]:
    """Return what follows when a stage of the exchange has lasted too long."""
    exchange = state.exchange
    assert exchange is not None
    if exchange.stage == "open":
        return voided(state, exchange, exchange.late, entropy())
    if not exchange.commitments:
        # The clients that were expected to take part do not: the game begins without them.
        return []
    return [events.SeedsClosed(exchange.game)]


def commit_seed(core: TableCore, context: RequestContext, request: messages.CommitSeed) -> Result:
    """Take the commitment of a seat; the last one that is waited for closes the first stage."""
    state, seat = core.state, context.seat
    exchange = _exchange_of(state, context)
    if not isinstance(exchange, SeedExchange):
        return exchange
    assert seat is not None
    if request.game != exchange.game or exchange.stage == "open":
        return refused("stale_seeds")
    if exchange.commitments.get(seat) == (context.user.id, request.commitment):
        return Accepted([])
    new_events: list[Event] = [events.SeedCommitted(seat, exchange.game, context.user.id, request.commitment)]
    if exchange.stage == "commit" and people_of(state) <= {*exchange.commitments, seat}:
        new_events.append(events.SeedsClosed(exchange.game))
    return Accepted(new_events)


def open_seed(core: TableCore, context: RequestContext, request: messages.OpenSeed) -> Result:
    """Take the opening of a seat; the last one begins the game."""
    state, seat = core.state, context.seat
    exchange = _exchange_of(state, context)
    if not isinstance(exchange, SeedExchange):
        return exchange
    assert seat is not None
    if request.game != exchange.game:
        return refused("stale_seeds")
    if exchange.stage != "open" or seat not in exchange.commitments:
        return refused("wrong_phase")
    if seat in exchange.opened:
        return Accepted([]) if exchange.opened[seat] == request.seed else refused("bad_seed")
    identity, commitment = exchange.commitments[seat]
    seed = bytes.fromhex(request.seed)
    if len(seed) != SEED_BYTES or seed_commitment(state.id, exchange.game, seat, identity, seed) != commitment:
        return refused("bad_seed")
    opened = Accepted([events.SeedOpened(seat, exchange.game, request.seed)])
    return opened if set(exchange.late) - {seat} else core.begun_after(opened, context.entropy)


def _exchange_of(state: TableState, context: RequestContext) -> SeedExchange | Result:
    """Return the exchange before the game in which a user takes part, or the refusal."""
    if state.phase != "open" or state.exchange is None:
        return refused("wrong_phase")
    return refused("not_seated") if context.seat is None else state.exchange
