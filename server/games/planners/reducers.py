"""Reducers: how each event changes the state. No rule is decided here; an event is not questioned.

A reducer changes a draft in place: a copy of the state that nobody else holds yet.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from server.games.engine.game import Seat
from server.games.engine.reducers import Reducers
from server.games.planners.city import City
from server.games.planners.components import BONUS_CARDS, DECK, TRACKS
from server.games.planners.events import (
    BonusDeclined,
    BonusDue,
    BonusLapsed,
    BonusTaken,
    CardDiscarded,
    CardPlaced,
    CardsRedealt,
    ColumnTaken,
    ContractsReleased,
    ContractsReturned,
    GameBegun,
    GameEnded,
    MedalTaken,
    NetworkGrown,
    ProjectDrawn,
    ProjectLaid,
    RowCompleted,
    TowerBuilt,
    TurnEnded,
    TurnPassed,
)
from server.games.planners.state import (
    PLACING,
    TURNING,
    Choosing,
    Laying,
    Over,
    Settings,
    State,
    Turning,
    with_entry,
)

REDUCERS: Final = Reducers[State]()
_LAYING = {card: Laying(card) for card in DECK}


@REDUCERS.register_first(GameBegun)
def begun(event: GameBegun) -> State:
    """Return the state that the first event describes."""
    seats = event.seats
    return State(
        settings=Settings(
            seats,
            event.allow_decline_bonus,
            event.resolve_bonus_on_final_card,
            event.tokens,
            sold_out_leaves_nothing=bool(event.sold_out_leaves_nothing),
            rows_below_by_total=bool(event.rows_below_by_total),
        ),
        deck=event.deck,
        tokens=event.tokens,
        turn=event.first_seat,
        cities=tuple(City() for _ in range(seats)),
        contracts=(0,) * seats,
        releases=(False,) * seats,
        point_tokens=(0,) * seats,
    )


# -- the project board ----------------------------------------------------------------------------------------


@REDUCERS.register(ProjectDrawn)
def _project_drawn(draft: State, event: ProjectDrawn) -> None:
    draft.deck = draft.deck[:-1]
    draft.drawer = event.seat
    draft.stage = _LAYING[event.card]


@REDUCERS.register(ProjectLaid)
def _project_laid(draft: State, event: ProjectLaid) -> None:
    column = (*draft.columns[event.column], event.card)
    draft.columns = with_entry(draft.columns, event.column, column)
    draft.tokens -= event.token


@REDUCERS.register(ColumnTaken)
def _column_taken(draft: State, event: ColumnTaken) -> None:
    draft.columns = with_entry(draft.columns, event.column, ())
    draft.contracts = with_entry(draft.contracts, event.seat, draft.contracts[event.seat] + 1)
    draft.column, draft.taken, draft.hand = event.column, event.cards, event.cards
    draft.stage = PLACING


@REDUCERS.register(ContractsReturned)
def _contracts_returned(draft: State, event: ContractsReturned) -> None:
    draft.contracts = tuple([contracts - 1 for contracts in draft.contracts])


@REDUCERS.register(ContractsReleased)
def _contracts_released(draft: State, event: ContractsReleased) -> None:
    draft.contracts = with_entry(draft.contracts, event.seat, draft.contracts[event.seat] - event.count)
    draft.releases = with_entry(draft.releases, event.seat, False)
    if isinstance(draft.stage, Turning | Laying):
        draft.stage = replace(draft.stage, released=True)


# -- cities ---------------------------------------------------------------------------------------------------


@REDUCERS.register(CardPlaced)
def _card_placed(draft: State, event: CardPlaced) -> None:
    _out_of_hand(draft, event.card)
    _city(draft, event.seat).add(event.card, event.space)


@REDUCERS.register(CardDiscarded)
def _card_discarded(draft: State, event: CardDiscarded) -> None:
    _out_of_hand(draft, event.card)
    draft.discarded = (*draft.discarded, event.card)


def _out_of_hand(draft: State, card: int) -> None:
    at = draft.hand.index(card)
    draft.hand = draft.hand[:at] + draft.hand[at + 1 :]


@REDUCERS.register(NetworkGrown)
def _network_grown(draft: State, event: NetworkGrown) -> None:
    city = _city(draft, event.seat)
    for space in event.spaces:
        city.cars |= 1 << space


@REDUCERS.register(TowerBuilt)
def _tower_built(draft: State, event: TowerBuilt) -> None:
    _city(draft, event.seat).towers |= 1 << event.space


@REDUCERS.register(MedalTaken)
def _medal_taken(draft: State, event: MedalTaken) -> None:
    draft.medal = event.seat


@REDUCERS.register(RowCompleted)
def _row_completed(draft: State, event: RowCompleted) -> None:
    draft.completed = with_entry(draft.completed, event.row, event.seat)


def _city(draft: State, seat: Seat) -> City:
    """Return the city of a seat after replacing it by a copy (copy-on-write), since earlier states share it."""
    city = draft.cities[seat].copy()
    draft.cities = with_entry(draft.cities, seat, city)
    return city


# -- bonuses --------------------------------------------------------------------------------------------------


@REDUCERS.register(BonusDue)
def _bonus_due(draft: State, event: BonusDue) -> None:
    draft.stage = Choosing(event.row)


@REDUCERS.register(BonusTaken)
def _bonus_taken(draft: State, event: BonusTaken) -> None:
    seat, bonus, space = event.seat, event.bonus, event.space
    draft.bonuses = {**draft.bonuses, bonus: draft.bonuses[bonus] - 1}
    if bonus == "points":
        draft.point_tokens = with_entry(draft.point_tokens, seat, draft.point_tokens[seat] + 1)
    elif bonus == "release":
        draft.releases = with_entry(draft.releases, seat, True)
    else:
        assert space is not None
        city = _city(draft, seat)
        if bonus in BONUS_CARDS:
            city.add(BONUS_CARDS[bonus], space)
        elif bonus == TRACKS:
            city.tracks |= 1 << space
            city.extra_tracks |= 1 << space
        else:
            city.extra_value |= 1 << space
    draft.stage = PLACING


@REDUCERS.register(BonusLapsed, BonusDeclined)
def _bonus_ended(draft: State, event: BonusLapsed | BonusDeclined) -> None:
    draft.stage = PLACING


# -- the turn -------------------------------------------------------------------------------------------------


@REDUCERS.register(TurnEnded)
def _turn_ended(draft: State, event: TurnEnded) -> None:
    draft.passes = 0
    _next_turn(draft, event.seat)


@REDUCERS.register(TurnPassed)
def _turn_passed(draft: State, event: TurnPassed) -> None:
    draft.passes += 1
    _next_turn(draft, event.seat)


def _next_turn(draft: State, seat: Seat) -> None:
    draft.turn = (seat + 1) % draft.settings.seats
    draft.column, draft.taken, draft.hand = None, (), ()
    draft.stage = TURNING


@REDUCERS.register(CardsRedealt)
def _cards_redealt(draft: State, event: CardsRedealt) -> None:
    draft.deck = event.deck


@REDUCERS.register(GameEnded)
def _game_ended(draft: State, event: GameEnded) -> None:
    draft.column, draft.taken, draft.hand = None, (), ()
    draft.stage = Over(event.reason, event.seat)
