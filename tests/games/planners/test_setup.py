"""The box set up (section 4 of the rules)."""

from __future__ import annotations

import pytest

from server.games.engine.dice import Dice
from server.games.engine.options import read_options
from server.games.engine.play import begin
from server.games.engine.serialization import to_json
from server.games.planners.components import DECK
from tests.games.planners import GAME
from tests.games.planners.scenes import Scene


def set_up(seats: int, seed: int = 0, **options: object) -> Scene:
    scene = Scene(seats=seats)
    agreed = read_options(GAME.options, options)
    scene.play, _ = begin(GAME, seats, agreed, Dice(seed.to_bytes(32, "big")), asks_forced=True)
    return scene


@pytest.mark.parametrize("seats, tokens", [(2, 6), (3, 8), (4, 10)])
def test_all_cards_are_shuffled_the_columns_are_empty_and_nobody_has_a_contract(seats: int, tokens: int) -> None:
    state = set_up(seats).state
    assert sorted(state.deck) == list(DECK)
    assert state.deck != DECK
    assert (state.columns, state.contracts, state.tokens) == (((), (), ()), (0,) * seats, tokens)
    assert set(state.bonuses.values()) == {3}
    assert (state.medal, state.completed, state.discarded) == (None, (None,) * 5, ())


def test_the_first_move_of_a_game_is_to_draw() -> None:
    scene = set_up(4)
    assert (scene.kind, scene.offers) == ("turn", {"draw": True})


def test_the_first_seat_is_drawn_and_every_seat_is_drawn_sometimes() -> None:
    assert {set_up(4, seed).awaited for seed in range(40)} == set("ybrg")


@pytest.mark.parametrize("seat", range(3))
def test_the_first_seat_can_be_chosen(seat: int) -> None:
    assert set_up(3, first_seat=str(seat)).awaited == "ybr"[seat]


def test_a_first_seat_that_nobody_sits_on_is_not_accepted() -> None:
    sentence = GAME.check_options(2, read_options(GAME.options, {"first_seat": "2"}))
    assert sentence == "Option first_seat: with 2 players there is no seat 2."
    assert GAME.check_options(3, read_options(GAME.options, {"first_seat": "2"})) is None
    assert GAME.check_options(2, read_options(GAME.options, {})) is None


def test_an_option_changes_only_what_it_names() -> None:
    settings = set_up(2, allow_decline_bonus=True).state.settings
    assert (settings.allow_decline_bonus, settings.resolve_bonus_on_final_card) == (True, True)
    settings = set_up(2, resolve_bonus_on_final_card=False).state.settings
    assert (settings.allow_decline_bonus, settings.resolve_bonus_on_final_card) == (False, False)
    settings = set_up(2, sold_out_bonus="nothing").state.settings
    assert (settings.sold_out_leaves_nothing, settings.rows_below_by_total) == (True, False)
    settings = set_up(2, rows_below_by_total=True).state.settings
    assert (settings.sold_out_leaves_nothing, settings.rows_below_by_total) == (False, True)


def test_a_game_with_the_usual_options_begins_with_the_event_of_version_2_of_the_rules() -> None:
    earlier = GAME.as_of(2)
    assert earlier is not None
    options = read_options(GAME.options, {})
    (event,), (then,) = (game.begin(3, options, Dice(bytes(32)))[1] for game in (GAME, earlier))
    fields = {"event", "seats", "first_seat", "allow_decline_bonus", "resolve_bonus_on_final_card", "tokens"}
    assert to_json(event) == to_json(then)
    assert to_json(event).keys() == fields | {"deck"}
    shown = event.shown_to(None)
    assert shown is not None
    assert shown.keys() == fields
    (event,) = GAME.begin(3, read_options(GAME.options, {"rows_below_by_total": True}), Dice(bytes(32)))[1]
    assert (event.shown_to(1) or {}).keys() == fields | {"rows_below_by_total"}
