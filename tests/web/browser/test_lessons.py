"""Lessons: the guide over the table by mouse, finger and keyboard; progress, a reload, a lost connection."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from playwright.async_api import Page, expect
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from server.lessons.lesson import lesson_names, lesson_of
from tests.web.browser.conftest import OWN, Arrive, RestartableServer
from tests.web.browser.test_access import widest
from tests.web.browser.test_home import axe_issues
from tests.web.browser.visitor import NETWORK_ERRORS, Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

SERVER = OWN

PHONE = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}

GUIDE = ".guide:not(.away)"

COVERED = """() => {
    const { left, top, right, bottom } = document.querySelector(".guide").getBoundingClientRect();
    const isOver = (box) => Math.min(right, box.right) > Math.max(left, box.left) + 1
        && Math.min(bottom, box.bottom) > Math.max(top, box.top) + 1;
    return [...document.querySelectorAll(".guide-light")].map((light) => light.getBoundingClientRect())
        .filter((box) => box.width * box.height < 0.2 * innerWidth * innerHeight && isOver(box)).length;
}"""
"""How many lights lie under the bubble; those of a whole board do not count."""

PICK = """() => {
    const lights = [...document.querySelectorAll(".guide-light")].map((light) => light.getBoundingClientRect());
    const isLit = ([x, y]) => lights.some((box) => x > box.left && x < box.right && y > box.top && y < box.bottom);
    const pickable = ".street.open .glow, [data-pick]:not(:disabled), .bottom .can:not(:disabled), .district.can-lay";
    const pressed = ".street.chosen, .chosen, [aria-pressed=true]";
    const centre = (element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
    };
    const answer = document.querySelector(".bottom .answer:not(:disabled)");
    if (answer) return centre(answer);
    const open = [...document.querySelectorAll(pickable)].filter((element) => !element.closest(pressed));
    return open.map(centre).find(isLit) ?? null;
}"""
"""The point to click next: the button that sends the answer, or something in the light that can be picked."""

REACHED = """() => {
    const pickable = ".bottom .answer:not(:disabled), .street.open .glow, .bottom .can:not(:disabled), [data-pick]";
    return [...document.querySelectorAll(pickable)].some((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const there = document.elementFromPoint(left + width / 2, top + height / 2);
        return there !== null && (element.contains(there) || element.parentElement.contains(there));
    });
}"""
"""Whether something that can be picked or pressed is not under the sheet."""

UNREACHED = """() => {
    const choices = [...document.querySelectorAll(
        ".street.open .glow, .bottom .can, [data-pick], button.cheque:not(:disabled), .claim:not(:disabled)",
    )].filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 0);
    const actions = [...document.querySelectorAll(".bottom .decision-actions button:not(:disabled)")];
    const isReached = (element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const there = document.elementFromPoint(left + width / 2, top + height / 2);
        return there !== null && (element.closest("g, button, li, label") ?? element).contains(there);
    };
    if (choices.length === 0 && !actions.some(isReached)) return ["every button"];
    const nameOf = (element) => element.closest("[aria-label]")?.getAttribute("aria-label") ?? element.textContent;
    return choices.filter((element) => !isReached(element)).map((element) => nameOf(element).slice(0, 60));
}"""
"""What can be chosen but cannot be clicked: it lies under the sheet, or is not in the window."""

CUT = """() => [...document.querySelectorAll(".guide *, .guide-pill, .lesson-end *, .learn-card *, .learn-link *")]
    .filter((element) => element.childElementCount === 0 && element.textContent.trim()
        && !element.closest(".hidden-visually, .guide-jump, .guide[data-detail=task] h2, svg")
        && element.getClientRects().length)
    .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline"
            || left < -1 || right > innerWidth + 1;
    })
    .map((element) => element.textContent)"""
"""The texts of the guide that do not fit their place."""


async def cut_texts(page: Page) -> list[str]:
    """Return the texts of the guide that do not fit their place, although the page has had time to move them."""
    with contextlib.suppress(PlaywrightTimeoutError):
        await page.wait_for_function(f"() => ({CUT})().length === 0")
    cut: list[str] = await page.evaluate(CUT)
    return cut


async def step_of(page: Page) -> tuple[int, int]:
    """Return the number of the shown step and of all steps, as the guide says them."""
    step, _, steps = (await page.locator(".guide-count").inner_text()).partition(" of ")
    return int(step), int(steps)


async def begin(arrive: Arrive, path: str = "/learn/investors", **options: Any) -> Visitor:
    visitor = await arrive(path, reduced_motion="reduce", **options)
    await visitor.page.locator(GUIDE).wait_for()
    return visitor


async def go_on(page: Page) -> None:
    """Choose Next, and wait for the next step."""
    step, _ = await step_of(page)
    await page.locator(".guide-next").click()
    await expect(page.locator(".guide-count")).to_contain_text(f"{step + 1} of ")


async def show_me(page: Page) -> None:
    """Have the guide answer, and wait until nothing covers what the answer means."""
    await page.locator(".guide").get_by_role("button", name="Show me").click()
    await page.locator(f"{GUIDE} .guide-meaning").wait_for()


async def to_asking_step(page: Page) -> None:
    """Go on to a step that asks for an answer."""
    while await page.get_by_role("button", name="Show me").count() == 0:
        await go_on(page)


async def answer_by_mouse(page: Page) -> None:
    """Click what the guide points at until the step is answered."""
    next_point = f"() => document.querySelector('.guide-meaning') ? 'answered' : isWaiting() ? null : ({PICK})()"
    while (point := await (await page.wait_for_function(next_point)).json_value()) != "answered":
        await page.mouse.click(*point)


async def test_a_lesson_is_played_by_clicking_what_the_guide_points_at(arrive: Arrive) -> None:
    visitor = await begin(arrive)
    page = visitor.page
    await expect(page.locator(".guide h2")).to_be_focused()
    await expect(page.locator(".guide [role=status]")).to_contain_text(await page.locator(".guide h2").inner_text())
    # A lesson has neither a chat nor a menu of people.
    await expect(page.get_by_role("tab")).to_have_text(["Log"])
    await to_asking_step(page)
    await page.wait_for_function(f"() => ({COVERED})() === 0")
    await page.keyboard.press("Escape")
    before = await step_of(page)
    await answer_by_mouse(page)
    await expect(page.locator(f"{GUIDE} .guide-meaning")).to_be_visible()
    await expect(page.locator(".guide-next")).to_be_focused()
    await expect(page.locator(".guide [role=status]")).to_contain_text(
        (await page.locator(".guide-meaning p").first.inner_text())[:40]
    )
    # Going back begins the step again, and Show me answers it.
    await page.get_by_role("button", name="Back").click()
    await page.get_by_role("button", name="Show me").wait_for()
    assert await step_of(page) == before
    await show_me(page)
    await expect(page.locator(".guide-meaning.good")).to_be_visible()
    await expect(page.locator(".guide-next")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator(".guide-count")).to_contain_text(f"{before[0] + 1} of ")
    await expect(page.locator(".guide h2")).to_be_focused()


async def test_progress_survives_a_reload_another_device_and_a_lost_connection(
    arrive: Arrive, server: RestartableServer
) -> None:
    # axe is a script of its own, which the policy of the page does not allow.
    visitor = await begin(arrive, bypass_csp=True)
    page = visitor.page
    assert await axe_issues(page) == []
    await go_on(page)
    step, steps = await step_of(page)
    await page.reload()
    await expect(page.locator(".guide-count")).to_have_text(f"{step} of {steps}")
    # The server knows it too, for other devices.
    await page.wait_for_function("JSON.parse(localStorage.getItem('lesson-investors')).isSent")
    await page.evaluate("localStorage.clear()")
    await page.reload()
    await expect(page.locator(".guide-count")).to_have_text(f"{step} of {steps}")
    await page.locator(".guide").get_by_role("button", name="Back").click()
    await expect(page.locator(".guide-count")).to_have_text(f"{step - 1} of {steps}")
    visitor.ignore_errors(NETWORK_ERRORS)
    server.kill()
    await page.locator(".banner").wait_for()
    await page.locator(".guide-next").click()
    server.start_again()
    await expect(page.locator(".guide-count")).to_have_text(f"{step} of {steps}")
    await page.get_by_role("button", name="Skip the lesson").click()
    end = page.locator(".lesson-end")
    await expect(end.get_by_role("heading", name="The lesson of Investors waits for you")).to_be_focused()
    await end.get_by_role("button", name="Back to the lesson").click()
    await expect(page.locator(".guide-count")).to_have_text(f"{step} of {steps}")
    await page.get_by_role("button", name="Leave the lesson").click()
    card = page.locator(".learn-card[data-game=investors]")
    await expect(card).to_contain_text(f"step {step} of {steps}")
    await visitor.go_home()
    await expect(page.get_by_role("link", name=f"Investors: Lesson: {step} of {steps}")).to_be_visible()
    # The last step leads to the end, from where a first game begins.
    await page.evaluate(f"localStorage.setItem('lesson-investors', JSON.stringify({{step: {steps - 1}}}))")
    await page.goto(f"{visitor.http}/learn/investors")
    await page.get_by_role("button", name="Finish").click()
    await expect(end.get_by_role("heading", name="You know how to play Investors")).to_be_focused()
    assert await axe_issues(page) == []
    await end.get_by_role("button", name="Play a first game").click()
    await visitor.wait_for_table()
    await expect(page.locator(".left .seat")).to_have_count(3)
    await page.goto(f"{visitor.http}/learn")
    await expect(card).to_contain_text("lesson completed")
    assert await axe_issues(page) == []


async def test_a_lesson_on_a_phone_is_a_sheet_that_makes_room(arrive: Arrive) -> None:
    visitor = await begin(arrive, bypass_csp=True, **PHONE)
    page = visitor.page
    assert await widest(visitor) == 360
    await to_asking_step(page)
    await page.wait_for_function(REACHED)
    assert await axe_issues(page) == []
    await page.get_by_role("button", name="Fold the guide away").click()
    pill = page.get_by_role("button", name="show the guide again")
    await pill.click()
    await expect(pill).to_have_count(0)
    await show_me(page)
    await expect(page.locator(".guide-next")).to_be_in_viewport()
    assert await widest(visitor) == 360
    too_small = await page.evaluate(
        """() => [...document.querySelectorAll(".guide button:not(.guide-jump)")]
            .map((button) => [button.textContent, button.getBoundingClientRect()])
            .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < 44).map(([text]) => text)"""
    )
    assert too_small == []


@pytest.mark.parametrize("game", lesson_names())
async def test_on_a_small_phone_the_guide_covers_nothing_that_can_be_chosen(arrive: Arrive, game: str) -> None:
    # German has the longest texts.
    visitor = await arrive("/learn", locale="de", reduced_motion="reduce", **PHONE)
    page = visitor.page
    await page.locator(".learn-card").first.wait_for()
    lesson = lesson_of(game)
    assert lesson is not None
    covered = {}
    for number, step in enumerate(lesson.steps):
        if not step.answers:
            continue
        await page.evaluate(f"localStorage.setItem('lesson-{game}', JSON.stringify({{step: {number}}}))")
        await page.locator(f'a[href="/learn/{game}"]').first.click()
        await page.locator(f"{GUIDE} .guide-count", has_text=f"{number + 1} ").wait_for()
        with contextlib.suppress(PlaywrightTimeoutError):
            await page.wait_for_function(f"() => ({UNREACHED})().length === 0")
        covered[step.id] = [*await page.evaluate(UNREACHED), *await cut_texts(page)]
        await expect(page.locator(f"{GUIDE} .guide-show")).to_be_visible()
        await page.go_back()
        await page.locator(".learn-card").first.wait_for()
    assert {step: found for step, found in covered.items() if found} == {}


async def test_a_sheet_that_says_less_shows_the_whole_text_on_demand(arrive: Arrive) -> None:
    visitor = await arrive(None, reduced_motion="reduce", **PHONE)
    page = visitor.page
    await page.goto(f"{visitor.http}/learn")
    await page.evaluate("localStorage.setItem('lesson-planners', JSON.stringify({step: 1}))")
    await page.goto(f"{visitor.http}/learn/planners")
    guide = page.locator(GUIDE)
    await guide.wait_for()
    await expect(guide).to_have_attribute("data-detail", "text")
    await expect(guide.locator(".guide-why")).to_be_hidden()
    await guide.get_by_role("button", name="Why?").click()
    await expect(guide.locator(".guide-why")).to_be_visible()
    await expect(guide.get_by_role("button", name="Skip the lesson")).to_be_visible()


@pytest.mark.parametrize("locale", ["en", "de", "it", "pl"])
async def test_no_text_of_the_guide_is_cut(arrive: Arrive, locale: str) -> None:
    visitor = await arrive("/learn", locale=locale, reduced_motion="reduce", **PHONE)
    page = visitor.page
    await page.locator(".learn-card").first.wait_for()
    cut = {"learn": await cut_texts(page)}
    await page.locator('a[href="/learn/investors"]').first.click()
    await page.locator(GUIDE).wait_for()
    for width, height in ((360, 640), (1280, 720)):
        await page.set_viewport_size({"width": width, "height": height})
        cut[f"first at {width}"] = await cut_texts(page)
    await page.locator(".guide-skip").click()
    await page.locator(".lesson-end").wait_for()
    for width, height in ((1280, 720), (360, 640)):
        await page.set_viewport_size({"width": width, "height": height})
        cut[f"end at {width}"] = await cut_texts(page)
    await page.goto(f"{visitor.http}/")
    await page.locator(".learn-link").first.wait_for()
    for width, height in ((360, 640), (1280, 720)):
        await page.set_viewport_size({"width": width, "height": height})
        cut[f"home at {width}"] = await cut_texts(page)
    assert {place: texts for place, texts in cut.items() if texts} == {}
    assert await widest(visitor) == 1280


async def test_the_decision_of_a_lesson_leads_to_its_rule_and_keys_read_the_table_aloud(arrive: Arrive) -> None:
    visitor = await begin(arrive)
    page = visitor.page
    await to_asking_step(page)
    await page.locator(".bottom .decision-title").get_by_role("link").click()
    await expect(page.locator('.rules-panel [data-rule="3.1"]')).to_be_focused()
    await page.keyboard.press("Escape")
    await page.keyboard.press("p")
    await expect(page.get_by_role("status", name="Read aloud")).not_to_be_empty()


async def test_a_lesson_that_there_is_not_leads_to_all_lessons(arrive: Arrive) -> None:
    visitor = await arrive("/learn/chess")
    await expect(visitor.page.get_by_role("alert")).to_contain_text("There is a lesson for each of the three games.")
