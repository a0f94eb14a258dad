"""Scenes: a game put into any position, and the words to play on from there.

A position is folded from events, which the game takes at their word; so a scene needs to know nothing of how a state
is kept, and whatever is not said is as at the start of a game. The box stays whole: what a drawing wants to have in
one place is exchanged with what lies there, and cheques that a hand lacks lie in the bank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from server.games.dice import Dice
from server.games.game import Event, Outcome
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
    ACTION_DECK,
    CHEQUES,
    FIRST_YEAR,
    HALL,
    INFLUENCE_AT_START,
    PRESTIGE,
    STICKS_PER_SEAT,
    TENDER_DECKS,
)
from server.games.investors.events import (
    ActionDrawn,
    ActionLaid,
    ActionWon,
    DistrictRebuilt,
    GameBegun,
    InfluenceRevealed,
    OptionPaid,
    Right,
    StickPlaced,
    SubsidyPaid,
    TenderClosed,
    TenderDrawn,
    TenderOpened,
    TileDrawn,
)
from server.games.investors.text import SEAT_LETTERS
from server.games.play import Play, Step, replay
from server.games.prompt import Command, OneOf, Prompt, Refused
from tests.games.investors import GAME
from tests.games.investors.drawing import Drawn, city_drawn

SEED = bytes(range(32))

# Parks lie in corners, so that patches in the middle of the city are not touched by white sticks.
_USUAL_CITY = """
    + - + - + - + - + - + - + - +
      *   F   O   M   L   V   *
    + - + - + - + - + - + - + - +
      R   F   O   M   L   V   R
    + - + - + - + - + - + - + - +
      F   O   M   H   L   V   R
    + - + - + - + - + - + - + - +
      R   F   O   M   L   V   F
    + - + - + - + - + - + - + - +
      L   V   R   B   M   O   *
    + - + - + - + - + - + - + - +
