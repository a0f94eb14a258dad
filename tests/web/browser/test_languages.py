"""The language of the page: chosen by the browser, kept with the user, complete, and no wider than its place.

A club of two people with accounts has a table before its game, running games and finished ones. Every page of the site
is opened in German, Italian and Polish, everything that opens by a click is opened, and what the page says must have no
English word (foreign_words.py) and no text that is wider than its place (layout.js). A short run opens each page in
one of the languages, in turn; LAYOUT_LANGUAGES (`make layout`) names the languages in which all pages are opened.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
from playwright.async_api import expect

from protocol.client import Client, socket_url
from tests.scenarios.people import all_play, choose_by_number, guest_token, open_table
from tests.web.browser.analysed_games import answer_with, done, findings_of
from tests.web.browser.conftest import OWN, Arrive, RestartableServer
from tests.web.browser.foreign_words import english_in, said_texts
from tests.web.browser.visitor import Visitor
from tests.web.texts import LANGUAGES

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVER = OWN

OTHERS = LANGUAGES[1:]
NAMED = os.environ.get("LAYOUT_LANGUAGES", "").split(",")
"""The languages in which all pages are opened."""

IS_SHORT = not any(NAMED)
SIZES = ((1280, 720), (360, 740)) if IS_SHORT else ((1280, 720), (390, 844), (360, 740))
GAMES = ("investors", "planners", "builders")
WRITTEN = ("Wilhelmina", "Bartholomew", "wilma", "barto", "Xyzzy", "Linux", "Chrome")
"""Names, and what people wrote."""

LAYOUT = (Path(__file__).parent / "layout.js").read_text("utf-8")


class Club(NamedTuple):
    member: str
    """The session token of somebody with an account."""

    client: Client
    pages: dict[str, str]
    """The paths of all pages, by name."""

    analyses: dict[str, Any]
    """By table: what the coach has found."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def club(server: RestartableServer) -> AsyncIterator[Club]:
    async with contextlib.AsyncExitStack() as stack:
        token = guest_token(server.http)
        first = await stack.enter_async_context(Client(socket_url(server.http), token))
        second = await stack.enter_async_context(Client(socket_url(server.http), guest_token(server.http)))
        users = []
        for client, name, handle in ((first, "Wilhelmina", "wilma"), (second, "Bartholomew", "barto")):
            await client.request("set_name", name=name)
            await client.request("keep_name", handle=handle)
            await client.request("make_recovery_codes")
            users.append((await client.request("get_account"))["account"]["user"]["id"])
        await first.request("set_profile", motto="Xyzzy", languages=["de", "it"], privacy="public")
        await first.request("follow", user=users[1], follow=True)
        await second.request("follow", user=users[0], follow=True)
        opened = await second.request("create_table", settings={"game": "investors", "seats": 4})
        await second.request("invite", table=opened["table"], handle="wilma", key=opened["key"])
        waiting = await first.request("create_table", settings={"game": "builders", "seats": 4})
        await second.request("take_seat", table=waiting["table"], key=waiting["key"])
        await first.request("add_bot", table=waiting["table"])
        pages = {
            "home": "/",
            "watch": "/watch",
            "you": "/you",
            "profile": "/u/wilma",
            "another profile": "/u/barto",
            "rankings": "/rankings/planners",
            "games": "/games",
            "rules": "/rules",
            "fairness": "/rules/fairness",
            "host": f"/t/{waiting['table']}",
            "guest at a table": f"/t/{opened['table']}",
            "no page": "/nowhere",
            "no table": "/t/zzzz9999",
            "no game": "/g/zzzz9999",
            "no profile": "/u/nobody-here",
            **{f"new {game}": f"/new/{game}" for game in GAMES},
        }
        for game in GAMES:
            seats = 3 if game == "investors" else 2
            running = await open_table([first, second], game, seats)
            await second.request("vote", table=running, on="abandon", agree=True)
            pages[f"table {game}"] = f"/t/{running}"
        analyses = {}
        # A whole game takes long, and most of its pages are the same for all.
        for game in ("planners",) if IS_SHORT else GAMES:
            over = await open_table([first, second], game, 3 if game == "investors" else 2)
            await first.request("say", table=over, text="Xyzzy")
            await all_play([first, second], over, choose_by_number(3))
            pages |= {f"result {game}": f"/t/{over}", f"replay {game}": f"/g/{over}?step=20"}
            pages |= {f"coach {game}": f"/g/{over}/coach", f"result {game} for others": f"/g/{over}/result"}
            analyses[over] = done(await findings_of(server, over, token))
        yield Club(token, first, pages, analyses)


