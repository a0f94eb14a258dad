"""Commitments to sealed answers, and their opening when the decision closes (`docs/fairness.md`).

The events of a step get what verifiers need beside them: for a sealed answer its commitment, for an open one its
command. Salts that no client made follow from the seed of the game, so that the server cannot choose them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from protocol.commitments import answer_commitment, canonical_json, server_salt
from server.games.engine.events import Event, Seat
from server.games.engine.play import Play
from server.games.engine.prompts import Command
from server.games.engine.serialization import to_json
from server.tables import events
from server.tables.chairs import Seal
from server.tables.state import TableState


class ClientSeal(NamedTuple):
    """The commitment to an answer and its salt, as the client of a seat made them."""

    commitment: str
    salt: str


def is_fitting(state: TableState, decision: int, seat: Seat, attempt: int, command: Command, seal: ClientSeal) -> bool:
    """Return whether a client's commitment is that of its answer to a decision."""
    return seal.commitment == _commitment(state, decision, seat, attempt, command, seal.salt)


def next_attempt(state: TableState, seat: Seat) -> int:
    """Return the number of the next answer of a seat to the open decision."""
    return state.seals[seat].attempt + 1 if seat in state.seals else 0


def seal_of_order(state: TableState, decision: int, seat: Seat, command: Command, seed: str) -> ClientSeal:
    """Return the commitment to a sealed answer whose salt follows from random bytes that the client of the seat made.

    So an answer that a standing order gives looks like any other answer of a client, and the server has not chosen its
    salt either.
    """
    attempt = next_attempt(state, seat)
    salt = server_salt(bytes.fromhex(seed), decision, seat, attempt).hex()
    return ClientSeal(_commitment(state, decision, seat, attempt, command, salt), salt)


def with_proofs(
    state: TableState,
    before: Play,
    after: Play,
    seat: Seat,
    command: Command,
    step: list[Event],
    seal: ClientSeal | None,
) -> list[Event]:
    """Return the events of a step together with what verifiers need; the same events at a table without seeds.

    While sealed answers are opened, `seal` opens the one that the device of the seat has kept.
    """
    decision = before.decision
    assert decision is not None
    if state.exchange is None:
        return step
    if not decision.sealed:
        given: list[Event] = [*step, events.CommandGiven(seat, canonical_json(to_json(command)))]
        return [*given, *forced_seals(state, after)] if after.number != before.number else given
    proof: Event
    if state.is_opening and seal is not None:
        own = state.seals[seat]._replace(salt=seal.salt)
        proof = events.SealOpened(seat, before.number, own.attempt, seal.salt)
    else:
        proof = sealed = _sealed(state, before.number, seat, next_attempt(state, seat), command, seal)
        own = Seal(sealed.attempt, sealed.commitment, sealed.salt, sealed.by_server)
    seals = {**state.seals, seat: own}
    answered, *resolved = step
    if after.number == before.number:
        return [answered, proof, *openings_asked(state, after, seals)]
    answers = {**before.answers, seat: command}
    return [answered, proof, *resolved, _opened(before.number, seals, answers), *forced_seals(state, after)]


def openings_asked(state: TableState, play: Play, seals: Mapping[Seat, Seal]) -> list[Event]:
    """Return the event that asks devices for the answers that they keep, if these seals complete the open decision."""
    if not state.seals_on_devices or state.is_opening:
        return []
    kept = {seat for seat, seal in seals.items() if seal.salt is None}
    if not kept or not kept.issuperset(play.awaited):
        return []
    shown = tuple(events.Opening(seat, seal.attempt, seal.commitment) for seat, seal in sorted(seals.items()))
    return [events.OpeningsAsked(play.number, shown)]


def forced_seals(state: TableState, play: Play, seed: str | None = None) -> list[Event]:
    """Return the commitments to the answers that the play gave for forced seats when it opened its decision.

    `seed` is that of a game that begins now.
    """
    if state.exchange is None or play.decision is None or not play.decision.sealed:
        return []
    return [_sealed(state, play.number, seat, 0, command, None, seed) for seat, command in play.answers.items()]


def _sealed(
    state: TableState,
    decision: int,
    seat: Seat,
    attempt: int,
    command: Command,
    seal: ClientSeal | None,
    seed: str | None = None,
) -> events.AnswerSealed:
    if seal is not None:
        return events.AnswerSealed(seat, decision, attempt, seal.commitment, seal.salt, by_server=False)
    game_seed = seed or state.seed
    assert game_seed is not None
    salt = server_salt(bytes.fromhex(game_seed), decision, seat, attempt).hex()
    commitment = _commitment(state, decision, seat, attempt, command, salt)
    return events.AnswerSealed(seat, decision, attempt, commitment, salt, by_server=True)


def _commitment(state: TableState, decision: int, seat: Seat, attempt: int, command: Command, salt: str) -> str:
    assert state.exchange is not None
    answer = canonical_json(to_json(command))
    return answer_commitment(state.id, state.exchange.game, decision, seat, attempt, answer, bytes.fromhex(salt))


def _opened(decision: int, seals: Mapping[Seat, Seal], answers: Mapping[Seat, Command]) -> events.AnswersOpened:
    """Return the event that opens the last answers of all seats, as far as the rules reveal them."""
    openings = []
    for seat, command in sorted(answers.items()):
        attempt, commitment, salt, by_server = seals[seat]
        if command.revealed:
            answer = canonical_json(to_json(command))
            openings.append(events.Opening(seat, attempt, commitment, salt, answer, by_server))
        else:
            openings.append(events.Opening(seat, attempt, commitment))
    return events.AnswersOpened(decision, tuple(openings))
