"""A player who knows a page only by its accessibility tree, and acts only by keys.

The player sees what a screen reader sees: roles, names, descriptions, states and live regions, as Chromium computes
them. It never looks at the document or at pixels.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from playwright.async_api import CDPSession

from tests.web.browser.visitor import TIMEOUT, Visitor

SKIPPED = {"InlineTextBox", "none"}

NEVER_PRESSED = ("Hint", "Undo", "Take back", "Standing orders")
"""Buttons of the decision that do not answer it."""

READINGS = {"p": "position", "s": "standing", "o": "options", "l": "events"}

MAX_TABS = 200
"""Tab stops that a page may have."""

MAX_PICKS = 4
"""Things that the player picks for a decision before it looks for another answer."""


@dataclass(eq=False)
class Node:
    """A node of the accessibility tree."""

    role: str
    name: str
    description: str
    states: dict[str, object]
    parent: Node | None
    children: list[Node] = field(default_factory=list)

    def all(self) -> Iterator[Node]:
        """Yield this node and all below it, in reading order."""
        yield self
        for child in self.children:
            yield from child.all()

    def find(self, role: str, name: str | None = None) -> Node | None:
        """Return the first node of a role and a name."""
        return next((node for node in self.all() if node.role == role and name in (None, node.name)), None)

    def within(self, role: str) -> bool:
        """Return whether a node of a role is above this one."""
        return self.parent is not None and (self.parent.role == role or self.parent.within(role))

    @property
    def text(self) -> str:
        return " ".join(node.name for node in self.all() if node.role == "StaticText")

    @property
    def is_enabled(self) -> bool:
        return not self.states.get("disabled")

    @property
    def is_chosen(self) -> bool:
        return any(self.states.get(state) in (True, "true") for state in ("selected", "pressed", "checked"))

    @property
    def is_choice(self) -> bool:
        """Whether it can be chosen: it says whether it is chosen."""
        return any(state in self.states for state in ("selected", "pressed", "checked"))

    def __str__(self) -> str:
        return f'{self.role} "{self.name}"'


class TreePlayer:
    """A person at the keyboard with a screen reader."""

    def __init__(self, visitor: Visitor, session: CDPSession, seed: int) -> None:
        self.visitor = visitor
        self._session = session
        self._rng = random.Random(seed)
        self.heard: list[str] = []
        """What the live region of events said, each text once after another."""
        self.decisions = 0

    @classmethod
    async def at(cls, visitor: Visitor, seed: int = 7) -> TreePlayer:
        session = await visitor.context.new_cdp_session(visitor.page)
        return cls(visitor, session, seed)

    # -- seeing ---------------------------------------------------------------------------------------------------

    async def read(self) -> Node:
        """Return the tree of the page as it is now."""
        found = (await self._session.send("Accessibility.getFullAXTree"))["nodes"]
        by_id = {node["nodeId"]: node for node in found}
        root = Node("page", "", "", {}, None)
        pending: list[tuple[str, Node]] = [(found[0]["nodeId"], root)]
        while pending:
            identity, parent = pending.pop()
            node = by_id.get(identity)
            if node is None:
                continue
            role = node.get("role", {}).get("value", "")
            if not node.get("ignored") and role not in SKIPPED:
                made = Node(
                    role,
                    node.get("name", {}).get("value", ""),
                    node.get("description", {}).get("value", ""),
                    {each["name"]: each["value"].get("value") for each in node.get("properties", ())},
                    parent,
                )
                parent.children.append(made)
                parent = made
            pending += [(child, parent) for child in reversed(node.get("childIds", ()))]
        self._hear(root)
        return root

    def _hear(self, tree: Node) -> None:
        log = tree.find("log")
        said = log.text if log else ""
        if said and (not self.heard or self.heard[-1] != said):
            self.heard.append(said)

    async def until(self, is_there: Callable[[Node], object]) -> Node:
        """Wait until something is in the tree, and return the tree."""
        async with asyncio.timeout(TIMEOUT / 1000):
            while True:
                tree = await self.read()
                if is_there(tree):
                    return tree
                # Reading the tree takes the page longer than most updates.
                await asyncio.sleep(0.2)

    # -- acting ---------------------------------------------------------------------------------------------------

    async def press(self, key: str) -> None:
        await self.visitor.page.keyboard.press(key)

    async def read_aloud(self, key: str) -> str:
        """Press a key that reads something, and return what the live region says then."""
        # The text before may be the same, so another one is read first.
        await self.press(next(other for other in READINGS if other != key))
        before = spoken(await self.until(spoken))
        await self.press(key)
        return spoken(await self.until(lambda tree: spoken(tree) not in ("", before)))

    async def go_to(self, role: str, name: str) -> bool:
        """Move the focus to an element; return whether it is there: names change when previews arrive.

        The tab key leads to everything but the places of a grid: those that can be chosen have keys of their own.
        """
        if role == "gridcell":
            await self.press("b")
            return await self._walk("PageDown", role, name)
        tree = await self.read()
        if is_on(focused(tree), role, name):
            return True
        if tree.find("region", "Your decision") is not None:
            await self.press("d")
        return await self._walk("Tab", role, name)

    async def _walk(self, key: str, role: str, name: str) -> bool:
        """Press a key until the focus is on an element; return whether the element is there."""
        passed: list[str] = []
        for _ in range(MAX_TABS):
            tree = await self.read()
            at = focused(tree)
            if is_on(at, role, name):
                return True
            if tree.find(role, name) is None:
                return False
            passed.append(str(at))
            # Most of the way is walked without listening.
            for _ in range(stops_before(tree, at, role, name) if key == "Tab" else 1):
                await self.press(key)
        raise AssertionError(f'{role} "{name}" is not reached with {key}; passed: {"; ".join(passed)}')

    async def activate(self, node: Node) -> bool:
        """Go to an element and press it; return whether it was there."""
        if not await self.go_to(node.role, node.name):
            return False
        await self.press(self._rng.choice(("Enter", "Space")))
        return True

    # -- playing --------------------------------------------------------------------------------------------------

    async def begin(self, game: str) -> None:
        """Begin a game against bots from the home page."""
        await self.until(lambda tree: (play := tree.find("button", f"Play {game}")) and play.is_enabled)
        await self._walk("Tab", "button", f"Play {game}")
        await self.press("Enter")
        await self.until(lambda tree: tree.find("region", "Your decision"))
        await self.until(lambda tree: tree.find("status", "Read aloud"))

    async def play(self, decisions: int | None = None) -> bool:
        """Make so many decisions, or play until the end of the game; return whether it is over."""
        picks = 0
        last = ""
        while True:
            tree = await self.until(lambda tree: is_over(tree) or is_my_move(tree))
            if is_over(tree):
                return True
            bar = tree.find("region", "Your decision")
            assert bar is not None
            title = " ".join(node.name for node in bar.all() if node.role == "heading")
            if title != last:
                picks = 0
            chosen = self._choose(tree, bar, picks)
            last = title
            picks += 1
            if await self.activate(chosen) and not chosen.is_choice:
                picks = 0
                self.decisions += 1
                await self._handled(chosen, bar.text)
                if self.decisions == decisions:
                    return False

    def _choose(self, tree: Node, bar: Node, picks: int) -> Node:
        """Return what to activate next: the answer if it is complete, else something that can be picked."""
        answers = [
            node
            for node in bar.all()
            if node.role == "button" and not node.is_choice and not node.name.startswith(NEVER_PRESSED)
        ]
        open_answers = [node for node in answers if node.is_enabled]
        choices = [
            node
            for node in tree.all()
            if node.role in ("gridcell", "button", "radio")
            and node.is_choice
            and node.is_enabled
            and not node.is_chosen
            and (node.within("main") or node.within("complementary") or any(node is each for each in bar.all()))
        ]
        # Sometimes the player looks at another choice first, although the answer is complete.
        if open_answers and answers[-1].is_enabled and (not choices or picks or self._rng.random() < 0.7):
            return answers[-1]
        if choices and picks < MAX_PICKS:
            return self._rng.choice(choices)
        # After so many places on the board, what is still to be chosen is in the decision itself.
        in_bar = [node for node in choices if any(node is each for each in bar.all())]
        if in_bar and not open_answers:
            return self._rng.choice(in_bar)
        assert open_answers, f"there is nothing to do: {bar.text}"
        return self._rng.choice(open_answers)

    async def _handled(self, answer: Node, before: str) -> None:
        """Wait until the page shows that it took the answer."""

        def is_handled(tree: Node) -> bool:
            bar = tree.find("region", "Your decision")
            return is_over(tree) or not is_my_move(tree) or bar is None or bar.text != before

        try:
            await self.until(is_handled)
        except TimeoutError:
            raise AssertionError(f"{answer} did nothing: {before}") from None


def focused(tree: Node) -> Node | None:
    """Return the node that has the focus, if it is not the whole page."""
    return next((node for node in tree.all() if node.states.get("focused") and node.role != "RootWebArea"), None)


def stops_before(tree: Node, at: Node | None, role: str, name: str) -> int:
    """Return how many times the tab key has to be pressed, or fewer: not all tab stops are counted."""
    stops = [
        node
        for node in tree.all()
        if node is at
        or (node.states.get("focusable") and node.role in ("button", "link", "tab", "textbox", "combobox"))
    ]
    start = next((index for index, node in enumerate(stops) if node is at), -1)
    end = next((index for index, node in enumerate(stops) if index > start and is_on(node, role, name)), start + 1)
    return max(1, end - start)


def is_on(node: Node | None, role: str, name: str) -> bool:
    return node is not None and (node.role, node.name) == (role, name)


def spoken(tree: Node) -> str:
    """Return what was read aloud last."""
    status = tree.find("status", "Read aloud")
    return status.text if status else ""


def turn(tree: Node) -> str:
    """Return the sentence that says whose turn it is."""
    return next((node.text for node in tree.all() if node.role == "status" and node.name != "Read aloud"), "")


def is_my_move(tree: Node) -> bool:
    return turn(tree).startswith("Your move")


def is_over(tree: Node) -> bool:
    return "The game is over" in turn(tree)