def chosen_pages(club: Club, language: str) -> list[tuple[str, str]]:
    """Return the names and paths of the pages to open in a language."""
    if not IS_SHORT:
        return list(club.pages.items()) if language in NAMED else []
    return [page for number, page in enumerate(club.pages.items()) if number % len(OTHERS) == OTHERS.index(language)]


def is_name_shortened(problem: str) -> bool:
    """Return whether a name is longer than its place, which people may choose as they like."""
    return problem.startswith("ellipsis") and any(name in problem for name in WRITTEN)


async def problems_of(visitor: Visitor, path: str, language: str) -> list[str]:
    """Return what is English on a page, or wider than its place."""
    page = visitor.page
    problems: list[str] = []
    said: set[str] = set()
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        if (width, height) == SIZES[0]:
            await page.goto(f"{visitor.http}{path}")
            await page.locator(f"html[lang={language}] #app h1").first.wait_for()
            await page.evaluate(LAYOUT)
        found = await page.evaluate("settled().then(textProblems)")
        problems += [f"{width}: {problem}" for problem in found if not is_name_shortened(problem)]
        said |= set(await said_texts(page, opens_everything=not IS_SHORT or (width, height) == SIZES[0]))
    return problems + english_in(said, language, WRITTEN)


@pytest.mark.parametrize("language", OTHERS)
async def test_no_page_has_english_left_or_a_text_wider_than_its_place(
    language: str, arrive: Arrive, club: Club
) -> None:
    visitor = await arrive(None, locale=language, reduced_motion="reduce")
    await visitor.context.add_cookies([{"name": "sid", "value": club.member, "url": visitor.http}])
    await club.client.request("set_language", language=language)
    visitor.ignore_errors(r"status of 4\d\d")
    await answer_with(visitor.page, by_table=club.analyses)
    problems = [
        f"{name}: {problem}"
        for name, path in chosen_pages(club, language)
        for problem in await problems_of(visitor, path, language)
    ]
    assert not problems, "\n".join(problems)


async def test_a_language_is_that_of_the_browser_until_it_is_chosen_and_then_that_of_the_user_everywhere(
    arrive: Arrive,
) -> None:
    here = await arrive("/you", locale="it-IT")
    await expect(here.page.locator("html")).to_have_attribute("lang", "it")
    # The page knows its language before it has a session.
    await here.page.locator(".site-me .person-face").first.wait_for(state="attached")
    token = next(cookie for cookie in await here.context.cookies() if cookie["name"] == "sid")["value"]

    # Another browser of the same person, in another language.
    there = await arrive(None, locale="de-DE")
    await there.context.add_cookies([{"name": "sid", "value": token, "url": there.http}])
    await there.page.goto(f"{there.http}/")
    await there.arrived()
    await expect(there.page.locator("html")).to_have_attribute("lang", "de")

    await here.choose(here.page.locator(".site-bar"), "Lingua", "Polski")
    await expect(here.page.locator("html")).to_have_attribute("lang", "pl")
    async with Client(socket_url(here.http), token) as client:
        await client.welcomed.wait()
        while (await client.request("get_account"))["account"]["user"]["language"] != "pl":
            pass
    await there.page.reload()
    await expect(there.page.locator("html")).to_have_attribute("lang", "pl")
    await expect(there.page).to_have_title("San Francisco Tables")
