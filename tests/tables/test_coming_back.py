"""Subscriptions: live, resumed after any gap, on several devices, in changing roles; all lead to the same view."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from server.model import Done
from server.tables.history import RECENT_KEPT
from server.tables.state import TableState
from server.tables.views import table_view
from tests.replies import code_of
from tests.tables.table_server import PatientBots, Screen, TableServer, pass_time, person, settle
from tests.tables.virtual_time import in_virtual_time

NAMES = ("ann", "ben", "cat")


async def play_and_talk(server: TableServer, table: str, rng: random.Random, entries: int) -> None:
    """Let people decide and chat at random until the log has so many more entries, or the game is over."""
    for _ in range(entries):
        state: TableState = server.state(table)
        if state.phase == "over":
            return
        if rng.random() < 0.4:
            await pass_time(2)
            await server.do(rng.choice((*NAMES, "pat")), "say", table, text=f"line {rng.random()}")
        else:
            assert state.play is not None
            assert state.play.decision is not None
            seat = rng.choice(sorted(state.play.decision.prompts))
            user = state.chairs[seat].user
            assert user is not None
            answer = await server.play_on(table, user, rng)
            assert isinstance(answer, Done)


def frames(screen: Screen) -> list[tuple[int, list[dict[str, Any]]]]:
    """Return the number and the events of every update of a screen."""
    return [(m["number"], m["events"]) for m in screen.messages if m["type"] == "update"]


async def read_after(server: TableServer, name: str, table: str, have: int) -> list[dict[str, Any]]:
    """Return the updates of a user after a number, from pages of the log."""
    entries: list[dict[str, Any]] = []
    before: dict[str, int] = {}
    while not entries or entries[0]["number"] > have + 1:
        page = await server.do(name, "read_log", table, **before)
        entries = page["entries"] + entries
        before = {"before": entries[0]["number"]}
    return [entry for entry in entries if entry["number"] > have]


@pytest.mark.parametrize("shows_decided", [True, False])
@pytest.mark.parametrize("entries", [20, RECENT_KEPT + 60])
@in_virtual_time
async def test_after_a_gap_a_client_gets_exactly_the_events_that_others_got_meanwhile(
    entries: int, shows_decided: bool
) -> None:
    rng = random.Random(entries)
    server = TableServer()
    options = {"hand": 3, "rounds": 8, "reshuffle": True}
    table = await server.begin(*NAMES, options=options, absence_seconds=None, show_decided=shows_decided)
    followers = {name: await server.watch(name, table) for name in (*NAMES, "pat")}
    begins = {name: screen.number for name, screen in followers.items()}
    await play_and_talk(server, table, rng, entries)
    for is_restarted in (False, True):
        if is_restarted:
            await server.restart()
        for name, follower in followers.items():
            for have in range(begins[name], follower.number + 1):
                back = await server.watch(name, table, have=have)
                server.registry.unsubscribe(table, back)
                expected = [fact for number, facts in frames(follower) if number > have for fact in facts]
                # What is in memory depends on the viewer's own updates alone, not on entries hidden from it.
                if follower.number - have <= RECENT_KEPT:
                    assert back.missed == expected, (name, have)
                else:
                    assert back.missed is None, (name, have)
                    pages = await read_after(server, name, table, have)
                    assert [fact for page in pages for fact in page["events"]] == expected, (name, have)
                assert (back.number, back.view) == (follower.number, follower.view)
    await server.registry.close()


@in_virtual_time
async def test_a_hidden_entry_at_the_edge_of_the_history_hides_no_other() -> None:
    """Check that entries hidden from a viewer push none of its own out of memory, which it could count them by."""
    server = TableServer()
    table = await server.begin("ann", "ben", absence_seconds=None)
    pat = await server.watch("pat", table)
    have = pat.number
    await server.do("ann", "vote", table, on="pause", agree=True)
    for number in range(RECENT_KEPT):
        await server.do("ann", "say", table, text=f"heard by players {number}")
    back = await server.watch("pat", table, have=have)
    assert back.missed is not None
    assert [fact["event"] for fact in back.missed] == ["voted"]
    await server.registry.close()


@in_virtual_time
async def test_a_client_without_a_valid_resume_point_gets_no_missed_events() -> None:
    server = TableServer()
    table = await server.create("ann")
    assert (await server.watch("ann", table)).missed is None
    assert (await server.watch("ann", table, have=99)).missed is None
    assert (await server.watch("ann", table, have=1)).missed == []
    missed = (await server.watch("ann", table, have=0)).missed
    assert missed is not None
    assert [fact["event"] for fact in missed] == ["table_opened", "server_seed_drawn", "seat_taken"]
    await server.registry.close()


@in_virtual_time
async def test_numbers_mean_the_same_before_and_after_a_restart() -> None:
    rng = random.Random(5)
    server = TableServer()
    table = await server.begin(*NAMES, absence_seconds=None, show_decided=False)
    screens = {name: await server.watch(name, table) for name in (*NAMES, "pat")}
    for _ in range(10):
        await play_and_talk(server, table, rng, 3)
        await server.restart()
        for name, screen in screens.items():
            again = await server.watch(name, table)
            assert (again.number, again.view) == (screen.number, screen.view)
            await server.watch(name, table, screen, have=screen.number)
            assert screen.missed == []
    await server.registry.close()


# -- whole evenings by chance ---------------------------------------------------------------------------------


class Evening:
    """People who subscribe, leave, sit down, stand up, play, chat, disconnect and resume at random."""

    users = ("ann", "ben", "cat", "dan")

    def __init__(self, server: TableServer, table: str, rng: random.Random) -> None:
        self.server = server
        self.table = table
        self.rng = rng
        self.screens: list[Screen] = []
        self.slow: set[Screen] = set()

    async def step(self) -> None:
        deed = self.rng.choice(
            (self.watch, self.unwatch, self.sit, self.stand, self.manage, self.say, self.vote, self.lag, self.reload)
            + (self.play,) * 12
        )
        await deed()
        await settle()
        self.check()

    def check(self) -> None:
        """Assert that every screen that is not too slow shows just what its user may see."""
        state: TableState = self.server.state(self.table)
        history = self.server.loaded(self.table).history
        for screen in self.screens:
            if screen not in self.slow:
                viewer = state.seat_of(screen.user.id)
                assert screen.view == table_view(state, viewer)
                assert screen.number == history.number(viewer)
                kept = self.server.registry._actors[self.table]._chat.shown_to(viewer)
                assert screen.chat[-len(kept) :] == kept or not kept

    async def watch(self) -> None:
        screen = Screen(person(self.rng.choice(self.users)))
        answer = await self.server.try_watch(screen, self.table)
        assert isinstance(answer, Done)
        self.screens.append(screen)

    async def unwatch(self) -> None:
        if self.screens:
            screen = self.screens.pop(self.rng.randrange(len(self.screens)))
            self.slow.discard(screen)
            self.server.registry.unsubscribe(self.table, screen)

    async def sit(self) -> None:
        await self.ask("take_seat", seat=self.rng.choice((None, 0, 1, 2)))
        await self.ask("ready", ready=True)

    async def stand(self) -> None:
        if self.rng.random() < 0.5:
            await self.ask("leave_seat")

    async def manage(self) -> None:
        host = self.server.state(self.table).host
        deed = self.rng.choice(("add_bot", "remove_bot", "start", "start", "start"))
        fields = {"seat": self.rng.randrange(3)} if deed == "remove_bot" else {}
        await self.server.ask(host, deed, self.table, **fields)

    async def say(self) -> None:
        await self.ask("say", text=str(self.rng.random()))

    async def vote(self) -> None:
        await self.ask("vote", on=self.rng.choice(("pause", "resume", "resume")), agree=True)

    async def lag(self) -> None:
        """Make a connection too slow, so that it drops frames, or let it catch up and get a fresh view."""
        for screen in list(self.slow):
            screen.is_full = False
            self.slow.discard(screen)
            self.server.registry.refresh(self.table, screen)
        if self.screens and self.rng.random() < 0.7:
            screen = self.rng.choice(self.screens)
            screen.is_full = True
            self.slow.add(screen)

    async def reload(self) -> None:
        if self.rng.random() < 0.3:
            await self.server.restart()
            await self.ask("leave_seat")
            for screen in self.screens:
                screen.is_full = False
                await self.server.watch(screen.user.id, self.table, screen, have=screen.number)
            self.slow.clear()

    async def play(self) -> None:
        state: TableState = self.server.state(self.table)
        if state.phase != "running" or not state.awaited():
            return
        seat = self.rng.choice(state.awaited())
        user = state.chairs[seat].user
        if state.chairs[seat].player is not None:
            self.server.bots.decide()
        elif user is not None:
            await self.server.play_on(self.table, user, self.rng)

    async def ask(self, kind: str, **fields: Any) -> None:
        await self.server.ask(self.rng.choice(self.users), kind, self.table, **fields)


@pytest.mark.parametrize("game, shows_decided", [("auction", True), ("auction", False), ("mosaic", True)])
@pytest.mark.parametrize("seed", range(8))
@in_virtual_time
async def test_patches_applied_one_by_one_give_the_whole_view_through_long_random_games(
    seed: int, game: str, shows_decided: bool
) -> None:
    server = TableServer()
    table = await server.create("ann", game=game, seats=3, show_decided=shows_decided, absence_seconds=None)
    evening = Evening(server, table, random.Random(seed))
    while server.state(table).phase == "open":
        await evening.step()
    for _ in range(120):
        await evening.step()
    await server.registry.close()


@in_virtual_time
async def test_patches_give_the_whole_view_through_a_game_of_investors() -> None:
    server = TableServer(bots=PatientBots(pause_seconds=0.1))
    table = await server.begin("ann", "ben", bots=1, game="investors", absence_seconds=None)
    screens = {name: await server.watch(name, table) for name in ("ann", "ben", "pat")}
    await server.do("ben", "resign", table)
    rng = random.Random(1)
    for _ in range(60):
        state: TableState = server.state(table)
        if 0 in state.awaited():
            await server.play_on(table, "ann", rng)
        await pass_time(1)
        for name, screen in screens.items():
            assert screen.view == table_view(state, state.seat_of(name))
    await server.registry.close()


# -- several connections, roles -------------------------------------------------------------------------------


@in_virtual_time
async def test_all_connections_of_one_user_see_the_same() -> None:
    server = TableServer()
    table = await server.begin("ann", "ben", absence_seconds=None)
    tabs = [await server.watch("ann", table) for _ in range(3)]
    await pass_time(1)
    for tab in tabs:
        tab.drain()
    await server.bid("ann", table, -1)
    await server.bid("ben", table, None)
    assert tabs[0].drain() == tabs[1].drain() == tabs[2].drain()
    assert tabs[0].view == tabs[1].view == tabs[2].view
    await server.registry.close()


@in_virtual_time
async def test_a_connection_that_dropped_frames_gets_a_fresh_view_when_it_asks() -> None:
    server = TableServer()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    ann.is_full = True
    await server.do("ben", "take_seat", table)
    await server.do("ben", "ready", table, ready=True)
    ann.is_full = False
    server.registry.refresh(table, ann)
    assert ann.view == (await server.watch("ann", table)).view
    await server.do("ann", "start", table)
    assert ann.view == (await server.watch("ann", table)).view
    server.registry.refresh(table, Screen(person("sue")))
    server.registry.refresh("nowhere", ann)
    await server.registry.close()


@in_virtual_time
async def test_a_user_whose_role_changes_gets_the_whole_view_of_the_new_role() -> None:
    server = TableServer()
    table = await server.create("ann", seats=3)
    ben, tab = await server.watch("ben", table), await server.watch("ben", table)
    assert ben.view is not None
    assert ben.view["mine"] is None
    await server.do("ben", "take_seat", table)
    for screen in (ben, tab):
        assert [message["type"] for message in screen.drain()][-1] == "view"
        assert screen.view is not None
        assert screen.view["mine"] == 1
        assert screen.view["table"]["key"] == server.key(table)
    await server.do("ann", "kick", table, seat=1)
    assert ben.drain()[-1]["type"] == "view"
    assert ben.view["mine"] is None
    assert ben.view["table"]["key"] is None
    await server.do("ann", "say", table, text="hello")
    assert ben.view == tab.view
    await server.registry.close()


@in_virtual_time
async def test_a_user_who_is_removed_from_a_private_table_no_longer_sees_it() -> None:
    server = TableServer()
    table = await server.create("ann", private=True)
    await server.do("ben", "take_seat", table, key=server.key(table))
    ben = await server.watch("ben", table)
    await server.do("ann", "kick", table, seat=1)
    assert ben.drain()[-1]["code"] == "no_such_table"
    await server.do("ann", "say", table, text="good riddance")
    assert ben.drain() == []
    await server.registry.close()


@in_virtual_time
async def test_a_table_without_spectators_evicts_them_before_the_first_card_is_dealt() -> None:
    server = TableServer()
    table = await server.create("ann", spectators=False)
    pat = await server.watch("pat", table)
    await server.seat(table, "ben")
    pat.drain()
    await server.do("ann", "start", table)
    assert [message["type"] for message in pat.drain()] == ["refused"]
    answer = await server.try_watch(pat, table)
    assert code_of(answer) == "no_spectators"
    assert (await server.watch("ben", table)).view is not None
    await pass_time(1)
    assert pat.drain() == []
    await server.registry.close()


# -- coming and going while the table is slow -----------------------------------------------------------------


@in_virtual_time
async def test_a_connection_that_closes_while_its_subscription_is_pending_is_not_subscribed() -> None:
    server = TableServer()
    table = await server.create("ann")
    await server.restart()
    screen = Screen(person("ann"))
    asked = asyncio.ensure_future(server.try_watch(screen, table))
    await asyncio.sleep(0)
    server.registry.unsubscribe(table, screen)
    assert isinstance(await asked, Done)
    assert screen.drain() == []
    pat = await server.watch("pat", table)
    await pass_time(1)
    assert pat.presence is not None
    assert pat.presence["seats"] == ["away", "free"]
    await server.registry.close()


@pytest.mark.parametrize("table", ["table1", "nowhere"])
@in_virtual_time
async def test_a_watch_that_is_cancelled_by_unwatch_gets_its_reply(table: str) -> None:
    server = TableServer()
    await server.create("ann", "table1")
    screen = Screen(person("ben"))
    asked = asyncio.ensure_future(server.try_watch(screen, table))
    await asyncio.sleep(0)
    server.registry.unsubscribe(table, screen)
    assert await asked == Done()
    await pass_time(1)
    assert screen.drain() == []
    await server.registry.close()


@in_virtual_time
async def test_a_connection_that_leaves_while_frames_are_sent_disturbs_nobody() -> None:
    server = TableServer()
    table = await server.create("ann")
    ann, ben, cat = [await server.watch(name, table) for name in NAMES]
    send = ben.send

    def leaving(frame: Any) -> bool:
        server.registry.unsubscribe(table, ben)
        return send(frame)

    ben.send = leaving  # type: ignore[method-assign]
    await server.do("ann", "say", table, text="hello")
    assert ann.view is not None
    assert cat.view is not None
    assert ann.view["talk"] == cat.view["talk"]
    await pass_time(1)
    assert cat.presence is not None
    assert cat.presence["spectators"] == 1
    await server.registry.close()


@in_virtual_time
async def test_watching_again_with_the_same_connection_gives_a_fresh_view() -> None:
    server = TableServer()
    table = await server.create("ann")
    ann = await server.watch("ann", table)
    await server.watch("ann", table, ann)
    assert [message["type"] for message in ann.drain()].count("view") == 2
    await server.do("ann", "say", table, text="hello")
    assert [message["type"] for message in ann.drain()].count("update") == 1
    await server.registry.close()
