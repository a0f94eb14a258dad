"""Setting up: the park rule, the layout by chance and by the players, the seats."""

from __future__ import annotations

from collections import Counter

import pytest

from server.games.engine.dice import Dice
from server.games.engine.options import read_options
from server.games.engine.play import begin
from server.games.investors import city
from server.games.investors.commands import LayTile
from server.games.investors.components import HALL, TILES
from server.games.investors.events import GameBegun, TileExchanged, TileLaid, TileSetAside
from server.games.investors.text import KIND_LETTERS
from tests.games.investors import GAME
from tests.games.investors.drawing import city_drawn
from tests.games.investors.players import played
from tests.games.investors.scenes import SEED, RiggedDice, Scene
from tests.games.players import Uniform, seed_bytes

CROWDED = """
    +   +   +   +   +   +   +   +
      B   F   O   M   L   V   R
    +   +   +   +   +   +   +   +
      F   O   M   L   V   R   F
    +   +   +   +   +   +   +   +
      O   M   *   H   *   L   V
    +   +   +   +   +   +   +   +
      R   F   O   M   L   V   R
    +   +   +   +   +   +   +   +
      F   O   M   L   V   R   *
    +   +   +   +   +   +   +   +
"""

# The hall has a park on its left; a second one may lie neither above nor below it.
NO_ROOM_FOR_A_PARK = """
    +   +   +   +   +   +   +   +
      *   F   O   M   L   V   ?
    +   +   +   +   +   +   +   +
      R   F   O   ?   L   V   R
    +   +   +   +   +   +   +   +
      F   O   *   H   L   V   R
    +   +   +   +   +   +   +   +
      R   F   O   ?   L   V   F
    +   +   +   +   +   +   +   +
      L   V   R   B   M   O   M
    +   +   +   +   +   +   +   +
"""
CORNER, ABOVE_THE_HALL, BELOW_THE_HALL = 6, 10, 24


def layout_of(drawing: str) -> list[str | None]:
    kinds = city_drawn(drawing).kinds
    return [kinds[district] for district in range(city.DISTRICTS)]


@pytest.mark.parametrize(
    "patch, crowd",
    [
        ("*H*", True),
        ("*H ", False),
        ("*B*", True),
        ("B* ", False),
        ("** ", False),
    ],
)
def test_at_most_one_park_lies_at_the_sides_of_a_landmark(patch: str, crowd: bool) -> None:
    layout: list[str | None] = [None] * city.DISTRICTS
    kinds = {letter: kind for kind, letter in KIND_LETTERS.items()}
    for position, letter in enumerate(patch):
        layout[city.MIDDLE - 1 + position] = kinds.get(letter)
    assert city.parks_crowd(layout) is crowd


def test_parks_at_the_corners_of_a_landmark_do_not_crowd_it() -> None:
    layout: list[str | None] = [None] * city.DISTRICTS
    layout[city.MIDDLE] = HALL
    for corner in (-8, -6, 6):
        layout[city.MIDDLE + corner] = "park"
    assert not city.parks_crowd(layout)


def test_ruling_1_a_shuffled_city_that_crowds_a_landmark_is_shuffled_again() -> None:
    crowded = layout_of(CROWDED)
    assert city.parks_crowd(crowded)
    tiles = [tile for tile in crowded if tile != HALL]
    play, _ = begin(GAME, 3, read_options(GAME.options, {}), RiggedDice({"layout/0": tiles}))
    again = Dice(SEED).shuffled("layout/1", TILES)
    assert [tile for tile in play.state.layout if tile != HALL] == list(again)


@pytest.mark.parametrize("seed", range(60))
def test_ruling_1_a_city_laid_by_chance_never_crowds_a_landmark(seed: int) -> None:
    play, _ = begin(GAME, 3, read_options(GAME.options, {}), Dice(seed_bytes(seed)))
    assert not city.parks_crowd(play.state.layout)
    assert Counter(play.state.layout) == Counter((*TILES, HALL))


def test_ruling_1_a_park_that_fits_nowhere_is_drawn_again_later() -> None:
    scene = Scene(NO_ROOM_FOR_A_PARK, bag=("market", "park", "villa"))
    scene.do("y", LayTile(CORNER))
    assert scene.new_events(TileSetAside) == [TileSetAside("park")]
    assert (scene.kind, scene.awaited) == ("lay_tile", "b")
    scene.do("b", LayTile(ABOVE_THE_HALL))
    assert TileLaid(1, "villa", ABOVE_THE_HALL) in scene.events


def test_ruling_1_a_last_park_that_fits_nowhere_changes_places_with_a_tile_that_lies() -> None:
    scene = Scene(NO_ROOM_FOR_A_PARK, bag=("market", "park", "villa"))
    scene.do("y", LayTile(CORNER))
    scene.do("b", LayTile(ABOVE_THE_HALL))
    (exchange,) = scene.new_events(TileExchanged)
    assert (exchange.tile, exchange.other) == ("park", BELOW_THE_HALL)
    assert scene.state.layout[exchange.space] == "park"
    assert not city.parks_crowd(scene.state.layout)
    assert scene.kind == "consider_tender"


def test_players_lay_tiles_in_turn_beginning_with_the_start_player() -> None:
    game = played(Uniform(), seats=3, seed=5, steps=4, layout="players", first_seat="1")
    assert [event.seat for step in game.steps for event in step if isinstance(event, TileLaid)] == [1, 2, 0, 1]


def test_players_lay_a_tile_on_any_empty_space_that_keeps_the_park_rule() -> None:
    scene = Scene(NO_ROOM_FOR_A_PARK, bag=("park", "market", "villa"))
    assert scene.open_streets("y", LayTile, "space") == {CORNER}
    scene = Scene(NO_ROOM_FOR_A_PARK, bag=("market", "park", "villa"))
    assert scene.open_streets("y", LayTile, "space") == {CORNER, ABOVE_THE_HALL, BELOW_THE_HALL}


def test_a_city_laid_by_the_players_gets_its_white_sticks_when_it_is_whole() -> None:
    before = played(Uniform(), seats=4, seed=2, steps=32, layout="players").play.state
    # The last tile has one space, so nobody is asked to lay it.
    after = played(Uniform(), seats=4, seed=2, steps=33, layout="players").play.state
    assert city.WHITE not in before.sticks
    assert [owner == city.WHITE for owner in after.sticks] == [
        any(after.layout[district] == "park" for district in around) for around in city.DISTRICTS_OF
    ]
    assert (after.bag, None in after.layout) == ((), False)


def test_white_sticks_lie_on_all_sides_of_parks_and_neighbouring_parks_share_one() -> None:
    scene = Scene(
        """
        +-#-+-#-+
        # * # * #
        +-#-+-#-+
        """
    )
    assert list(scene.state.sticks).count(city.WHITE) == 7 + 4


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_number_of_seats_begins_alike(seats: int) -> None:
    scene = Scene(seats=seats)
    state = scene.state
    assert len(state.supply) == len(state.influence) == len(state.prestige) == len(state.hands) == seats


def test_the_first_start_player_can_be_drawn_or_named() -> None:
    def start_seat(seed: int, first_seat: str) -> int:
        game = played(Uniform(), seats=5, seed=seed, steps=0, first_seat=first_seat)
        begun = game.steps[0][0]
        assert isinstance(begun, GameBegun)
        return begun.start_seat

    assert {start_seat(seed, "random") for seed in range(40)} == set(range(5))
    assert [start_seat(3, str(seat)) for seat in range(5)] == [0, 1, 2, 3, 4]
