"""The events of Builders, each with its visibility and its sentence. Every draw and shuffle is resolved in them."""

from __future__ import annotations

from server.games.engine.events import (
    EVERYBODY,
    NOBODY,
    Event,
    Viewer,
    depends_on_viewer,
    everybody_sees,
    others_see,
    size_of,
)
from server.games.engine.frozen import frozen
from server.games.engine.serialization import Json


class BuildersEvent(Event, family=True):
    """An event of Builders."""

    __slots__ = ()


def _box_shown(event: GameBegun, viewer: Viewer) -> dict[str, Json]:
    # Hidden are the order of the piles and the goals dealt to others.
    shown: dict[str, Json] = {
        "event": event.name,
        "seats": event.seats,
        "start_seat": event.start_seat,
        "strict_wild": event.strict_wild,
        "adjacent_across_cards": event.adjacent_across_cards,
        "plot_cards": list(event.plot_cards),
        "sides": list(event.sides),
        "action_cards": list(event.action_cards),
        "parks": list(event.parks),
        "permits": list(event.permits),
        "permit_pile": len(event.permit_pile),
        "common_goals": list(event.common_goals),
        "goals": list(event.goals),
        "dealt_goal": None if viewer is None else event.dealt_goals[viewer],
        "goal_pile": len(event.goal_pile),
    }
    if event.rules:
        shown["rules"] = event.rules
    if event.majorities_rank_all:
        shown["majorities_rank_all"] = True
    return shown


@frozen
class GameBegun(BuildersEvent):
    """The box is set up. Piles are listed from the bottom; parks from the top."""

    visible_to = depends_on_viewer(_box_shown)
    sentence = "{seats} builders begin, {start_seat:seat} first."
    seats: int
    start_seat: int
    strict_wild: bool
    adjacent_across_cards: bool
    plot_cards: tuple[str, ...]
    sides: tuple[str, ...]
    action_cards: tuple[str, ...]
    parks: tuple[int, ...]
    permits: tuple[int, ...]
    permit_pile: tuple[int, ...]
    common_goals: tuple[str, ...]
    goals: tuple[str, ...]
    dealt_goals: tuple[str, ...]
    """One for each seat."""

    goal_pile: tuple[str, ...]
    rules: int | None = None
    """The version of the rules; None is that of the games before it was noted."""

    majorities_rank_all: bool | None = None


@frozen
class PawnPlaced(BuildersEvent):
    visible_to = EVERYBODY
    sentence = "{seat} goes to {event:pawn}."
    seat: int
    area: int
    space: int


@frozen
class ActionChosen(BuildersEvent):
    """A seat takes the action of its space or, for a fee, of another space; "dollar" and "pass" are actions too."""

    visible_to = EVERYBODY
    sentence = "{seat} {action}{fee}."
    seat: int
    action: str
    fee: int


@frozen
class BonusChosen(BuildersEvent):
    """A seat chose a bonus of the year."""

    visible_to = EVERYBODY
    sentence = "{seat} chooses {bonus} as bonus."
    seat: int
    bonus: str


@frozen
class BonusLapsed(BuildersEvent):
    """No bonus of the year is possible for a seat."""

    visible_to = EVERYBODY
    sentence = "Nothing of the bonus is possible for {seat}."
    seat: int


@frozen
class MoneyGained(BuildersEvent):
    """`amount` is what the seat really got: money beyond the end of the track is lost."""

    visible_to = EVERYBODY
    sentence = "{seat} gets ${amount} {why:gain}."
    seat: int
    amount: int
    why: str


@frozen
class MoneyPaid(BuildersEvent):
    visible_to = EVERYBODY
    sentence = "{seat} pays ${amount} {why:payment}."
    seat: int
    amount: int
    why: str


@frozen
class MaterialTaken(BuildersEvent):
    visible_to = EVERYBODY
    sentence = "{seat} takes a building from the supply."
    seat: int


@frozen
class PermitTaken(BuildersEvent):
    visible_to = EVERYBODY
    sentence = "{seat} takes the permit {permit}."
    seat: int
    permit: int


@frozen
class GoalTaken(BuildersEvent):
    """A seat took an open goal, which stays open."""

    visible_to = EVERYBODY
    sentence = "{seat} takes the goal {goal}."
    seat: int
    goal: str


