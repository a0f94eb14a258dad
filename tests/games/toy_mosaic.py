"""A toy game that is wholly open, with chains of steps that can be taken back until the turn is ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from server.games.engine.dice import Dice
from server.games.engine.game import Decision, Event, Outcome, Seat, Viewer, ranked
from server.games.engine.options import Cards, OptionValue, Pick
from server.games.engine.prompts import Choice, Command, OneOf, Pair, Prompt
from server.games.engine.serialization import Json, to_json


@dataclass(frozen=True, slots=True)
class TakeStone(Command):
    kind: str


@dataclass(frozen=True, slots=True)
class PlaceStone(Command):
    spot: int


@dataclass(frozen=True, slots=True)
class ShiftStone(Command):
    way: tuple[int, int]


@dataclass(frozen=True, slots=True)
class EndTurn(Command):
    pass


@dataclass(frozen=True, slots=True)
class RowLaid(Event):
    seats: int
    spots: int
    bag: tuple[str, ...]
    row: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoneTaken(Event):
    seat: int
    kind: str


@dataclass(frozen=True, slots=True)
class StonePlaced(Event):
    seat: int
    spot: int


@dataclass(frozen=True, slots=True)
class StoneShifted(Event):
    seat: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """A turn is over for good, and a stone from the bag fills the row."""

    seat: int
    refill: str


@dataclass(frozen=True, slots=True)
class MosaicState:
    """A position of Mosaic; there are no secrets but the dice."""

    bag: tuple[str, ...]
    row: tuple[str, ...]
    boards: tuple[tuple[str | None, ...], ...]
    turn: int = 0
    taken: str | None = None
    placed: bool = False
    shifted: bool = False

    @property
    def seat(self) -> Seat:
        return self.turn % len(self.boards)

    @property
    def free_spots(self) -> tuple[int, ...]:
        return tuple(spot for spot, stone in enumerate(self.boards[self.seat]) if stone is None)


VALUES = {"brick": 1, "slate": 2, "marble": 3}


class Mosaic:
    """Take a stone from the open row and place it; until the turn is ended every step can be taken back."""

    name = "mosaic"
    rules_version = 1
    seats = range(1, 4)
    options = (
        Pick("board", "how many spots there are", ("small", "large"), "small"),
        Cards("bag", "what the bag holds", 4, {"brick": 3, "slate": 2, "marble": 1}),
    )
    events = (RowLaid, StoneTaken, StonePlaced, StoneShifted, TurnEnded)
    commands = (TakeStone, PlaceStone, ShiftStone, EndTurn)

    def check_options(self, seats: int, options: Mapping[str, OptionValue]) -> str | None:
        return None

    def begin(self, seats: int, options: Mapping[str, OptionValue], dice: Dice) -> tuple[MosaicState, list[Event]]:
        chosen: Any = options["bag"]
        bag = chosen or ("brick", "brick", "brick", "slate", "slate", "marble")
        event = RowLaid(seats, 2 if options["board"] == "small" else 4, bag, dice.shuffled("row", bag)[:3])
        return self.apply(None, event), [event]

    def apply(self, state: MosaicState | None, event: Event) -> MosaicState:
        if state is None:
            assert isinstance(event, RowLaid)
            return MosaicState(event.bag, event.row, ((None,) * event.spots,) * event.seats)
        match event:
            case StoneTaken(_, kind):
                position = state.row.index(kind)
                return replace(state, taken=kind, row=state.row[:position] + state.row[position + 1 :])
            case StonePlaced(_, spot):
                return replace(self._with_stones(state, {spot: state.taken}), taken=None, placed=True)
            case StoneShifted(seat, start, end):
                return replace(self._with_stones(state, {start: None, end: state.boards[seat][start]}), shifted=True)
            case TurnEnded(_, refill):
                return MosaicState(state.bag, (*state.row, refill), state.boards, state.turn + 1)
        raise AssertionError(event)

    def _with_stones(self, state: MosaicState, stones: Mapping[int, str | None]) -> MosaicState:
        boards = [list(board) for board in state.boards]
        for spot, stone in stones.items():
            boards[state.seat][spot] = stone
        return replace(state, boards=tuple(map(tuple, boards)))

    def decision(self, state: MosaicState) -> Decision | None:
        if state.placed:
            return Decision("end", {state.seat: self._end_prompt(state)}, undoable=True)
        spots = state.free_spots
        if state.taken is not None:
            prompt = Prompt((Choice(PlaceStone, {"spot": OneOf(spots)}),), PlaceStone(spots[0]))
            return Decision("place", {state.seat: prompt}, undoable=True)
        if not spots:
            return None
        kinds = tuple(sorted(set(state.row)))
        return Decision("take", {state.seat: Prompt((Choice(TakeStone, {"kind": OneOf(kinds)}),), TakeStone(kinds[0]))})

    def _end_prompt(self, state: MosaicState) -> Prompt:
        stones = [spot for spot, stone in enumerate(state.boards[state.seat]) if stone is not None]
        may_shift = bool(state.free_spots) and not state.shifted
        shift = (Choice(ShiftStone, {"way": Pair(dict.fromkeys(stones, state.free_spots))}),) if may_shift else ()
        return Prompt((Choice(EndTurn), *shift), EndTurn())

    def resolve(
        self, state: MosaicState, answers: Mapping[Seat, Command], dice: Dice
    ) -> tuple[MosaicState, list[Event]]:
        event = self._followed(state, answers[state.seat], dice)
        return self.apply(state, event), [event]

    def _followed(self, state: MosaicState, answer: Command, dice: Dice) -> Event:
        match answer:
            case TakeStone(kind):
                return StoneTaken(state.seat, kind)
            case PlaceStone(spot):
                return StonePlaced(state.seat, spot)
            case ShiftStone((start, end)):
                return StoneShifted(state.seat, start, end)
        return TurnEnded(state.seat, dice.shuffled(f"refill/{state.turn}", state.bag)[0])

    def public_view(self, state: MosaicState) -> dict[str, Json]:
        return {"row": list(state.row), "boards": [list(board) for board in state.boards], "taken": state.taken}

    def own_view(self, state: MosaicState, seat: Seat) -> dict[str, Json]:
        return {}

    def shown(self, event: Event, viewer: Viewer) -> dict[str, Json] | None:
        return to_json(event)

    def outcome(self, state: MosaicState) -> Outcome | None:
        if self.decision(state) is not None:
            return None
        breakdown = tuple(self._points(board) for board in state.boards)
        scores = tuple(sum(parts.values()) for parts in breakdown)
        return Outcome("boards_full", scores, ranked(scores), None, breakdown)

    def _points(self, board: tuple[str | None, ...]) -> dict[str, int]:
        stones = sum(VALUES[stone] for stone in board if stone is not None)
        return {"stones": stones, "pairs": sum(one == two for one, two in pairwise(board))}

    def describe(self, event: Event) -> str:
        return f"{event.name}: {to_json(event)}."

    def draw(self, state: MosaicState) -> str:
        return "\n".join(" ".join((stone or ".")[0] for stone in board) for board in state.boards)
