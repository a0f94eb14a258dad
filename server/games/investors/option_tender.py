"""Tenders by option tiles: choose sealed, then deal, pay or bid (RULES 4.5 to 4.8, 10)."""

from __future__ import annotations

from functools import cache

from server.games.engine.game import Answers, Decision, Seat
from server.games.engine.prompts import Choice, OneOf, Prompt, SomeOf
from server.games.engine.step_builder import StepBuilder
from server.games.investors.commands import BidCheques, ChooseOption, PayCheque
from server.games.investors.components import MAX_SEALED_CHEQUES, OPTION_TILES
from server.games.investors.events import (
    BargainingOpened,
    OptionBidsRevealed,
    OptionLapsed,
    OptionPaid,
    OptionsRevealed,
    OptionWon,
    Right,
)
from server.games.investors.investing import close_tender
from server.games.investors.state import State
from server.games.investors.tenders import highest_alone


def choose_decision(state: State) -> Decision:
    return _choice_of(tuple(filter(state.opens, OPTION_TILES)), state.settings.seats)


@cache
def _choice_of(options: tuple[str, ...], seats: int) -> Decision:
    prompt = Prompt((Choice(ChooseOption, {"option": OneOf(options)}),), fallback=ChooseOption(options[0]))
    forced = range(seats) if len(options) == 1 else ()  # RULES 6.3
    return Decision("option_tender", dict.fromkeys(range(seats), prompt), sealed=True, forced=forced)


def choose_resolved(step: StepBuilder[State], answers: Answers) -> None:
    chosen = []
    for seat in range(step.state.settings.seats):
        command = answers[seat]
        assert isinstance(command, ChooseOption)
        chosen.append(command.option)
    step.emit(OptionsRevealed(tuple(chosen)))
    carry_on(step)


def carry_on(step: StepBuilder[State]) -> None:
    """Let the seats of the next shared option deal; when all have, let everybody pay and bid."""
    state = step.state
    if state.settings.bargaining_offers:
        for option in OPTION_TILES:
            seats = seats_on(state, option)
            if len(seats) > 1 and option not in state.dealt:
                step.emit(BargainingOpened(option, seats))
                return
    if not _is_owed_anything(state):
        bid_resolved(step, {})


def bid_decision(state: State) -> Decision:
    prompts = _prompts(state)
    # RULES 6.3: without a cheque nothing can be sealed, and a single cheque is the one that is paid. That several
    # cheques have the same value is secret.
    forced = tuple(
        seat for seat, prompt in prompts.items() if len(state.hands[seat]) == isinstance(prompt.fallback, PayCheque)
    )
    return Decision("option_bids", prompts, sealed=True, forced=forced)


def bid_resolved(step: StepBuilder[State], answers: Answers) -> None:
    bids = tuple(
        command.cheques if isinstance(command := answers.get(seat), BidCheques) else None
        for seat in range(step.state.settings.seats)
    )
    step.emit(OptionBidsRevealed(bids))
    rights = [right for option in OPTION_TILES if (right := _settled(step, option, answers, bids)) is not None]
    close_tender(step, rights)


def seats_on(state: State, option: str) -> tuple[Seat, ...]:
    """Return the seats that chose an option, clockwise from the start seat."""
    assert state.options is not None
    return tuple(seat for seat in state.clockwise(state.start_seat) if state.options[seat] == option)


def _is_owed_anything(state: State) -> bool:
    """Return whether `_prompts` would return any prompt, without making the prompts."""
    assert state.options is not None
    agreed = [right.target for right in state.deals]
    return any(
        option not in agreed and (state.hands[seat] or state.options.count(option) > 1)
        for seat, option in enumerate(state.options)
    )


def _prompts(state: State) -> dict[Seat, Prompt]:
    """Ask the sole seat of an option for a cheque if it has one, the others for sealed bids (RULES 4.6, 4.7)."""
    prompts = {}
    agreed = {right.target for right in state.deals}
    for option in OPTION_TILES:
        seats = seats_on(state, option)
        if option in agreed:
            continue
        for seat in seats:
            hand = state.hands[seat]
            if len(seats) > 1:
                bid = Choice(BidCheques, {"cheques": SomeOf(hand, 0, MAX_SEALED_CHEQUES)})
                prompts[seat] = Prompt((bid,), fallback=BidCheques(()))
            elif hand:
                pay = Choice(PayCheque, {"cheque": OneOf(tuple(dict.fromkeys(hand)))})
                prompts[seat] = Prompt((pay,), fallback=PayCheque(hand[0]))
    return prompts


def _settled(
    step: StepBuilder[State], option: str, answers: Answers, bids: tuple[tuple[int, ...] | None, ...]
) -> Right | None:
    state = step.state
    seats = seats_on(state, option)
    for deal in state.deals:
        if deal.target == option:
            return deal
    if not seats:
        return None
    if len(seats) == 1:
        (seat,) = seats
        command = answers.get(seat)
        if isinstance(command, PayCheque):
            step.emit(OptionPaid(seat, option, command.cheque))
            return Right(seat, option, ())
    else:
        # RULES 4.7: nothing bid wins nothing; among equal sums nobody wins.
        sums = [sum(bids[seat] or ()) or None if seat in seats else None for seat in range(state.settings.seats)]
        winners = highest_alone(sums)
        if winners:
            step.emit(OptionWon(winners[0], option, bids[winners[0]] or ()))
            return Right(winners[0], option, ())
    step.emit(OptionLapsed(option))
    return None
