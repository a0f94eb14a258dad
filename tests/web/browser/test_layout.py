"""Every kind of decision of every game can be made without scrolling, at every size of the window, in every language.

Scripted players play games to positions in which the visitor must decide. At each new kind of decision the page is
opened and measured at every size: before anything is chosen, and with a choice and its preview. layout.js says what is
measured. The tip of a first game, if one is due in a position, is measured with it: it must not cover what can be
chosen. In other languages the page must also have no English left (foreign_words.py). LAYOUT_GAMES is the number of
games for each setting; with more than one (`make layout`), decisions are measured whenever they offer a command that
was not offered before, in every language, at every setting, at more sizes, and also late in a game, when hands and
boards are fuller. A short run measures each kind once, in one language, in turn, and ends when it has met all kinds.
LAYOUT_LANGUAGES names other languages to measure in, separated by commas.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from protocol.client import Client, RequestRefused, WatchedTable, socket_url
from server.bots.question import read_prompt
from server.games.engine.serialization import to_json
from tests.scenarios.people import any_changed, guest_token, open_table, until_answered
from tests.web.browser.conftest import FIXED_DEALS, Arrive, RestartableServer
from tests.web.browser.foreign_words import english_in, said_texts
from tests.web.browser.visitor import Visitor
from tests.web.texts import LANGUAGES

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVER = FIXED_DEALS

GAMES = int(os.environ.get("LAYOUT_GAMES", "1"))
IS_SHORT = GAMES == 1
MAX_GAMES = GAMES + 7
"""More games are played while a kind of decision has not been met."""

ROOMY_SIZES = ((1920, 1080), (390, 844))
"""Sizes with more room than another one of the same layout; measured only with more than one game."""

SIZES = ((1440, 900), (1366, 650), (1280, 720), (720, 450), (360, 740), *(() if IS_SHORT else ROOMY_SIZES))
"""Of the first one, the number of choices is taken; 720×450 is a zoom of 200 % at 1440×900."""

TIGHT_SIZES = ((1366, 650), (720, 450), (360, 740)) if IS_SHORT else SIZES
"""The sizes at which a choice and its preview are measured: a short run leaves out those with more room."""

MEASURED = tuple(filter(None, os.environ.get("LAYOUT_LANGUAGES", "").split(","))) or (() if IS_SHORT else LANGUAGES)
"""The languages in which each position is measured; without any, one language in turn."""

PLAYERS = ("Wilhelmina", "Bartholomew", "Ana", "Kenji", "Theodora")

SCRIPT = (Path(__file__).parent / "layout.js").read_text("utf-8")


class Setting(NamedTuple):
    game: str
    seats: int
    options: Mapping[str, Any] = MappingProxyType({})


ACTION_CARDS = (
    *(f"{effect}/{mode}" for effect in ("two", "move", "swap", "free", "replace") for mode in ("influence", "cheques")),
    *("bonus_villa", "bonus_residential"),
)
"""Investors with these cards meets the decision on an action card soon; subsidies are met at the other table."""

SETTINGS = (
    Setting("investors", 4, {"layout": "players", "bargaining_offers": 1}),
    Setting("investors", 5, {"action_cards": ACTION_CARDS}),
    Setting("planners", 4),
    Setting("builders", 4),
    Setting("builders", 2),
)

EXPECTED = {
    "investors": {
        *("lay_tile", "consider_tender", "influence_tender", "cheque_tender", "option_tender", "option_bids"),
        *("make_offer", "answer_offer", "pay_offer", "invest", "use_action", "claim_subsidy", "draw_cheques"),
    },
    "planners": {"turn", "lay", "place", "bonus", "confirm"},
    "builders": {"place_pawn", "act", "bonus", "choose_permit", "choose_plot", "take_card", "confirm"},
}
"""The kinds of decisions of each game; the test fails if it has not met one of them."""


MIN_TIPS = 2
"""So many tips of each game are met, at least, in the positions of a short run."""

LATE = 1_000_000 if IS_SHORT else 60
"""Decisions after this number are measured again."""

Seen = dict[tuple[str, bool], set[str]]
"""The commands that were offered in the positions measured so far, by kind of decision, early and late in a game."""


class Position(NamedTuple):
    table: str
    watched: WatchedTable
    number: int
    about: str
    commands: frozenset[str]
    is_late: bool

    @property
    def is_open(self) -> bool:
        """Whether the player still has to make this decision."""
        prompt = self.watched.prompt
        return prompt is not None and prompt[0] == self.number

    def __str__(self) -> str:
        return f"{self.about} {'+'.join(sorted(self.commands))}{' late' if self.is_late else ''}"


@contextlib.asynccontextmanager
async def seated(server: RestartableServer, count: int) -> AsyncIterator[tuple[str, list[Client]]]:
    """Connect players, and yield the token of the first one and all of them."""
    async with contextlib.AsyncExitStack() as stack:
        tokens = [guest_token(server.http) for _ in range(count)]
        clients = [await stack.enter_async_context(Client(socket_url(server.http), token)) for token in tokens]
        for name, client in zip(PLAYERS, clients, strict=False):
            await client.request("set_name", name=name)
        yield tokens[0], clients


def leaning(seat: int, view: dict[str, Any], prompt: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the choices that bring rare decisions: in Investors, the first player shall win action cards."""
    if not view["play"]["game"].get("action"):
        avoided = {"waive"}
    elif seat == 0:
        avoided = {"abstain", "pass_bid"}
    else:
        avoided = {"play_influence", "raise_bid"}
    return [choice for choice in prompt["choices"] if choice["do"] not in avoided] or prompt["choices"]


