"""The frame of a round: drawing the tender card, and passing to the next start seat (RULES 3, 11)."""

from __future__ import annotations

from server.games.engine.game import Answers, Decision
from server.games.engine.prompts import Choice, Prompt
from server.games.engine.step_builder import StepBuilder
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
from server.games.investors.state import State

_CONSIDER = Prompt((Choice(AcceptTender), Choice(RejectTender)), fallback=AcceptTender())
_CONSIDERED = tuple(Decision("consider_tender", {seat: _CONSIDER}) for seat in range(SEATS.stop - 1))


def begin_round(step: StepBuilder[State]) -> None:
    """Draw a tender card for the start seat, or end a game that cannot go on (RULES 11.3, 11.4)."""
    state = step.state
    cards = [TENDER_CARDS[name] for name in dict.fromkeys(state.tender_deck + state.tender_discard)]
    if state.tenders_without_a_stick >= MAX_TENDERS_WITHOUT_A_STICK:
        step.emit(GameEnded("stalled"))
    elif not any(opens_a_street(state, card) for card in cards):
        step.emit(GameEnded("full"))
    elif state.settings.ends_when_spent and not any(
        _can_be_won(state, card) and opens_a_street(state, card) for card in cards
    ):
        step.emit(GameEnded("spent"))
    else:
        draw_tender(step, rejected=None)


def end_round(step: StepBuilder[State]) -> None:
    """Discard the tender card and begin the next round with the seat to the left (RULES 3.5)."""
    step.emit(RoundEnded(step.state.clockwise(step.state.start_seat)[1]))
    begin_round(step)


def draw_tender(step: StepBuilder[State], rejected: str | None) -> None:
    """Draw until a card opens a street; in place of a rejected one it is binding."""
    state = step.state
    while True:
        if not state.tender_deck:
            _shuffle_discards(step, rejected)
        name = state.tender_deck[-1]
        step.emit(TenderDrawn(state.start_seat, name, binding=rejected is not None))
        if opens_a_street(state, TENDER_CARDS[name]):
            break
        step.emit(TenderVoided(name))  # RULES 3.3
    if rejected is not None:
        _open_tender(step)


def _shuffle_discards(step: StepBuilder[State], rejected: str | None) -> None:
    # RULES 3.2: the card that was just rejected must not come back as its own replacement.
    state = step.state
    left_out = rejected if state.tender_discard[-1:] == (rejected,) else None
    discards = state.tender_discard if left_out is None else state.tender_discard[:-1]
    step.emit(TenderShuffled(step.dice.shuffled(f"tender/{state.tender_shuffles}", discards), left_out))


def opens_a_street(state: State, card: TenderCard) -> bool:
    """Return whether a tender on this card could lead to a stick at all (RULES 3.3)."""
    return any(map(state.opens, OPTION_TILES)) if card.target == OPTIONS else state.opens(card.target)


def _can_be_won(state: State, card: TenderCard) -> bool:
    """Return whether somebody could win a right on this card (RULES 11.4)."""
    # Without influence all play the card 0, and tie. The bank does not matter: it pays only for rebuilding.
    return any(state.influence) if card.mode == "influence" else any(state.hands)


def rights_of(state: State, card: TenderCard) -> int:
    """Return the number of rights that a tender on this card would give now (RULES 3.4)."""
    if card.target == OPTIONS:
        return sum(map(state.opens, OPTION_TILES))
    return min(card.rights, state.settings.seats, len(state.open_streets(card.target)))


def consider_decision(state: State) -> Decision:
    return _CONSIDERED[state.start_seat]


def consider_resolved(step: StepBuilder[State], answers: Answers) -> None:
    state = step.state
    if isinstance(answers[state.start_seat], AcceptTender):
        _open_tender(step)
        return
    assert state.tender is not None
    rejected = state.tender
    step.emit(TenderRejected(state.start_seat, rejected))
    draw_tender(step, rejected)


def _open_tender(step: StepBuilder[State]) -> None:
    assert step.state.tender is not None
    card = TENDER_CARDS[step.state.tender]
    step.emit(TenderOpened(card.mode, rights_of(step.state, card)))
