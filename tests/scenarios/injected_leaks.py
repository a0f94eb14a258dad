"""Leaks that are injected into the real server, for the secrecy suite to find. Each discloses one secret."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from protocol.codec import Frame
from protocol.commitments import base64url, canonical_json, digest
from server.games.engine.events import EVERYBODY, Event, Viewer
from server.games.engine.play import NOTHING_OWN, Answered, play_view
from server.games.engine.serialization import to_json
from server.gateway import metrics
from server.lobby.directory import TableDirectory
from server.lobby.listed_table import ListedTable
from server.model import Refused
from server.tables import (
    answer_secrecy,
    chat,
    clocks,
    core,
    events,
    history,
    public_chain,
    queries,
    sealing,
    subscribers,
    views,
)
from server.tables.api import Subscriber, Summary, TableStatus
from server.tables.chat_lines import Line
from server.tables.proofs import proof_of
from server.tables.state import TableState
from server.tables.view_parts import ViewParts
from tests.games.wire import encoded

Injection = Callable[[pytest.MonkeyPatch], None]
View = dict[str, Any]


def _hands(table: TableState) -> Any:
    return None if table.play is None else [list(hand) for hand in table.play.state.hands]


def _answers(table: TableState) -> dict[int, Any]:
    return {} if table.play is None else {seat: to_json(sealed) for seat, sealed in table.play.answers.items()}


def _is_odd(secret: Any) -> bool:
    return sum(encoded(secret)) % 2 == 1


def in_the_view(put: Callable[[TableState, Viewer, View], object]) -> Injection:
    """Return an injection that adds something to every view."""

    def leaky(table: TableState, viewer: Viewer, now: views.PublicView, before: ViewParts | None = None) -> ViewParts:
        # A copy that is not shared between viewers, since it is about to be changed.
        shown = views.table_view(table, viewer)
        put(table, viewer, shown)
        return ViewParts(viewer, shown, shown.pop("play"), NOTHING_OWN)

    return lambda monkeypatch: monkeypatch.setattr(subscribers, "view_parts", leaky)


def in_the_events(leak: Callable[[Event], dict[str, Any]]) -> Injection:
    """Return an injection that adds something about sealed answers to updates."""

    class Leaky:
        def __init__(self, table: TableState, new_events: Sequence[Event]) -> None:
            self._visible = views.VisibleEvents(table, new_events)
            self.public = self._visible.public
            self._leaked = [leak(event) for event in new_events if isinstance(event, Answered)]

        def to(self, viewer: Viewer) -> list[View]:
            return self._visible.to(viewer) + self._leaked

    return lambda monkeypatch: monkeypatch.setattr(subscribers, "VisibleEvents", Leaky)


def sealed_in_the_event(event: Event) -> dict[str, Any]:
    return to_json(event)


def size_in_the_event(event: Event) -> dict[str, Any]:
    return {"event": "answered", "bytes": len(encoded(to_json(event)))}


def hands_by_value(table: TableState, viewer: Viewer, shown: View) -> None:
    if table.play is not None:
        shown["wealth"] = [sum(hand) for hand in table.play.state.hands]


def seats_ordered_by_answer(table: TableState, viewer: Viewer, shown: View) -> None:
    answers = _answers(table)
    shown["answered"] = sorted(answers, key=lambda seat: repr(answers[seat]))


def seed(table: TableState, viewer: Viewer, shown: View) -> None:
    shown["table"]["seed"] = table.seed


def key(table: TableState, viewer: Viewer, shown: View) -> None:
    shown["table"]["key"] = table.key


def all_talk(table: TableState, viewer: Viewer, shown: View) -> None:
    shown["talk"] = [line.text for room in sorted(table.talk) for line in table.talk[room]]


def who_has_decided(table: TableState, viewer: Viewer, shown: View) -> None:
    if table.play is not None and shown["play"] is not None and shown["play"]["decision"] is not None:
        shown["play"]["decision"]["awaited"] = list(table.play.awaited)


def prompt_of_another(table: TableState, viewer: Viewer, shown: View) -> None:
    if table.play is not None and table.play.decision is not None:
        prompts = table.play.decision.prompts
        shown["prompt"] = prompts[max(prompts)].to_json()


def hidden_events_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "who_may_know", lambda table, new_events, viewers: tuple(viewers))


def missed_events_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(table: TableState, new_events: Sequence[Event], viewer: Viewer) -> list[View]:
        return [to_json(event) for event in new_events]

    monkeypatch.setattr(history, "entry_shown", leaky)


def pages_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(table: TableState, new_events: Sequence[Event], viewer: Viewer) -> list[View]:
        return [to_json(event) for event in new_events]

    monkeypatch.setattr(queries, "entry_shown", leaky)


def lists_show_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(state: TableState, spectators: int) -> Summary:
        summary = summary_of(state, spectators)
        return {**summary, "settings": {**summary["settings"], "hands": _hands(state)}}

    summary_of = subscribers.summary_of
    monkeypatch.setattr(subscribers, "summary_of", leaky)


def own_tables_count_who_is_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(self: ListedTable, user_id: str) -> dict[str, Any]:
        return {**shown_to(self, user_id), "waiting_for": len(self.status.awaited) if self.status else 0}

    shown_to = ListedTable.shown_to
    monkeypatch.setattr(ListedTable, "shown_to", leaky)


def own_tables_come_with_every_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(self: TableDirectory, table: str, status: TableStatus) -> set[str]:
        changed = set_status(self, table, status)
        for user in self._connections:
            self._send_own_soon(user)
        return changed

    set_status = TableDirectory.set_status
    monkeypatch.setattr(TableDirectory, "set_status", leaky)


def elapsed_stops_for_those_who_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks.Stopwatch, "elapsed", property(lambda watch: sum(cost.thought for cost in watch.spent)))


def refusals_say_who_has_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    handle = core.TableCore.handle

    def leaky(self: core.TableCore, *given: Any) -> Any:
        result = handle(self, *given)
        if isinstance(result, Refused):
            return Refused(result.code, f"{result.sentence} {_answers(self.state)}")
        return result

    monkeypatch.setattr(core.TableCore, "handle", leaky)


def only_fresh_views_show_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    send = subscribers.Subscribers._send

    def leaky(self: subscribers.Subscribers, receivers: Iterable[Subscriber], frame: Frame) -> None:
        if frame.message["type"] == "view":
            frame = Frame({**frame.message, "answers": list(_answers(self._table).values())})
        send(self, receivers, frame)

    monkeypatch.setattr(subscribers.Subscribers, "_send", leaky)


def updates_come_later_for_high_bids(monkeypatch: pytest.MonkeyPatch) -> None:
    send_updates = subscribers.Subscribers._send_updates

    def leaky(self: subscribers.Subscribers, new_events: Sequence[Event], at: int) -> None:
        sealed = [to_json(event.command) for event in new_events if isinstance(event, Answered)]
        delay = sum(encoded(sealed)) / 1_000_000 if sealed else 0.0
        asyncio.get_running_loop().call_later(delay, send_updates, self, new_events, at)

    monkeypatch.setattr(subscribers.Subscribers, "_send_updates", leaky)


def one_more_frame_for_high_bids(monkeypatch: pytest.MonkeyPatch) -> None:
    send_updates = subscribers.Subscribers._send_updates

    def leaky(self: subscribers.Subscribers, new_events: Sequence[Event], at: int) -> None:
        send_updates(self, new_events, at)
        if any(isinstance(event, Answered) and _is_odd(to_json(event.command)) for event in new_events):
            self._send(self._viewer_of, Frame({"type": "presence", "table": self._table.id}))

    monkeypatch.setattr(subscribers.Subscribers, "_send_updates", leaky)


def proofs_count_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(self: history.History, at: int) -> str | None:
        return proof_of(self.table.secret, len(self.times))

    monkeypatch.setattr(history.History, "proof", leaky)


def names_of_keys_in_another_order(table: TableState, viewer: Viewer, shown: View) -> None:
    """Order the keys of the view by a hand; the values stay the same."""
    if table.play is not None and _is_odd(_hands(table)):
        shown["votes"] = shown.pop("votes")


def views_of_another(table: TableState, viewer: Viewer, shown: View) -> None:
    """Show a seat the view of the next seat."""
    if table.play is not None and viewer is not None:
        shown["play"] = play_view(table.play, (viewer + 1) % len(table.chairs))


def metrics_count_every_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "SAMPLE", 1)


def lines_of_spectators_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    send_line = subscribers.Subscribers.send_line

    def leaky(self: subscribers.Subscribers, line: Line) -> None:
        send_line(self, line)
        self._send(self._viewer_of, Frame({"type": "chat", "table": self._table.id, "lines": []}))

    monkeypatch.setattr(subscribers.Subscribers, "send_line", leaky)


def views_with_all_kept_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(self: chat.Chat, viewer: Viewer) -> list[View]:
        return [kept.line.shown() for kept in self._lines.values()]

    monkeypatch.setattr(chat.Chat, "shown_to", leaky)


def any_eyes_in_a_running_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everybody look back through all eyes before the game is over."""
    monkeypatch.setattr(core.TableCore, "may_look_back", lambda self, user, eyes: None)


