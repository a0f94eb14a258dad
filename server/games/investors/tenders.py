"""Tenders by influence and by cheques, on tender cards and on action cards alike (RULES 4.1 to 4.4, 7.4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from server.games.engine.game import Answers, Decision, Seat
from server.games.engine.prompts import Choice, OneOf, Prompt, SomeOf
from server.games.engine.step_builder import StepBuilder
from server.games.investors.actions import action_won
from server.games.investors.commands import Abstain, PassBid, PlayInfluence, RaiseBid
from server.games.investors.components import CHEQUES, INFLUENCE_CARDS, SEATS, TENDER_CARDS
from server.games.investors.events import AuctionWon, BidPassed, BidRaised, InfluenceRevealed, Right
from server.games.investors.investing import close_tender
from server.games.investors.state import ChequeBidding, InfluenceBidding, State

_HIGHEST = INFLUENCE_CARDS[-1]
_PASS = Choice(PassBid)
_MUST_PASS = Prompt((_PASS,), fallback=PassBid())
_PASSING = tuple(Decision("cheque_tender", {seat: _MUST_PASS}) for seat in range(SEATS.stop - 1))
_FORCED_TO_PASS = tuple(decision._replace(forced=tuple(decision.prompts)) for decision in _PASSING)
_HIGHEST_CHEQUE = max(CHEQUES)


def influence_decision(state: State) -> Decision:
    highest = tuple([influence if influence < _HIGHEST else _HIGHEST for influence in state.influence])
    return _influence_decision(highest, state.action is not None)


@lru_cache(maxsize=1024)
def _influence_decision(highest: tuple[int, ...], may_abstain: bool) -> Decision:
    prompts = {seat: _influence_prompt(card, may_abstain) for seat, card in enumerate(highest)}
    forced = () if may_abstain else tuple(seat for seat, card in enumerate(highest) if not card)  # RULES 6.3
    return Decision("influence_tender", prompts, sealed=True, forced=forced)


@cache
def _influence_prompt(highest: int, may_abstain: bool) -> Prompt:
    play = Choice(PlayInfluence, {"card": OneOf(INFLUENCE_CARDS[: highest + 1])})
    if may_abstain:
        return Prompt((play, Choice(Abstain)), fallback=Abstain())
    return Prompt((play,), fallback=PlayInfluence(0))


def influence_resolved(step: StepBuilder[State], answers: Answers) -> None:
    state = step.state
    assert isinstance(state.stage, InfluenceBidding)
    cards = tuple(
        command.card if isinstance(command := answers[seat], PlayInfluence) else None
        for seat in range(state.settings.seats)
    )
    winners = highest_alone(cards)[: state.stage.rights]
    step.emit(InfluenceRevealed(cards, tuple(winners)))
    _award(step, winners)


def highest_alone(values: Sequence[int | None]) -> list[Seat]:
    """Return the seats whose value nobody else has, the highest first (RULES 4.2)."""
    alone = [seat for seat, value in enumerate(values) if value is not None and values.count(value) == 1]
    return sorted(alone, key=lambda seat: -(values[seat] or 0))


def cheque_decision(state: State) -> Decision:
    stage = _bidding(state)
    seat = stage.turn
    hand, own = state.hands[seat], sum(stage.bids[seat])
    lead = max(map(sum, stage.bids)) - own
    if sum(hand) <= lead:
        # RULES 6.3: the values of cheques are secret, but not their number.
        is_known = len(hand) * _HIGHEST_CHEQUE <= lead
        return (_FORCED_TO_PASS if is_known else _PASSING)[seat]
    raising = Choice(RaiseBid, {"cheques": SomeOf(hand, 1, above=lead)})
    return Decision("cheque_tender", {seat: Prompt((raising, _PASS), fallback=PassBid())})


def cheque_resolved(step: StepBuilder[State], answers: Answers) -> None:
    ((seat, command),) = answers.items()
    step.emit(BidRaised(seat, command.cheques) if isinstance(command, RaiseBid) else BidPassed(seat))
    stage = _bidding(step.state)
    bidding = [other for other, passed in enumerate(stage.passed) if not passed]
    if not bidding:
        _award(step, [])
    elif len(bidding) == 1 and stage.bids[bidding[0]]:
        step.emit(AuctionWon(bidding[0], stage.bids[bidding[0]]))
        _award(step, bidding)


def _award(step: StepBuilder[State], winners: Sequence[Seat]) -> None:
    state = step.state
    if state.action is not None:
        action_won(step, winners[0] if winners else None)
    else:
        assert state.tender is not None
        close_tender(step, [Right(seat, TENDER_CARDS[state.tender].target, ()) for seat in winners])


def _bidding(state: State) -> ChequeBidding:
    assert isinstance(state.stage, ChequeBidding)
    return state.stage
