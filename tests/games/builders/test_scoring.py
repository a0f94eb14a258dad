"""The result: what counts, in which order, and who wins."""

from __future__ import annotations

from server.games.builders.commands import Confirm, TakeMoney
from server.games.builders.events import GameEnded, GoalsRevealed
from server.games.engine.game import view_of
from tests.games.builders import GAME
from tests.games.builders.scenes import Scene

CITY = """
    P6o Y2k
    R1o G4.
    P3. Y5.
"""


def finished(scene: Scene) -> Scene:
    """Let the last year pass; everybody takes the 2 dollars."""
    for letter in "okbw"[: scene.state.seats]:
        scene.do(letter, TakeMoney(), Confirm())
    return scene


def last_year(drawing: str = CITY, seats: int = 2) -> Scene:
    """Return the beginning of 1912 with goals that nobody has anything for."""
    nothing = dict.fromkeys("okbw"[:seats], "card_set")
    scene = Scene(drawing, card=None, year=1912, seats=seats).goals(common="majority_rubble majority_green column")
    return scene.hidden_goals(**nothing).money(**dict.fromkeys("okbw"[:seats], 1))


def test_points_are_counted_in_order_part_by_part() -> None:
    scene = last_year().goals(common="majority_rubble buildings column", o="rubble").hidden_goals(o="money", k="row")
    scene.money(o=13, k=2).rubble(o=2).marker(o=(3, 2), k=(0, 1)).cards(o={"light": 2, "tram": 1})
    scene.put(best_builder=1)
    outcome = finished(scene).outcome
    assert [list(part) for part in outcome.breakdown] == [
        ["common", "goals", "board", "cards", "best_builder", "money"]
    ] * 2
    orange = {"common": 3 + 2 + 1, "goals": 4 + 5, "board": -2, "cards": 3 + 3, "best_builder": 0, "money": 2}
    black = {"common": 1, "goals": 0, "board": -6, "cards": 0, "best_builder": 3, "money": 0}
    assert outcome.breakdown == (orange, black)
    assert outcome.scores == (sum(orange.values()), sum(black.values()))
    assert outcome.places == (1, 2)


def test_hidden_goals_are_revealed_and_counted_at_the_end_only() -> None:
    scene = last_year().hidden_goals(o="buildings")
    assert view_of(GAME, scene.state, 1)["seats"][0]["points"]["goals"] == 0
    finished(scene)
    assert scene.outcome.breakdown[0]["goals"] == 2
    assert scene.new_events(GoalsRevealed) == [GoalsRevealed((("buildings",), ("card_set",)))]
    assert isinstance(scene.events[-1], GameEnded)


def test_a_personal_majority_is_compared_with_everybody_and_scored_by_its_owner_alone() -> None:
    scene = last_year(CITY.replace("Y5.", "Y5k")).goals(o="majority_yellow", common="column row majority_rubble")
    assert scene.worth("majority_yellow") == (0, 3)
    assert finished(scene).outcome.breakdown[0]["goals"] == 0
    assert scene.outcome.breakdown[1]["goals"] == 0


def test_ruling_40_a_score_can_be_below_zero() -> None:
    scene = finished(last_year("").hidden_goals(o="row", k="row"))
    assert scene.outcome.scores == (-7 - 2 + 0, -7 - 2 + 0)


def test_equal_scores_are_decided_by_buildings_built() -> None:
    scene = finished(last_year())
    assert scene.outcome.scores[0] == scene.outcome.scores[1]
    assert (scene.outcome.places, scene.outcome.tie_break) == ((1, 2), "buildings_built")
    assert scene.outcome.winners == (0,)


def test_equal_scores_and_buildings_share_the_win() -> None:
    scene = finished(last_year(CITY.replace("R1o", "R1.")))
    assert (scene.outcome.places, scene.outcome.winners) == ((1, 1), (0, 1))


def test_different_scores_name_no_tie_break() -> None:
    assert finished(last_year().rubble(o=1)).outcome.tie_break is None


def test_the_view_of_a_finished_game_tells_all_goals_and_points() -> None:
    scene = finished(last_year().hidden_goals(o="buildings", k="isolated").goals(k="rubble").rubble(k=2))
    final = view_of(GAME, scene.state, None)["final"]
    assert final[0] == {
        "common": {"majority_rubble": 0, "majority_green": 0, "column": 0},
        "goals": {"buildings": 2},
        "hidden_goals": ["buildings"],
        "board": -7,
        "cards": {"light": 0, "tram": 0, "hydrant": 0, "park": 0},
        "best_builder": 0,
        "money": 0,
        "total": -5,
    }
    assert final[1]["goals"] == {"rubble": 4, "isolated": 0}
    assert tuple(seat["total"] for seat in final) == scene.outcome.scores
