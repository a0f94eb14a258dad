"""The events of Planners, each with its visibility and its sentence. Every draw and shuffle is resolved in them."""

from __future__ import annotations

from functools import cache

from server.games.engine.events import EVERYBODY, NOBODY, Event, Viewer, Visibility
from server.games.engine.frozen import frozen
from server.games.engine.serialization import Json


class PlannersEvent(Event, family=True):
    """An event of Planners."""

    __slots__ = ()


def _box_shown(event: GameBegun, viewer: Viewer) -> dict[str, Json]:
    shown: dict[str, Json] = {
        "event": event.name,
        "seats": event.seats,
        "first_seat": event.first_seat,
        "allow_decline_bonus": event.allow_decline_bonus,
        "resolve_bonus_on_final_card": event.resolve_bonus_on_final_card,
        "tokens": event.tokens,
    }
    if event.sold_out_leaves_nothing:
        shown["sold_out_leaves_nothing"] = True
    if event.rows_below_by_total:
        shown["rows_below_by_total"] = True
    return shown


@frozen
class GameBegun(PlannersEvent):
    """The box is set up; the next card to be drawn is the last of the deck.

    Options that version 2 of the rules did not have are only there where they are switched on.
    """

    visible_to = Visibility(True, _box_shown)
    sentence = "{seats} planners begin, {first_seat:seat} first; {tokens} foundation tokens."
    seats: int
    first_seat: int
    allow_decline_bonus: bool
    resolve_bonus_on_final_card: bool
    tokens: int
    deck: tuple[int, ...]
    sold_out_leaves_nothing: bool | None = None
    rows_below_by_total: bool | None = None


@frozen
class ProjectDrawn(PlannersEvent):
    visible_to = EVERYBODY
    sentence = "{seat} draws {card}."
    seat: int
    card: int


@frozen
class ProjectLaid(PlannersEvent):
    """`token`: a foundation token was put on the card."""

    visible_to = EVERYBODY
    sentence = "{seat} lays {card} in column {column}{token}."
    seat: int
    card: int
    column: int
    token: bool


@frozen
class ColumnTaken(PlannersEvent):
    """A seat took all cards of a column, and a contract for them."""

    visible_to = EVERYBODY
    sentence = "{seat} takes column {column} and a contract: {cards}."
    seat: int
    column: int
    cards: tuple[int, ...]


@frozen
class ContractsReturned(PlannersEvent):
    """Everybody held a contract, so everybody gave one back."""

    visible_to = EVERYBODY
    sentence = "Everybody has a contract, so everybody gives one back."


@frozen
class ContractsReleased(PlannersEvent):
    """A seat used its token and gave contracts back."""

    visible_to = EVERYBODY
    sentence = "{seat} gives back {count:contracts} with the token."
    seat: int
    count: int


@frozen
class CardPlaced(PlannersEvent):
    visible_to = EVERYBODY
    sentence = "{seat} places {card} at {space}."
    seat: int
    card: int
    space: int


@frozen
class CardDiscarded(PlannersEvent):
    visible_to = EVERYBODY
    sentence = "{seat} discards {card}."
    seat: int
    card: int


@frozen
class NetworkGrown(PlannersEvent):
    """These cards are connected to a depot now and carry a cable car each."""

    visible_to = EVERYBODY
    sentence = "Cable cars of {seat} run at {spaces}."
    seat: int
    spaces: tuple[int, ...]


@frozen
class TowerBuilt(PlannersEvent):
    visible_to = EVERYBODY
    sentence = "{seat} builds a skyscraper at {space}."
    seat: int
    space: int


@frozen
class MedalTaken(PlannersEvent):
    visible_to = EVERYBODY
    sentence = "{seat} takes the master builder's medal."
    seat: int


@frozen
class RowCompleted(PlannersEvent):
    """A seat was the first to fill this row and took the token for it."""

    visible_to = EVERYBODY
    sentence = "{seat} is the first to complete {row}."
    seat: int
    row: int


@frozen
class BonusDue(PlannersEvent):
    """A second compass lies in a row; the seat is to choose a bonus."""

    visible_to = EVERYBODY
    sentence = "{seat} has a second compass in {row} and may choose a bonus."
    seat: int
    row: int


@frozen
class BonusTaken(PlannersEvent):
    """The bonus for a row was taken; `space` is where its card or token lies, None if it lies nowhere."""

    visible_to = EVERYBODY
    sentence = "{seat} takes {bonus} for {row}{space:at}."
    seat: int
    row: int
    bonus: str
    space: int | None


@frozen
class BonusLapsed(PlannersEvent):
    """The seat could take no bonus for a row."""

    visible_to = EVERYBODY
    sentence = "There is no bonus left that {seat} could take for {row}."
    seat: int
    row: int


@frozen
class BonusDeclined(PlannersEvent):
    visible_to = EVERYBODY
    sentence = "{seat} takes no bonus for {row}."
    seat: int
    row: int


@frozen
class TurnEnded(PlannersEvent):
    visible_to = EVERYBODY
    sentence = "The turn of {seat} ends."
    seat: int


@frozen
class TurnPassed(PlannersEvent):
    visible_to = EVERYBODY
    sentence = "{seat} can do nothing and passes."
    seat: int


@frozen
class CardsRedealt(PlannersEvent):
    """A table that goes on from a step of another game deals again what one seat could not know at that step."""

    visible_to = NOBODY
    sentence = "What was hidden is dealt again."
    deck: tuple[int, ...]


@frozen
class GameEnded(PlannersEvent):
    """`foundations`: the last token lies. `full`: a city is full. `stuck`: nobody could do anything.

    `seat` ended the game; ties are decided in turn order from it.
    """

    visible_to = EVERYBODY
    sentence = "The game is over in the turn of {seat}: {reason}."
    reason: str
    seat: int


# Constructing a frozen dataclass is slow. The events that most steps consist of have few different values, so each is
# made once and shared.
project_drawn = cache(ProjectDrawn)
project_laid = cache(ProjectLaid)
card_placed = cache(CardPlaced)
card_discarded = cache(CardDiscarded)
turn_ended = cache(TurnEnded)
