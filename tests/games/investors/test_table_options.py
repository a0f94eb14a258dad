"""Options of a table: accepted values, refused ones, and their effect."""

from __future__ import annotations

from collections import Counter

import pytest

from server.games.engine.options import BadOption, read_options
from server.games.engine.recorded_dice import RecordedDice
from server.games.investors.components import ACTION_DECK, TENDER_DECKS
from server.games.investors.events import ActionDrawn, GameBegun
from tests.games.investors import GAME, TWELVE_CARDS
from tests.games.investors.players import Thrifty, played
from tests.games.players import Uniform, seed_bytes


def begun(seed: int = 1, **options: object) -> GameBegun:
    event = played(Uniform(), seats=4, seed=seed, steps=0, **options).steps[0][0]
    assert isinstance(event, GameBegun)
    return event


def test_the_usual_options_are_those_of_the_rules() -> None:
    assert read_options(GAME.options, {}) == {
        "first_seat": "random",
        "layout": "random",
        "tender_deck": "default",
        "action_cards": (),
        "subsidies": None,
        "bargaining_offers": 0,
        "kind_tender_may_use_edge": True,
        "move_axis_only": False,
        "influence_cap": None,
    }


@pytest.mark.parametrize("deck", ["default", "alternative"])
def test_the_tender_deck_is_the_one_that_was_chosen(deck: str) -> None:
    assert sorted(begun(tender_deck=deck).tender_deck) == sorted(card.name for card in TENDER_DECKS[deck])


def test_without_a_choice_all_eighteen_action_cards_are_shuffled() -> None:
    assert sorted(begun().action_deck) == sorted(card.name for card in ACTION_DECK)


def test_variant_2_the_twelve_chosen_action_cards_are_the_whole_deck() -> None:
    assert sorted(begun(action_cards=TWELVE_CARDS).action_deck) == sorted(TWELVE_CARDS)


def test_variant_2_a_game_that_ends_by_its_years_has_played_every_chosen_card() -> None:
    games = (played(Thrifty(), seats=3, seed=seed, action_cards=TWELVE_CARDS) for seed in range(20))
    finished = next(game for game in games if len(game.play.state.years) == 12)
    drawn = [event.card for step in finished.steps for event in step if isinstance(event, ActionDrawn)]
    assert sorted(drawn) == sorted(TWELVE_CARDS)
    assert finished.play.state.action_deck == ()


@pytest.mark.parametrize("subsidies", range(7))
def test_variant_2_so_many_of_twelve_action_cards_are_subsidies_and_the_rest_are_drawn(subsidies: int) -> None:
    """RULES 10.6."""
    decks = [begun(seed, subsidies=subsidies).action_deck for seed in range(30)]
    for deck in decks:
        assert Counter(deck) <= Counter(card.name for card in ACTION_DECK)
        assert len(deck) == 12
        assert sum(card in ("subsidy", "removal_subsidy") for card in deck) == subsidies
    assert len({tuple(sorted(deck)) for deck in decks}) > 1 or subsidies == 0
    assert len(set(decks)) == len(decks)


def test_variant_2_which_cards_are_played_is_drawn_from_labelled_streams() -> None:
    dice = RecordedDice(seed_bytes(1))
    GAME.begin(3, read_options(GAME.options, {"subsidies": 4}), dice)
    draws = {str(draw["label"]): draw for draw in dice.draws}
    subsidies, others = draws["subsidies"]["order"], draws["other_actions"]["order"]
    assert isinstance(subsidies, list)
    assert isinstance(others, list)
    assert draws["action"]["items"] == [*subsidies[:4], *others[:8]]
    labels = [draw["label"] for draw in dice.draws]
    assert len(set(map(str, labels))) == len(labels)


def test_variant_2_which_subsidies_and_other_cards_are_played_is_secret() -> None:
    shown = begun(subsidies=3).shown_to(0)
    assert shown == begun(2, subsidies=3).shown_to(0) | {"layout": shown["layout"], "start_seat": shown["start_seat"]}


def test_variant_2_a_number_of_subsidies_contradicts_chosen_cards() -> None:
    given = {"subsidies": 3, "action_cards": list(TWELVE_CARDS)}
    complaint = GAME.check_options(4, read_options(GAME.options, given))
    assert complaint == "Option subsidies: all action cards are chosen by action_cards."
    assert GAME.check_options(4, read_options(GAME.options, {"subsidies": 0})) is None


@pytest.mark.parametrize(
    "option, value",
    [
        ("subsidies", 7),
        ("subsidies", -1),
        ("action_cards", TWELVE_CARDS[:11]),
        ("action_cards", (*TWELVE_CARDS, "move/cheques")),
        ("action_cards", (*TWELVE_CARDS[:11], "bonus_villa")),
        ("action_cards", (*TWELVE_CARDS[:11], "bonus_park")),
        ("action_cards", 12),
        ("bargaining_offers", 4),
        ("bargaining_offers", -1),
        ("bargaining_offers", True),
        ("influence_cap", 29),
        ("influence_cap", "many"),
        ("layout", "chess"),
        ("tender_deck", "printed"),
        ("first_seat", "5"),
        ("first_seat", 1),
        ("kind_tender_may_use_edge", "perhaps"),
        ("move_axis_only", 1),
        ("parks", 3),
    ],
)
def test_what_is_no_option_is_refused_in_a_sentence(option: str, value: object) -> None:
    with pytest.raises(BadOption, match=r"^Option .*\.$|^There is no option .*\.$"):
        read_options(GAME.options, {option: value})


@pytest.mark.parametrize("seats, first, fits", [(3, "3", False), (3, "2", True), (4, "4", False), (5, "4", True)])
def test_a_start_player_without_a_seat_is_a_contradiction(seats: int, first: str, fits: bool) -> None:
    complaint = GAME.check_options(seats, read_options(GAME.options, {"first_seat": first}))
    assert (complaint is None) is fits
    assert fits or complaint == f"Option first_seat: with {seats} players there is no seat {first}."


def test_three_to_five_can_play() -> None:
    assert list(GAME.seats) == [3, 4, 5]


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize(
    "options",
    [
        {"layout": "players", "first_seat": "2"},
        {"tender_deck": "alternative", "kind_tender_may_use_edge": False},
        {"bargaining_offers": 3, "influence_cap": 30, "move_axis_only": True},
        {"action_cards": TWELVE_CARDS},
        {"subsidies": 4},
    ],
    ids=["laid", "alternative", "bargaining", "chosen cards", "subsidies"],
)
def test_every_option_can_be_played_with_every_number_of_seats(seats: int, options: dict[str, object]) -> None:
    play = played(Thrifty(), seats=seats, seed=7, **options).play
    assert play.decision is None
    assert GAME.outcome(play.state) is not None
