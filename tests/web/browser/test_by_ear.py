"""Every game can be played by ear and by keyboard: through the accessibility tree alone.

BY_EAR plays whole games (`make by-ear`); without it, only the first decisions of each game are made.
"""

from __future__ import annotations

import asyncio
import os

import pytest

from tests.web.browser.conftest import Arrive
from tests.web.browser.tree_player import READINGS, TreePlayer, focused
from tests.web.browser.visitor import GAME_TIMEOUT, asked

pytestmark = pytest.mark.asyncio(loop_scope="session")

IS_WHOLE = "BY_EAR" in os.environ
FIRST_DECISIONS = 2

WHOLE_GAME_TIMEOUT = 4 * GAME_TIMEOUT
"""Seconds that a whole game may take: the player listens to the whole page after every key."""

GAMES = ("Investors", "Planners", "Builders")


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_is_played_through_the_accessibility_tree_alone(game: str, arrive: Arrive) -> None:
    player = await TreePlayer.at(await arrive(reduced_motion="reduce"))
    async with asyncio.timeout(WHOLE_GAME_TIMEOUT):
        await player.begin(game)
        is_over = await player.play(None if IS_WHOLE else FIRST_DECISIONS)
    assert is_over == IS_WHOLE
    # The last answer may still be on its way; an event is announced at the latest when the others have answered.
    await player.until(lambda tree: player.heard)
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


OUTLINES = "[...document.querySelectorAll('.influence-card.can')].map((card) => getComputedStyle(card).outlineStyle)"


async def test_more_contrast_and_the_colours_of_the_system_are_respected(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    await visitor.play_now()
    await visitor.play(by_mouse=0, until=asked("influence_tender"))
    muted = "getComputedStyle(document.documentElement).getPropertyValue('--muted')"
    usual = await visitor.page.evaluate(muted)
    assert set(await visitor.page.evaluate(OUTLINES)) == {"none"}
    await visitor.page.emulate_media(contrast="more", forced_colors="active")
    assert await visitor.page.evaluate(muted) != usual
    assert set(await visitor.page.evaluate(OUTLINES)) == {"dashed"}
