"""Hundreds of random games, or thousands with ALL_GAMES: the invariants hold, and every event, command and card occurs.

Games are numbered; the number decides seats, options and seeds, so a failing test names the game to look at.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from server.games.investors.components import ACTION_CARDS, TENDER_CARDS
from server.games.investors.events import ActionDrawn, CardsRedealt, TenderDrawn
from tests.games.investors import GAME, TWELVE_CARDS
from tests.games.investors.invariants import InvariantChecker
from tests.games.investors.players import Patient, Thrifty, played
from tests.games.players import Game, Player, Uniform, batches

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"layout": "players"},
    {"tender_deck": "alternative"},
    {"bargaining_offers": 2},
    {"action_cards": TWELVE_CARDS},
    {"kind_tender_may_use_edge": False, "move_axis_only": True},
    {"influence_cap": 32},
    {"subsidies": 3},
)
KINDS = {
    "lay_tile",
    "consider_tender",
    "influence_tender",
    "cheque_tender",
    "option_tender",
    "make_offer",
    "answer_offer",
    "pay_offer",
    "option_bids",
    "invest",
    "use_action",
    "claim_subsidy",
    "draw_cheques",
}

GAMES_IN_A_BATCH = 42
BATCHES = [(Uniform(), batch) for batch in batches(30)] + [(Thrifty(), batch) for batch in batches(20)]


def numbered(player: Player, number: int, **watching: Any) -> Game:
    """Play the game of a number; three seats, then four, then five, each with every set of options."""
    return played(player, seats=3 + number % 3, seed=number, **OPTIONS[number % len(OPTIONS)], **watching)


@pytest.mark.parametrize(
    "player, batch", BATCHES, ids=[f"{type(player).__name__}-{batch}" for player, batch in BATCHES]
)
def test_the_books_balance_after_every_step_of_a_random_game(player: Player, batch: int) -> None:
    for number in range(batch * GAMES_IN_A_BATCH, (batch + 1) * GAMES_IN_A_BATCH):
        numbered(player, number, watch=InvariantChecker().follow)


@pytest.mark.parametrize("batch", range(4))
def test_the_books_balance_in_games_that_run_out_of_streets(batch: int) -> None:
    for number in range(batch * 10, (batch + 1) * 10):
        game = played(Patient(), seats=5, seed=number, watch=InvariantChecker().follow)
        assert reason_of(game) == "full"


def reason_of(game: Game) -> str:
    outcome = GAME.outcome(game.play.state)
    assert outcome is not None, "the game did not end"
    return outcome.reason


def sample_games() -> list[Game]:
    """Return a mix of games that is large enough for everything to occur."""
    players = (Uniform(), Thrifty())
    return [numbered(players[number // 21 % 2], number) for number in range(84)] + [
        played(Patient(), seats=5, seed=seed, layout="players") for seed in range(24)
    ]


def test_everything_in_the_box_occurs() -> None:
    events: Counter[str] = Counter()
    cards: Counter[str] = Counter()
    commands: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for game in sample_games():
        reasons[reason_of(game)] += 1
        kinds.update(kind for kind, _ in game.answers)
        commands.update(command.name for _, command in game.answers)
        for event in (event for step in game.steps for event in step):
            events[event.name] += 1
            if isinstance(event, (TenderDrawn, ActionDrawn)):
                cards[event.card] += 1
    assert {event.name for event in GAME.events} - set(events) == {CardsRedealt.name}
    assert (TENDER_CARDS.keys() | ACTION_CARDS.keys()) - set(cards) == set()
    assert {command.name for command in GAME.commands} - set(commands) == set()
    assert set(kinds) == KINDS
    assert set(reasons) == {"years", "spent", "full"}


def test_a_thrifty_game_mostly_ends_by_its_years() -> None:
    reasons = Counter(reason_of(numbered(Thrifty(), number)) for number in range(21))
    assert reasons["years"] > reasons["spent"]