def answer(rng: random.Random, game: str, prompt: dict[str, Any], made: Counter[str]) -> Any:
    """Return a random command as JSON, mostly of the type made least often so far, so that all kinds are met soon."""
    rarest = min(prompt["choices"], key=lambda choice: made[choice["do"]])
    choices = [rarest] if rng.random() < 0.5 else prompt["choices"]
    command: Any = to_json(read_prompt(game, {**prompt, "choices": choices}).sample(rng))
    made[command["do"]] += 1
    return command


async def positions(
    people: list[Client], table: str, setting: Setting, seed: int, seen: Seen
) -> AsyncIterator[Position]:
    """Play a game at random, and yield each position in which the first player must make a new kind of decision."""
    made: list[Counter[str]] = [Counter() for _ in people]
    watched = [await client.watch(table) for client in people]
    while watched[0].view["table"]["phase"] != "over":
        prompted = [(seat, *asked) for seat, each in enumerate(watched) if (asked := each.prompt) is not None]
        if not prompted:
            await any_changed(watched)
        for seat, number, prompt in prompted:
            if seat == 0:
                about = watched[0].view["play"]["decision"]["about"]
                commands = frozenset(choice["do"] for choice in prompt["choices"])
                is_late = number > LATE
                known = seen.setdefault((about, is_late), set())
                is_new = not (known if IS_SHORT else commands <= known)
                known |= commands
                if is_new:
                    yield Position(table, watched[0], number, about, commands, is_late)
            prompt = {**prompt, "choices": leaning(seat, watched[seat].view, prompt)}  # noqa: PLW2901
            # Sealed answers are asked for in any order, so each has a random source of its own.
            command = answer(random.Random(f"{seed} {number} {seat}"), setting.game, prompt, made[seat])
            try:
                await people[seat].request("decide", table=table, decision=number, command=command)
            except RequestRefused as refusal:
                # A choice on the page may have been an answer at once.
                assert refusal.code == "stale_decision"  # noqa: PT017
            await until_answered(watched[seat], number)


async def measure(visitor: Visitor, where: str, sizes: tuple[tuple[int, int], ...], tips: Counter[str]) -> list[str]:
    """Return the problems of the page at every one of these sizes; count the tips that were shown."""
    problems: list[str] = []
    expected: int | None = None
    found: list[str]
    count: int
    tip: str | None
    for width, height in sizes:
        await visitor.page.set_viewport_size({"width": width, "height": height})
        measured = await visitor.page.evaluate("settled().then(() => [layoutProblems(), countChoices(), shownTip()])")
        found, count, tip = measured
        if tip is not None:
            tips[tip] += 1
        expected = count if expected is None else expected
        if count != expected:
            found.append(f"{count} things can be chosen instead of {expected}")
        problems += [f"{where} {width}x{height}: {problem}" for problem in found]
        if found and "LAYOUT_SCREENSHOTS" in os.environ:
            await visitor.screenshot(f"layout-{where.replace(' ', '-').replace('/', '_')}-{width}x{height}")
    return problems


