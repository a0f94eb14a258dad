"""Tips are due at the right moments of golden games, and each follows from a rule."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from server.games.engine.game_log import plays, read_log
from server.games.engine.play import play_view
from tests.web.node import ROOT, bundled, run_node
from tests.web.texts import LANGUAGES, texts

GOLDEN = ROOT / "tests/golden"

LOGS = {
    "investors": (("chosen-action-deck", 0), ("full-5-seats", 1)),
    "planners": (("cable-cars-decide", 0), ("full-3-seats", 1)),
    "builders": (("steps-taken-back", 0), ("final-year-4-seats", 0)),
}
"""The games that are read, and whose view: in them, every tip is due, apart from those below."""

SCRIPTED = {"tips.investors.lift"}
"""Tips for positions that no golden game has; tips.test.js has positions for them."""

View = dict[str, Any]


class Update(NamedTuple):
    """What one seat is shown."""

    number: int
    view: View
    events: list[dict[str, Any]]

    @property
    def about(self) -> str | None:
        """The kind of decision that this seat is asked for, if any."""
        decision = self.view["play"]["decision"]
        return decision["about"] if decision and "prompt" in decision else None

    @property
    def game(self) -> dict[str, Any]:
        """The view of the game."""
        return self.view["play"]["game"]  # type: ignore[no-any-return]

    @property
    def own(self) -> dict[str, Any]:
        """The public view of this seat."""
        return self.game["seats"][self.view["mine"]]  # type: ignore[no-any-return]

    def offers(self, command: str) -> bool:
        """Return whether the seat may answer with this command."""
        decision = self.view["play"]["decision"]
        return any(choice["do"] == command for choice in decision["prompt"]["choices"])


def updates_of(log: Path, seat: int) -> list[Update]:
    """Return what a seat is shown after every step of a game."""
    game_log = read_log(log.read_text("utf-8"))
    updates = []
    for number, (play, step) in enumerate(zip(plays(game_log), game_log.steps, strict=True), 1):
        shown = play_view(play, seat)
        chairs = [{"resigned": False, "stand_in": None} for _ in shown["game"]["seats"]]
        phase = "running" if shown["decision"] else "over"
        table = {"game": game_log.game.name, "phase": phase, "paused": False}
        view = {"mine": seat, "seats": chairs, "play": shown, "table": table}
        events = [each for event in step if (each := event.shown_to(seat))]
        updates.append(Update(number, view, events))
    return updates


class Shown(NamedTuple):
    """The tips of all games, and the updates in which they were due in golden games."""

    tips: dict[str, list[dict[str, str]]]
    moments: dict[str, list[Update]]
    counts: dict[str, list[int]]
    """The number of tips in each game that was read."""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    folder = tmp_path_factory.mktemp("tips")
    games = [
        (game, updates_of(GOLDEN / game / f"{name}.log", seat)) for game, names in LOGS.items() for name, seat in names
    ]
    file = folder / "games.json"
    written = [{"game": game, "updates": [update._asdict() for update in updates]} for game, updates in games]
    file.write_text(json.dumps(written), "utf-8")
    result = json.loads(run_node("node", str(bundled("golden-tips.js", folder)), str(file)))
    moments: dict[str, list[Update]] = {}
    counts: dict[str, list[int]] = {game: [] for game in LOGS}
    for (game, updates), found in zip(games, result["shown"], strict=True):
        assert len({each["id"] for each in found}) == len(found)
        counts[game].append(len(found))
        for each in found:
            moments.setdefault(each["id"], []).append(updates[each["number"] - 1])
    return Shown(result["tips"], moments, counts)


def is_asked(*abouts: str) -> Callable[[Update], bool]:
    return lambda update: update.about in abouts


MOMENTS: dict[str, Callable[[Update], bool]] = {
    "tips.investors.gift": lambda update: (
        len({event["seat"] for event in update.events if event["event"] in ("stick_placed", "district_rebuilt")}) > 1
    ),
    "tips.investors.bank": lambda update: (
        update.game["bank"] > 0 or any(event["event"] == "subsidy_paid" for event in update.events)
    ),
    "tips.investors.subsidy": lambda update: (
        update.about == "claim_subsidy" and update.game["action"].startswith("subsidy")
    ),
    "tips.investors.end": lambda update: len(update.game["years"]) >= 8,
    "tips.investors.abstain": lambda update: update.game["action"] is not None and update.offers("abstain"),
    "tips.investors.refuse": lambda update: update.offers("reject_tender"),
    "tips.investors.equal_cards": lambda update: update.offers("play_influence"),
    "tips.investors.many_rights": lambda update: update.game["stage"]["rights"] > 2,
    "tips.investors.large_cheques": lambda update: update.offers("raise_bid"),
    "tips.investors.option_alone": is_asked("option_tender"),
    "tips.investors.option_sums": lambda update: (
        update.game["options"].count(update.game["options"][update.view["mine"]]) > 1
    ),
    "tips.investors.majority": lambda update: update.view["mine"] in update.game["sticks"] and update.about == "invest",
    "tips.investors.both_sides": is_asked("invest"),
    "tips.planners.end": lambda update: update.game["tokens"] < 3,
    "tips.planners.tie": lambda update: any(
        any(rank["tie"] for rank in ranks) for ranks in update.game["standings"][:5]
    ),
    "tips.planners.seaside": is_asked("place"),
    "tips.planners.foundation": is_asked("place"),
    "tips.planners.square": is_asked("place"),
    "tips.planners.compass": lambda update: 1 in update.own["compasses"],
    "tips.planners.tracks": is_asked("place"),
    "tips.planners.left": lambda update: update.offers("place"),
    "tips.planners.discard": lambda update: len(update.game["stage"]["cards"]) > 2,
    "tips.planners.give_back": lambda update: [seat["contracts"] for seat in update.game["seats"]].count(0) == 1,
    "tips.planners.contracts": lambda update: any(
        0 < len(column) <= update.own["contracts"] for column in update.game["columns"]
    ),
    "tips.planners.take": lambda update: update.offers("finalize"),
    "tips.planners.lay": is_asked("lay"),
    "tips.builders.end": lambda update: max(seat["built"] for seat in update.game["seats"]) > 5,
    "tips.builders.money": lambda update: update.own["money"] > 10,
    "tips.builders.cards": is_asked("take_card"),
    "tips.builders.rubble": lambda update: (
        update.game["stage"]["name"] == "composing"
        and bool(set(update.game["stage"]["plots"]) & set(update.game["city"]["rubble"]))
    ),
    "tips.builders.two_permits": is_asked("choose_permit"),
    "tips.builders.symbols": lambda update: update.offers("take_permit") and bool(update.own["permits"]),
    "tips.builders.permits": lambda update: update.offers("take_permit"),
    "tips.builders.goals": lambda update: update.offers("take_goal"),
    "tips.builders.marker": lambda update: update.offers("clean_up") or update.offers("develop"),
    "tips.builders.dearer": lambda update: update.game["year"] in (1906, 1908, 1910) and update.own["front"] > 0,
    "tips.builders.income": lambda update: update.game["area"] == 0 and update.offers("place_pawn"),
    "tips.builders.two_players": lambda update: len(update.game["seats"]) == 2 and update.game["area"] > 0,
    "tips.builders.order": lambda update: update.game["area"] > 0 and update.offers("place_pawn"),
    "tips.builders.fee": is_asked("act"),
}
"""For each tip, what holds whenever it is due; said otherwise than in its condition."""


def test_every_tip_is_due_in_some_golden_game_and_only_at_its_moment(shown: Shown) -> None:
    listed = {tip["id"] for tips in shown.tips.values() for tip in tips}
    assert listed == MOMENTS.keys() | SCRIPTED
    assert listed - shown.moments.keys() == SCRIPTED
    for tip, moments in shown.moments.items():
        for update in moments:
            assert MOMENTS[tip](update), f"{tip} at {update.number}: {update.about}"


@pytest.mark.parametrize("game", LOGS)
def test_a_game_has_enough_tips_for_a_newcomer_and_not_too_many(game: str, shown: Shown) -> None:
    assert 10 <= len(shown.tips[game]) <= 14
    assert min(shown.counts[game]) >= 8


@pytest.mark.parametrize("game", LOGS)
def test_every_tip_cites_a_rule(game: str, shown: Shown) -> None:
    rules = set(re.findall(r"^(\d+\.\d+) ", (ROOT / f"server/games/{game}/RULES.md").read_text("utf-8"), re.MULTILINE))
    assert [tip for tip in shown.tips[game] if tip["rule"] not in rules] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tip_has_a_text_and_every_text_a_tip(language: str, shown: Shown) -> None:
    ids = {tip["id"] for tips in shown.tips.values() for tip in tips}
    assert {key for key in texts(language, "tips") if key.count(".") == 2} == ids
