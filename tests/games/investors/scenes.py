"""Scenes: a game in any position, and methods to play on from there.

A position is folded from events, which reducers do not question; so a scene needs to know nothing of how a state
is kept, and whatever is not said is as at the start of a game. The box stays whole: what a drawing wants to have in
one place is exchanged with what lies there, and cheques that a hand lacks lie in the bank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from server.games.engine.dice import Dice
from server.games.engine.events import Event
from server.games.engine.game import Outcome
from server.games.engine.play import Play, Step, replay
from server.games.engine.prompts import Command, OneOf, Prompt
from server.games.investors import city
from server.games.investors.commands import (
    Abstain,
    AcceptTender,
    BidCheques,
    ChooseOption,
    DrawCheque,
    PassBid,
    PayCheque,
    PlaceStick,
    PlayInfluence,
    RaiseBid,
    RejectTender,
    StopDrawing,
    Waive,
)
from server.games.investors.components import (
    ACTION_CARDS,
    CHEQUES,
    TENDER_DECKS,
)
from server.games.investors.events import (
    ActionDrawn,
    ActionWon,
    DistrictRebuilt,
    GameBegun,
    Right,
    TenderClosed,
    TenderDrawn,
    TenderOpened,
    TileDrawn,
)
from server.games.investors.text import SEAT_LETTERS
from server.model import Refused
from tests.games.investors import GAME
from tests.games.investors.drawing import Drawn, city_drawn
from tests.games.investors.positions import (
    action_deck,
    cheque_facts,
    influence_facts,
    laid_cards,
    laid_out,
    on_top,
    rebuilt_facts,
    seat_of,
    stick_facts,
    sticks_laid,
    year_facts,
)

SEED = bytes(range(32))

Kind = TypeVar("Kind", bound=Event)


class RiggedDice(Dice):
    """Dice that give a chosen order wherever a test cares: by the whole label, or by its first part."""

    def __init__(self, orders: Mapping[str, Sequence[Any]]) -> None:
        super().__init__(SEED)
        self._orders = orders

    def shuffled(self, label: str, items: Sequence[Any]) -> tuple[Any, ...]:
        order = self._orders.get(label, self._orders.get(label.partition("/")[0]))
        if order is None:
            return super().shuffled(label, items)
        assert Counter(order) == Counter(items), f"{label}: {order} is not an order of {items}"
        return tuple(order)


class Scene:
    """A game under way, and the events since the scene was set."""

    def __init__(
        self,
        drawing: str = "",
        *,
        at: tuple[int, int] | None = None,
        seats: int = 4,
        start: str = "y",
        influence: Mapping[str, int] | None = None,
        hands: Mapping[str, Sequence[int]] | None = None,
        supply: Mapping[str, int] | None = None,
        bank: Sequence[int] = (),
        tenders: Sequence[str] = (),
        tender_deck: Sequence[str] = (),
        actions: Sequence[str] = (),
        years: int | Sequence[str] = 0,
        bag: Sequence[str] = (),
        tenders_without_a_stick: int = 0,
        owner: str = "y",
        chance: Mapping[str, Sequence[Any]] | None = None,
        kind_tender_may_use_edge: bool = True,
        move_axis_only: bool = False,
        influence_cap: int | None = None,
        bargaining_offers: int = 0,
        ends_when_spent: bool = True,
    ) -> None:
        """Set the scene: the start player considers the first of `tenders`, or lays the first tile of the `bag`.

        Cards, tiles and bank cheques are listed in the order in which they will be drawn; `tender_deck` is a whole
        deck, `tenders` what lies on top of the usual one. `years` counts or names the action cards laid so far. `owner`
        holds the rebuilt districts in which nobody has the majority.
        """
        drawn = city_drawn(drawing, at) if drawing else Drawn({}, frozenset(), {}, {})
        self.names = dict(drawn.names)
        self._start = seat_of(start)
        layout = laid_out(drawn)
        sticks = sticks_laid(drawn, layout, {seat_of(seat): count for seat, count in (supply or {}).items()})
        self._laid = laid_cards(years, at_least_one=bool(drawn.rebuilt))
        deck = tuple(tender_deck) or on_top(tenders, (card.name for card in TENDER_DECKS["default"]))
        self._facts: list[Event] = [
            GameBegun(
                seats=seats,
                start_seat=self._start,
                kind_tender_may_use_edge=kind_tender_may_use_edge,
                move_axis_only=move_axis_only,
                influence_cap=influence_cap,
                bargaining_offers=bargaining_offers,
                layout=layout,
                bag=tuple(bag)[::-1],
                tender_deck=deck[::-1],
                action_deck=action_deck(*self._laid, *actions),
                ends_when_spent=ends_when_spent,
            ),
            *stick_facts(sticks),
            *rebuilt_facts(drawn.rebuilt, layout, sticks, seat_of(owner)),
            *year_facts(self._laid, seats),
            *[TenderClosed(())] * tenders_without_a_stick,
            *influence_facts(seats, {seat_of(seat): count for seat, count in (influence or {}).items()}),
            *cheque_facts(seats, {seat_of(seat): tuple(hand) for seat, hand in (hands or {}).items()}, bank),
            TileDrawn(self._start, bag[0]) if bag else TenderDrawn(self._start, deck[0], binding=False),
        ]
        orders = {"bank": bank[::-1]} if bank else {}
        self.dice = RiggedDice(orders | dict(chance or {}))
        self.events: list[Event] = []
        self.play = replay(GAME, [self._facts], asks_forced=True)

    # -- stages: what the game is waiting for when the scene opens --------------------------------------------

    def investing(self, seats: str, target: str) -> Scene:
        """Let these seats invest next, in this order."""
        return self._set(TenderClosed(tuple(Right(seat_of(seat), target, ()) for seat in seats)))

    def seeking(self, card: str) -> Scene:
        """Seek an investor for an action card that was just drawn."""
        mode = ACTION_CARDS[card].mode
        assert mode is not None
        return self._set(*self._drawn(card), TenderOpened(mode, 1))

    def acting(self, seat: str, card: str) -> Scene:
        """Let a seat use an action card that it has won."""
        return self._set(*self._drawn(card), ActionWon(seat_of(seat)))

    def subsidy(self, card: str) -> Scene:
        """Let the start player be the first to claim a subsidy that was just drawn."""
        return self._set(*self._drawn(card))

    def _drawn(self, card: str) -> list[Event]:
        first = self._facts[0]
        assert isinstance(first, GameBegun)
        following = first.action_deck[::-1][len(self._laid) :]
        if following[0] != card:
            self._facts[0] = replace(first, action_deck=action_deck(*self._laid, card))
        return [ActionDrawn(self._start, card)]

    def _set(self, *facts: Event) -> Scene:
        self._facts += facts
        self.play = replay(GAME, [self._facts], asks_forced=True)
        return self

    # -- commands ---------------------------------------------------------------------------------------------

    def do(self, seat: str, command: Command) -> Step:
        """Carry out a command that must be accepted; give what it caused."""
        result = self.play.answer(seat_of(seat), self.play.number, command, self.dice)
        assert not isinstance(result, Refused), result.sentence
        return self._took(result)

    def refused(self, seat: str, command: Command) -> bool:
        """Return whether a command is refused; nothing changes either way."""
        return isinstance(self.play.answer(seat_of(seat), self.play.number, command, self.dice), Refused)

    def undo(self, seat: str) -> Step:
        result = self.play.undo(seat_of(seat), self.play.number)
        assert not isinstance(result, Refused), result.sentence
        return self._took(result)

    def may_undo(self, seat: str) -> bool:
        return not isinstance(self.play.undo(seat_of(seat), self.play.number), Refused)

    def _took(self, result: tuple[Play, Step]) -> Step:
        before = self.play
        self.play, step = result
        self.events += step
        assert before.advance(step) == self.play, "the events do not say what the rules did"
        return step

    def accept(self) -> Step:
        """Let the start player accept the tender card."""
        return self.do(SEAT_LETTERS[self.state.start_seat], AcceptTender())

    def reject(self) -> Step:
        """Let the start player reject the tender card."""
        return self.do(SEAT_LETTERS[self.state.start_seat], RejectTender())

    def influence(self, **cards: int | None) -> Step:
        """Let seats seal influence cards; None abstains."""
        return self._all({seat: Abstain() if card is None else PlayInfluence(card) for seat, card in cards.items()})

    def bids(self, told: str) -> None:
        """Carry out an auction as it is told: `r20 b30 g- r40+10` is 20, 30, a pass, and 50 added to the 20."""
        for word in told.split():
            seat, said = word[0], word[1:]
            self.do(seat, PassBid() if said == "-" else RaiseBid(tuple(map(int, said.split("+")))))

    def options(self, **chosen: str) -> Step:
        """Let seats seal option tiles, told by their first letters: f(actory), m(arket), v(illa)."""
        tiles = {"f": "factory_office", "m": "market_leisure", "v": "villa_residential"}
        return self._all({seat: ChooseOption(tiles[letter]) for seat, letter in chosen.items()})

    def cheques(self, **given: int | Sequence[int]) -> Step:
        """Let seats pay one cheque for an option of their own, or seal some for one that they share."""
        return self._all(
            {
                seat: PayCheque(cheques) if isinstance(cheques, int) else BidCheques(tuple(cheques))
                for seat, cheques in given.items()
            }
        )

    def place(self, seat: str, street: str, lift: str | None = None) -> Step:
        return self.do(seat, PlaceStick(self.street(street), None if lift is None else self.street(lift)))

    def waive(self, *seats: str) -> None:
        for seat in seats:
            self.do(seat, Waive())

    def draws(self, told: str) -> None:
        """Carry out the drawing of cheques: `y b r-` draws for yellow and blue, and red stops."""
        for word in told.split():
            self.do(word[0], StopDrawing() if word.endswith("-") else DrawCheque())

    def _all(self, commands: Mapping[str, Command]) -> Step:
        steps = [self.do(seat, command) for seat, command in commands.items()]
        return steps[-1]

    # -- what one sees ----------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        return self.play.state

    @property
    def kind(self) -> str | None:
        """Return what is to be decided now."""
        return None if self.play.decision is None else self.play.decision.kind

    @property
    def awaited(self) -> str:
        return letters(self.play.awaited)

    @property
    def investors(self) -> str:
        """Return who got rights in the last tender, in the order of investing."""
        return letters(right.seat for right in self.new_events(TenderClosed)[-1].rights)

    @property
    def rebuilders(self) -> str:
        """Return who rebuilt districts, one letter for each district in the order of rebuilding."""
        return letters(event.seat for event in self.new_events(DistrictRebuilt))

    @property
    def outcome(self) -> Outcome:
        outcome = GAME.outcome(self.state)
        assert outcome is not None, "the game is not over"
        return outcome

    def new_events(self, kind: type[Kind]) -> list[Kind]:
        """Return the events of a kind since the scene was set."""
        return [event for event in self.events if isinstance(event, kind)]

    def prompt(self, seat: str) -> Prompt:
        assert self.play.decision is not None
        return self.play.decision.prompts[seat_of(seat)]

    def space(self, seat: str, command: type[Command], field: str) -> Any:
        """Return the space that a seat has for a field of a command that only one of its choices offers."""
        (choice,) = [choice for choice in self.prompt(seat).choices if choice.command is command]
        return choice.spaces[field]

    def offers(self, seat: str, command: type[Command]) -> bool:
        """Return whether a seat may do this now, one way or another."""
        return any(choice.command is command for choice in self.prompt(seat).choices)

    def open_streets(self, seat: str, command: type[Command] = PlaceStick, field: str = "street") -> set[int]:
        space = self.space(seat, command, field)
        assert isinstance(space, OneOf)
        return set(space.values)

    def street(self, name: str) -> int:
        return self.names[name]

    def streets(self, names: str) -> set[int]:
        return set(map(self.street, names))

    def stick(self, name: str) -> str:
        """Return the letter of who has the stick on a named street, or - if it is free."""
        owner = self.state.sticks[self.street(name)]
        return "-" if owner == city.FREE else SEAT_LETTERS[owner]

    def shows(self, drawing: str, at: tuple[int, int] | None = None) -> bool:
        """Return whether the city looks like the drawing, as far as that goes."""
        drawn = city_drawn(drawing, at)
        state = self.state
        return (
            all(state.layout[district] == kind for district, kind in drawn.kinds.items())
            and all((state.rebuilt[district] >= 0) == (district in drawn.rebuilt) for district in drawn.kinds)
            and all(state.sticks[street] == owner for street, owner in drawn.sticks.items())
        )

    def left(self, seat: str) -> int:
        """Return a seat's influence."""
        return int(self.state.influence[seat_of(seat)])

    def hand(self, seat: str) -> tuple[int, ...]:
        return tuple(sorted(self.state.hands[seat_of(seat)]))

    def paid(self, seat: str) -> tuple[int, ...]:
        """Return the cheques that a hand of the start of the game has lost."""
        return tuple(sorted((Counter(CHEQUES) - Counter(self.hand(seat))).elements()))

    def prestige(self, seat: str) -> int:
        return int(self.state.prestige[seat_of(seat)])

    def supply(self, seat: str) -> int:
        return int(self.state.supply[seat_of(seat)])


def letters(seats: Iterable[int]) -> str:
    """Return seats by their letters."""
    return "".join(SEAT_LETTERS[seat] for seat in seats)
