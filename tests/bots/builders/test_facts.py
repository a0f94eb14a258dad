"""The counts of games of bots, and what they should show of the game (RECONSTRUCTION.md)."""

from __future__ import annotations

from server.games.builders.components import RULES_VERSION
from tests.bots.builders.facts import play_game, play_games, summary


def test_facts_are_counted_for_each_seat_and_game() -> None:
    played = list(play_games(2, "normal", 1, 3))
    assert all(len(values) == 2 for game in played for values in game[1:])
    assert all(sum(game.wins) == 1 for game in played)
    counted = summary(played)
    assert counted["games"] == 3
    assert sum(counted["seats_by_buildings"]) == 6


def test_the_same_seed_plays_the_same_game_and_earlier_rules_another() -> None:
    assert play_game(2, "normal", 1, 0) == play_game(2, "normal", 1, 0, RULES_VERSION)
    assert play_game(2, "normal", 1, 0) != play_game(2, "normal", 1, 0, rules=3)


def test_bots_build_six_or_seven_and_do_not_exhaust_the_board() -> None:
    """In a few games; the intervals of many are in RECONSTRUCTION.md."""
    played = list(play_games(3, "normal", 2, 10))
    built = [number for game in played for number in game.built]
    assert 5.5 < sum(built) / len(built) < 7.5
    assert sum(sum(game.exhausted) for game in played) < 5
