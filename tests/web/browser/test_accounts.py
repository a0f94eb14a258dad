"""Accounts in a browser: keeping a name, signing in elsewhere, recovery codes, people, invitations, and blocking."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from playwright.async_api import CDPSession, Route, expect

from protocol.client import Client, socket_url
from tests.scenarios.people import all_play, choose_by_number, open_table, person
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.test_access import PHONE, widest
from tests.web.browser.test_home import axe_issues
from tests.web.browser.test_replay import at_step
from tests.web.browser.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

REFUSED_REQUESTS = r"status of 4\d\d"
"""The browser logs refused HTTP requests."""

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Authenticator:
    """A virtual authenticator of Chromium, which keeps the passkeys of a visitor."""

    def __init__(self, session: CDPSession, name: str) -> None:
        self._session = session
        self._name = name

    @classmethod
    async def plug_in(cls, visitor: Visitor) -> Authenticator:
        session = await visitor.context.new_cdp_session(visitor.page)
        await session.send("WebAuthn.enable")
        added = await session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        return cls(session, added["authenticatorId"])

    async def passkeys(self) -> list[dict[str, Any]]:
        found = await self._session.send("WebAuthn.getCredentials", {"authenticatorId": self._name})
        passkeys: list[dict[str, Any]] = found["credentials"]
        return passkeys

    async def add(self, passkey: dict[str, Any]) -> None:
        await self._session.send("WebAuthn.addCredential", {"authenticatorId": self._name, "credential": passkey})

    async def refuse(self) -> None:
        """Let the person not be verified from now on."""
        options = {"authenticatorId": self._name, "isUserVerified": False}
        await self._session.send("WebAuthn.setUserVerified", options)


def named_address(server: RestartableServer) -> str:
    """Return the address of the server with a name in it: browsers make no passkeys for numbers."""
    return server.http.replace("127.0.0.1", "localhost")


async def come(arrive: Arrive, server: RestartableServer, path: str, **options: object) -> Visitor:
    visitor = await arrive(None, reduced_motion="reduce", **options)
    visitor.http = named_address(server)
    await visitor.page.goto(visitor.http + path)
    return visitor


async def token_of(visitor: Visitor) -> str:
    cookies = await visitor.context.cookies(visitor.http)
    return next(cookie["value"] for cookie in cookies if cookie["name"] == "sid")


async def keep_handle(visitor: Visitor, handle: str) -> None:
    """Choose a handle on the visitor's page, as far as the ways to sign in."""
    await visitor.page.get_by_label("Your handle").fill(handle)
    await visitor.button("Is it free?").click()
    await visitor.page.get_by_text(f"@{handle} is free").wait_for()


async def account(client: Client, handle: str) -> str:
    """Give a scripted player an account; return one of its recovery codes."""
    await client.request("keep_name", handle=handle)
    codes: list[str] = (await client.request("make_recovery_codes"))["codes"]
    return codes[0]


