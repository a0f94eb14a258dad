"""Notifications in a browser: switching them on, a message while the page is closed, and the click on it."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from playwright.async_api import expect

from protocol.client import Client, socket_url
from tests.notifications.receivers import HttpServer, PushBrowser
from tests.scenarios.people import choose_by_number, person, play_to_the_end
from tests.web.browser.conftest import Arrive, RestartableServer
from tests.web.browser.test_access import PHONE, widest
from tests.web.browser.test_accounts import token_of
from tests.web.browser.test_home import axe_issues
from tests.web.browser.test_offline import until
from tests.web.browser.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def server(built: tuple[object, float], tmp_path_factory: pytest.TempPathFactory) -> object:
    """Start a server that tells people after a moment, and may reach this machine."""
    made = RestartableServer(
        tmp_path_factory.mktemp("server"),
        built[0],  # type: ignore[arg-type]
        "--notification-grace=0.2",
        "--outbound-networks=127.0.0.0/8",
    )
    yield made
    made.kill()


SUBSCRIPTION = """([endpoint, key, secret]) => {
    // A browser under test has no push service, and lets no page notify; the test reads what is sent.
    globalThis.Notification = class {
        static permission = "default";
        static async requestPermission() {
            return (Notification.permission = "granted");
        }
    };
    const plain = (text) => atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = (text) => Uint8Array.from(plain(text), (letter) => letter.charCodeAt(0)).buffer;
    let isSubscribed = false;
    const subscription = {
        endpoint,
        getKey: (name) => bytes(name === "p256dh" ? key : secret),
        unsubscribe: async () => ((isSubscribed = false), true),
    };
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        globalThis.subscribedWith = applicationServerKey.length;
        isSubscribed = true;
        return subscription;
    };
    PushManager.prototype.getSubscription = async () => (isSubscribed ? subscription : null);
}"""


async def with_push(arrive: Arrive, http: str, browser: PushBrowser, path: str = "/you", **options: object) -> Visitor:
    """Return a visitor whose browser allows notifications and has a push service."""
    visitor = await arrive(None, keeps_files=True, **options)
    await visitor.context.add_init_script(
        f"({SUBSCRIPTION})({json.dumps([browser.endpoint, browser.key, browser.secret])})"
    )
    await visitor.page.goto(http + path)
    await until(visitor.page, "navigator.serviceWorker.controller !== null")
    return visitor


async def push(visitor: Visitor, message: dict[str, object]) -> None:
    """Let the browser get a message, as its push service delivers it."""
    session = await visitor.context.new_cdp_session(visitor.page)
    found: list[dict[str, str]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    await session.send("ServiceWorker.enable")
    while not found:
        await visitor.page.wait_for_timeout(50)
    await session.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": visitor.http,
            "registrationId": found[-1]["registrationId"],
            "data": json.dumps(message),
        },
    )
    await session.detach()


CATCH = """() => {
    globalThis.shown = [];
    registration.showNotification = async (title, options) => void shown.push({ title, ...options });
}"""
"""JavaScript for the service worker: what it shows is kept, since the browser under test shows nothing."""

CLICK = """() => {
    const [{ data }] = shown;
    const notification = { data, close: () => (globalThis.isClosed = true) };
    dispatchEvent(Object.assign(new ExtendableEvent("notificationclick"), { notification }));
    return isClosed;
}"""


async def test_a_visitor_is_told_on_a_device_and_the_click_opens_the_table(
    arrive: Arrive, server: RestartableServer
) -> None:
    async with HttpServer().running() as service:
        browser = PushBrowser(service.url)
        visitor = await with_push(arrive, server.http, browser)
        page = visitor.page
        card = page.get_by_role("region", name="Notifications")
        await card.get_by_role("button", name="Tell me on this device").click()
        await expect(card.get_by_role("switch")).to_be_checked()
        assert await page.evaluate("globalThis.subscribedWith") == 65
        await card.get_by_role("button", name=re.compile("^Send a test message")).click()
        await expect(card.get_by_text("A test message is on its way.")).to_be_visible()
        assert browser.decrypted(service.requests[0].body)["path"] == "/you"
        # A game begins while nobody looks at the page: the server sends by itself.
        async with person(server.http) as ben:
            table = (await ben.request("create_table", settings={"game": "planners", "seats": 2}))["table"]
            async with Client(socket_url(server.http), await token_of(visitor)) as own:
                await own.request("take_seat", table=table)
                await own.request("ready", table=table, ready=True)
                await page.goto("about:blank")
            await ben.request("ready", table=table, ready=True)
            await ben.request("start", table=table)
            await service.until(2)
        message = browser.decrypted(service.requests[-1].body)
        assert message["path"] == f"/t/{table}"
        await page.goto(server.http + "/rules")
        worker = visitor.context.service_workers[-1]
        await worker.evaluate(CATCH)
        await push(visitor, message)
        while not await worker.evaluate("shown.length"):
            await page.wait_for_timeout(50)
        (shown,) = await worker.evaluate("shown")
        assert (shown["title"], shown["lang"], shown["tag"]) == (message["title"], "en", table)
        assert await worker.evaluate(CLICK)
        await page.wait_for_url(f"**/t/{table}")


async def test_wishes_and_quiet_hours_are_kept_and_readable_on_a_phone(
    arrive: Arrive, server: RestartableServer
) -> None:
    visitor = await arrive("/you", bypass_csp=True, **PHONE)
    page = visitor.page
    card = page.get_by_role("region", name="Notifications")
    await card.get_by_label("A game has begun").uncheck()
    await card.get_by_label("Nothing at night").check()
    await card.get_by_label("From", exact=True).fill("23:30")
    await expect(card.get_by_text("Times in")).to_be_visible()
    await page.reload()
    await expect(card.get_by_label("From", exact=True)).to_have_value("23:30")
    await expect(card.get_by_label("A game has begun")).not_to_be_checked()
    await expect(card.get_by_label("A game waits for you")).to_be_checked()
    assert await widest(visitor) <= 360
    assert await axe_issues(page) == []
    await visitor.screenshot("notifications-phone", full=True)


async def test_the_offer_after_a_move_at_a_slow_table_is_made_once(arrive: Arrive, server: RestartableServer) -> None:
    async with HttpServer().running() as service:
        visitor = await with_push(arrive, server.http, PushBrowser(service.url), reduced_motion="reduce")
        page = visitor.page
        async with person(server.http) as ben:
            clock = {"kind": "decision", "seconds": 86_400}
            settings = {"game": "planners", "seats": 2, "clock": clock, "absence_seconds": None}
            table = (await ben.request("create_table", settings=settings))["table"]
            async with Client(socket_url(server.http), await token_of(visitor)) as own:
                await own.request("take_seat", table=table)
                await own.request("ready", table=table, ready=True)
            await ben.request("ready", table=table, ready=True)
            await ben.request("start", table=table)
            # Ben plays until it is the visitor's move, and then takes his time.
            playing = asyncio.create_task(play_to_the_end(ben, table, choose_by_number(1)))
            await page.goto(f"{server.http}/t/{table}")
            await page.locator(".bottom.act").wait_for()
            playing.cancel()
            offer = page.get_by_role("complementary", name="Notifications")
            await expect(offer).to_have_count(0)
            await visitor.play(until="document.querySelector('.notify-offer') !== null")
            await visitor.screenshot("notifications-offer")
            await offer.get_by_role("button", name="No, thank you").click()
            await expect(offer).to_have_count(0)
            await page.reload()
            await visitor.wait_for_table()
            assert await page.evaluate("localStorage.getItem('push-offered')") == "1"
