"""The rules to read: their page, and the links from a table to its rules."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Response, expect

from tests.web.browser.conftest import Arrive
from tests.web.browser.test_access import serious_issues
from tests.web.browser.visitor import asked

pytestmark = pytest.mark.asyncio(loop_scope="session")

GERMAN_RULE = "wen dort niemand mehr einholen kann"
"""Words of rule 5.2 of Investors in German, which no other file has."""


async def test_rules_are_read_searched_linked_and_translated(arrive: Arrive) -> None:
    # The content security policy is bypassed, because axe has to be injected into the page.
    visitor = await arrive(None, bypass_csp=True, reduced_motion="reduce")
    page = visitor.page
    scripts: list[Response] = []
    page.on("response", lambda response: scripts.append(response) if response.url.endswith(".js") else None)
    await page.goto(f"{visitor.http}/rules/investors#5.2")
    rule = page.locator('[data-rule="5.2"]')
    await expect(rule).to_be_in_viewport()
    await expect(rule).to_have_class(re.compile("target"))
    await expect(page.locator(".rule-figure")).to_have_count(4)
    # An option has its name here, not that of the code.
    await expect(page.locator('[data-rule="2.4"]')).to_contain_text("The city: shuffled")
    assert await serious_issues(visitor) == []
    assert [response.url for response in scripts if GERMAN_RULE in await response.text()] == []

    search = page.get_by_role("searchbox", name="Search the rules")
    await search.fill("TOWN hall majority")
    await expect(page.get_by_role("status").filter(has_text="rule found")).to_have_text("1 rule found")
    await expect(page.locator(".rule")).to_have_count(1)
    await expect(page.locator('[data-rule="5.3"] mark').first).to_be_visible()
    # A link to a rule that the search hides shows all rules again.
    await page.get_by_role("navigation", name="Contents").get_by_role("link", name="The end").click()
    await expect(page.locator('[data-rule="11.1"]')).to_be_in_viewport()
    await expect(search).to_have_value("")
    await page.locator('[data-rule="4.7"]').get_by_role("link", name="4.2").click()
    await expect(page).to_have_url(re.compile(r"/rules/investors#4\.2$"))
    await expect(page.locator('[data-rule="4.2"]')).to_have_class(re.compile("target"))

    await visitor.choose(page.locator(".site-bar"), "Language", "Deutsch")
    await expect(rule).to_contain_text(GERMAN_RULE)
    await expect(page.locator('[data-rule="4.2"]')).to_be_in_viewport()
    await visitor.screenshot("rules-page")


async def test_a_decision_links_to_its_rule_beside_the_table(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    await visitor.play_now()
    await visitor.play(by_mouse=0, until=asked("influence_tender"))
    await visitor.wait_for_reveals()
    page = visitor.page
    address = page.url
    link = page.locator(".decision-title").get_by_role("link", name="Rule 4.1")
    await link.click()
    drawer = page.locator(".rules-panel")
    await expect(drawer.locator(".rule.target")).to_have_attribute("data-rule", "4.1")
    await expect(drawer.locator(".rule.target")).to_be_in_viewport()
    assert page.url == address
    # Another rule is opened from the summary card, and nothing leaves the table.
    await drawer.get_by_role("radio", name="Summary").click()
    await drawer.get_by_role("link", name="Rule 5.2").click()
    await expect(drawer.locator(".rule.target")).to_have_attribute("data-rule", "5.2")
    await page.keyboard.press("Escape")
    await expect(drawer).to_have_count(0)
    await expect(link).to_be_focused()
    assert page.url == address


async def test_a_reason_why_not_links_to_its_rule(arrive: Arrive) -> None:
    visitor = await arrive(reduced_motion="reduce")
    await visitor.choose_game("Planners")
    await visitor.play_now()
    page = visitor.page
    await visitor.play(by_mouse=0, until=f"{asked('turn')} && document.querySelector('.pl-column:not(.open)')")
    await page.locator(".pl-column:not(.open)").first.click()
    reason = page.get_by_role("alert")
    await reason.get_by_role("link", name="Rule 3.4").click()
    await expect(page.locator(".rules-panel .rule.target")).to_have_attribute("data-rule", "3.4")
