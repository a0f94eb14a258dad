"""The events of plays, whatever the game: an answer was sealed, a step was taken back."""

from __future__ import annotations

from typing import Final

from server.games.engine.events import EVERYBODY, Event, others_see
from server.games.engine.frozen import frozen
from server.games.engine.prompts import Command


class PlayEvent(Event, family=True):
    """An event of plays, whatever the game."""

    __slots__ = ()


@frozen
class Answered(PlayEvent):
    """A seat sealed an answer, or changed the one it had sealed."""

    visible_to = others_see("seat")
    sentence = "Seat {seat} seals an answer: {command}."
    seat: int
    command: Command


@frozen
class Undone(PlayEvent):
    """A seat took its last step back."""

    visible_to = EVERYBODY
    sentence = "Seat {seat} takes the last step back."
    seat: int


PLAY_EVENTS: Final = PlayEvent.members()