"""
# What lies on the years unless a test says otherwise; cards that are won by influence stay in the deck for tests.
_QUIET_CARDS = tuple(card.name for card in ACTION_DECK if card.effect.endswith("subsidy") or card.mode == "cheques")

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
    """A game under way, and what has happened since the scene was set."""

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
    ) -> None:
        """Set the scene: the start player considers the first of `tenders`, or lays the first tile of the `bag`.

        Cards, tiles and bank cheques are listed in the order in which they will be drawn; `tender_deck` is a whole
        deck, `tenders` what lies on top of the usual one. `years` counts or names the action cards laid so far. `owner`
        holds the rebuilt districts in which nobody has the majority.
        """
        drawn = city_drawn(drawing, at) if drawing else Drawn({}, frozenset(), {}, {})
        self.names = dict(drawn.names)
        self.seats = range(seats)
        self._start = _seat(start)
        layout = _layout(drawn)
        sticks = _sticks(drawn, layout, {_seat(seat): count for seat, count in (supply or {}).items()})
        self._laid = _laid_cards(years, at_least_one=bool(drawn.rebuilt))
        deck = tuple(tender_deck) or _on_top(tenders, (card.name for card in TENDER_DECKS["default"]))
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
                action_deck=_action_deck(*self._laid, *actions),
            ),
            *_stick_facts(sticks),
            *_rebuilt_facts(drawn.rebuilt, layout, sticks, _seat(owner)),
            *_year_facts(self._laid, seats),
            *[TenderClosed(())] * tenders_without_a_stick,
            *_influence_facts(seats, {_seat(seat): count for seat, count in (influence or {}).items()}),
            *_cheque_facts(seats, {_seat(seat): tuple(hand) for seat, hand in (hands or {}).items()}, bank),
            TileDrawn(self._start, bag[0]) if bag else TenderDrawn(self._start, deck[0], binding=False),
        ]
        orders = {"bank": bank[::-1]} if bank else {}
        self.dice = RiggedDice(orders | dict(chance or {}))
        self.events: list[Event] = []
        self.play = replay(GAME, [self._facts])

    # -- stages: what the game is waiting for when the scene opens --------------------------------------------

    def investing(self, seats: str, target: str, avoid: str = "") -> Scene:
        """Let these seats invest next, in this order."""
        streets = tuple(map(self.street, avoid))
        return self._set(TenderClosed(tuple(Right(_seat(seat), target, streets) for seat in seats)))

    def seeking(self, card: str) -> Scene:
        """Seek an investor for an action card that was just drawn."""
        mode = ACTION_CARDS[card].mode
        assert mode is not None
        return self._set(*self._drawn(card), TenderOpened(mode, 1))

    def acting(self, seat: str, card: str) -> Scene:
        """Let a seat use an action card that it has won."""
        return self._set(*self._drawn(card), ActionWon(_seat(seat)))

    def subsidy(self, card: str) -> Scene:
        """Let the start player be the first to claim a subsidy that was just drawn."""
        return self._set(*self._drawn(card))

    def _drawn(self, card: str) -> list[Event]:
        first = self._facts[0]
        assert isinstance(first, GameBegun)
        following = first.action_deck[::-1][len(self._laid) :]
        if following[0] != card:
            self._facts[0] = replace(first, action_deck=_action_deck(*self._laid, card))
        return [ActionDrawn(self._start, card)]

    def _set(self, *facts: Event) -> Scene:
        self._facts += facts
        self.play = replay(GAME, [self._facts])
        return self

    # -- commands ---------------------------------------------------------------------------------------------

    def do(self, seat: str, command: Command) -> Step:
        """Carry out a command that must be accepted; give what it caused."""
        result = self.play.answer(_seat(seat), self.play.number, command, self.dice)
        assert not isinstance(result, Refused), result.sentence
        return self._took(result)

    def refused(self, seat: str, command: Command) -> bool:
        """Tell whether a command is refused; nothing changes either way."""
        return isinstance(self.play.answer(_seat(seat), self.play.number, command, self.dice), Refused)

    def undo(self, seat: str) -> Step:
        result = self.play.undo(_seat(seat), self.play.number)
        assert not isinstance(result, Refused), result.sentence
        return self._took(result)

    def may_undo(self, seat: str) -> bool:
        return not isinstance(self.play.undo(_seat(seat), self.play.number), Refused)

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
    def about(self) -> str | None:
        """Give what is to be decided now."""
        return None if self.play.decision is None else self.play.decision.about

    @property
    def awaited(self) -> str:
        return letters(self.play.awaited)

    @property
    def investors(self) -> str:
        """Give who got rights in the last tender, in the order of investing."""
        return letters(right.seat for right in self.happened(TenderClosed)[-1].rights)

    @property
    def rebuilders(self) -> str:
        """Give who rebuilt districts, one letter for each district in the order of rebuilding."""
        return letters(event.seat for event in self.happened(DistrictRebuilt))

    @property
    def outcome(self) -> Outcome:
        outcome = GAME.outcome(self.state)
        assert outcome is not None, "the game is not over"
        return outcome

    def happened(self, kind: type[Kind]) -> list[Kind]:
        """Give the events of a kind since the scene was set."""
        return [event for event in self.events if isinstance(event, kind)]

    def prompt(self, seat: str) -> Prompt:
        assert self.play.decision is not None
        return self.play.decision.prompts[_seat(seat)]

    def space(self, seat: str, command: type[Command], field: str) -> Any:
        """Give the space that a seat has for a field of a command that only one of its choices offers."""
        (choice,) = [choice for choice in self.prompt(seat).choices if choice.command is command]
        return choice.spaces[field]

    def offers(self, seat: str, command: type[Command]) -> bool:
        """Tell whether a seat may do this now, one way or another."""
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
        """Give the letter of who has the stick on a named street, or - if it is free."""
        owner = self.state.sticks[self.street(name)]
        return "-" if owner == city.FREE else SEAT_LETTERS[owner]

    def shows(self, drawing: str, at: tuple[int, int] | None = None) -> bool:
        """Tell whether the city looks like the drawing, as far as that goes."""
        drawn = city_drawn(drawing, at)
        state = self.state
        return (
            all(state.layout[district] == kind for district, kind in drawn.kinds.items())
            and all((state.rebuilt[district] >= 0) == (district in drawn.rebuilt) for district in drawn.kinds)
            and all(state.sticks[street] == owner for street, owner in drawn.sticks.items())
        )

    def left(self, seat: str) -> int:
        """Give a seat's influence."""
        return int(self.state.influence[_seat(seat)])

    def hand(self, seat: str) -> tuple[int, ...]:
        return tuple(sorted(self.state.hands[_seat(seat)]))

    def paid(self, seat: str) -> tuple[int, ...]:
        """Give the cheques that a hand of the start of the game has lost."""
        return tuple(sorted((Counter(CHEQUES) - Counter(self.hand(seat))).elements()))

    def prestige(self, seat: str) -> int:
        return int(self.state.prestige[_seat(seat)])

    def supply(self, seat: str) -> int:
        return int(self.state.supply[_seat(seat)])


def letters(seats: Iterable[int]) -> str:
    """Give seats by their letters."""
    return "".join(SEAT_LETTERS[seat] for seat in seats)


def _seat(letter: str) -> int:
    return SEAT_LETTERS.index(letter)


# -- the facts that make a position ---------------------------------------------------------------------------