async def test_a_guest_becomes_somebody_whose_game_a_stranger_plays_on(
    arrive: Arrive, server: RestartableServer
) -> None:
    # A guest keeps the name with a passkey.
    first = await come(arrive, server, "/you")
    authenticator = await Authenticator.plug_in(first)
    async with person(server.http) as bo:
        await bo.request("set_name", name="Bo")
        await account(bo, "bo-of-the-hill")
        # What nobody can have is said while it is typed, and what somebody has when the server knows.
        field = first.page.get_by_label("Your handle")
        await field.fill("9lives")
        await expect(first.page.locator(".handle-form .error")).to_have_text("A handle begins with a letter.")
        await field.fill("bo-of-the-hill")
        await first.button("Is it free?").click()
        await expect(first.page.get_by_role("alert")).to_contain_text("is taken")
        await keep_handle(first, "mira")
        await first.button("Make a passkey").click()
        await expect(first.page.get_by_role("heading", name="@mira")).to_be_visible()
        await expect(first.page.locator(".you-news")).to_be_focused()
        await expect(first.page.locator(".site-sign-in")).to_have_count(0)
        (passkey,) = await authenticator.passkeys()

        # Another browser: the bar leads to signing in, and the passkey is enough.
        second = await come(arrive, server, "/")
        await (await Authenticator.plug_in(second)).add(passkey)
        await second.page.locator(".site-sign-in").click()
        await second.button("Sign in with a passkey").click()
        await expect(second.page.get_by_role("heading", name="@mira")).to_be_visible()
        await expect(second.page.locator(".you-list", has_text="this device").locator("li")).to_have_count(2)
        await second.page.goto(f"{second.http}/u/mira")
        planners = second.page.locator(".profile-game", has_text="Planners")
        await expect(planners).to_contain_text("No finished game yet")
        await second.page.goto(f"{second.http}/rankings/planners")
        own = second.page.locator(".own-reason")
        await expect(own).to_contain_text("You have not played a rated game of Planners yet.")

        # A rated game: opened by the browser, and answered for both seats by scripts.
        await second.page.goto(f"{second.http}/new/planners")
        form = second.page.locator("form.create")
        await form.locator(".rated-field input").check()
        table = await second.submit_table(form, 2)
        await expect(second.page.locator(".invite-beside")).to_contain_text("Everybody who plays needs an account.")
        await bo.request("take_seat", table=table)
        await bo.request("ready", table=table, ready=True)
        await second.begin(others=1)
        await second.wait_for_table()
        async with Client(socket_url(server.http), await token_of(second)) as mira:
            await all_play([mira, bo], table, choose_by_number(3))
        await expect(second.page.locator(".rating-changes")).to_contain_text("Bo")
        await second.button("Share").click()
        link = await second.page.get_by_label("Link to the replay").input_value()

    # The profile and the rankings have changed.
    await second.page.goto(f"{second.http}/u/mira")
    await expect(planners.locator(".profile-figures")).to_contain_text("provisional: 1 of 10 games")
    await expect(second.page.locator(".profile-recent .played")).to_have_count(1)
    await second.page.goto(f"{second.http}/rankings/planners")
    await expect(own).to_contain_text("9 more rated games until you are ranked")

    # A stranger opens the link on a phone, and plays on from a moment of the game against a bot.
    stranger = await arrive(None, reduced_motion="reduce", **PHONE)
    page = stranger.page
    await page.goto(f"{link}?step=30")
    await at_step(page, 30)
    await stranger.button("Play on from here").click()
    await page.get_by_role("radio", name=re.compile("^Bots")).check()
    await page.get_by_role("button", name="Play on", exact=True).click()
    await page.wait_for_url(re.compile("/t/(?!" + table + ")[a-z0-9]+"))
    await stranger.wait_for_table()
    await stranger.button("Table").click()
    await expect(page.locator(".menu .origin")).to_have_attribute("href", re.compile(f"^/g/{table}\\?step=30"))
    await page.keyboard.press("Escape")
    decision = int(await page.locator(".bottom").get_attribute("data-decision") or 0)
    going_on = f"Number(document.querySelector('.bottom').dataset.decision) > {decision + 3}"
    assert not await stranger.play(until=going_on, by_mouse=0)
    assert await widest(stranger) == 360


async def test_recovery_codes_sign_in_once_each(arrive: Arrive, server: RestartableServer) -> None:
    visitor = await come(arrive, server, "/you", **PHONE)
    page = visitor.page
    await keep_handle(visitor, "cleo")
    await visitor.button("Make recovery codes").click()
    await expect(page.locator(".codes li")).to_have_count(10)
    codes = await page.locator(".codes li").all_inner_texts()
    assert await widest(visitor) == 360
    async with page.expect_download() as download:
        await visitor.button("Save as a file").click()
    saved = (await (await download.value).path()).read_text("utf-8")
    assert all(code in saved for code in codes)
    assert "@cleo" in saved
    await visitor.button("I have kept them").click()
    await expect(page.locator(".codes")).to_have_count(0)

    other = await come(arrive, server, "/you#sign-in")
    other.ignore_errors(REFUSED_REQUESTS)
    for code, is_right in ((codes[0], True), (codes[0], False), (codes[1].lower().replace("-", " "), True)):
        await other.page.goto("about:blank")
        await other.page.goto(f"{other.http}/you#sign-in")
        await other.button("Sign in with a recovery code").click()
        await other.page.get_by_label("Handle", exact=True).fill("@Cleo")
        await other.page.get_by_label("Recovery code", exact=True).fill(code)
        await other.button("Sign in").click()
        if is_right:
            await expect(other.page.get_by_role("heading", name="@cleo")).to_be_visible()
            # The next attempt begins as somebody new.
            await other.button("Sign out here").click()
            await other.page.wait_for_url(f"{other.http}/")
        else:
            await expect(other.page.get_by_role("alert")).to_be_visible()
    await page.reload()
    await expect(page.get_by_text("8 codes are left")).to_be_visible()


