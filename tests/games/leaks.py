"""Leaks planted on purpose: games and windows that each let one secret out, for the secrecy suite to find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

from server.games.builders import events as builders
from server.games.builders.scoring import points
from server.games.engine.dice import Dice
from server.games.engine.game import Decision, Event, Game, Seat, Viewer
from server.games.engine.options import OptionValue
from server.games.engine.play import Answered, Play, event_shown, play_view
from server.games.engine.prompts import Amounts, Choice, OneOf, Prompt, Unfit
from server.games.engine.serialization import Json, to_json
from server.games.investors import events as investors
from server.games.investors.commands import MakeOffer
from server.games.planners import events as planners
from server.games.planners.components import CARDS
from tests.games.secrecy import Window
from tests.games.toy_auction import Auction, AuctionState, Bid, Buried, CardDrawn, Dealt, Peeked, Reshuffled
from tests.games.wire import encoded

# -- through the window that all games share ------------------------------------------------------------------


def decision_of(view: dict[str, Json]) -> dict[str, Any]:
    decision = view["decision"]
    return decision if isinstance(decision, dict) else {}


def answer_in_the_event(game: Game[Any], event: Event, viewer: Viewer) -> dict[str, Json] | None:
    return to_json(event) if isinstance(event, Answered) else event_shown(game, event, viewer)


def size_of_the_answer(game: Game[Any], event: Event, viewer: Viewer) -> dict[str, Json] | None:
    shown = event_shown(game, event, viewer)
    if shown is not None and isinstance(event, Answered):
        shown["bytes"] = len(encoded(to_json(event.command)))
    return shown


def answers_in_the_view(play: Play, viewer: Viewer) -> dict[str, Json]:
    """Reveal early: as soon as a single answer is missing."""
    view = play_view(play, viewer)
    if len(play.awaited) == 1:
        decision_of(view)["answers"] = [to_json(play.answers[seat]) for seat in sorted(play.answers)]
    return view


def seats_ordered_by_answer(play: Play, viewer: Viewer) -> dict[str, Json]:
    view = play_view(play, viewer)
    decision_of(view)["answered"] = sorted(play.answers, key=lambda seat: repr(play.answers[seat]))
    return view


def answers_alike(play: Play, viewer: Viewer) -> dict[str, Json]:
    """Say that there is a tie in the making."""
    view = play_view(play, viewer)
    decision_of(view)["tied"] = len(set(play.answers.values())) < len(play.answers)
    return view


def everybodys_prompts(play: Play, viewer: Viewer) -> dict[str, Json]:
    view = play_view(play, viewer)
    if play.decision is not None:
        decision_of(view)["prompts"] = [play.decision.prompts[seat].to_json() for seat in sorted(play.decision.prompts)]
    return view


LEAKY_WINDOWS = {
    "the answer in the event": Window(shown=answer_in_the_event),
    "the size of the answer": Window(shown=size_of_the_answer),
    "answers revealed early": Window(view=answers_in_the_view),
    "seats ordered by answer": Window(view=seats_ordered_by_answer),
    "whether answers are alike": Window(view=answers_alike),
    "prompts of others": Window(view=everybodys_prompts),
}

# -- in the toy with secrets ----------------------------------------------------------------------------------


class ShowsAllHands(Auction):
    def public_view(self, state: AuctionState) -> dict[str, Json]:
        return super().public_view(state) | {"hands": [list(hand) for hand in state.hands]}


class ShowsTheDeck(Auction):
    def public_view(self, state: AuctionState) -> dict[str, Json]:
        return super().public_view(state) | {"deck": list(state.deck)}


class ShowsTheTopToThoseWhoDidNotPeek(Auction):
    def public_view(self, state: AuctionState) -> dict[str, Json]:
        return super().public_view(state) | {"top": state.deck[0] if state.peeked else None}


class CountsInTheDeck(Auction):
    def public_view(self, state: AuctionState) -> dict[str, Json]:
        return super().public_view(state) | {"high_cards_left": sum(card > 20 for card in state.deck)}


class WarnsOfARival(Auction):
    """Only an extreme shows: one card of twenty-four in one of the other hands."""

    def public_view(self, state: AuctionState) -> dict[str, Json]:
        return super().public_view(state) | {"hot": any(self.cards[-1] in hand for hand in state.hands)}


class OrdersItsKeysByTheDeck(Auction):
    def public_view(self, state: AuctionState) -> dict[str, Json]:
        view = super().public_view(state)
        return dict(reversed(view.items())) if state.deck[:1] > (12,) else view


class AdvisesByOtherHands(Auction):
    def bid_prompt(self, state: AuctionState, seat: Seat) -> Prompt:
        prompt = super().bid_prompt(state, seat)
        highest = max((max(hand, default=0) for other, hand in enumerate(state.hands) if other != seat), default=0)
        winning = [card for card in state.hands[seat] if card > highest]
        return prompt._replace(fallback=Bid(winning[0])) if winning else prompt


@dataclass(frozen=True)
class Talkative(OneOf):
    """A space that looks like any other, but refuses with a secret."""

    secret: int

    def read(self, answer: object) -> Any:
        try:
            return super().read(answer)
        except Unfit as unfit:
            raise Unfit(f"{unfit}, and {self.secret} would win") from None


class RefusesWithASecret(Auction):
    def bid_prompt(self, state: AuctionState, seat: Seat) -> Prompt:
        prompt = super().bid_prompt(state, seat)
        highest = max((card for hand in state.hands for card in hand), default=0)
        hand = state.hands[seat]
        return prompt._replace(choices=(Choice(Bid, {"card": Talkative(hand, highest)}),)) if hand else prompt


@dataclass(frozen=True, slots=True)
class DealtFrom(Dealt):
    seed: str


class ShowsTheSeed(Auction):
    def begin(self, seats: int, options: Mapping[str, OptionValue], dice: Dice) -> tuple[AuctionState, list[Event]]:
        state, (event, *rest) = super().begin(seats, options, dice)
        return state, [DealtFrom(*astuple(event), dice._seed.hex()), *rest]

    def shown(self, event: Event, viewer: Viewer) -> dict[str, Json] | None:
        shown = super().shown(event, viewer)
        return {**(shown or {}), "seed": event.seed} if isinstance(event, DealtFrom) else shown


class ShowsWholeEvents(Auction):
    """An auction that shows events of one kind to everybody, just as they are in the log."""

    def __init__(self, kind: type[Event]) -> None:
        self.kind = kind

    def shown(self, event: Event, viewer: Viewer) -> dict[str, Json] | None:
        return to_json(event) if isinstance(event, self.kind) else super().shown(event, viewer)


LEAKY_AUCTIONS = [
    ShowsAllHands(),
    ShowsTheDeck(),
    ShowsTheTopToThoseWhoDidNotPeek(),
    CountsInTheDeck(),
    WarnsOfARival(),
    OrdersItsKeysByTheDeck(),
    AdvisesByOtherHands(),
    RefusesWithASecret(),
    ShowsTheSeed(),
    *(ShowsWholeEvents(kind) for kind in (Dealt, Peeked, Buried, CardDrawn, Reshuffled)),
]

# -- in Investors ---------------------------------------------------------------------------------------------


class Wrapped:
    """A game that does as another does, except where a subclass says otherwise."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


