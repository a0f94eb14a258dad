"""The check of the seed exchange: that nobody could choose the seed of the game, and that it follows from all seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from protocol.commitments import (
    SEED_BYTES,
    Contribution,
    canonical_json,
    game_seed,
    seed_commitment,
    server_commitment,
)
from server.fairness.findings import Finding, Wrong
from server.fairness.form import Line, Transcript, hexadecimal, items, number, text


class _Exchange:
    """The exchange that is under way while the lines are read one after the other."""

    def __init__(self, table: str, game: int, commitment: str) -> None:
        self.table = table
        self.game = game
        self.commitment = commitment
        self.is_asked = False
        self.is_closed = False
        self.commitments: dict[int, tuple[str, str]] = {}
        self.opened: dict[int, bytes] = {}

    def add(self, kind: str, event: Mapping[str, Any], line: int) -> None:
        """Read an event of the exchange; raise `Wrong` if it may not come now."""
        if kind in ("seat_left", "seat_moved"):
            # Who leaves a seat takes the commitment along.
            self.commitments.pop(number(event, "seat"), None)
            return
        is_timely = number(event, "game") == self.game
        match kind:
            case "seed_committed":
                is_timely = is_timely and not self.is_closed
                self.commitments[number(event, "seat")] = (text(event, "identity"), text(event, "commitment"))
            case "seeds_asked":
                is_timely = is_timely and not self.is_asked
                self.is_asked = True
            case "seeds_closed":
                is_timely = is_timely and self.is_asked and not self.is_closed and bool(self.commitments)
                self.is_closed = True
            case "seed_opened":
                self._open(event, line)
        if not is_timely:
            raise Wrong("seeds_order", line=line)

    def _open(self, event: Mapping[str, Any], line: int) -> None:
        seat, seed = number(event, "seat"), hexadecimal(event, "seed")
        if not self.is_closed or seat in self.opened or seat not in self.commitments:
            raise Wrong("seeds_order", line=line)
        identity, commitment = self.commitments[seat]
        is_fitting = len(seed) == SEED_BYTES and commitment == seed_commitment(
            self.table, self.game, seat, identity, seed
        )
        if not is_fitting:
            raise Wrong("seeds_commitment_seat", seat=seat)
        self.opened[seat] = seed

    def check_server(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES or server_commitment(self.table, self.game, seed) != self.commitment:
            raise Wrong("seeds_commitment_server", game=self.game)

    def check_voided(self, event: Mapping[str, Any], line: int) -> None:
        """Check the end of an exchange without a game, which publishes the seed of the server."""
        if number(event, "game") != self.game or not self.is_asked:
            raise Wrong("seeds_order", line=line)
        self.check_server(hexadecimal(event, "seed"))
        late = items(event, "late")
        waited_for = self.commitments.keys() - self.opened.keys()
        if any(type(seat) is not int or seat not in waited_for for seat in late):
            raise Wrong("seeds_voided", game=self.game)

    def check_begun(self, line: int) -> None:
        """Check that every seat that has committed has opened when the game begins."""
        for seat in sorted(self.commitments.keys() - self.opened.keys()):
            raise Wrong("seeds_not_opened", seat=seat)


_EXCHANGED = frozenset(("seed_committed", "seeds_asked", "seeds_closed", "seed_opened"))
_LEFT = frozenset(("seat_left", "seat_moved"))


def check_seeds(transcript: Transcript, lines: Sequence[Line]) -> list[Finding]:
    """Return the findings about the seeds; raise `Wrong`."""
    exchange, digest, setup = _read_exchange(transcript, lines)
    if exchange.game != transcript.game or transcript.void_games != transcript.game - 1:
        raise Wrong("seeds_game")
    exchange.check_server(transcript.server_seed)
    options, bots = setup.get("options"), items(setup, "bots")
    is_same = setup.get("game") == transcript.title and setup.get("rules") == transcript.rules
    if not is_same or not isinstance(options, dict):
        raise Wrong("seeds_setup")
    seats = [
        Contribution(exchange.commitments[seat][0], exchange.opened[seat])
        if seat in exchange.opened
        else Contribution()
        for seat in range(len(bots))
    ]
    deck = (transcript.title, str(len(bots)), canonical_json(options))
    rules = str(transcript.rules)
    if transcript.game_seed != game_seed(transcript.server_seed, transcript.table, exchange.game, rules, deck, seats):
        raise Wrong("seeds_game_seed")
    if digest != sha256(transcript.game_seed).hexdigest():
        raise Wrong("seeds_digest")
    contributed = sorted(exchange.opened)
    if contributed:
        findings = [Finding("seeds", True, "seeds_ok", {"seats": contributed})]
    else:
        findings = [Finding("seeds", None, "seeds_server_alone")]
    if transcript.void_games:
        findings.append(Finding("seeds", None, "seeds_void_note", {"games": transcript.void_games}))
    return findings


def _read_exchange(transcript: Transcript, lines: Sequence[Line]) -> tuple[_Exchange, str, Mapping[str, Any]]:
    """Return the exchange before the game, the digest that was shown at the start, and the setup of the game."""
    exchange: _Exchange | None = None
    has_ended = True
    games = 0
    started: tuple[_Exchange, str, Mapping[str, Any]] | None = None
    for line in lines:
        if line.setup is not None and not any(event["event"] == "game_started" for event in line.events):
            raise Wrong("seeds_order", line=line.number)
        for event in line.events:
            kind = event["event"]
            if kind == "server_seed_drawn":
                games += 1
                if not has_ended or started is not None or number(event, "game") != games:
                    raise Wrong("seeds_order", line=line.number)
                exchange, has_ended = _Exchange(transcript.table, games, text(event, "commitment")), False
            elif kind in _EXCHANGED or kind in ("seeds_voided", "game_started"):
                if exchange is None or has_ended or started is not None:
                    raise Wrong("seeds_order", line=line.number)
                if kind == "seeds_voided":
                    exchange.check_voided(event, line.number)
                    has_ended = True
                elif kind == "game_started":
                    exchange.check_begun(line.number)
                    if not isinstance(line.setup, dict):
                        raise Wrong("seeds_missing")
                    started = exchange, text(event, "digest"), line.setup
                else:
                    exchange.add(kind, event, line.number)
            elif kind in _LEFT and exchange is not None and started is None:
                exchange.add(kind, event, line.number)
    if started is None:
        raise Wrong("seeds_missing")
    return started
