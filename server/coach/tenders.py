"""The auctions by sealed influence cards of a game of Investors: what was bid, what would have won, what it was worth.

All of it follows from the log without any trial. What a right was worth to a seat is what the bots value it at, by what
the seat knew when it sealed its card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from server.bots.investors.worth import max_worthwhile_card
from server.bots.strategy import Question
from server.coach.decisions import Moment, PlayedGame
from server.games.engine.events import Event
from server.games.engine.game import Seat, view_of
from server.games.investors.components import INFLUENCE_CARDS, TENDER_CARDS
from server.games.investors.events import InfluenceRevealed
from server.games.investors.rules import INVESTORS
from server.games.investors.state import InfluenceBidding, State
from server.games.investors.tenders import highest_alone

WON: Final = "won"
TIED: Final = "tied"
LOST: Final = "lost"
ABSTAINED: Final = "abstained"


class Tender(NamedTuple):
    """An auction whose cards were revealed; lists are by seat."""

    step: int
    stage: dict[str, int]
    target: str | None
    """Of the tender card; None for an action card."""

    action: str | None
    rights: int
    bids: tuple[int | None, ...]
    held: tuple[int, ...]
    outcome: tuple[str, ...]
    enough: tuple[int | None, ...]
    """The lowest card that would have won against what the others showed; None if no card would have."""

    worth: tuple[int, ...]
    """The highest card, of those that the seat could play, that did not cost more than the right was worth."""

    def to_json(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self._asdict().items()}


def tenders_of(game: PlayedGame) -> list[Tender]:
    """Return all auctions by influence of a game; none if it is another game."""
    if game.game.name != "investors":
        return []
    return [tender for before, moment in pairwise(game.moments) for tender in _of_step(game, before.play.state, moment)]


def bidding_summary(tenders: Sequence[Tender], seat: Seat) -> dict[str, int]:
    """Return the bids of a seat, those that won, the influence that was too many in these, and how many cost too much.

    A card of 0 is a bid only where it won: at a tender card nobody can abstain.
    """
    won = [tender for tender in tenders if tender.outcome[seat] == WON]
    return {
        "bids": sum(bool(tender.bids[seat]) or tender.outcome[seat] == WON for tender in tenders),
        "bids_won": len(won),
        "too_many": sum(spare_of(tender, seat) for tender in won),
        "overpaid_in": sum((tender.bids[seat] or 0) > tender.worth[seat] for tender in won),
    }


def spare_of(tender: Tender, seat: Seat) -> int:
    """Return by how much the card of a winner was higher than it had to be."""
    return (tender.bids[seat] or 0) - (tender.enough[seat] or 0)


def _of_step(game: PlayedGame, state: State, moment: Moment) -> Iterator[Tender]:
    """Yield the auctions of a step: a second one follows in the same step where every seat has to play 0."""
    events: Sequence[Event] = moment.events
    for event in events:
        if isinstance(event, InfluenceRevealed) and isinstance(state.stage, InfluenceBidding):
            yield _tender(game, state, moment.step, event)
        state = INVESTORS.apply(state, event)


def _tender(game: PlayedGame, state: State, step: int, revealed: InfluenceRevealed) -> Tender:
    stage, cards, seats = state.stage, revealed.cards, range(state.settings.seats)
    assert isinstance(stage, InfluenceBidding)
    decision = INVESTORS.decision(state)
    assert decision is not None
    target = None if state.action is not None or state.tender is None else TENDER_CARDS[state.tender].target
    worth = []
    for seat in seats:
        view = view_of(INVESTORS, state, seat)
        question = Question("investors", game.options, seat, view, decision.kind, decision.prompts[seat])
        worth.append(max_worthwhile_card(question))
    return Tender(
        step,
        INVESTORS.progress(state),
        target,
        state.action,
        stage.rights,
        cards,
        tuple(state.influence),
        tuple(_outcome(cards, revealed.winners, seat) for seat in seats),
        tuple(_enough(cards, stage.rights, seat) for seat in seats),
        tuple(worth),
    )


def _outcome(cards: Sequence[int | None], winners: Sequence[Seat], seat: Seat) -> str:
    if cards[seat] is None:
        return ABSTAINED
    if seat in winners:
        return WON
    return TIED if cards.count(cards[seat]) > 1 else LOST


def _enough(cards: Sequence[int | None], rights: int, seat: Seat) -> int | None:
    for card in INFLUENCE_CARDS:
        if seat in highest_alone([card if other == seat else shown for other, shown in enumerate(cards)])[:rights]:
            return card
    return None