class PositionMeasurer:
    """Measures a position in several languages. `player` is the user whom the visitor is signed in as."""

    def __init__(self, visitor: Visitor, player: Client, position: Position, where: str, tips: Counter[str]) -> None:
        self._visitor = visitor
        self._player = player
        self._position = position
        self._where = where
        self._tips = tips
        self._language = ""
        self.problems: list[str] = []
        self.states = 0

    async def measure(self, languages: Sequence[str]) -> None:
        """Measure the position in every language, then with a choice in every language."""
        for language in languages:
            await self._open(language)
            await self._measure(SIZES)
        for language in reversed(languages):
            # Some choices are answers at once, which end the position.
            if not self._position.is_open:
                break
            if language != self._language:
                await self._open(language)
            await self._resize()
            if await self._visitor.page.evaluate("chooseWithoutSending()"):
                await self._measure(TIGHT_SIZES, " chosen")

    async def _open(self, language: str) -> None:
        page = self._visitor.page
        self._language = language
        await self._player.request("set_language", language=language)
        await self._resize()
        await page.goto(f"{self._visitor.http}/t/{self._position.table}")
        await page.locator(f"html[lang={language}]").wait_for()
        await page.locator(f".bottom.act[data-about={self._position.about}]").wait_for()
        await page.locator(".tips").wait_for(state="attached")
        await self._visitor.wait_for_reveals()
        await page.evaluate(SCRIPT)

    async def _resize(self) -> None:
        width, height = SIZES[0]
        await self._visitor.page.set_viewport_size({"width": width, "height": height})

    async def _measure(self, sizes: tuple[tuple[int, int], ...], state: str = "") -> None:
        where = f"{self._where}{state} {self._language}"
        self.problems += await measure(self._visitor, where, sizes, self._tips)
        if self._language != "en":
            said = await said_texts(self._visitor.page)
            self.problems += [f"{where} English: {found}" for found in english_in(said, self._language, PLAYERS)]
        self.states += 1


@pytest.mark.parametrize("game", sorted(EXPECTED))
async def test_every_decision_can_be_made_at_every_size(
    game: str, arrive: Arrive, server: RestartableServer, record_property: Callable[[str, object], None]
) -> None:
    problems: list[str] = []
    kinds: set[str] = set()
    states, languages = 0, itertools.cycle(LANGUAGES)
    settings = [each for each in SETTINGS if each.game == game]
    # A short run measures each kind once, at the first setting that offers it.
    seen: list[Seen] = [{}] * len(settings) if IS_SHORT else [{} for _ in settings]
    tips: Counter[str] = Counter()
    visitor = await arrive(None, reduced_motion="reduce", tips=True)
    # Every position is the first one of a first game.
    await visitor.context.add_init_script("try { localStorage.removeItem('tips') } catch { /* an empty page */ }")
    for seed, (number, setting) in itertools.product(range(MAX_GAMES), enumerate(settings)):
        if (IS_SHORT or seed >= GAMES) and kinds == EXPECTED[game]:
            break
        async with seated(server, setting.seats) as (token, people):
            # The deal of a game follows from its name.
            table = await open_table(people, game, setting.seats, options=dict(setting.options), name=f"{seed}")
            await visitor.context.add_cookies([{"name": "sid", "value": token, "url": visitor.http}])
            async for position in positions(people, table, setting, seed, seen[number]):
                measurer = PositionMeasurer(visitor, people[0], position, f"{game}/{setting.seats} {position}", tips)
                await measurer.measure(MEASURED or (next(languages),))
                problems += measurer.problems
                states += measurer.states
                kinds.add(position.about)
                if IS_SHORT and kinds == EXPECTED[game]:
                    break
    record_property(f"layout of {game}, positions in a language × sizes", f"{states} × {len(SIZES)}")
    record_property(f"tips of {game}, shown and folded", f"{tips.total() - tips['folded']} and {tips['folded']}")
    assert kinds == EXPECTED[game]
    assert len(tips.keys() - {"folded"}) >= MIN_TIPS
    assert not problems, "\n".join(problems)
