"""The record of a finished game: the entry of the index, made from the log of its table and from nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

import msgpack

GameEnd = Literal["finished", "abandoned"]


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Who played on one seat, and what came of it."""

    user: str | None
    """The person who sat there at the end or left the seat to a bot; None for bots."""

    name: str
    """The name at the end of the game."""

    bot: str | None
    """The strength of a bot that had the seat from the beginning."""

    place: int | None
    """From 1; those who tie have the same place. None if the game was abandoned."""

    points: int | None
    resigned: bool
    """The person resigned."""

    stood_in: bool
    """At the end, a bot stood in for the person."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game."""

    table: str
    game: str
    title: str | None
    """The name that the table had in the lists."""

    options: dict[str, Any]
    """The options that differ from the defaults of the game."""

    seats: tuple[SeatRecord, ...]
    started: int
    ended: int
    """Both in milliseconds since 1970."""

    decisions: int
    steps: int
    """The number of the last step that one can look back at."""

    end: GameEnd
    private: bool
    rated: bool
    """The table was rated, and everything that makes a game count was so."""

    rules_version: int
    origin: str | None
    """The table and step from which the game went on, as `table:step`; None for a game that began at its beginning."""

    city: dict[str, Any]
    """A small drawing of the final city: what each game wants its thumbnail to show, at most 400 bytes."""

    def pack(self) -> bytes:
        """Return the bytes that the index keeps."""
        packed: bytes = msgpack.packb(asdict(self))
        return packed

    @classmethod
    def unpack(cls, packed: bytes) -> GameRecord:
        """Return the record of these bytes."""
        fields = msgpack.unpackb(packed)
        return cls(**{**fields, "seats": tuple(SeatRecord(**seat) for seat in fields["seats"])})


def unpacked(packed: bytes) -> GameRecord | None:
    """Return the record of these bytes; None if they are damaged, or those of another version."""
    try:
        return GameRecord.unpack(packed)
    except (AttributeError, KeyError, TypeError, ValueError, msgpack.UnpackException):
        return None


def all_unpacked(packed: Iterable[bytes]) -> list[GameRecord]:
    """Return those of some records that can be read."""
    return [record for each in packed if (record := unpacked(each)) is not None]