@frozen
class GoalDrawn(BuildersEvent):
    """A seat took the top goal of the pile, which only this seat knows."""

    visible_to = others_see("seat")
    sentence = "{seat} draws a goal blindly: {goal}."
    seat: int
    goal: str


@frozen
class RubbleCleared(BuildersEvent):
    """A seat took the rubble of a plot, by cleaning up or by building there."""

    visible_to = EVERYBODY
    sentence = "{seat} takes the rubble from {plot}."
    seat: int
    plot: int
    by: str


@frozen
class MarkerMoved(BuildersEvent):
    """The marker went one step, to a column and a row of the development board."""

    visible_to = EVERYBODY
    sentence = "The marker of {seat} goes to column {column}, row {row}."
    seat: int
    column: int
    row: int


@frozen
class MarkerCapped(BuildersEvent):
    """The marker stands in the far corner already and stays there."""

    visible_to = EVERYBODY
    sentence = "The marker of {seat} is in the corner already."
    seat: int


@frozen
class PermitChosen(BuildersEvent):
    """A seat chose a permit for the building under composition."""

    visible_to = EVERYBODY
    sentence = "{seat} uses the permit {permit}."
    seat: int
    permit: int


@frozen
class Built(BuildersEvent):
    visible_to = EVERYBODY
    sentence = "{seat} builds on {plot}."
    seat: int
    plot: int
    permits: tuple[int, ...]


@frozen
class BestBuilderTaken(BuildersEvent):
    """A seat was the first to build its eighth building."""

    visible_to = EVERYBODY
    sentence = "{seat} is Best Builder."
    seat: int


@frozen
class CardOffered(BuildersEvent):
    """The permits of a building share symbols of which a development card can be taken.

    `owed`: it must be taken, since the second permit was added for nothing else.
    """

    visible_to = EVERYBODY
    sentence = "{seat} may take a development card: {symbols}."
    seat: int
    symbols: tuple[str, ...]
    owed: bool | None = None


@frozen
class CardTaken(BuildersEvent):
    """A seat took a development card; `value` is that of a park."""

    visible_to = EVERYBODY
    sentence = "{seat} takes the development card {symbol}{value:worth}."
    seat: int
    symbol: str
    value: int | None


@frozen
class CardDeclined(BuildersEvent):
    visible_to = EVERYBODY
    sentence = "{seat} takes no development card."
    seat: int


@frozen
class TurnEnded(BuildersEvent):
    visible_to = EVERYBODY
    sentence = "The turn of {seat} is over."
    seat: int


@frozen
class PermitsReshuffled(BuildersEvent):
    """The discarded permits became the new pile."""

    visible_to = everybody_sees(cards=size_of("pile"))
    sentence = "The {pile:count} discarded permits are shuffled into a new pile."
    pile: tuple[int, ...]


@frozen
class PermitsRefilled(BuildersEvent):
    visible_to = EVERYBODY
    sentence = "New permits: {cards:permits}."
    cards: tuple[int, ...]


@frozen
class GoalsRefilled(BuildersEvent):
    visible_to = EVERYBODY
    sentence = "New goals: {cards:goals}."
    cards: tuple[str, ...]


@frozen
class AreaClosed(BuildersEvent):
    """All seats have acted here; they go on in this order."""

    visible_to = EVERYBODY
    sentence = "All have acted here; the order is now {order:names}."
    order: tuple[int, ...]


@frozen
class YearBegun(BuildersEvent):
    visible_to = EVERYBODY
    sentence = "The year {year} begins."
    year: int


@frozen
class GoalsRevealed(BuildersEvent):
    """The goals that each seat held face down."""

    visible_to = EVERYBODY
    sentence = "Goals are revealed: {goals:goals_by_seat}."
    goals: tuple[tuple[str, ...], ...]


@frozen
class CardsRedealt(BuildersEvent):
    """A table that goes on from a step of another game deals again what one seat could not know at that step."""

    visible_to = NOBODY
    sentence = "What was hidden is dealt again."
    permit_pile: tuple[int, ...]
    goal_pile: tuple[str, ...]
    hidden_goals: tuple[tuple[str, ...], ...]


@frozen
class GameEnded(BuildersEvent):
    """`eighth`: somebody built the eighth building on an action card. `final_year`: 1912 is over."""

    visible_to = EVERYBODY
    sentence = "The game is over: {reason}."
    reason: str
