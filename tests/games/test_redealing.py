"""Playing on from a step: what a seat cannot know is dealt again, and all that it knows stays as it was."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.events import Event, Seat
from server.games.engine.game import Game
from server.games.engine.play import Play, Step, go_on, keep_step, play_view, replay, resumed
from server.games.investors import redealing
from server.games.investors.components import ACTION_DECK, CHEQUES
from server.games.investors.events import (
    AuctionWon,
    BidPassed,
    BidRaised,
    OfferPaid,
    OptionPaid,
    OptionWon,
    SubsidyPaid,
)
from server.games.registry import GAMES
from tests.games.builders.invariants import InvariantChecker as BuildersInvariants
from tests.games.investors.invariants import InvariantChecker as InvestorsInvariants
from tests.games.planners.invariants import InvariantChecker as PlannersInvariants
from tests.games.playing import Bias, accepted, moved, play_out, sampled_options

INVARIANTS: dict[str, Any] = {
    "builders": partial(BuildersInvariants, checks_builds=False),
    "investors": InvestorsInvariants,
    "planners": PlannersInvariants,
}
LOOKS = 8
"""Positions of each game that are dealt again."""

each_game = pytest.mark.parametrize("name", INVARIANTS)
each_seed = pytest.mark.parametrize("seed", range(2))


class Played:
    """A random game, and its effective steps before each position at which a seat is asked."""

    def __init__(self, name: str, seed: int, **chosen: Any) -> None:
        self.game: Game[Any] = GAMES[name]
        self.rng = random.Random(f"{name}/{seed}")
        seats = self.rng.choice(self.game.seats)
        options = sampled_options(self.game, seats, self.rng) | chosen
        record = play_out(self.game, seats, options, self.rng, Bias(self.rng))
        kept: list[Step] = []
        self.positions: list[tuple[Play, list[Step]]] = []
        for play, step in zip(record.plays, record.steps, strict=True):
            keep_step(kept, step)
            if play.decision is not None and any(event.tag == "event" and event.name != "answered" for event in step):
                self.positions.append((play, list(kept)))
        self.seats = seats

    def sampled(self) -> list[tuple[Play, list[Step], Seat]]:
        chosen = self.rng.sample(self.positions, min(LOOKS, len(self.positions)))
        return [(play, steps, self.rng.randrange(self.seats)) for play, steps in chosen]

    def dice(self) -> Dice:
        return Dice(self.rng.randbytes(SEED_BYTES))


def seen(play: Play, seat: Seat | None) -> str:
    """Return the view of a seat as text. A play that goes on counts its decisions from 1 and has nothing to undo."""
    return json.dumps(play_view(play._replace(number=0, past=()), seat))


def awaited(play: Play) -> tuple[Any, ...]:
    assert play.decision is not None
    return play.decision.kind, sorted(play.decision.prompts), sorted(play.answers), play.awaited


@each_seed
@each_game
def test_going_on_with_the_same_cards_changes_nothing(name: str, seed: int) -> None:
    played = Played(name, seed)
    for play, steps, seat in played.sampled():
        same, step = go_on(played.game, steps, seat, played.dice(), is_redealt=False)
        assert list(step) == []
        assert same.state == play.state
        assert all(seen(same, viewer) == seen(play, viewer) for viewer in (None, *range(played.seats)))
        assert same.past == ()


@each_seed
@each_game
def test_a_seat_sees_the_same_after_a_new_deal(name: str, seed: int) -> None:
    played = Played(name, seed)
    for play, steps, seat in played.sampled():
        redealt, step = go_on(played.game, steps, seat, played.dice(), is_redealt=True)
        for viewer in (None, seat):
            assert seen(redealt, viewer) == seen(play, viewer)
        assert awaited(redealt) == awaited(play)
        assert resumed(played.game, steps, step) == redealt
        assert replay(played.game, [*steps, step]).state == redealt.state


def masked(event: Event, seat: Seat) -> Event:
    """Return an event with another value in place of what a seat could not see of it."""
    if isinstance(event, OptionPaid) and event.seat != seat:
        return replace(event, cheque=10)
    if isinstance(event, OfferPaid) and seat != event.investor:
        given = zip(event.partners, event.cheques, event.drawn, strict=True)
        other = [(paid, drawn) if who == seat else ((), (10,) * len(paid + drawn)) for who, paid, drawn in given]
        return replace(event, cheques=tuple(paid for paid, _ in other), drawn=tuple(drawn for _, drawn in other))
    return event


@each_seed
@each_game
def test_a_new_deal_does_not_depend_on_what_the_seat_cannot_see(name: str, seed: int) -> None:
    """Two truths that look the same to the seat are dealt again in the same way."""
    played = Played(name, seed)
    redeal = played.game.redeal
    assert redeal is not None
    for play, steps, seat in played.sampled():
        past = [event for step in steps for event in step]
        other_state = played.game.apply(play.state, redeal(play.state, seat, past, played.dice()))
        other_past = [masked(event, seat) for event in past]
        dice = played.dice()
        assert redeal(play.state, seat, past, dice) == redeal(other_state, seat, other_past, dice)


def open_cheques(past: Sequence[Event], seats: int) -> tuple[list[Counter[int]], list[int]]:
    """Return the cheques that each seat would have without its hidden payments, and how many of these it made.

    For games without bargaining. This is counted in another way than the rules and the new deal do it.
    """
    hands = [Counter(CHEQUES) for _ in range(seats)]
    hidden = [0] * seats
    bids: list[Counter[int]] = [Counter() for _ in range(seats)]
    for event in past:
        match event:
            case BidRaised():
                bids[event.seat].update(event.cheques)
            case BidPassed():
                bids[event.seat].clear()
            case AuctionWon():
                hands[event.seat].subtract(event.cheques)
                bids[event.seat].clear()
            case OptionWon():
                hands[event.seat].subtract(event.cheques)
            case OptionPaid():
                hidden[event.seat] += 1
            case SubsidyPaid():
                for seat, kept in enumerate(event.kept):
                    hands[seat].update(kept)
    for seat in range(seats):
        hands[seat].subtract(bids[seat])
    return hands, hidden


@pytest.mark.parametrize("seed", range(4))
def test_new_hands_of_investors_agree_with_what_was_paid_openly(seed: int) -> None:
    played = Played("investors", seed, bargaining_offers=0, layout="random")
    hidden_payments = 0
    for play, steps, seat in played.sampled():
        past = [event for step in steps for event in step]
        redealt, _ = go_on(played.game, steps, seat, played.dice(), is_redealt=True)
        hands, hidden = open_cheques(past, played.seats)
        for other, hand in enumerate(redealt.state.hands):
            missing = hands[other] - Counter(hand)
            assert not Counter(hand) - hands[other], "a cheque that was paid openly is back"
            assert missing.total() == hidden[other]
        hidden_payments += sum(hidden)
        assert redealing._following(play.state, seat, past, played.dice()) is not None
    assert hidden_payments > 0


@each_seed
def test_action_cards_that_chance_left_in_the_box_are_dealt_again(seed: int) -> None:
    """RULES 10.6 of Investors: a seat knows how many subsidies are in the deck, not which cards."""
    played = Played("investors", seed, subsidies=3, action_cards=())
    decks = set()
    for play, steps, seat in played.sampled():
        redealt, _ = go_on(played.game, steps, seat, played.dice(), is_redealt=True)
        old, new = play.state.action_deck, redealt.state.action_deck
        assert len(new) == len(old)
        assert sum("subsidy" in card for card in new) == sum("subsidy" in card for card in old)
        played_cards = (*play.state.years, *filter(None, [play.state.action]))
        assert Counter((*new, *played_cards)) <= Counter(card.name for card in ACTION_DECK)
        decks.add((tuple(sorted(old)), tuple(sorted(new))))
    assert any(old != new for old, new in decks)


@each_game
def test_a_new_deal_is_another_one(name: str) -> None:
    played = Played(name, 0)
    _, steps = played.positions[len(played.positions) // 3]
    deals = {repr(go_on(played.game, steps, 0, played.dice(), is_redealt=True)[1][0]) for _ in range(5)}
    assert len(deals) == 5


@each_seed
@each_game
def test_the_game_goes_on_by_its_rules_after_a_new_deal(name: str, seed: int) -> None:
    """All cards are still there, and the game comes to its end."""
    played = Played(name, seed)
    for _, steps, seat in played.sampled()[:4]:
        invariants = INVARIANTS[name]()
        play: Play | None = None
        for step in steps:
            play = replay(played.game, [step]) if play is None else play.advance(step)
            invariants.follow(play, step)
        dice = played.dice()
        play, step = go_on(played.game, steps, seat, dice, is_redealt=True)
        invariants.follow(play, step)
        choose = Bias(played.rng)
        while play.decision is not None:
            move = choose(play, played.rng)
            if move is not None:
                # The invariants do not follow steps that are taken back.
                play, step = accepted(moved(play, move, dice))
                invariants.follow(play, step)


@each_game
def test_nobody_sees_the_event_of_a_new_deal(name: str) -> None:
    played = Played(name, 0)
    _, steps = played.positions[0]
    _, (event, *_) = go_on(played.game, steps, 0, played.dice(), is_redealt=True)
    assert [event.shown_to(viewer) for viewer in (None, *range(played.seats))] == [None] * (played.seats + 1)
