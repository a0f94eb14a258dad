"""A round's frame: drawing the tender card, and handing the round on (RULES 3, 11)."""

from __future__ import annotations

from collections.abc import Mapping

from server.games.engine.game import Decision, Seat
from server.games.engine.prompts import Choice, Command, Prompt
from server.games.investors.commands import AcceptTender, RejectTender
from server.games.investors.components import (
    MAX_TENDERS_WITHOUT_A_STICK,
    OPTION_TILES,
    OPTIONS,
    SEATS,
    TENDER_CARDS,
    TenderCard,
)
from server.games.investors.events import (
    GameEnded,
    RoundEnded,
    TenderDrawn,
    TenderOpened,
    TenderRejected,
    TenderShuffled,
    TenderVoided,
)
from server.games.investors.flow import Flow
from server.games.investors.state import State

_CONSIDER = Prompt((Choice(AcceptTender), Choice(RejectTender)), fallback=AcceptTender())
_CONSIDERED = tuple(Decision("consider_tender", {seat: _CONSIDER}) for seat in range(SEATS.stop - 1))


def begin_round(flow: Flow) -> None:
    """Draw a tender card for the start seat, or end a game that nobody could finish (RULES 11.3)."""
    state = flow.state
    if state.tenders_without_a_stick >= MAX_TENDERS_WITHOUT_A_STICK:
        flow.emit(GameEnded("stalled"))
    elif not any(opens_a_street(state, TENDER_CARDS[name]) for name in state.tender_deck + state.tender_discard):
        flow.emit(GameEnded("full"))
    else:
        draw_tender(flow, rejected=None)


def end_round(flow: Flow) -> None:
    """Discard the tender card and begin the next round with the seat to the left (RULES 3.5)."""
    flow.emit(RoundEnded(flow.state.clockwise(flow.state.start_seat)[1]))
    begin_round(flow)


def draw_tender(flow: Flow, rejected: str | None) -> None:
    """Draw until a card opens a street; in place of a rejected one it is binding."""
    state = flow.state
    while True:
        if not state.tender_deck:
            _shuffle_discards(flow, rejected)
        name = state.tender_deck[-1]
        flow.emit(TenderDrawn(state.start_seat, name, binding=rejected is not None))
        if opens_a_street(state, TENDER_CARDS[name]):
            break
        flow.emit(TenderVoided(name))  # RULES 3.3
    if rejected is not None:
        _open_tender(flow)


def _shuffle_discards(flow: Flow, rejected: str | None) -> None:
    # RULES 3.2: the card that was just rejected must not come back as its own replacement.
    state = flow.state
    left_out = rejected if state.tender_discard[-1:] == (rejected,) else None
    discards = state.tender_discard if left_out is None else state.tender_discard[:-1]
    flow.emit(TenderShuffled(flow.dice.shuffled(f"tender/{state.tender_shuffles}", discards), left_out))


def opens_a_street(state: State, card: TenderCard) -> bool:
    """Tell whether a tender on this card could lead to a stick at all (RULES 3.3)."""
    return any(map(state.opens, OPTION_TILES)) if card.target == OPTIONS else state.opens(card.target)


def rights_of(state: State, card: TenderCard) -> int:
    """Give how many rights a tender on this card would give now (RULES 3.4)."""
    if card.target == OPTIONS:
        return sum(map(state.opens, OPTION_TILES))
    return min(card.rights, state.settings.seats, len(state.open_streets(card.target)))


def consider_decision(state: State) -> Decision:
    return _CONSIDERED[state.start_seat]


def consider_resolved(flow: Flow, answers: Mapping[Seat, Command]) -> None:
    state = flow.state
    if isinstance(answers[state.start_seat], AcceptTender):
        _open_tender(flow)
        return
    assert state.tender is not None
    rejected = state.tender
    flow.emit(TenderRejected(state.start_seat, rejected))
    draw_tender(flow, rejected)


def _open_tender(flow: Flow) -> None:
    assert flow.state.tender is not None
    card = TENDER_CARDS[flow.state.tender]
    flow.emit(TenderOpened(card.mode, rights_of(flow.state, card)))
