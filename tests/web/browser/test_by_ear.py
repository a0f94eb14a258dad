"""Every game can be played by ear and by keyboard: through the accessibility tree alone.

BY_EAR plays whole games (`make by-ear`); without it, only the first decisions of each game are made.
"""

from __future__ import annotations

import asyncio
import os

import pytest

from tests.web.browser.conftest import Arrive
from tests.web.browser.tree_player import READINGS, TreePlayer, focused
from tests.web.browser.visitor import GAME_TIMEOUT

pytestmark = pytest.mark.asyncio(loop_scope="module")

IS_WHOLE = "BY_EAR" in os.environ
FIRST_DECISIONS = 2

GAMES = ("Investors", "Planners", "Builders")


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_is_played_through_the_accessibility_tree_alone(game: str, arrive: Arrive) -> None:
    player = await TreePlayer.at(await arrive(reduced_motion="reduce"))
    async with asyncio.timeout(GAME_TIMEOUT):
        await player.begin(game)
        is_over = await player.play(None if IS_WHOLE else FIRST_DECISIONS)
    assert is_over == IS_WHOLE
    assert player.heard, "no event was announced"
    if IS_WHOLE:
        return
    for key, reading in READINGS.items():
        assert len(await player.read_aloud(key)) > 20, reading


async def test_the_keys_lead_to_the_board_and_to_the_decision(arrive: Arrive) -> None:
    player = await TreePlayer.at(await arrive(reduced_motion="reduce"))
    await player.begin("Investors")
    await player.press("b")
    tree = await player.until(lambda tree: (at := focused(tree)) and at.role == "gridcell")
    first = focused(tree)
    assert first is not None
    assert first.within("grid")
    assert first.name.startswith("A1, ")
    await player.press("ArrowRight")
    tree = await player.until(lambda tree: (at := focused(tree)) and at.name != first.name)
    street = focused(tree)
    assert street is not None
    assert street.name.startswith("Street between")
    await player.press("d")
    await player.until(lambda tree: (at := focused(tree)) and at.role == "heading" and at.within("region"))
    await player.press("?")
    await player.until(lambda tree: tree.find("dialog", "Keys and reading aloud"))
    await player.press("s")
    await player.until(lambda tree: (said := tree.find("status", "Read aloud")) and "prestige" in said.text)