async def test_a_refused_passkey_leaves_the_other_way(arrive: Arrive, server: RestartableServer) -> None:
    visitor = await come(arrive, server, "/you")
    await (await Authenticator.plug_in(visitor)).refuse()
    visitor.ignore_errors(REFUSED_REQUESTS)
    await keep_handle(visitor, "dora-d")
    await visitor.page.evaluate("""() => {
        navigator.credentials.create = () => Promise.reject(new DOMException("closed", "NotAllowedError"));
    }""")
    await visitor.button("Make a passkey").click()
    await expect(visitor.page.get_by_role("alert")).to_contain_text("the browser’s dialog was closed")
    await visitor.button("Make recovery codes").click()
    await visitor.button("I have kept them").click()
    await expect(visitor.page.get_by_role("heading", name="@dora-d")).to_be_visible()


async def test_friends_invite_and_blocked_people_are_not_heard(arrive: Arrive, server: RestartableServer) -> None:
    visitor = await come(arrive, server, "/you", bypass_csp=True)
    page = visitor.page
    await keep_handle(visitor, "emil")
    await visitor.button("Make recovery codes").click()
    await visitor.button("I have kept them").click()
    async with person(server.http) as fay, person(server.http) as gil:
        for client, name in ((fay, "Fay"), (gil, "Gil")):
            await client.request("set_name", name=name)
            await account(client, f"{name.lower()}-plays")
        await page.goto(f"{visitor.http}/u/fay-plays")
        await page.get_by_role("button", name="Follow Fay").click()
        await expect(page.get_by_role("button", name="Stop following Fay")).to_be_visible()
        # Where Fay plays is one click away.
        running = await open_table([fay], "builders", 3)
        await page.reload()
        await page.get_by_role("link", name="Watch Fay play").click()
        await visitor.wait_for_table()
        assert visitor.table == running
        await fay.request("vote", table=running, on="abandon", agree=True)
        await page.goto(f"{visitor.http}/u/fay-plays")
        # What Fay opens is on top of the home page; her invitation is a notice on every other one.
        opened = await fay.request("create_table", settings={"game": "planners", "seats": 3, "name": "Fay at Five"})
        await visitor.go_home()
        await expect(page.locator(".friends-games")).to_contain_text("Fay at Five")
        await visitor.follow("/learn")
        await fay.request("invite", table=opened["table"], handle="emil")
        notice = page.locator(".invitation-notice")
        await expect(notice).to_contain_text("Fay invites you to a game of Planners.")
        await notice.get_by_role("button", name="Join").click()
        await page.locator(".waiting-title").wait_for()
        await expect(notice.locator(".card")).to_have_count(0)
        # Gil sits down and writes; then he is blocked, and what he wrote is hidden until asked for.
        await gil.request("take_seat", table=opened["table"])
        await gil.request("say", table=opened["table"], text="Slow, are you not?")
        await expect(page.locator(".chat-text")).to_have_text("Slow, are you not?")
        await page.get_by_role("button", name="About Gil").click()
        await page.get_by_role("menuitem", name="Block Gil").click()
        await expect(page.locator(".hidden-line")).to_contain_text("Hidden line of a blocked person")
        await expect(page.locator(".chat-text")).to_have_count(0)
        await page.locator(".hidden-line").get_by_role("button", name="Show").click()
        await expect(page.locator(".chat-text")).to_have_text("Slow, are you not?")
        await page.get_by_label("Invite by name").fill("nobody-here")
        await visitor.button("Invite").click()
        await expect(page.get_by_role("alert")).to_contain_text("There is nobody of that name")
        await page.goto(f"{visitor.http}/you")
        await expect(page.locator("#people")).to_contain_text("Fay at Five")
        assert await axe_issues(page) == []
        await page.get_by_role("button", name="Unblock Gil").click()
        await expect(page.get_by_role("button", name="Unblock Gil")).to_have_count(0)


async def test_a_deleted_account_is_gone_and_a_guest_begins(arrive: Arrive, server: RestartableServer) -> None:
    visitor = await come(arrive, server, "/you")
    page = visitor.page
    await keep_handle(visitor, "hugo")
    await visitor.button("Make recovery codes").click()
    await visitor.button("I have kept them").click()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Download all of it as JSON").click()
    assert '"hugo"' in (await (await download.value).path()).read_text("utf-8")
    await visitor.button("Delete the account").click()
    await page.get_by_label("Type your handle, hugo, to confirm").fill("hug")
    await expect(visitor.button("Delete for good")).to_have_attribute("aria-disabled", "true")
    await page.get_by_label("Type your handle, hugo, to confirm").fill("@Hugo")
    await visitor.button("Delete for good").click()
    await page.wait_for_url(f"{visitor.http}/")
    await expect(page.locator(".site-sign-in")).to_be_visible()


