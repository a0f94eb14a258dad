"""Scenes: a game in any position, and methods to play on from there.

A city is drawn (`drawing.py`), its marks included, and must be one that the rules could have left behind: what is
connected carries its cable car, what can be built is built. Whatever is not said is as at the start of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from server.games.engine.dice import Dice
from server.games.engine.events import Event
from server.games.engine.game import Outcome, view_of
from server.games.engine.play import Play, Step
from server.games.engine.prompts import Command, OneOf, Pair, Prompt
from server.games.planners.city import City, spaces_of
from server.games.planners.commands import (
    Confirm,
    Decline,
    Discard,
    Draw,
    Finalize,
    Lay,
    Pass,
    Place,
    Release,
    TakeDepot,
    TakePoints,
    TakeRelease,
    TakeTracks,
    TakeUniversal,
    TakeValue,
)
from server.games.planners.components import BONUS_SUPPLY, BONUSES, CARDS, COLUMNS, DISTRICTS, FOUNDATION_TOKENS, ROWS
from server.games.planners.events import GameBegun
from server.games.planners.reducers import begun
from server.games.planners.scoring import Standing, standings
from server.games.planners.state import State
from server.games.planners.text import SEAT_NAMES, draw, face
from server.model import Refused
from tests.games.planners import GAME
from tests.games.planners.drawing import Box, cells, names_of, normal
from tests.games.planners.reference import Plan

SEAT_LETTERS = "ybrg"
DICE = Dice(bytes(range(32)))

Kind = TypeVar("Kind", bound=Event)


def seat_of(letter: str) -> int:
    return SEAT_LETTERS.index(letter)


def space_at(place: str) -> int:
    """Return the space of a place such as `gray 2`."""
    district, column = place.split()
    return DISTRICTS.index(district) * COLUMNS + int(column) - 1


class Scene:
    """A game under way, and the events since the scene was set."""

    def __init__(
        self,
        *drawings: str,
        seats: int = 2,
        turn: str = "y",
        columns: tuple[str, str, str] = ("", "", ""),
        top: str = "",
        deck: int | None = None,
        contracts: Mapping[str, int] | None = None,
        tokens: int | None = None,
        bonuses: Mapping[str, int] | None = None,
        releases: str = "",
        points: str = "",
        medal: str | None = None,
        completed: Mapping[str, str] | None = None,
        allow_decline_bonus: bool = False,
        resolve_bonus_on_final_card: bool = True,
        sold_out_leaves_nothing: bool | None = None,
        rows_below_by_total: bool | None = None,
    ) -> None:
        """Set the scene. Drawings go by seat; `top` are the cards to be drawn next, `deck` how many there are then.

        `releases` and `points` name the seats that hold such a token.
        """
        box = Box()
        cities = tuple(_city(drawing, box) for drawing in (*drawings, *("",) * (seats - len(drawings))))
        market = tuple(map(box.cards, columns))
        drawn_next = box.cards(top)
        rest = box.rest()
        used = [card for city in cities for card in city.cards if card] + [card for cards in market for card in cards]
        laid = sum(CARDS[card].foundation for card in used)
        start = GameBegun(
            seats=seats,
            first_seat=seat_of(turn),
            allow_decline_bonus=allow_decline_bonus,
            resolve_bonus_on_final_card=resolve_bonus_on_final_card,
            tokens=FOUNDATION_TOKENS[seats],
            deck=(*(rest if deck is None else rest[:deck]), *reversed(drawn_next)),
            sold_out_leaves_nothing=sold_out_leaves_nothing,
            rows_below_by_total=rows_below_by_total,
        )
        state = replace(
            begun(start),
            cities=cities,
            columns=market,
            tokens=max(1, FOUNDATION_TOKENS[seats] - laid) if tokens is None else tokens,
            contracts=_by_seat(seats, contracts or {}, 0),
            bonuses={**dict.fromkeys(BONUSES, BONUS_SUPPLY), **(bonuses or {})},
            releases=tuple(letter in releases for letter in SEAT_LETTERS[:seats]),
            point_tokens=tuple(points.count(letter) for letter in SEAT_LETTERS[:seats]),
            medal=None if medal is None else seat_of(medal),
            completed=tuple(_holder(completed or {}, district) for district in DISTRICTS),
        )
        _check_marks(state)
        self.play = Play(GAME, state, GAME.decision(state), 1, {}, (), asks_forced=True)
        self.steps: list[Step] = []

    # -- what can be done -------------------------------------------------------------------------------------

    def do(self, command: Command) -> Scene:
        """Let the awaited seat answer."""
        answered = self._answered(command)
        assert not isinstance(answered, Refused), answered.sentence
        self.play, step = answered
        self.steps.append(step)
        return self

    def refuses(self, command: Command) -> bool:
        """Return whether a command of the awaited seat would be refused."""
        return isinstance(self._answered(command), Refused)

    def draw(self) -> Scene:
        return self.do(Draw())

    def lay(self, column: int) -> Scene:
        """Lay the drawn card in a column, counted from 1."""
        return self.do(Lay(column - 1))

    def take(self, column: int) -> Scene:
        """Take a column, counted from 1."""
        return self.do(Finalize(column - 1))

    def place(self, *names: str) -> Scene:
        """Place cards by name, a universal one with its row (`u2 gray`)."""
        for name in names:
            self.do(self.placing(name))
        return self

    def placing(self, name: str) -> Place:
        card_name, _, district = name.partition(" ")
        card = self.held(card_name)
        row = DISTRICTS.index(district) if district else CARDS[card].row
        assert row is not None, f"say in which row {name} is to go"
        return Place((card, row))

    def discard(self, *names: str) -> Scene:
        for name in names:
            self.do(Discard(self.held(name)))
        return self

    def confirm(self) -> Scene:
        return self.do(Confirm())

    def release(self, count: int) -> Scene:
        return self.do(Release(count))

    def passes(self) -> Scene:
        return self.do(Pass())

    def decline(self) -> Scene:
        return self.do(Decline())

    def take_bonus(self, bonus: str, where: str = "") -> Scene:
        """Take a bonus, to a place such as `gray 2` or to a row such as `gray`."""
        match bonus:
            case "value":
                return self.do(TakeValue(space_at(where)))
            case "universal":
                return self.do(TakeUniversal(DISTRICTS.index(where)))
            case "depot":
                return self.do(TakeDepot(DISTRICTS.index(where)))
            case "points":
                return self.do(TakePoints())
            case "release":
                return self.do(TakeRelease())
        return self.do(TakeTracks(space_at(where)))

    def undo(self) -> Scene:
        """Let the awaited seat take its last step back."""
        undone = self.play.undo(self.play.awaited[0], self.play.number)
        assert not isinstance(undone, Refused), undone.sentence
        self.play, step = undone
        self.steps.append(step)
        return self

    def _answered(self, command: Command) -> tuple[Play, Step] | Refused:
        return self.play.answer(self.play.awaited[0], self.play.number, command, DICE)

    # -- what can be seen -------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        state: State = self.play.state
        return state

    @property
    def awaited(self) -> str:
        return "".join(SEAT_LETTERS[seat] for seat in self.play.awaited)

    @property
    def kind(self) -> str:
        assert self.play.decision is not None, "the game is over"
        return self.play.decision.kind

    @property
    def may_undo(self) -> bool:
        return bool(self.play.past)

    @property
    def prompt(self) -> Prompt:
        assert self.play.decision is not None, "the game is over"
        (prompt,) = self.play.decision.prompts.values()
        return prompt

    @property
    def offers(self) -> dict[str, object]:
        """Return what is offered by the name of its command: columns and counts as they are, places and cards named."""
        named: dict[str, object] = {}
        for choice in self.prompt.choices:
            ((field, space),) = choice.spaces.items() or [("", None)]
            named[choice.command.name] = _named(field, space)
        return named

    def view(self) -> dict[str, Any]:
        return view_of(GAME, self.state, None)

    def seat_view(self, letter: str = "y") -> dict[str, Any]:
        """Return what everybody sees of a seat."""
        seen: dict[str, Any] = self.view()["seats"][seat_of(letter)]
        return seen

    @property
    def hand(self) -> list[str]:
        return list(names_of(self.state.hand))

    def held(self, name: str) -> int:
        """Return the card in the hand that has a name."""
        return next(card for card in self.state.hand if next(names_of([card])) == name)

    def contracts(self) -> str:
        return " ".join(map(str, self.state.contracts))

    def column(self, column: int) -> list[str]:
        return list(names_of(self.state.columns[column - 1]))

    def discarded(self) -> list[str]:
        return list(names_of(self.state.discarded))

    def city(self, letter: str = "y") -> City:
        return self.state.cities[seat_of(letter)]

    def city_is(self, drawing: str, letter: str = "y") -> bool:
        """Return whether a seat's city is the drawn one."""
        lines = draw(self.state).splitlines()
        name = SEAT_NAMES[seat_of(letter)]
        first = next(number for number, line in enumerate(lines) if line.startswith(f"{name} ")) + 1
        assert normal("\n".join(lines[first : first + ROWS])) == normal(drawing)
        return True

    def value(self, place: str, letter: str = "y") -> int:
        return self.city(letter).values()[space_at(place)]

    def around(self, place: str) -> int:
        """Return what lies around a foundation that has no skyscraper."""
        return dict(self.city().sites())[space_at(place)]

    def towers(self, letter: str = "y") -> list[int]:
        return list(spaces_of(self.city(letter).towers))

    def events(self, kind: type[Kind]) -> list[Kind]:
        """Return all events of a kind since the scene was set, taken back or not."""
        return [event for step in self.steps for event in step if isinstance(event, kind)]

    @property
    def outcome(self) -> Outcome:
        outcome = GAME.outcome(self.state)
        assert outcome is not None, "the game is not over"
        return outcome

    def ranking(self, category: str) -> list[Standing]:
        """Return the standings in a district or of the `cars`."""
        return standings(self.state)[ROWS if category == "cars" else DISTRICTS.index(category)]

    def order(self, category: str) -> str:
        return "".join(SEAT_LETTERS[standing.seat] for standing in self.ranking(category))