class ViewWith(Wrapped):
    """A game whose view says something more."""

    def __init__(self, game: Game[Any], said: Any) -> None:
        super().__init__(game)
        self._said = said

    def public_view(self, state: Any) -> dict[str, Json]:
        return {**self._game.public_view(state), "said": self._said(state)}


class EventsWhole(Wrapped):
    """A game that shows events of one kind to everybody, just as they are in the log."""

    def __init__(self, game: Game[Any], kind: type[Event]) -> None:
        super().__init__(game)
        self._kind = kind

    def shown(self, event: Event, viewer: Viewer) -> dict[str, Json] | None:
        return to_json(event) if isinstance(event, self._kind) else self._game.shown(event, viewer)


class OffersWithinMeans(Wrapped):
    """Investors, if a seat could only propose what the one who would pay really has."""

    def decision(self, state: Any) -> Decision | None:
        decision: Decision | None = self._game.decision(state)
        if decision is None or decision.kind != "make_offer":
            return decision
        prompts = {seat: self._within_means(prompt, state) for seat, prompt in decision.prompts.items()}
        return decision._replace(prompts=prompts)

    def _within_means(self, prompt: Prompt, state: Any) -> Prompt:
        return prompt._replace(choices=tuple(self._limited(choice, state) for choice in prompt.choices))

    def _limited(self, choice: Choice, state: Any) -> Choice:
        if choice.command is not MakeOffer:
            return choice
        amounts: Any = choice.spaces["amounts"]
        (investor,) = choice.spaces["investor"].values
        means = dict.fromkeys(amounts.most, sum(state.hands[investor]))
        return Choice(MakeOffer, {**choice.spaces, "amounts": Amounts(means, amounts.step, amounts.least)})


