"""The facts that make a position: where tiles and sticks lie, what was rebuilt, paid and drawn before a scene opens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from server.games.engine.events import Event
from server.games.investors import city
from server.games.investors.components import (
    ACTION_DECK,
    CHEQUES,
    FIRST_YEAR,
    HALL,
    INFLUENCE_AT_START,
    PRESTIGE,
    STICKS_PER_SEAT,
)
from server.games.investors.events import (
    ActionDrawn,
    ActionLaid,
    DistrictRebuilt,
    InfluenceRevealed,
    OptionPaid,
    Right,
    StickPlaced,
    SubsidyPaid,
    TenderClosed,
)
from server.games.investors.text import SEAT_LETTERS
from tests.games.investors.drawing import Drawn, city_drawn

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


def seat_of(letter: str) -> int:
    """Return the seat of a letter."""
    return SEAT_LETTERS.index(letter)


def laid_out(drawn: Drawn) -> tuple[str | None, ...]:
    """Return the usual city with the drawn districts in their places, each exchanged with one of its kind."""
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


def sticks_laid(drawn: Drawn, layout: Sequence[str | None], supply: Mapping[int, int]) -> list[int]:
    """Return the drawn sticks, and as many more as the supplies lack, where they give nobody a majority."""
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


def stick_facts(sticks: Sequence[int]) -> list[Event]:
    """Let the sticks have been placed."""
    laid = [(street, owner) for street, owner in enumerate(sticks) if owner >= 0]
    if not laid:
        return []
    rights = tuple(Right(owner, "edge", ()) for _, owner in laid)
    return [TenderClosed(rights), *(StickPlaced(owner, street, None) for street, owner in laid)]


def rebuilt_facts(
    rebuilt: Iterable[int], layout: Sequence[str | None], sticks: Sequence[int], owner: int
) -> list[Event]:
    """Let the districts have been rebuilt by who has the majority, or else by the owner."""
    facts: list[Event] = []
    for district in sorted(rebuilt):
        holder = city.holder(layout, sticks, district)
        facts.append(
            DistrictRebuilt(district, owner if holder is None else holder, PRESTIGE[layout[district] or ""], bonus=0)
        )
    return facts


def laid_cards(years: int | Sequence[str], *, at_least_one: bool) -> tuple[str, ...]:
    """Return the action cards that lie on the years."""
    # A rebuilt district leads to an action card before anything else happens.
    if isinstance(years, int):
        return _QUIET_CARDS[: max(years, int(at_least_one))]
    assert years or not at_least_one
    return tuple(years)


def year_facts(cards: Sequence[str], seats: int) -> list[Event]:
    """Let the cards have been drawn and laid, one after the other."""
    facts: list[Event] = []
    for year, card in enumerate(cards, FIRST_YEAR):
        facts.append(ActionDrawn(0, card))
        if card.endswith("subsidy"):
            facts.append(SubsidyPaid(((),) * seats))
        facts.append(ActionLaid(card, year))
    return facts


def influence_facts(seats: int, left: Mapping[int, int]) -> list[Event]:
    """Let the seats have paid whatever they do not have left."""
    if not left:
        return []
    paid = tuple(INFLUENCE_AT_START - left.get(seat, INFLUENCE_AT_START) for seat in range(seats))
    return [InfluenceRevealed(paid, tuple(range(seats)))]


def cheque_facts(seats: int, hands: Mapping[int, tuple[int, ...]], bank: Sequence[int]) -> list[Event]:
    """Let what the hands lack have been paid to the bank, and what else the bank holds by the other seats."""
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


def action_deck(*drawn_first: str) -> tuple[str, ...]:
    """Return the deck of all action cards with these on top; the last is drawn first."""
    # Bonus cards lie at the bottom, so that none comes up in a test that does not ask for it.
    usual = sorted(ACTION_DECK, key=lambda card: card.effect.startswith("bonus_"))
    return on_top(drawn_first, (card.name for card in usual))[::-1]


def on_top(cards: Sequence[str], deck: Iterable[str]) -> tuple[str, ...]:
    """Return a deck in the order of drawing, with some of its cards drawn first."""
    rest = Counter(deck)
    rest.subtract(cards)
    assert all(count >= 0 for count in rest.values()), f"there are not so many of {cards}"
    return (*cards, *rest.elements())
