"""Hundreds of random games, or thousands with ALL_GAMES: the invariants hold, and every event, command and card occurs.

Games are numbered; the number decides seats, options and seeds, so a failing test names the game to look at.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from server.games.builders import events
from server.games.builders.components import LAST_YEAR, OTHER_GOALS, PERMITS, START_GOALS, YEARS
from server.games.builders.events import BonusLapsed, CardsRedealt, MarkerCapped
from server.games.builders.scoring import goal_points
from server.games.builders.state import Composing
from server.games.engine.play import Play, Step
from tests.games.builders import GAME
from tests.games.builders.invariants import InvariantChecker
from tests.games.builders.players import Eager, Lone, Moody, played
from tests.games.players import Game, Player, Uniform, batches, played_by

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"plot_sides": "A", "strict_wild": True},
    {"plot_sides": "B", "park_order": "falling"},
    {"adjacent_across_cards": True, "majorities_rank_all": True},
)
KINDS = {"place_pawn", "act", "bonus", "choose_permit", "choose_plot", "take_card", "confirm"}

GAMES_IN_A_BATCH = 50
BATCHES = [(player, batch) for player in (Uniform(), Moody(), Eager()) for batch in batches(14)]


def numbered(player: Player, number: int, *, asks_forced: bool = True, **watching: Any) -> Game:
    """Play the game of a number; two seats, then three, then four, each with every set of options."""
    options = OPTIONS[number % len(OPTIONS)]
    return played(player, seats=2 + number % 3, seed=number, asks_forced=asks_forced, **options, **watching)


def reason_of(game: Game) -> str:
    outcome = GAME.outcome(game.play.state)
    assert outcome is not None, "the game did not end"
    return outcome.reason


@pytest.mark.parametrize(
    "player, batch", BATCHES, ids=[f"{type(player).__name__}-{batch}" for player, batch in BATCHES]
)
def test_the_books_balance_after_every_step_of_a_random_game(player: Player, batch: int) -> None:
    for number in range(batch * GAMES_IN_A_BATCH, (batch + 1) * GAMES_IN_A_BATCH):
        numbered(player, number, watch=InvariantChecker().follow)


@pytest.mark.parametrize("player", [Uniform(), Moody(), Eager()], ids=lambda player: type(player).__name__)
def test_the_books_balance_where_forced_seats_are_not_asked(player: Player) -> None:
    for number in range(2 * GAMES_IN_A_BATCH):
        numbered(player, number, watch=InvariantChecker(checks_builds=False).follow, asks_forced=False)


@pytest.mark.parametrize("batch", range(4))
def test_the_books_balance_in_games_that_end_by_an_eighth_building(batch: int) -> None:
    reasons = Counter(
        reason_of(numbered(Lone(), number, watch=InvariantChecker().follow))
        for number in range(batch * 30, batch * 30 + 30)
    )
    assert reasons["eighth"] > 10


@pytest.mark.parametrize("player", [Uniform(), Moody(), Eager()], ids=lambda player: type(player).__name__)
def test_the_books_balance_in_games_of_version_2_of_the_rules(player: Player) -> None:
    earlier = GAME.as_of(2)
    assert earlier is not None
    for number in range(GAMES_IN_A_BATCH):
        how: dict[str, Any] = {**OPTIONS[number % len(OPTIONS)], "watch": InvariantChecker().follow}
        game = played_by(earlier, player, seats=2 + number % 3, seed=number, asks_forced=True, **how)
        assert game.play.state.rules == 2


class Sightings:
    """Situations that were seen in games, apart from events."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def follow(self, play: Play, step: Step) -> None:
        before, self._before = getattr(self, "_before", None), play.state
        for event in step:
            match event:
                case events.ActionChosen(_, action, fee):
                    self.seen[f"{action} {'for a fee' if fee else 'on its own space'}"] += 1
                case events.BonusChosen(_, bonus):
                    self.seen[f"{bonus} in {play.state.year}"] += 1
                case events.CardTaken(_, symbol):
                    self.seen[f"{symbol} taken"] += 1
                case events.RubbleCleared(_, _, by):
                    self.seen[f"rubble by {by}"] += 1
                case events.MoneyGained(_, _, why):
                    self.seen[f"gained by {why}"] += 1
                case events.MoneyPaid(_, _, why):
                    self.seen[f"paid for {why}"] += 1
                case events.Built(_, _, permits):
                    self._build(before.stage, permits)

    def _build(self, stage: Composing, permits: tuple[int, ...]) -> None:
        wild = " one wild" if any(PERMITS[permit].colour is None for permit in permits) else ""
        self.seen[f"{'subsidised' if stage.subsidised else 'plain'} with {len(permits)}{wild}"] += 1


def expected_sightings() -> set[str]:
    actions = ("income", "material", "permit", "goal", "clean_up", "develop", "build", "build_subsidised")
    bonuses = {f"{bonus} in {year}" for year in YEARS for bonus in YEARS[year].choice}
    return {
        *(f"{action} {how}" for action in actions for how in ("for a fee", "on its own space")),
        "dollar on its own space",
        "pass on its own space",
        *bonuses,
        *(f"{symbol} taken" for symbol in ("light", "tram", "hydrant", "park")),
        *(f"rubble by {by}" for by in ("clean_up", "build")),
        *(f"gained by {why}" for why in ("income_space", "income", "dollar", "bonus")),
        *(f"paid for {why}" for why in ("build", "rubble", "tram", "clean_up", "step", "develop")),
        *(f"{kind} with {permits}" for kind in ("plain", "subsidised") for permits in (1, 2)),
        *(f"{kind} with {permits} one wild" for kind in ("plain", "subsidised") for permits in (1, 2)),
    }


def test_everything_in_the_box_occurs() -> None:
    new_events: Counter[str] = Counter()
    commands: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    sightings = Sightings()
    for number in range(96):
        player = (Uniform(), Moody(), Eager(), Lone())[number // 12 % 4]
        game = numbered(player, number, watch=sightings.follow)
        reasons[reason_of(game)] += 1
        kinds.update(kind for kind, _ in game.answers)
        commands.update(command.name for _, command in game.answers)
        new_events.update(event.name for step in game.steps for event in step)
    # No bonus is impossible before goals and permits run out together, which takes longer than to 1907; and nobody who
    # plays at random goes all the steps to the corner of the development board.
    missing = {BonusLapsed.name, CardsRedealt.name, MarkerCapped.name}
    assert {event.name for event in GAME.events} - set(new_events) == missing
    assert {command.name for command in GAME.commands} - set(commands) == set()
    assert set(kinds) == KINDS
    assert set(reasons) == {"eighth", "final_year"}
    assert set(sightings.seen) == expected_sightings()


def test_every_goal_earns_somebody_points() -> None:
    goals: set[str] = set()
    for number in range(90):
        state = numbered(Eager(), number).play.state
        for seat in range(state.seats):
            own = (*state.common_goals, *state.open_goals[seat], *state.hidden_goals[seat])
            goals |= {goal for goal in own if goal_points(state, goal, seat) > 0}
    assert goals == {*START_GOALS, *OTHER_GOALS}


def test_a_game_never_goes_beyond_its_last_year() -> None:
    for number in range(12):
        state = numbered(Uniform(), number).play.state
        assert (state.year, state.acted) == (LAST_YEAR, state.seats)
