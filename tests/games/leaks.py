"""Leaks planted on purpose: games, events and windows that each let one secret out, for the secrecy suite to find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, replace
from typing import Any

from server.games.builders import events as builders
from server.games.builders.scoring import points
from server.games.engine.dice import Dice
from server.games.engine.events import Event, Seat, Viewer, depends_on_viewer
from server.games.engine.frozen import frozen
from server.games.engine.game import Decision, Game
from server.games.engine.options import OptionValue
from server.games.engine.play import Answered, Play, play_view
from server.games.engine.prompts import Amounts, Choice, Payable, Prompt, Unfit
from server.games.engine.reducers import Reducers
from server.games.engine.serialization import Json, to_json
from server.games.investors import events as investors
from server.games.investors.commands import MakeOffer
from server.games.planners import events as planners
from server.games.planners.components import CARDS
from tests.games import toy_auction
from tests.games.broken import OneOfByAnother
from tests.games.derived import with_decisions, with_prompts, with_shown, with_view
from tests.games.secrecy import Window
from tests.games.toy_auction import AUCTION, AuctionState, Bid, Buried, CardDrawn, Dealt, Peeked, Reshuffled
from tests.games.wire import encoded

# -- through the window that all games share ------------------------------------------------------------------


def decision_of(view: dict[str, Json]) -> dict[str, Any]:
    decision = view["decision"]
    return decision if isinstance(decision, dict) else {}


def answer_in_the_event(event: Event, viewer: Viewer) -> dict[str, Json] | None:
    return to_json(event) if isinstance(event, Answered) else event.shown_to(viewer)


def size_of_the_answer(event: Event, viewer: Viewer) -> dict[str, Json] | None:
    shown = event.shown_to(viewer)
    if shown is not None and isinstance(event, Answered):
        shown["bytes"] = len(encoded(to_json(event.command)))
    return shown


def answers_in_the_view(play: Play, viewer: Viewer) -> dict[str, Json]:
    """Reveal all answers when only one is missing."""
    view = play_view(play, viewer)
    if len(play.awaited) == 1:
        decision_of(view)["answers"] = [to_json(play.answers[seat]) for seat in sorted(play.answers)]
    return view


def seats_ordered_by_answer(play: Play, viewer: Viewer) -> dict[str, Json]:
    view = play_view(play, viewer)
    decision_of(view)["answered"] = sorted(play.answers, key=lambda seat: repr(play.answers[seat]))
    return view


def answers_alike(play: Play, viewer: Viewer) -> dict[str, Json]:
    """Reveal whether two sealed answers are equal."""
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


def keys_ordered_by_the_deck(state: AuctionState, view: dict[str, Json]) -> dict[str, Json]:
    return dict(reversed(view.items())) if state.deck[:1] > (12,) else view


def advised_by_other_hands(state: AuctionState, seat: Seat, prompt: Prompt) -> Prompt:
    highest = max((max(hand, default=0) for other, hand in enumerate(state.hands) if other != seat), default=0)
    winning = [card for card in state.hands[seat] if card > highest]
    return prompt._replace(fallback=Bid(winning[0])) if winning else prompt


def hands_between_events(state: AuctionState) -> list[Json]:
    """Return the hands while no prize lies there: between two events, since one lies there when somebody is asked."""
    is_between = state.prize is None and isinstance(state.stage, toy_auction.Bidding)
    return [list(hand) for hand in state.hands] if is_between else []


@frozen
class Talkative(OneOfByAnother):
    """A space that looks like any other, but refuses with a secret."""

    secret: int

    def read(self, answer: object) -> Any:
        try:
            return OneOfByAnother.read(self, answer)
        except Unfit as unfit:
            raise Unfit(f"{unfit}, and {self.secret} would win") from None


def refused_with_a_secret(state: AuctionState, seat: Seat, prompt: Prompt) -> Prompt:
    highest = max((card for hand in state.hands for card in hand), default=0)
    hand = state.hands[seat]
    return prompt._replace(choices=(Choice(Bid, {"card": Talkative(hand, highest)}),)) if hand else prompt


@frozen
class DealtFrom(Dealt):
    visible_to = depends_on_viewer(lambda event, viewer: {**Dealt.visible_to.show(event, viewer), "seed": event.seed})
    seed: str


def dealt_from_seed(seats: int, options: Mapping[str, OptionValue], dice: Dice) -> DealtFrom:
    return DealtFrom(*astuple(toy_auction.deal(seats, options, dice)), dice._seed.hex())


def with_the_seed_shown() -> Game[Any]:
    reducers: Reducers[AuctionState] = Reducers()
    reducers.by_event, reducers.first_event, reducers.first = AUCTION.reducers.by_event, DealtFrom, toy_auction.dealt
    return replace(AUCTION, set_up=dealt_from_seed, reducers=reducers)


LEAKY_AUCTIONS: dict[str, Game[Any]] = {
    "all hands": with_shown(AUCTION, hands=lambda state: [list(hand) for hand in state.hands]),
    "the deck": with_shown(AUCTION, deck=lambda state: list(state.deck)),
    "the top to those who did not peek": with_shown(
        AUCTION, top=lambda state: state.deck[0] if getattr(state.stage, "peeked", False) else None
    ),
    "high cards in the deck": with_shown(AUCTION, left=lambda state: sum(card > 20 for card in state.deck)),
    # A rare leak: it shows only if one card of twenty-four is in one of the hands.
    "a rival with the highest card": with_shown(
        AUCTION, hot=lambda state: any(toy_auction.CARDS[-1] in hand for hand in state.hands)
    ),
    "all hands between events": with_shown(AUCTION, hands=hands_between_events),
    "the deck in the progress": replace(AUCTION, progress=lambda state: {"next": sum(state.deck[:1])}),
    "keys ordered by the deck": with_view(AUCTION, keys_ordered_by_the_deck),
    "advice by other hands": with_prompts(AUCTION, "bid", advised_by_other_hands),
    "refusals with a secret": with_prompts(AUCTION, "bid", refused_with_a_secret),
    "the seed": with_the_seed_shown(),
}
SECRET_EVENTS_OF_AUCTION = (Dealt, Peeked, Buried, CardDrawn, Reshuffled)

# -- in Investors ---------------------------------------------------------------------------------------------


def offers_within_means(state: Any, seat: Seat, prompt: Prompt) -> Prompt:
    """Let a seat propose only what the seat that would pay really has."""

    def limited(choice: Choice) -> Choice:
        if choice.command is not MakeOffer:
            return choice
        amounts: Any = choice.spaces["amounts"]
        (investor,) = choice.spaces["investor"].values
        means = dict.fromkeys(amounts.maximum, sum(state.hands[investor]))
        spaces = {**choice.spaces, "amounts": Amounts(means, amounts.step)}
        return Choice(MakeOffer, spaces, Payable(state.hands[investor]))

    return prompt._replace(choices=tuple(map(limited, prompt.choices)))


def answers_for_all_without_a_choice(state: Any, decision: Decision) -> Decision:
    """Answer for every seat with one possible answer, also where only the values of its cheques leave one."""
    return decision._replace(forced=[seat for seat, prompt in decision.prompts.items() if prompt.has_one_answer])


Leaks = dict[str, Game[Any] | type[Event]]
"""By what leaks: a game with a leak, or an event that leaks when everybody sees it whole."""


def leaky_investors(game: Game[Any]) -> Leaks:
    """Return Investors with one leak each."""
    return {
        "hands": with_shown(game, said=lambda state: [list(hand) for hand in state.hands]),
        "sum of all hands": with_shown(game, said=lambda state: sum(map(sum, state.hands))),
        "a large cheque somewhere": with_shown(game, said=lambda state: [100 in hand for hand in state.hands]),
        "bank": with_shown(game, said=lambda state: sorted(state.bank)),
        "next cheque of the bank": with_shown(game, said=lambda state: list(state.bank[-1:])),
        "next tender": with_shown(game, said=lambda state: list(state.tender_deck[-1:])),
        "a subsidy to come": with_shown(game, said=lambda state: "subsidy" in "".join(state.action_deck[-2:])),
        "next tile": with_shown(game, said=lambda state: list(state.bag[-1:])),
        "offers within means": with_prompts(game, "make_offer", offers_within_means),
        "who is not asked": with_decisions(game, answers_for_all_without_a_choice),
        "decks when the game begins": investors.GameBegun,
        "order of new tenders": investors.TenderShuffled,
        "order of the bank": investors.BankShuffled,
        "cheque paid face down": investors.OptionPaid,
        "cheques of a deal": investors.OfferPaid,
    }


# -- in Builders ----------------------------------------------------------------------------------------------


def leaky_builders(game: Game[Any]) -> Leaks:
    """Return Builders with one leak each.

    Two set-ups that differ only in secrets, and new piles of permits, are too rare for the search; those two events
    have tests of their own.
    """
    return {
        "face-down goals": with_shown(game, said=lambda state: [list(goals) for goals in state.hidden_goals]),
        "points of face-down goals": with_shown(game, said=lambda state: [points(state, 0)["goals"]]),
        "a majority held face down": with_shown(game, said=lambda state: "majority" in str(state.hidden_goals)),
        "next permit": with_shown(game, said=lambda state: list(state.permit_pile[-1:])),
        "next goal": with_shown(game, said=lambda state: list(state.goal_pile[-1:])),
        "goal drawn blindly": builders.GoalDrawn,
    }


# -- in Planners ----------------------------------------------------------------------------------------------


def leaky_planners(game: Game[Any]) -> Leaks:
    """Return Planners with one leak each."""
    return {
        "next project": with_shown(game, said=lambda state: list(state.deck[-1:])),
        "whether a foundation lies on top": with_shown(
            game, said=lambda state: any(CARDS[card].foundation for card in state.deck[-1:])
        ),
        "how deep a card lies": with_shown(game, said=lambda state: 87 in state.deck and state.deck.index(87)),
        "order of the deck": planners.GameBegun,
    }