async def test_a_name_that_is_saved_before_the_page_is_connected_is_shown(
    arrive: Arrive, server: RestartableServer
) -> None:
    visitor = await arrive(None, reduced_motion="reduce")
    page = visitor.page
    is_named = asyncio.Event()

    async def hold(route: Route) -> None:
        await is_named.wait()
        await route.continue_()

    await page.route("**/api/session", hold)
    await page.goto(f"{server.http}/you")
    await page.get_by_label("Name", exact=True).fill("Ivo Newname")
    await visitor.button("Save").click()
    is_named.set()
    await visitor.button("Save").wait_for(state="detached")
    await expect(page.locator(".site-name")).to_have_text("Ivo Newname")
    await page.unroute_all(behavior="ignoreErrors")


async def test_a_guest_who_has_just_chosen_another_name_is_deleted_by_that_name(
    arrive: Arrive, server: RestartableServer
) -> None:
    visitor = await come(arrive, server, "/you")
    page = visitor.page
    await page.get_by_label("Name", exact=True).fill("Ivo Newname")
    await visitor.button("Save").click()
    await visitor.button("Save").wait_for(state="detached")
    await visitor.button("Delete everything about this guest").click()
    await page.get_by_label("Type your name, Ivo Newname, to confirm").fill("ivo newname")
    await visitor.button("Delete for good").click()
    await page.wait_for_url(f"{visitor.http}/")
    await expect(page.locator(".site-name")).not_to_have_text("Ivo Newname")


async def test_recovery_codes_stay_in_another_language_until_they_are_kept(
    arrive: Arrive, server: RestartableServer
) -> None:
    visitor = await come(arrive, server, "/you")
    page = visitor.page
    await keep_handle(visitor, "jana")
    await visitor.button("Make recovery codes").click()
    await expect(page.locator(".codes li")).to_have_count(10)
    codes = await page.locator(".codes li").all_inner_texts()
    await page.locator(".you-row .language").click()
    await page.get_by_role("option", name="Deutsch").click()
    await expect(page.get_by_role("heading", name="Deine Ersatzcodes")).to_be_visible()
    assert await page.locator(".codes li").all_inner_texts() == codes
    # Another page of the site does not lose them either.
    await visitor.follow("/learn")
    await visitor.follow("/you")
    await expect(page.locator(".codes li")).to_have_count(10)
    await visitor.button("Ich habe sie aufbewahrt").click()
    await expect(page.locator(".codes li")).to_have_count(0)
    await expect(page.get_by_text("Von den Codes vom")).to_be_visible()


async def test_a_reserved_handle_does_not_take_the_focus_of_the_next_visit(
    arrive: Arrive, server: RestartableServer
) -> None:
    visitor = await come(arrive, server, "/you")
    await keep_handle(visitor, "kurt-k")
    await expect(visitor.page.locator(".keep-free")).to_be_focused()
    await visitor.page.reload()
    await expect(visitor.page.locator(".keep-free")).to_be_visible()
    await expect(visitor.page.locator(".keep-free")).not_to_be_focused()


async def test_a_saved_profile_shows_what_the_server_has_stored(arrive: Arrive, server: RestartableServer) -> None:
    visitor = await come(arrive, server, "/you")
    page = visitor.page
    await keep_handle(visitor, "lena")
    await visitor.button("Make recovery codes").click()
    await visitor.button("I have kept them").click()
    await page.get_by_label("Motto").fill("  More   cable cars. ")
    await visitor.button("Save the profile").click()
    await expect(page.get_by_text("Saved.")).to_be_visible()
    await expect(page.get_by_label("Motto")).to_have_value("More cable cars.")
    await expect(visitor.button("Save the profile")).to_have_attribute("aria-disabled", "true")


async def test_a_refused_invitation_leaves_no_table_behind(arrive: Arrive, server: RestartableServer) -> None:
    visitor = await come(arrive, server, "/")
    page = visitor.page
    async with person(server.http) as gone:
        await account(gone, "max-goes")
        await page.goto(f"{visitor.http}/u/max-goes")
        await visitor.button("Invite to a table").wait_for()
        await gone.request("delete_account", confirm="max-goes")
    await visitor.button("Invite to a table").click()
    await page.get_by_role("menuitem", name="Planners").click()
    await expect(page.get_by_role("alert")).to_contain_text("There is nobody of that name")
    await visitor.go_home()
    await visitor.arrived()
    await expect(page.locator(".your-game")).to_have_count(0)
