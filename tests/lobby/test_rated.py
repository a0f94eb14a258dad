"""Rated tables in the lobby: who opens one, and whom a quick match seats there."""

from __future__ import annotations

from typing import Any

from protocol.messages import CreateTable, QuickMatch, TableSettings
from server.model import User
from tests.lobby.fakes import summary, user
from tests.lobby.test_lobby import Room
from tests.replies import code_of, result_of

GUEST = user("Gus")
ADA = User("ada", "Ada", handle="ada")


def create(**settings: Any) -> CreateTable:
    return CreateTable(
        type="create_table", id="r1", settings=TableSettings(game="investors", seats=4, rated=True, **settings)
    )


def quick(*, rated: bool, request_id: str = "r1") -> QuickMatch:
    return QuickMatch(type="quick_match", id=request_id, game="investors", rated=rated)


def test_a_guest_opens_no_rated_table_and_somebody_with_an_account_does() -> None:
    room = Room()
    assert code_of(room.answer(GUEST, create())) == "not_rated"
    assert room.tables.created == []
    result_of(room.answer(ADA, create(hints="all")))
    [(_, opened)] = room.tables.created
    assert (opened.settings.rated, opened.settings.hints) == (True, "none")


def test_a_quick_match_seats_nobody_at_a_rated_table_who_has_not_asked_for_it() -> None:
    for who in (GUEST, ADA):
        room = Room(summary("rated1", "Bob", settings={"rated": True}), summary("plain1", "Cy"))
        assert room.matched(who, quick(rated=False)) == ("plain1", False)
    room = Room(summary("rated1", "Bob", settings={"rated": True}))
    assert room.matched(GUEST, quick(rated=False))[1]
    [(_, opened)] = room.tables.created
    assert not opened.settings.rated


def test_a_quick_match_for_ratings_is_at_a_rated_table_and_not_for_guests() -> None:
    room = Room(summary("plain1", "Cy"), summary("rated1", "Bob", settings={"rated": True}))
    assert code_of(room.answer(GUEST, quick(rated=True))) == "not_rated"
    assert room.tables.asked == []
    assert room.matched(ADA, quick(rated=True)) == ("rated1", False)
    room = Room(summary("plain1", "Cy"))
    assert room.matched(ADA, quick(rated=True))[1]
    [(_, opened)] = room.tables.created
    assert (opened.settings.rated, opened.settings.hints) == (True, "none")


def test_tables_of_earlier_versions_are_not_rated() -> None:
    old = summary("plain1", "Cy")
    del old["settings"]["rated"]
    room = Room(old)
    assert room.matched(ADA, quick(rated=False)) == ("plain1", False)


def test_the_same_request_for_the_other_kind_of_table_is_refused() -> None:
    room = Room(summary("plain1", "Cy"))
    room.matched(ADA, quick(rated=False))
    assert code_of(room.answer(ADA, quick(rated=True))) == "id_reused"