def seals_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events.AnswerSealed, "visible_to", EVERYBODY)


def opened_seals_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events.SealOpened, "visible_to", EVERYBODY)


def kept_answers_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events.AnswerKept, "visible_to", EVERYBODY)


def changed_seals_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    original = answer_secrecy.hides_answer

    def leaky(table: TableState, new_events: Sequence[Event], event: Event, viewer: Viewer) -> bool:
        return not isinstance(event, events.AnswerSealed) and original(table, new_events, event, viewer)

    monkeypatch.setattr(views, "hides_answer", leaky)


def heads_of_hidden_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_chain, "hides_answer", lambda *parts: False)


def weak_commitments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commit without a salt, so that everybody can try all answers."""

    def leaky(state: TableState, decision: int, seat: int, attempt: int, command: Any, salt: str) -> str:
        return base64url(digest("weak", canonical_json(to_json(command))))

    monkeypatch.setattr(sealing, "_commitment", leaky)


INJECTED_LEAKS: dict[str, Injection] = {
    "seals with their salts": seals_shown_whole,
    "that a seat has sealed, where that is hidden": changed_seals_shown,
    "openings of devices with their salts": opened_seals_shown,
    "that a device keeps an answer, where that is hidden": kept_answers_shown,
    "heads that depend on hidden seals": heads_of_hidden_lines,
    "commitments without a salt": weak_commitments,
    "a sealed answer in an update": in_the_events(sealed_in_the_event),
    "the size of a sealed answer": in_the_events(size_in_the_event),
    "hidden events are counted": hidden_events_are_counted,
    "seats ordered by answer": in_the_view(seats_ordered_by_answer),
    "hands by their value": in_the_view(hands_by_value),
    "the seed": in_the_view(seed),
    "the key to spectators": in_the_view(key),
    "talk of players to spectators": in_the_view(all_talk),
    "who has decided, where that is hidden": in_the_view(who_has_decided),
    "the prompt of another seat": in_the_view(prompt_of_another),
    "the game with other eyes": in_the_view(views_of_another),
    "the order of keys": in_the_view(names_of_keys_in_another_order),
    "missed events unfiltered": missed_events_are_whole,
    "pages of the log unfiltered": pages_are_whole,
    "other eyes before the end": any_eyes_in_a_running_game,
    "hands in the lists": lists_show_hands,
    "how many are awaited, in the own tables": own_tables_count_who_is_awaited,
    "the own tables with every answer": own_tables_come_with_every_answer,
    "time that stops with an answer": elapsed_stops_for_those_who_answered,
    "refusals that know more": refusals_say_who_has_decided,
    "answers in fresh views only": only_fresh_views_show_answers,
    "the moment of an update": updates_come_later_for_high_bids,
    "one frame more": one_more_frame_for_high_bids,
    "proofs that count": proofs_count_what_is_hidden,
    "metrics that count": metrics_count_every_request,
    "that a spectator talks": lines_of_spectators_to_all,
    "talk of spectators in the views of players": views_with_all_kept_lines,
}