def _layout(drawn: Drawn) -> tuple[str | None, ...]:
    """Give the usual city with the drawn districts in their places, each exchanged with one of its kind."""
    usual = city_drawn(_USUAL_CITY).kinds
    layout = [usual[district] for district in range(city.DISTRICTS)]
    if len(drawn.kinds) == city.DISTRICTS:
        layout = [drawn.kinds[district] for district in range(city.DISTRICTS)]
    for district, kind in drawn.kinds.items():
        if layout[district] != kind:
            other = next(
                other for other, lying in enumerate(layout) if lying == kind and drawn.kinds.get(other) != kind
            )
            layout[district], layout[other] = layout[other], layout[district]
    assert layout[city.MIDDLE] == HALL, "the town hall lies in the middle"
    assert not city.parks_crowd(layout), "two parks at one landmark"
    return tuple(layout)


def _sticks(drawn: Drawn, layout: Sequence[str | None], supply: Mapping[int, int]) -> list[int]:
    """Give the drawn sticks, and as many more as the supplies lack, where they give nobody a majority."""
    sticks = city.sticks_around_parks(layout)
    for street, owner in drawn.sticks.items():
        assert (sticks[street] == city.WHITE) == (owner == city.WHITE), (
            f"white sticks lie around parks: street {street}"
        )
        sticks[street] = owner
    for district in range(city.DISTRICTS):
        if district not in drawn.rebuilt:
            assert city.holder(layout, sticks, district) is None, f"district {district} would have been rebuilt"
    for seat, left in supply.items():
        for street in range(city.STREETS):
            if sticks.count(seat) == STICKS_PER_SEAT - left:
                break
            if sticks[street] == city.FREE and street not in drawn.sticks and seat not in _near(sticks, street):
                sticks[street] = seat
        assert sticks.count(seat) == STICKS_PER_SEAT - left, "no room for so many sticks"
    return sticks


def _near(sticks: Sequence[int], street: int) -> set[int]:
    return {sticks[other] for district in city.DISTRICTS_OF[street] for other in city.STREETS_OF[district]}


def _stick_facts(sticks: Sequence[int]) -> list[Event]:
    laid = [(street, owner) for street, owner in enumerate(sticks) if owner >= 0]
    if not laid:
        return []
    rights = tuple(Right(owner, "edge", ()) for _, owner in laid)
    return [TenderClosed(rights), *(StickPlaced(owner, street, None) for street, owner in laid)]


def _rebuilt_facts(
    rebuilt: Iterable[int], layout: Sequence[str | None], sticks: Sequence[int], owner: int
) -> list[Event]:
    facts: list[Event] = []
    for district in sorted(rebuilt):
        holder = city.holder(layout, sticks, district)
        facts.append(
            DistrictRebuilt(district, owner if holder is None else holder, PRESTIGE[layout[district] or ""], bonus=0)
        )
    return facts


def _laid_cards(years: int | Sequence[str], *, at_least_one: bool) -> tuple[str, ...]:
    # A rebuilt district leads to an action card before anything else happens.
    if isinstance(years, int):
        return _QUIET_CARDS[: max(years, int(at_least_one))]
    assert years or not at_least_one
    return tuple(years)


def _year_facts(cards: Sequence[str], seats: int) -> list[Event]:
    facts: list[Event] = []
    for year, card in enumerate(cards, FIRST_YEAR):
        facts.append(ActionDrawn(0, card))
        if card.endswith("subsidy"):
            facts.append(SubsidyPaid(((),) * seats))
        facts.append(ActionLaid(card, year))
    return facts


def _influence_facts(seats: int, left: Mapping[int, int]) -> list[Event]:
    if not left:
        return []
    paid = tuple(INFLUENCE_AT_START - left.get(seat, INFLUENCE_AT_START) for seat in range(seats))
    return [InfluenceRevealed(paid, tuple(range(seats)))]


def _cheque_facts(seats: int, hands: Mapping[int, tuple[int, ...]], bank: Sequence[int]) -> list[Event]:
    paid = [(seat, cheque) for seat, hand in hands.items() for cheque in (Counter(CHEQUES) - Counter(hand)).elements()]
    if bank:
        lacking = Counter(bank)
        lacking.subtract(cheque for _, cheque in paid)
        others = {seat: Counter(CHEQUES) for seat in reversed(range(seats)) if seat not in hands}
        for cheque in lacking.elements():
            seat = next(seat for seat, hand in others.items() if hand[cheque])
            others[seat][cheque] -= 1
            paid.append((seat, cheque))
    return [OptionPaid(seat, "factory_office", cheque) for seat, cheque in paid]


def _action_deck(*drawn_first: str) -> tuple[str, ...]:
    # Bonus cards lie at the bottom, so that none comes up in a test that does not ask for it.
    usual = sorted(ACTION_DECK, key=lambda card: card.effect.startswith("bonus_"))
    return _on_top(drawn_first, (card.name for card in usual))[::-1]


def _on_top(cards: Sequence[str], deck: Iterable[str]) -> tuple[str, ...]:
    rest = Counter(deck)
    rest.subtract(cards)
    assert all(count >= 0 for count in rest.values()), f"there are not so many of {cards}"
    return (*cards, *rest.elements())
