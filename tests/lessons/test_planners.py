"""The lesson of Planners: its game can be played, every idea occurs, and answers mean what their texts say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.games.engine.events import Event
from server.games.planners.events import (
    ColumnTaken,
    ContractsReturned,
    GameEnded,
    MedalTaken,
    NetworkGrown,
    RowCompleted,
    TowerBuilt,
)
from server.games.planners.scoring import outcome, standings
from server.games.planners.state import State
from server.lessons.checking import lesson_problems
from server.lessons.lesson import FOLDER, Step, lesson_of
from server.lessons.positions import Position, Reached, positions_of, reach
from server.model import Refused

ROOT = Path(__file__).parents[2]
_FOUND = lesson_of("planners")
assert _FOUND is not None
LESSON = _FOUND
STEPS = {step.id: step for step in LESSON.steps}
POSITIONS = dict(zip(STEPS, positions_of(LESSON), strict=True))
ASKING = [step for step in LESSON.steps if step.answers]

COAST, CIVIC, CHINATOWN, HOMES = range(4)
SILAS, ULLA = 1, 2


def reached(step: Step, answers: list[dict[str, Any]]) -> Reached:
    found = reach(LESSON, step, POSITIONS[step.id], answers)
    assert not isinstance(found, Refused)
    return found


def as_asked(step_id: str) -> tuple[State, tuple[Event, ...]]:
    """Return the state after the answers that a step asks for, and all events that they caused."""
    step = STEPS[step_id]
    position = reached(step, step.answers).position
    new = position.log[len(POSITIONS[step_id].log) :]
    return state_of(position), tuple(event for events in new for event in events)


def state_of(position: Position) -> State:
    state = position.play.state
    assert isinstance(state, State)
    return state


def kinds(events: tuple[Event, ...]) -> set[type[Event]]:
    return {type(event) for event in events}


def test_everything_fits() -> None:
    assert lesson_problems(FOLDER / "planners.json", ROOT) == []


def test_the_learner_acts_in_most_steps_of_a_short_lesson() -> None:
    assert 14 <= len(LESSON.steps) <= 24
    assert len(ASKING) * 2 > len(LESSON.steps)


@pytest.mark.parametrize("step", ASKING, ids=lambda step: step.id)
def test_the_answers_that_a_step_asks_for_complete_it_with_its_first_meaning(step: Step) -> None:
    found = reached(step, step.answers)
    assert found.is_done
    assert found.meaning == step.meanings[0].id == "good"


@pytest.mark.parametrize("step", ASKING, ids=lambda step: step.id)
def test_every_meaning_can_be_reached_by_a_legal_answer(step: Step) -> None:
    decision = POSITIONS[step.id].play.decision
    assert decision is not None
    meanings = {step.meaning_of(command) for command in legal(decision.prompts[LESSON.learner].to_json()["choices"])}
    assert meanings == {meaning.id for meaning in step.meanings}


def legal(choices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return all commands of a prompt of Planners, which have at most one field."""
    commands: list[dict[str, Any]] = []
    for choice in choices:
        fields = [(name, space) for name, space in choice.items() if name != "do"]
        if not fields:
            commands.append({"do": choice["do"]})
        for name, space in fields:
            pairs = [[key, value] for key, values in space.get("pairs", []) for value in values]
            commands += [{"do": choice["do"], name: value} for value in [*space.get("one_of", []), *pairs]]
    return commands


@pytest.mark.parametrize(
    "step, answer, meaning",
    [
        ("draw", {"do": "finalize", "column": 0}, "other"),
        ("take", {"do": "draw"}, "draw"),
        ("tracks", {"do": "discard", "card": 67}, "discard"),
        ("square", {"do": "place", "placement": [29, 1]}, "foundation"),
        ("contracts", {"do": "lay", "column": 2}, "pair"),
        ("depot", {"do": "place", "placement": [44, 2]}, "foundation"),
        ("universal", {"do": "place", "placement": [87, 0]}, "elsewhere"),
        ("bonus", {"do": "take_universal", "row": 1}, "row"),
        ("bonus", {"do": "take_tracks", "space": 11}, "tracks"),
        ("ties", {"do": "place", "placement": [77, 3]}, "universal"),
        ("row", {"do": "place", "placement": [77, 2]}, "chinatown"),
    ],
)
def test_another_answer_is_explained_at_once(step: str, answer: dict[str, Any], meaning: str) -> None:
    found = reached(STEPS[step], [answer])
    assert found.is_done
    assert found.meaning == meaning


