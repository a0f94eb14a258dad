"""A toy game with all kinds of secrets: hands, a deck, sealed bids, a card laid aside, a look at the deck.

It is the smallest whole game and the worked example of `docs/adding-a-game.md`. A real game has a file for each of the
parts below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from server.games.engine.dice import Dice
from server.games.engine.events import (
    EVERYBODY,
    OWNER,
    Event,
    Formatters,
    Seat,
    Viewer,
    depends_on_viewer,
    everybody_sees,
    others_see,
    size_of,
)
from server.games.engine.frozen import frozen
from server.games.engine.game import Answers, Decision, Game, Outcome, StageRules, ranked
from server.games.engine.options import Flag, Limit, OptionValue
from server.games.engine.orders import OrderKind, OrderRules, Situation, Values, prepared_kind, up_to
from server.games.engine.prompts import Choice, Command, OneOf, Prompt
from server.games.engine.reducers import Reducers
from server.games.engine.serialization import Json
from server.games.engine.step_builder import StepBuilder

CARDS: Final = tuple(range(1, 25))

# -- commands -------------------------------------------------------------------------------------------------


class AuctionCommand(Command, family=True):
    """A command of Auction."""

    __slots__ = ()


@frozen
class Bid(AuctionCommand):
    revealed = True
    card: int


@frozen
class Sit(AuctionCommand):
    """Stay out of this round."""

    revealed = True


@frozen
class Peek(AuctionCommand):
    """Look at the top of the deck before deciding what to do with the prize."""


@frozen
class Bury(AuctionCommand):
    card: int


@frozen
class Keep(AuctionCommand):
    """Take the prize and bury nothing."""


# -- events ---------------------------------------------------------------------------------------------------


class AuctionEvent(Event, family=True):
    """An event of Auction."""

    __slots__ = ()


def _deal_shown(event: Dealt, viewer: Viewer) -> dict[str, Json]:
    own: dict[str, Json] = {} if viewer is None else {"hand": list(event.hands[viewer])}
    sizes: list[Json] = [len(hand) for hand in event.hands]
    return {"event": event.name, "hand_sizes": sizes, "deck_size": len(event.deck), **own}


@frozen
class Dealt(AuctionEvent):
    visible_to = depends_on_viewer(_deal_shown)
    sentence = "Hands are dealt: {hands}."
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    reshuffle: bool
    rounds: int | None


@frozen
class PrizeTurned(AuctionEvent):
    visible_to = EVERYBODY
    sentence = "The prize is {card}."
    card: int


@frozen
class BidsRevealed(AuctionEvent):
    visible_to = EVERYBODY
    sentence = "Bids are revealed: {bids}; {winner} wins."
    bids: tuple[int | None, ...]
    winner: int | None


@frozen
class Peeked(AuctionEvent):
    """A seat saw the top of the deck; nobody else learns even that it did."""

    visible_to = OWNER
    sentence = "{seat} peeks at {card}."
    seat: int
    card: int


@frozen
class Buried(AuctionEvent):
    """A seat laid a card aside, face down."""

    visible_to = others_see("seat")
    sentence = "{seat} buries {card}."
    seat: int
    card: int


@frozen
class PrizeTaken(AuctionEvent):
    visible_to = EVERYBODY
    sentence = "{seat} takes the prize."
    seat: int


@frozen
class CardDrawn(AuctionEvent):
    visible_to = others_see("seat")
    sentence = "{seat} draws {card}."
    seat: int
    card: int


@frozen
class Reshuffled(AuctionEvent):
    visible_to = everybody_sees(deck_size=size_of("deck"))
    sentence = "The cards played become a new deck: {deck}."
    deck: tuple[int, ...]


@frozen
class AuctionClosed(AuctionEvent):
    visible_to = EVERYBODY
    sentence = "The auction is closed: {reason}."
    reason: str


# -- state ----------------------------------------------------------------------------------------------------


@frozen
class Bidding:
    """All seats seal a bid for the prize."""


@frozen
class Claiming:
    """The winner decides what to do with the prize."""

    winner: Seat
    peeked: bool = False


@frozen
class Closed:
    reason: str


Stage = Bidding | Claiming | Closed


@dataclass
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
    stage: Stage = field(default_factory=Bidding)

    def copy(self) -> AuctionState:
        """Return a copy that can be changed without changing this state."""
        return replace(self)

    def knows_top(self, viewer: Viewer) -> bool:
        """Return whether the viewer has seen the top of the deck."""
        return viewer is not None and self.stage == Claiming(viewer, peeked=True)


def with_entry(entries: tuple[Any, ...], position: int, entry: object) -> tuple[Any, ...]:
    return (*entries[:position], entry, *entries[position + 1 :])


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    position = cards.index(card)
    return cards[:position] + cards[position + 1 :]


# -- reducers -------------------------------------------------------------------------------------------------

REDUCERS: Final = Reducers[AuctionState]()


@REDUCERS.register_first(Dealt)
def dealt(event: Dealt) -> AuctionState:
    nothing = ((),) * len(event.hands)
    return AuctionState(event.hands, event.deck, event.reshuffle, event.rounds, nothing, nothing)


@REDUCERS.register(PrizeTurned)
def _prize_turned(draft: AuctionState, event: PrizeTurned) -> None:
    draft.prize = event.card
    draft.deck = draft.deck[1:]
    draft.round += 1
    draft.stage = Bidding()


@REDUCERS.register(BidsRevealed)
def _bids_revealed(draft: AuctionState, event: BidsRevealed) -> None:
    for seat, bid in enumerate(event.bids):
        if bid is not None:
            draft.hands = with_entry(draft.hands, seat, without(draft.hands[seat], bid))
            draft.discards += (bid,)
    if event.winner is not None:
        draft.stage = Claiming(event.winner)
    elif draft.prize is not None:
        draft.discards += (draft.prize,)
        draft.prize = None


@REDUCERS.register(Peeked)
def _peeked(draft: AuctionState, event: Peeked) -> None:
    draft.stage = Claiming(event.seat, peeked=True)


@REDUCERS.register(Buried)
def _buried(draft: AuctionState, event: Buried) -> None:
    draft.buried = with_entry(draft.buried, event.seat, (*draft.buried[event.seat], event.card))
    draft.hands = with_entry(draft.hands, event.seat, without(draft.hands[event.seat], event.card))


@REDUCERS.register(PrizeTaken)
def _prize_taken(draft: AuctionState, event: PrizeTaken) -> None:
    draft.prizes = with_entry(draft.prizes, event.seat, (*draft.prizes[event.seat], draft.prize))
    draft.prize = None
    draft.stage = Bidding()


@REDUCERS.register(CardDrawn)
def _card_drawn(draft: AuctionState, event: CardDrawn) -> None:
    draft.hands = with_entry(draft.hands, event.seat, tuple(sorted((*draft.hands[event.seat], event.card))))
    draft.deck = draft.deck[1:]


@REDUCERS.register(Reshuffled)
def _reshuffled(draft: AuctionState, event: Reshuffled) -> None:
    draft.deck = event.deck
    draft.discards = ()
    draft.buried = ((),) * len(draft.hands)
    draft.reshuffles += 1


@REDUCERS.register(AuctionClosed)
def _auction_closed(draft: AuctionState, event: AuctionClosed) -> None:
    draft.stage = Closed(event.reason)


# -- rules ----------------------------------------------------------------------------------------------------

OPTIONS: Final = (
    Limit("hand", "cards in a hand at the start", 1, 4, 3),
    Limit("rounds", "the last round", 1, 8, None, none=True),
    Flag("reshuffle", "make a new deck of what was played"),
)


def check_options(seats: int, options: Mapping[str, OptionValue]) -> str | None:
    if options["reshuffle"] and options["rounds"] is None:
        return "A deck that is reshuffled needs a last round."
    return None


def deal(seats: int, options: Mapping[str, OptionValue], dice: Dice, cards: tuple[int, ...] = CARDS) -> Dealt:
    deck = dice.shuffled("deck", cards)
    size, rounds = options["hand"], options["rounds"]
    assert isinstance(size, int)
    assert rounds is None or isinstance(rounds, int)
    hands = tuple(tuple(sorted(deck[seat * size : (seat + 1) * size])) for seat in range(seats))
    return Dealt(hands, deck[seats * size :], bool(options["reshuffle"]), rounds)


def turn_prize(step: StepBuilder[AuctionState]) -> None:
    step.emit(PrizeTurned(step.state.deck[0]))


def bid_decision(state: AuctionState) -> Decision:
    return Decision("bid", {seat: _bid_prompt(hand) for seat, hand in enumerate(state.hands)}, sealed=True)


def _bid_prompt(hand: tuple[int, ...]) -> Prompt:
    bid = (Choice(Bid, {"card": OneOf(hand)}),) if hand else ()
    return Prompt((Choice(Sit), *bid), Sit())


def bid_resolved(step: StepBuilder[AuctionState], answers: Answers) -> None:
    bids = bids_of(answers)
    winner = _highest_alone(bids)
    step.emit(BidsRevealed(bids, winner))
    if winner is None:
        next_round(step)


def bids_of(answers: Answers) -> tuple[int | None, ...]:
    commands = [answers[seat] for seat in sorted(answers)]
    return tuple(command.card if isinstance(command, Bid) else None for command in commands)


def _highest_alone(bids: tuple[int | None, ...]) -> Seat | None:
    alone = [(bid, seat) for seat, bid in enumerate(bids) if bid is not None and bids.count(bid) == 1]
    return max(alone)[1] if alone else None


def prize_decision(state: AuctionState) -> Decision:
    stage = state.stage
    assert isinstance(stage, Claiming)
    hand = state.hands[stage.winner]
    bury = (Choice(Bury, {"card": OneOf(hand)}),) if hand else ()
    peek = (Choice(Peek),) if state.deck and not stage.peeked else ()
    return Decision("prize", {stage.winner: Prompt((Choice(Keep), *bury, *peek), Keep())})


def prize_resolved(step: StepBuilder[AuctionState], answers: Answers) -> None:
    ((seat, command),) = answers.items()
    if isinstance(command, Peek):
        step.emit(Peeked(seat, step.state.deck[0]))
        return
    if isinstance(command, Bury):
        step.emit(Buried(seat, command.card))
    step.emit(PrizeTaken(seat))
    next_round(step)


def next_round(step: StepBuilder[AuctionState]) -> None:
    state = step.state
    if state.round == state.rounds:
        step.emit(AuctionClosed("rounds_over"))
        return
    for seat in range(len(state.hands)):
        if _has_card(step):
            step.emit(CardDrawn(seat, state.deck[0]))
    if _has_card(step):
        turn_prize(step)
    else:
        step.emit(AuctionClosed("deck_empty"))


def _has_card(step: StepBuilder[AuctionState]) -> bool:
    state = step.state
    played = (*state.discards, *(card for pile in state.buried for card in pile))
    if not state.deck and state.reshuffle and played:
        step.emit(Reshuffled(step.dice.shuffled(f"reshuffle/{state.reshuffles}", tuple(sorted(played)))))
    return bool(state.deck)


def outcome(state: AuctionState) -> Outcome | None:
    if not isinstance(state.stage, Closed):
        return None
    scores = tuple(sum(prizes) for prizes in state.prizes)
    places = ranked([(score, -len(prizes)) for score, prizes in zip(scores, state.prizes, strict=True)])
    tie_break = "fewest prizes" if len(set(places)) > len(set(scores)) else None
    return Outcome(state.stage.reason, scores, places, tie_break, tuple({"prizes": score} for score in scores))


# -- standing orders ------------------------------------------------------------------------------------------


def _bid_up_to(values: Values, situation: Situation) -> Command | None:
    """Bid the best card up to a limit, or stay out."""
    if situation.kind != "bid":
        return None
    best = [card for card in situation.view["hand"] if card <= values["limit"]]
    return Bid(max(best)) if best else Sit()


def _keep(values: Values, situation: Situation) -> Command | None:
    return Keep() if situation.kind == "prize" else None


ORDERS: Final = OrderRules(
    (
        OrderKind("bid", (up_to("limit", "the highest card to bid", CARDS[-1], 12),), _bid_up_to, is_sealed=True),
        OrderKind("keep", (), _keep),
        prepared_kind(AuctionCommand.members(), ("prize",)),
    ),
    period="round",
)

# -- views and text -------------------------------------------------------------------------------------------


def public_view(state: AuctionState) -> dict[str, Json]:
    return {
        "prize": state.prize,
        "prizes": [list(prizes) for prizes in state.prizes],
        "hand_sizes": [len(hand) for hand in state.hands],
        "buried_sizes": [len(pile) for pile in state.buried],
        "discards": list(state.discards),
        "deck_size": len(state.deck),
        "round": state.round,
    }


def own_view(state: AuctionState, seat: Seat) -> dict[str, Json]:
    view: dict[str, Json] = {"hand": list(state.hands[seat]), "buried": list(state.buried[seat])}
    if state.knows_top(seat):
        view["top"] = state.deck[0]
    return view


def progress(state: AuctionState) -> dict[str, int]:
    return {"round": state.round}


FORMATTERS: Final[Formatters] = {
    "reason": lambda reason: reason.replace("_", " "),
    "seat": lambda seat: f"seat {seat}",
    "winner": lambda winner: "nobody" if winner is None else f"seat {winner}",
}


def draw(state: AuctionState) -> str:
    return "\n".join(f"{seat}: {hand}" for seat, hand in enumerate(state.hands))


AUCTION: Final = Game(
    name="auction",
    seats=range(2, 5),
    seals_answers=True,
    options=OPTIONS,
    check_options=check_options,
    events=AuctionEvent.members(),
    commands=AuctionCommand.members(),
    set_up=deal,
    after_set_up=turn_prize,
    reducers=REDUCERS,
    stages={Bidding: StageRules(bid_decision, bid_resolved), Claiming: StageRules(prize_decision, prize_resolved)},
    public_view=public_view,
    own_view=own_view,
    progress=progress,
    outcome=outcome,
    orders=ORDERS,
    formatters=FORMATTERS,
    draw=draw,
)
"""Seal a bid for the open prize; the highest card that nobody else played wins it."""
