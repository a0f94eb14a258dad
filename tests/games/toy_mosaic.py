"""A toy game that is wholly open, with chains of steps that can be taken back until the turn is ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final

from server.games.engine.dice import Dice
from server.games.engine.events import EVERYBODY, Event, Seat
from server.games.engine.frozen import frozen
from server.games.engine.game import Answers, Decision, Game, Outcome, StageRules, ranked
from server.games.engine.options import Cards, OptionValue, Pick
from server.games.engine.orders import OrderKind, OrderRules, Situation, Values, any_of, prepared_kind
from server.games.engine.prompts import Choice, Command, OneOf, Pair, Prompt
from server.games.engine.reducers import Reducers
from server.games.engine.serialization import Json
from server.games.engine.step_builder import StepBuilder

VALUES: Final = {"brick": 1, "slate": 2, "marble": 3}


class MosaicCommand(Command, family=True):
    """A command of Mosaic."""

    __slots__ = ()


@frozen
class TakeStone(MosaicCommand):
    kind: str


@frozen
class PlaceStone(MosaicCommand):
    spot: int


@frozen
class ShiftStone(MosaicCommand):
    way: tuple[int, int]


@frozen
class EndTurn(MosaicCommand):
    pass


class MosaicEvent(Event, family=True):
    """An event of Mosaic; everybody sees all of them."""

    __slots__ = ()


@frozen
class RowLaid(MosaicEvent):
    visible_to = EVERYBODY
    sentence = "Row laid."
    seats: int
    spots: int
    bag: tuple[str, ...]
    row: tuple[str, ...]


@frozen
class StoneTaken(MosaicEvent):
    visible_to = EVERYBODY
    sentence = "Stone taken."
    seat: int
    kind: str


@frozen
class StonePlaced(MosaicEvent):
    visible_to = EVERYBODY
    sentence = "Stone placed."
    seat: int
    spot: int


@frozen
class StoneShifted(MosaicEvent):
    visible_to = EVERYBODY
    sentence = "Stone shifted."
    seat: int
    start: int
    end: int


@frozen
class TurnEnded(MosaicEvent):
    """A turn is over for good, and a stone from the bag fills the row."""

    visible_to = EVERYBODY
    sentence = "Turn ended."
    seat: int
    refill: str


@frozen
class Taking:
    """The seat in turn takes a stone from the row."""


@frozen
class Placing:
    """The seat in turn places the stone that it took."""

    stone: str


@frozen
class Ending:
    """The seat in turn may shift one stone, and ends its turn."""

    shifted: bool = False


@frozen
class Full:
    """The board of the seat in turn is full, and the game is over."""


@dataclass
class MosaicState:
    """A position of Mosaic; there are no secrets but the dice."""

    bag: tuple[str, ...]
    row: tuple[str, ...]
    boards: tuple[tuple[str | None, ...], ...]
    turn: int = 0
    stage: Taking | Placing | Ending | Full = field(default_factory=Taking)

    @property
    def seat(self) -> Seat:
        return self.turn % len(self.boards)

    @property
    def free_spots(self) -> tuple[int, ...]:
        return tuple(spot for spot, stone in enumerate(self.boards[self.seat]) if stone is None)

    def copy(self) -> MosaicState:
        """Return a copy that can be changed without changing this state."""
        return replace(self)


REDUCERS: Final = Reducers[MosaicState]()


@REDUCERS.register_first(RowLaid)
def row_laid(event: RowLaid) -> MosaicState:
    return MosaicState(event.bag, event.row, ((None,) * event.spots,) * event.seats)


@REDUCERS.register(StoneTaken)
def _stone_taken(draft: MosaicState, event: StoneTaken) -> None:
    position = draft.row.index(event.kind)
    draft.row = draft.row[:position] + draft.row[position + 1 :]
    draft.stage = Placing(event.kind)


@REDUCERS.register(StonePlaced)
def _stone_placed(draft: MosaicState, event: StonePlaced) -> None:
    assert isinstance(draft.stage, Placing)
    _put(draft, event.spot, draft.stage.stone)
    draft.stage = Ending()


@REDUCERS.register(StoneShifted)
def _stone_shifted(draft: MosaicState, event: StoneShifted) -> None:
    stone = draft.boards[event.seat][event.start]
    _put(draft, event.start, None)
    _put(draft, event.end, stone)
    draft.stage = Ending(shifted=True)


@REDUCERS.register(TurnEnded)
def _turn_ended(draft: MosaicState, event: TurnEnded) -> None:
    draft.row = (*draft.row, event.refill)
    draft.turn += 1
    draft.stage = Taking() if draft.free_spots else Full()


def _put(draft: MosaicState, spot: int, stone: str | None) -> None:
    board = (*draft.boards[draft.seat][:spot], stone, *draft.boards[draft.seat][spot + 1 :])
    draft.boards = (*draft.boards[: draft.seat], board, *draft.boards[draft.seat + 1 :])


def lay_row(seats: int, options: Mapping[str, OptionValue], dice: Dice) -> RowLaid:
    chosen: Any = options["bag"]
    bag = chosen or ("brick", "brick", "brick", "slate", "slate", "marble")
    return RowLaid(seats, 2 if options["board"] == "small" else 4, bag, dice.shuffled("row", bag)[:3])


def take_decision(state: MosaicState) -> Decision:
    return take_one_of(state, tuple(sorted(set(state.row))))


def take_one_of(state: MosaicState, kinds: tuple[str, ...]) -> Decision:
    return Decision("take", {state.seat: Prompt((Choice(TakeStone, {"kind": OneOf(kinds)}),), TakeStone(kinds[0]))})


def place_decision(state: MosaicState) -> Decision:
    spots = state.free_spots
    prompt = Prompt((Choice(PlaceStone, {"spot": OneOf(spots)}),), PlaceStone(spots[0]))
    return Decision("place", {state.seat: prompt}, undoable=True)


def end_decision(state: MosaicState) -> Decision:
    stones = [spot for spot, stone in enumerate(state.boards[state.seat]) if stone is not None]
    may_shift = bool(state.free_spots) and state.stage != Ending(shifted=True)
    shift = (Choice(ShiftStone, {"way": Pair(dict.fromkeys(stones, state.free_spots))}),) if may_shift else ()
    return Decision("end", {state.seat: Prompt((Choice(EndTurn), *shift), EndTurn())}, undoable=True)


def resolved(step: StepBuilder[MosaicState], answers: Answers) -> None:
    state = step.state
    match answers[state.seat]:
        case TakeStone(kind):
            step.emit(StoneTaken(state.seat, kind))
        case PlaceStone(spot):
            step.emit(StonePlaced(state.seat, spot))
        case ShiftStone((start, end)):
            step.emit(StoneShifted(state.seat, start, end))
        case _:
            step.emit(TurnEnded(state.seat, step.dice.shuffled(f"refill/{state.turn}", state.bag)[0]))


def public_view(state: MosaicState) -> dict[str, Json]:
    taken = state.stage.stone if isinstance(state.stage, Placing) else None
    return {"row": list(state.row), "boards": [list(board) for board in state.boards], "taken": taken}


def progress(state: MosaicState) -> dict[str, int]:
    return {"turn": state.turn}


def outcome(state: MosaicState) -> Outcome | None:
    if not isinstance(state.stage, Full):
        return None
    breakdown = tuple(map(_points, state.boards))
    scores = tuple(sum(parts.values()) for parts in breakdown)
    return Outcome("boards_full", scores, ranked(scores), None, breakdown)


def _points(board: tuple[str | None, ...]) -> dict[str, int]:
    stones = sum(VALUES[stone] for stone in board if stone is not None)
    return {"stones": stones, "pairs": sum(one == two for one, two in pairwise(board))}


def _stone(values: Values, situation: Situation) -> Command | None:
    """Take a stone of a kind, place it on the first free spot, and end the turn."""
    match situation.kind:
        case "take":
            return TakeStone(values["kind"])
        case "place":
            return PlaceStone(situation.view["boards"][situation.seat].index(None))
        case "end":
            return EndTurn()
    return None


ORDERS: Final = OrderRules(
    (
        OrderKind("stone", (any_of("kind", "the stone to take", tuple(VALUES)),), _stone),
        prepared_kind(MosaicCommand.members(), ("take",)),
    )
)


def draw(state: MosaicState) -> str:
    return "\n".join(" ".join((stone or ".")[0] for stone in board) for board in state.boards)


MOSAIC: Final = Game(
    name="mosaic",
    seats=range(1, 4),
    options=(
        Pick("board", "how many spots there are", ("small", "large"), "small"),
        Cards("bag", "what the bag holds", 4, {"brick": 3, "slate": 2, "marble": 1}),
    ),
    events=MosaicEvent.members(),
    commands=MosaicCommand.members(),
    set_up=lay_row,
    reducers=REDUCERS,
    stages={
        Taking: StageRules(take_decision, resolved),
        Placing: StageRules(place_decision, resolved),
        Ending: StageRules(end_decision, resolved),
    },
    public_view=public_view,
    progress=progress,
    outcome=outcome,
    orders=ORDERS,
    draw=draw,
)
"""Take a stone from the open row and place it; until the turn is ended every step can be taken back."""