def leaky_investors(game: Game[Any]) -> dict[str, Any]:
    """Give Investors with one leak each, by what leaks."""
    return {
        "hands": ViewWith(game, lambda state: [list(hand) for hand in state.hands]),
        "sum of all hands": ViewWith(game, lambda state: sum(map(sum, state.hands))),
        "a large cheque somewhere": ViewWith(game, lambda state: [100 in hand for hand in state.hands]),
        "bank": ViewWith(game, lambda state: sorted(state.bank)),
        "next cheque of the bank": ViewWith(game, lambda state: list(state.bank[-1:])),
        "next tender": ViewWith(game, lambda state: list(state.tender_deck[-1:])),
        "a subsidy to come": ViewWith(game, lambda state: "subsidy" in "".join(state.action_deck[-2:])),
        "next tile": ViewWith(game, lambda state: list(state.bag[-1:])),
        "offers within means": OffersWithinMeans(game),
        "decks when the game begins": EventsWhole(game, investors.GameBegun),
        "order of new tenders": EventsWhole(game, investors.TenderShuffled),
        "order of the bank": EventsWhole(game, investors.BankShuffled),
        "cheque paid face down": EventsWhole(game, investors.OptionPaid),
        "cheques of a deal": EventsWhole(game, investors.OfferPaid),
    }


# -- in Builders ----------------------------------------------------------------------------------------------


def leaky_builders(game: Game[Any]) -> dict[str, Any]:
    """Give Builders with one leak each, by what leaks.

    Two set-ups that differ in secrets alone, and new piles of permits, are too rare for the search: what those two
    events show has tests of its own.
    """
    return {
        "face-down goals": ViewWith(game, lambda state: [list(goals) for goals in state.hidden_goals]),
        "points of face-down goals": ViewWith(game, lambda state: [points(state, 0)["goals"]]),
        "a majority held face down": ViewWith(game, lambda state: "majority" in str(state.hidden_goals)),
        "next permit": ViewWith(game, lambda state: list(state.permit_pile[-1:])),
        "next goal": ViewWith(game, lambda state: list(state.goal_pile[-1:])),
        "goal drawn blindly": EventsWhole(game, builders.GoalDrawn),
    }


# -- in Planners ----------------------------------------------------------------------------------------------


def leaky_planners(game: Game[Any]) -> dict[str, Any]:
    """Give Planners with one leak each, by what leaks."""
    return {
        "next project": ViewWith(game, lambda state: list(state.deck[-1:])),
        "whether a foundation lies on top": ViewWith(
            game, lambda state: any(CARDS[card].foundation for card in state.deck[-1:])
        ),
        "how deep a card lies": ViewWith(game, lambda state: 87 in state.deck and state.deck.index(87)),
        "order of the deck": EventsWhole(game, planners.GameBegun),
    }