def test_a_foundation_that_is_discarded_after_the_square_was_placed_is_explained_as_a_discard() -> None:
    found = reached(STEPS["square"], [STEPS["square"].answers[0], {"do": "discard", "card": 29}])
    assert found.is_done
    assert found.meaning == "other"


def test_any_column_is_good_for_the_first_card_and_for_the_last() -> None:
    for step in (STEPS["lay"], STEPS["last"]):
        assert {reached(step, [{"do": "lay", "column": column}]).meaning for column in range(3)} == {"good"}


def test_the_first_column_has_three_cards_and_tracks_that_carry_a_cable_car() -> None:
    _, events = as_asked("take")
    assert [len(event.cards) for event in events if isinstance(event, ColumnTaken)] == [3]
    assert NetworkGrown in kinds(as_asked("tracks")[1])


def test_contracts_close_the_columns_and_then_everybody_hands_one_back() -> None:
    state = state_of(POSITIONS["contracts"])
    assert state.contracts[0] == max(map(len, state.columns)) == 1
    before, after = POSITIONS["contracts"], POSITIONS["returned"]
    between = tuple(event for events in after.log[len(before.log) :] for event in events)
    assert ContractsReturned in kinds(between)
    assert state_of(after).contracts == (0, 0, 0)


def test_the_depot_lets_the_square_count_and_the_seaside_lowers_what_foundations_need() -> None:
    square = CIVIC * 5
    assert state_of(POSITIONS["depot"]).cities[0].values()[square] == 0
    assert as_asked("depot")[0].cities[0].values()[square] == 4
    assert state_of(POSITIONS["seaside"]).cities[0].needs == 7
    assert as_asked("seaside")[0].cities[0].needs == 6


def test_a_skyscraper_rises_and_brings_the_medal_and_the_bonus_builds_two_more() -> None:
    assert {TowerBuilt, MedalTaken} <= kinds(as_asked("tower")[1])
    bonus = [event for event in as_asked("bonus")[1] if isinstance(event, TowerBuilt)]
    assert len(bonus) == 2


def test_the_other_bonuses_do_what_their_texts_say() -> None:
    row = reached(STEPS["bonus"], [{"do": "take_universal", "row": CIVIC}])
    assert RowCompleted in kinds(row.latest)
    tracks = reached(STEPS["bonus"], [{"do": "take_tracks", "space": 11}])
    assert [list(event.spaces) for event in tracks.latest if isinstance(event, NetworkGrown)] == [[11, 12]]


def ranks(state: State, row: int) -> list[tuple[int, int]]:
    """Return the seats of a district from the first rank to the last, with their totals."""
    return [(standing.seat, standing.total) for standing in standings(state)[row]]


def test_silas_leads_homes_by_a_tie_until_the_learner_adds_a_card() -> None:
    assert ranks(state_of(POSITIONS["ties"]), HOMES)[:2] == [(SILAS, 4), (0, 4)]
    assert ranks(as_asked("ties")[0], HOMES)[:2] == [(0, 6), (SILAS, 4)]


def test_the_learner_fills_civic_first() -> None:
    assert RowCompleted in kinds(as_asked("row")[1])


def test_the_game_ends_with_the_last_foundation_and_the_points_of_the_text() -> None:
    assert GameEnded in kinds(as_asked("last")[1])
    play = POSITIONS["points"].play
    assert play.decision is None
    result = outcome(state_of(POSITIONS["points"]))
    assert result is not None
    assert result.winners == (0,)
    assert result.scores[0] == 33
    assert ranks(state_of(POSITIONS["points"]), CHINATOWN)[:2] == [(0, 3), (ULLA, 3)]
    assert ranks(state_of(POSITIONS["points"]), COAST)[0] == (0, 1)
