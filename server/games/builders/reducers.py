"""Reducers: how each event changes the state. No rule is decided here; an event is not questioned.

A reducer changes a draft in place: a copy of the state that nobody else holds yet.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

from server.games.builders import city
from server.games.builders.components import (
    ACTION_CARDS,
    BUILDINGS_PER_SEAT,
    FIRST_YEAR,
    GRIDS,
    LAST_YEAR,
    PARK,
    PLOT_CARDS,
    PLOTS_PER_CARD,
    STACKS,
    SYMBOLS,
    UNNAMED_RULES,
    YEAR_BOARD,
)
from server.games.builders.events import (
    ActionChosen,
    AreaClosed,
    BestBuilderTaken,
    BonusChosen,
    BonusLapsed,
    Built,
    CardDeclined,
    CardOffered,
    CardsRedealt,
    CardTaken,
    GameBegun,
    GameEnded,
    GoalDrawn,
    GoalsRefilled,
    GoalsRevealed,
    GoalTaken,
    MarkerCapped,
    MarkerMoved,
    MaterialTaken,
    MoneyGained,
    MoneyPaid,
    PawnPlaced,
    PermitChosen,
    PermitsRefilled,
    PermitsReshuffled,
    PermitTaken,
    RubbleCleared,
    TurnEnded,
    YearBegun,
)
from server.games.builders.state import (
    Acting,
    Composing,
    Confirming,
    Gaining,
    Over,
    Passing,
    Placing,
    Rewarding,
    State,
)
from server.games.engine.reducers import Reducers

T = TypeVar("T")

REDUCERS: Final = Reducers[State]()
PASSING = Passing()
PLACING = Placing()
ACTING = Acting()
REWARDING = Rewarding()
CONFIRMING = Confirming()


@REDUCERS.register_first(GameBegun)
def begun(event: GameBegun) -> State:
    """Return the state that the first event describes."""
    seats = event.seats
    columns, _ = GRIDS[seats]
    ruins = city.mask_of(
        place * PLOTS_PER_CARD + position
        for place, (card, side) in enumerate(zip(event.plot_cards, event.sides, strict=True))
        for position in PLOT_CARDS[card].rubble[side]
    )
    return State(
        seats=seats,
        city=city.city_of(event.plot_cards, columns, event.strict_wild, event.adjacent_across_cards),
        sides=event.sides,
        action_cards=event.action_cards,
        park_values=event.parks,
        order=(*range(event.start_seat, seats), *range(event.start_seat)),
        permits_shown=event.permits,
        permit_pile=event.permit_pile,
        common_goals=event.common_goals,
        goals_shown=event.goals,
        goal_pile=event.goal_pile,
        ruins=ruins,
        stacks=tuple(len(event.parks) if symbol == PARK else STACKS[symbol] for symbol in SYMBOLS),
        money=(0,) * seats,
        columns=(0,) * seats,
        rows=(0,) * seats,
        front=(0,) * seats,
        supply=(BUILDINGS_PER_SEAT,) * seats,
        buildings=(0,) * seats,
        permits=((),) * seats,
        open_goals=((),) * seats,
        hidden_goals=tuple((goal,) for goal in event.dealt_goals),
        rubble=(0,) * seats,
        cards=((0,) * len(SYMBOLS),) * seats,
        parks=((),) * seats,
        pawns=(None,) * seats,
        year=FIRST_YEAR,
        rules=event.rules or UNNAMED_RULES,
        majorities_rank_all=bool(event.majorities_rank_all),
    )


# -- a turn ---------------------------------------------------------------------------------------------------


@REDUCERS.register(PawnPlaced)
def _pawn_placed(draft: State, event: PawnPlaced) -> None:
    draft.pawns = _set(draft.pawns, event.seat, (event.area, event.space))
    draft.stage = REWARDING if event.area == YEAR_BOARD else ACTING


@REDUCERS.register(ActionChosen)
def _action_chosen(draft: State, event: ActionChosen) -> None:
    if event.fee:
        draft.money = _add(draft.money, event.seat, -event.fee)
    if event.action in ("build", "build_subsidised"):
        draft.stage = Composing(event.action == "build_subsidised", event.fee, ())
    else:
        draft.stage = CONFIRMING


@REDUCERS.register(BonusChosen)
def _bonus_chosen(draft: State, event: BonusChosen) -> None:
    draft.stage = Composing(subsidised=False, fee=0, permits=()) if event.bonus == "build" else CONFIRMING


@REDUCERS.register(BonusLapsed, CardDeclined)
def _nothing_left(draft: State, event: BonusLapsed | CardDeclined) -> None:
    draft.stage = CONFIRMING


@REDUCERS.register(TurnEnded)
def _turn_ended(draft: State, event: TurnEnded) -> None:
    draft.acted += 1
    if draft.acted == draft.seats:
        draft.stage = PASSING
    else:
        draft.stage = REWARDING if draft.in_last_year else PLACING


# -- what a seat gets and gives -------------------------------------------------------------------------------


@REDUCERS.register(MoneyGained)
def _money_gained(draft: State, event: MoneyGained) -> None:
    draft.money = _add(draft.money, event.seat, event.amount)


@REDUCERS.register(MoneyPaid)
def _money_paid(draft: State, event: MoneyPaid) -> None:
    draft.money = _add(draft.money, event.seat, -event.amount)


@REDUCERS.register(MaterialTaken)
def _material_taken(draft: State, event: MaterialTaken) -> None:
    draft.supply = _add(draft.supply, event.seat, -1)
    draft.front = _add(draft.front, event.seat, 1)


@REDUCERS.register(PermitTaken)
def _permit_taken(draft: State, event: PermitTaken) -> None:
    draft.permits_shown = _without(draft.permits_shown, event.permit)
    draft.permits = _add(draft.permits, event.seat, (event.permit,))


@REDUCERS.register(GoalTaken)
def _goal_taken(draft: State, event: GoalTaken) -> None:
    draft.goals_shown = _without(draft.goals_shown, event.goal)
    draft.open_goals = _add(draft.open_goals, event.seat, (event.goal,))


@REDUCERS.register(GoalDrawn)
def _goal_drawn(draft: State, event: GoalDrawn) -> None:
    draft.goal_pile = draft.goal_pile[:-1]
    draft.hidden_goals = _add(draft.hidden_goals, event.seat, (event.goal,))


@REDUCERS.register(RubbleCleared)
def _rubble_cleared(draft: State, event: RubbleCleared) -> None:
    draft.ruins &= ~(1 << event.plot)
    draft.rubble = _add(draft.rubble, event.seat, 1)


@REDUCERS.register(MarkerMoved)
def _marker_moved(draft: State, event: MarkerMoved) -> None:
    draft.columns = _set(draft.columns, event.seat, event.column)
    draft.rows = _set(draft.rows, event.seat, event.row)


@REDUCERS.register(MarkerCapped, GoalsRevealed)
def _unchanged(draft: State, event: MarkerCapped | GoalsRevealed) -> None:
    """Change nothing: the event is only for the log and the viewers."""


def _set(entries: tuple[T, ...], at: int, entry: T) -> tuple[T, ...]:
    """Return the entries with one of them replaced."""
    return (*entries[:at], entry, *entries[at + 1 :])


def _add(entries: tuple[Any, ...], at: int, more: Any) -> tuple[Any, ...]:
    """Return the entries with something added to one of them: a number, or a tuple of cards."""
    return (*entries[:at], entries[at] + more, *entries[at + 1 :])


def _without(cards: tuple[T, ...], card: T) -> tuple[T, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


# -- building -------------------------------------------------------------------------------------------------


@REDUCERS.register(PermitChosen)
def _permit_chosen(draft: State, event: PermitChosen) -> None:
    stage = draft.stage
    assert isinstance(stage, Composing)
    draft.stage = Composing(stage.subsidised, stage.fee, (*stage.permits, event.permit))


@REDUCERS.register(Built)
def _built(draft: State, event: Built) -> None:
    seat = event.seat
    draft.front = _add(draft.front, seat, -1)
    draft.buildings = _add(draft.buildings, seat, 1 << event.plot)
    kept = tuple(permit for permit in draft.permits[seat] if permit not in event.permits)
    draft.permits = _set(draft.permits, seat, kept)
    draft.permit_discard += event.permits
    draft.stage = CONFIRMING


@REDUCERS.register(BestBuilderTaken)
def _best_builder_taken(draft: State, event: BestBuilderTaken) -> None:
    draft.best_builder = event.seat


@REDUCERS.register(CardOffered)
def _card_offered(draft: State, event: CardOffered) -> None:
    draft.stage = Gaining(event.symbols, owed=bool(event.owed))


@REDUCERS.register(CardTaken)
def _card_taken(draft: State, event: CardTaken) -> None:
    at = SYMBOLS.index(event.symbol)
    draft.stacks = _add(draft.stacks, at, -1)
    draft.cards = _set(draft.cards, event.seat, _add(draft.cards[event.seat], at, 1))
    if event.value is not None:
        draft.parks = _add(draft.parks, event.seat, (event.value,))
    draft.stage = CONFIRMING


# -- displays, areas, years -----------------------------------------------------------------------------------


@REDUCERS.register(PermitsReshuffled)
def _permits_reshuffled(draft: State, event: PermitsReshuffled) -> None:
    draft.permit_pile = event.pile
    draft.permit_discard = ()
    draft.permit_shuffles += 1


@REDUCERS.register(PermitsRefilled)
def _permits_refilled(draft: State, event: PermitsRefilled) -> None:
    draft.permit_pile = draft.permit_pile[: -len(event.cards)]
    draft.permits_shown += event.cards


@REDUCERS.register(GoalsRefilled)
def _goals_refilled(draft: State, event: GoalsRefilled) -> None:
    draft.goal_pile = draft.goal_pile[: -len(event.cards)]
    draft.goals_shown += event.cards


@REDUCERS.register(AreaClosed)
def _area_closed(draft: State, event: AreaClosed) -> None:
    draft.area = YEAR_BOARD if draft.area == len(ACTION_CARDS) else draft.area + 1
    draft.order = event.order
    draft.acted = 0
    draft.stage = PLACING


@REDUCERS.register(YearBegun)
def _year_begun(draft: State, event: YearBegun) -> None:
    draft.year = event.year
    draft.stage = REWARDING if event.year == LAST_YEAR else PLACING


@REDUCERS.register(CardsRedealt)
def _cards_redealt(draft: State, event: CardsRedealt) -> None:
    draft.permit_pile = event.permit_pile
    draft.goal_pile = event.goal_pile
    draft.hidden_goals = event.hidden_goals


@REDUCERS.register(GameEnded)
def _game_ended(draft: State, event: GameEnded) -> None:
    draft.stage = Over(event.reason)
