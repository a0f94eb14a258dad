"""The knowledge of a seat as a state of the game: open parts from the view, hidden ones blank or determinized.

The rules work on states, so a bot that has a state of its own can simulate with the very rules of the game. Nothing
here has ever seen the true state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from random import Random
from typing import Any, Final, TypeVar

from server.bots.investors.resources import unseen_cheques
from server.bots.strategy import Question
from server.games.engine.game import Seat
from server.games.engine.options import OptionValue
from server.games.investors.components import ACTION_DECK, OPTION_TILES, SUBSIDIES, TENDER_DECKS, TILES, YEARS
from server.games.investors.events import OfferMade, Right
from server.games.investors.state import (
    Acting,
    Bargaining,
    ChequeBidding,
    Claiming,
    Considering,
    Drawing,
    InfluenceBidding,
    Investing,
    Laying,
    OptionBidding,
    OptionChoosing,
    Over,
    Settings,
    Stage,
    State,
    streets_by_target,
)

T = TypeVar("T")

_BLANK: Final = 0
"""A cheque that the seat cannot see."""

_targets = lru_cache(maxsize=64)(streets_by_target)


def known_state(question: Question) -> State:
    """Return the position with blanks for all cheques that the seat cannot see, and decks in no particular order."""
    view, seat = question.view, question.seat
    hands = [(_BLANK,) * int(one["cheques"]) for one in view["seats"]]
    return _state(question, _with_own(hands, seat, view), (_BLANK,) * int(view["bank"]), lambda cards: cards)


def determinized_state(question: Question, rng: Random) -> State:
    """Return a determinization: a possible position in which all hidden cards are dealt at random."""
    view, seat = question.view, question.seat
    hidden = hidden_cheques(view)
    rng.shuffle(hidden)
    hands = []
    for other, one in enumerate(view["seats"]):
        count = 0 if other == seat else int(one["cheques"])
        hands.append(tuple(sorted(hidden[:count])))
        del hidden[:count]

    def shuffled(cards: list[str]) -> list[str]:
        rng.shuffle(cards)
        return cards

    return _state(question, _with_own(hands, seat, view), tuple(hidden), shuffled)


def hidden_cheques(view: Mapping[str, Any]) -> list[int]:
    """Return the cheques that are in the hands of others or in the bank."""
    stage = view["stage"]
    on_table = (*stage.get("bids", ()), *stage.get("drawn", ()))
    return unseen_cheques(len(view["seats"]), chain(view["hand"], *on_table))


def settings_of(options: Mapping[str, OptionValue], seats: int) -> Settings:
    cap, offers, subsidies = options["influence_cap"], options["bargaining_offers"], options["subsidies"]
    assert cap is None or isinstance(cap, int)
    assert isinstance(offers, int)
    assert subsidies is None or isinstance(subsidies, int)
    return Settings(
        seats,
        bool(options["kind_tender_may_use_edge"]),
        bool(options["move_axis_only"]),
        cap,
        offers,
        subsidies,
        ends_when_spent=True,
    )


def _with_own(hands: list[tuple[int, ...]], seat: Seat, view: Mapping[str, Any]) -> list[tuple[int, ...]]:
    hands[seat] = tuple(view["hand"])
    return hands


def _state(
    question: Question,
    hands: list[tuple[int, ...]],
    bank: tuple[int, ...],
    ordered: Callable[[list[str]], list[str]],
) -> State:
    view, options = question.view, question.options
    seats = view["seats"]
    layout = tuple(view["layout"])
    settings = settings_of(options, len(seats))
    chosen = options["action_cards"]
    assert isinstance(chosen, tuple)
    stage = stage_of(view["stage"])
    tile = (stage.tile,) if isinstance(stage, Laying) else ()
    tender = () if view["tender"] is None else (view["tender"],)
    action = () if view["action"] is None else (view["action"],)
    tenders = [card.name for card in TENDER_DECKS[str(options["tender_deck"])]]
    chosen_options = view["options"]
    return State(
        settings=settings,
        layout=layout,
        bag=tuple(ordered(_left(TILES, (*filter(None, layout), *tile)))),
        streets_by_target={} if None in layout else _targets(layout, kinds_use_edge=settings.kind_tender_may_use_edge),
        sticks=list(view["sticks"]),
        rebuilt=list(view["rebuilt"]),
        supply=[one["sticks"] for one in seats],
        influence=[one["influence"] for one in seats],
        prestige=[one["prestige"] for one in seats],
        bonus=[0] * len(seats),
        hands=hands,
        bank=bank,
        tender_deck=tuple(ordered(_left(tenders, (*view["tender_discard"], *tender)))),
        tender_discard=tuple(view["tender_discard"]),
        action_deck=_action_deck(chosen, settings.subsidies, (*view["years"], *action), ordered),
        years=tuple(view["years"]),
        open_bonuses=tuple(view["open_bonuses"]),
        start_seat=view["start_seat"],
        round=view["round"],
        tender=view["tender"],
        action=view["action"],
        options=None if chosen_options is None else tuple(chosen_options),
        deals=tuple(_right(deal) for deal in view["deals"]),
        dealt=_dealt(stage, chosen_options),
        subsidies=tuple(view["subsidies"]),
        stage=stage,
    )


def _action_deck(
    chosen: Sequence[str], subsidies: int | None, seen: Sequence[str], ordered: Callable[[list[str]], list[str]]
) -> tuple[str, ...]:
    """Return a possible deck of the action cards that were not played yet."""
    left = ordered(_left(chosen or [card.name for card in ACTION_DECK], seen))
    if subsidies is not None:
        count = subsidies - sum(card in SUBSIDIES for card in seen)
        others = [card for card in left if card not in SUBSIDIES][: YEARS - len(seen) - count]
        left = ordered([card for card in left if card in SUBSIDIES][:count] + others)
    return tuple(left)


def _left(whole: Iterable[str], seen: Iterable[str]) -> list[str]:
    return list((Counter(whole) - Counter(seen)).elements())


def _dealt(stage: Stage, options: Sequence[str] | None) -> tuple[str, ...]:
    """Return the options on which bargaining is over: all before the one that is bargained over now."""
    if options is None:
        return ()
    order = list(OPTION_TILES)
    return tuple(order[: order.index(stage.option)] if isinstance(stage, Bargaining) else order)


def stage_of(stage: Mapping[str, Any]) -> Stage:
    """Return the stage that a view shows."""
    match stage["name"]:
        case "laying":
            return Laying(stage["seat"], stage["tile"])
        case "considering":
            return Considering()
        case "influence_bidding":
            return InfluenceBidding(stage["rights"])
        case "cheque_bidding":
            return ChequeBidding(_rows(stage["bids"]), tuple(stage["passed"]), stage["turn"])
        case "option_choosing":
            return OptionChoosing()
        case "option_bidding":
            return OptionBidding()
        case "bargaining":
            offer = stage["offer"]
            made = None if offer is None else _offer(stage["option"], offer)
            return Bargaining(stage["option"], tuple(stage["seats"]), stage["spoken"], made, stage["accepted"])
        case "investing":
            return Investing(tuple(_right(right) for right in stage["rights"]))
        case "acting":
            return Acting(stage["seat"], stage["first"])
        case "claiming":
            return Claiming(stage["seat"])
        case "drawing":
            drawing, busted = tuple(stage["drawing"]), tuple(stage["busted"])
            return Drawing(_rows(stage["drawn"]), drawing, busted, stage["turn"])
    return Over(stage["reason"])


def _right(right: Mapping[str, Any]) -> Right:
    return Right(right["seat"], right["target"], tuple(right["avoid"]))


def _offer(option: str, offer: Mapping[str, Any]) -> OfferMade:
    parts = (tuple(offer[part]) for part in ("amounts", "draws", "avoid"))
    return OfferMade(offer["seat"], option, offer["investor"], *parts)


def _rows(rows: Iterable[Iterable[T]]) -> tuple[tuple[T, ...], ...]:
    return tuple(map(tuple, rows))