def _by_seat(seats: int, given: Mapping[str, int], otherwise: int) -> tuple[int, ...]:
    return tuple(given.get(letter, otherwise) for letter in SEAT_LETTERS[:seats])


def _holder(completed: Mapping[str, str], district: str) -> int | None:
    return seat_of(completed[district]) if district in completed else None


def _city(drawing: str, box: Box) -> City:
    city = City()
    for cell in cells(drawing):
        city.add(box.in_row(cell.face, cell.row), cell.space)
        bit = 1 << cell.space
        city.cars |= bit * ("*" in cell.marks)
        city.towers |= bit * ("!" in cell.marks)
        city.extra_value |= bit * ("^" in cell.marks)
        city.extra_tracks |= bit * ("~" in cell.marks)
        city.tracks |= bit * ("~" in cell.marks)
    return city


def _check_marks(state: State) -> None:
    view = view_of(GAME, state, None)
    for seat in view["seats"]:
        plan = Plan(seat)
        for what, marked, found in (
            ("cars", seat["cars"], plan.connected),
            ("towers", seat["towers"], plan.towers()),
        ):
            there = {row * COLUMNS + column for row, column in found}
            assert set(marked) == there, f"the {what} of a drawing should be at {sorted(there)}, not at {marked}"


def _named(field: str, space: object) -> object:
    if isinstance(space, Pair):
        return {face(card): [DISTRICTS[row] for row in rows] for card, rows in space.groups.items()}
    if not isinstance(space, OneOf):
        return True
    if field == "space":
        return [f"{DISTRICTS[value // COLUMNS]} {value % COLUMNS + 1}" for value in space.values]
    if field == "row":
        return [DISTRICTS[value] for value in space.values]
    if field == "card":
        return list(names_of(space.values))
    if field == "column":
        return [value + 1 for value in space.values]
    return list(space.values)
