"""A toy game with all kinds of secrets: hands, a deck, sealed bids, a card laid aside, a look that nobody notices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from server.games.engine.dice import Dice
from server.games.engine.game import Decision, Event, Outcome, Seat, Viewer, ranked
from server.games.engine.options import Flag, Limit, OptionValue
from server.games.engine.prompts import Choice, Command, OneOf, Prompt
from server.games.engine.serialization import Json, to_json


@dataclass(frozen=True, slots=True)
class Bid(Command):
    card: int


@dataclass(frozen=True, slots=True)
class Sit(Command):
    """Stay out of this round."""


@dataclass(frozen=True, slots=True)
class Peek(Command):
    """Look at the top of the deck before deciding what to do with the prize."""


@dataclass(frozen=True, slots=True)
class Bury(Command):
    card: int


@dataclass(frozen=True, slots=True)
class Keep(Command):
    """Take the prize and bury nothing."""


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    seen_alike: ClassVar[bool] = False
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    reshuffle: bool
    rounds: int | None


@dataclass(frozen=True, slots=True)
class PrizeTurned(Event):
    card: int


@dataclass(frozen=True, slots=True)
class BidsRevealed(Event):
    bids: tuple[int | None, ...]
    winner: int | None


@dataclass(frozen=True, slots=True)
class Peeked(Event):
    """A seat saw the top of the deck; nobody else learns even that it did."""

    seen_alike: ClassVar[bool] = False
    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class Buried(Event):
    """A seat laid a card aside, face down."""

    seen_alike: ClassVar[bool] = False
    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class PrizeTaken(Event):
    seat: int


@dataclass(frozen=True, slots=True)
class CardDrawn(Event):
    seen_alike: ClassVar[bool] = False
    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class Reshuffled(Event):
    deck: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AuctionClosed(Event):
    reason: str


@dataclass(frozen=True, slots=True)
class AuctionState:
    """A position of Auction, secrets included. `deck[0]` is the top."""

    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    reshuffle: bool
    rounds: int | None
    prizes: tuple[tuple[int, ...], ...]
    buried: tuple[tuple[int, ...], ...]
    discards: tuple[int, ...] = ()
    prize: int | None = None
    round: int = 0
    reshuffles: int = 0
    winner: Seat | None = None
    peeked: bool = False
    reason: str | None = None


class Story:
    """Events being told, and the state that they lead to."""

    def __init__(self, game: Auction, state: Any) -> None:
        self._game = game
        self.state = state
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        self.state = self._game.apply(self.state, event)
        self.events.append(event)


def with_entry(entries: tuple[Any, ...], position: int, entry: object) -> tuple[Any, ...]:
    return (*entries[:position], entry, *entries[position + 1 :])


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    position = cards.index(card)
    return cards[:position] + cards[position + 1 :]


class Auction:
    """Seal a bid for the open prize; the highest card that nobody else played wins it."""

    name = "auction"
    rules_version = 1
    seats = range(2, 5)
    options = (
        Limit("hand", "cards in a hand at the start", 1, 4, 3),
        Limit("rounds", "the last round", 1, 8, None, none=True),
        Flag("reshuffle", "make a new deck of what was played"),
    )
    events = (
        Dealt,
        PrizeTurned,
        BidsRevealed,
        Peeked,
        Buried,
        PrizeTaken,
        CardDrawn,
        Reshuffled,
        AuctionClosed,
    )
    commands = (Bid, Sit, Peek, Bury, Keep)
    cards = tuple(range(1, 25))

    def check_options(self, seats: int, options: Mapping[str, OptionValue]) -> str | None:
        if options["reshuffle"] and options["rounds"] is None:
            return "A deck that is reshuffled needs a last round."
        return None

    def begin(self, seats: int, options: Mapping[str, OptionValue], dice: Dice) -> tuple[AuctionState, list[Event]]:
        deck = dice.shuffled("deck", self.cards)
        size: Any = options["hand"]
        hands = tuple(tuple(sorted(deck[seat * size : (seat + 1) * size])) for seat in range(seats))
        reshuffle, rounds = bool(options["reshuffle"]), options["rounds"]
        assert rounds is None or isinstance(rounds, int)
        story = Story(self, None)
        story.tell(Dealt(hands, deck[seats * size :], reshuffle, rounds))
        story.tell(PrizeTurned(story.state.deck[0]))
        return story.state, story.events

    def apply(self, state: AuctionState | None, event: Event) -> AuctionState:
        if state is None:
            assert isinstance(event, Dealt)
            nothing = ((),) * len(event.hands)
            return AuctionState(event.hands, event.deck, event.reshuffle, event.rounds, nothing, nothing)
        match event:
            case PrizeTurned(card):
                return replace(state, prize=card, deck=state.deck[1:], round=state.round + 1)
            case BidsRevealed(bids, winner):
                return self._revealed(state, bids, winner)
            case Peeked():
                return replace(state, peeked=True)
            case Buried(seat, card):
                buried = with_entry(state.buried, seat, (*state.buried[seat], card))
                hands = with_entry(state.hands, seat, without(state.hands[seat], card))
                return replace(state, buried=buried, hands=hands)
            case PrizeTaken(seat):
                prizes = with_entry(state.prizes, seat, (*state.prizes[seat], state.prize))
                return replace(state, prizes=prizes, prize=None, winner=None, peeked=False)
            case CardDrawn(seat, card):
                hand = tuple(sorted((*state.hands[seat], card)))
                return replace(state, hands=with_entry(state.hands, seat, hand), deck=state.deck[1:])
            case Reshuffled(deck):
                nothing = ((),) * len(state.hands)
                return replace(state, deck=deck, discards=(), buried=nothing, reshuffles=state.reshuffles + 1)
            case AuctionClosed(reason):
                return replace(state, reason=reason)
        raise AssertionError(event)

    def _revealed(self, state: AuctionState, bids: tuple[int | None, ...], winner: Seat | None) -> AuctionState:
        hands = tuple(hand if bid is None else without(hand, bid) for hand, bid in zip(state.hands, bids, strict=True))
        played = tuple(bid for bid in bids if bid is not None)
        unclaimed = (state.prize,) if winner is None and state.prize is not None else ()
        prize = None if winner is None else state.prize
        return replace(state, hands=hands, discards=state.discards + played + unclaimed, prize=prize, winner=winner)

    def decision(self, state: AuctionState) -> Decision | None:
        if state.reason is not None:
            return None
        if state.winner is not None:
            return Decision("prize", {state.winner: self.prize_prompt(state, state.winner)})
        prompts = {seat: self.bid_prompt(state, seat) for seat in range(len(state.hands))}
        return Decision("bid", prompts, sealed=True)

    def bid_prompt(self, state: AuctionState, seat: Seat) -> Prompt:
        hand = state.hands[seat]
        bid = (Choice(Bid, {"card": OneOf(hand)}),) if hand else ()
        return Prompt((Choice(Sit), *bid), Sit())

    def prize_prompt(self, state: AuctionState, seat: Seat) -> Prompt:
        hand = state.hands[seat]
        bury = (Choice(Bury, {"card": OneOf(hand)}),) if hand else ()
        peek = (Choice(Peek),) if state.deck and not state.peeked else ()
        return Prompt((Choice(Keep), *bury, *peek), Keep())

    def resolve(
        self, state: AuctionState, answers: Mapping[Seat, Command], dice: Dice
    ) -> tuple[AuctionState, list[Event]]:
        story = Story(self, state)
        if state.winner is None:
            bids = tuple(self._bid(answers[seat]) for seat in range(len(state.hands)))
            winner = self._highest_alone(bids)
            story.tell(BidsRevealed(bids, winner))
            if winner is None:
                self._next_round(story, dice)
        else:
            self._use_prize(story, state.winner, answers[state.winner], dice)
        return story.state, story.events

    def _bid(self, answer: Command) -> int | None:
        return answer.card if isinstance(answer, Bid) else None

    def _highest_alone(self, bids: tuple[int | None, ...]) -> Seat | None:
        alone = [(bid, seat) for seat, bid in enumerate(bids) if bid is not None and bids.count(bid) == 1]
        return max(alone)[1] if alone else None

    def _use_prize(self, story: Story, seat: Seat, answer: Command, dice: Dice) -> None:
        if isinstance(answer, Peek):
            story.tell(Peeked(seat, story.state.deck[0]))
            return
        if isinstance(answer, Bury):
            story.tell(Buried(seat, answer.card))
        story.tell(PrizeTaken(seat))
        self._next_round(story, dice)

    def _next_round(self, story: Story, dice: Dice) -> None:
        if story.state.round == story.state.rounds:
            story.tell(AuctionClosed("rounds_over"))
            return
        for seat in range(len(story.state.hands)):
            if self._has_card(story, dice):
                story.tell(CardDrawn(seat, story.state.deck[0]))
        if self._has_card(story, dice):
            story.tell(PrizeTurned(story.state.deck[0]))
        else:
            story.tell(AuctionClosed("deck_empty"))

    def _has_card(self, story: Story, dice: Dice) -> bool:
        state = story.state
        played = (*state.discards, *(card for pile in state.buried for card in pile))
        if not state.deck and state.reshuffle and played:
            story.tell(Reshuffled(dice.shuffled(f"reshuffle/{state.reshuffles}", tuple(sorted(played)))))
        return bool(story.state.deck)

    def public_view(self, state: AuctionState) -> dict[str, Json]:
        return {
            "prize": state.prize,
            "prizes": [list(prizes) for prizes in state.prizes],
            "hand_sizes": [len(hand) for hand in state.hands],
            "buried_sizes": [len(pile) for pile in state.buried],
            "discards": list(state.discards),
            "deck_size": len(state.deck),
            "round": state.round,
        }

    def own_view(self, state: AuctionState, seat: Seat) -> dict[str, Json]:
        view: dict[str, Json] = {"hand": list(state.hands[seat]), "buried": list(state.buried[seat])}
        if state.peeked and state.winner == seat:
            view["top"] = state.deck[0]
        return view

    def shown(self, event: Event, viewer: Viewer) -> dict[str, Json] | None:
        match event:
            case Dealt(hands, deck):
                own: dict[str, Json] = {} if viewer is None else {"hand": list(hands[viewer])}
                return {"event": event.name, "hand_sizes": [len(hand) for hand in hands], "deck_size": len(deck), **own}
            case Peeked(seat):
                return to_json(event) if seat == viewer else None
            case Buried(seat) | CardDrawn(seat):
                return to_json(event) if seat == viewer else {"event": event.name, "seat": seat}
            case Reshuffled(deck):
                return {"event": event.name, "deck_size": len(deck)}
        return to_json(event)

    def outcome(self, state: AuctionState) -> Outcome | None:
        if state.reason is None:
            return None
        scores = tuple(sum(prizes) for prizes in state.prizes)
        places = ranked([(score, -len(prizes)) for score, prizes in zip(scores, state.prizes, strict=True)])
        tie_break = "fewest prizes" if len(set(places)) > len(set(scores)) else None
        return Outcome(state.reason, scores, places, tie_break, tuple({"prizes": score} for score in scores))

    def describe(self, event: Event) -> str:
        return f"{event.name}: {to_json(event)}."

    def draw(self, state: AuctionState) -> str:
        return "\n".join(f"{seat}: {hand}" for seat, hand in enumerate(state.hands))
