"""The state of a table, folded from its log: seats, game, clocks and chat (event sourcing).

Live play and loading use the same fold. The state belongs to one table core and is changed in place, but only by
events that are already durable.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Final

from protocol.messages import Delay, MinutesBehind, TableSettings
from server.games.engine.dice import Dice
from server.games.engine.events import Event, Seat
from server.games.engine.game import Game
from server.games.engine.play import Play, Undone, replay, resumed
from server.games.registry import game_named
from server.tables import events
from server.tables.chairs import Chair, Seal
from server.tables.chat_lines import ROOMS, TALK_KEPT, Line
from server.tables.continuing import unpack_steps
from server.tables.day_clocks import DayClocks
from server.tables.people import NOBODY_KNOWN, SeatedPeople
from server.tables.reducers import REDUCERS
from server.tables.rhythm import Rhythm
from server.tables.seed_exchange import SeedExchange

FORCED_SINCE_RULES_VERSION: Final = 2
"""The version of all rules since which plays answer for seats that have no alternative."""


DEFAULT_DELAY: Final = MinutesBehind(kind="minutes", minutes=10)
"""The delay that players agree to during a game whose host has set none."""

NO_SEATS: Final[frozenset[Seat]] = frozenset()


@dataclass(slots=True)
class TableState:
    """A table; `phase` is `open`, `running` or `over`."""

    id: str
    settings: TableSettings
    opener: str
    """The user who opened the table, and was its first host."""

    host: str
    key: str
    secret: str | None
    created: int
    chairs: list[Chair]
    rules_version: int = 1
    asks_forced: bool = False
    """The table was opened when seats were also asked for answers that had no alternative."""

    phase: str = "open"
    play: Play | None = None
    dice: Dice | None = None
    seed: str | None = None
    digest: str | None = None
    exchange: SeedExchange | None = None
    """The seeds of the server and the seats; None at a table that is not verifiable."""

    seals: Mapping[Seat, Seal] = field(default_factory=dict)
    """The commitments to the answers of the open decision, if it is sealed."""

    is_opening: bool = False
    """All seats have answered the open decision, and the answers that devices keep are being opened."""

    differing: frozenset[Seat] = frozenset()
    """The seats that were shown another history."""

    was_rolled_back: bool = False
    """The storage has lost entries of this table at least once."""

    thinking: list[int | None] = field(default_factory=list)
    away: list[int | None] = field(default_factory=list)
    rhythms: Mapping[str, Rhythm | None] = field(default_factory=dict)
    """The latest weekly rhythms of the people at a table that is played by the day, by user."""

    day_clocks: DayClocks | None = None
    """The clocks of a game that is played by the day; None at any other table, and before the game."""

    paused: bool = False
    rolled_back: bool = False
    """The game is paused because the storage lost entries, which may have revealed what is hidden now."""

    abandoned: bool = False
    votes: dict[str, frozenset[Seat]] = field(default_factory=dict)
    talk: dict[str, deque[Line]] = field(default_factory=lambda: {room: deque(maxlen=TALK_KEPT) for room in ROOMS})
    """The lines of chat that are in the log, by the room that sees them."""

    lines_of: dict[str, int] = field(default_factory=dict)
    """The number of lines in the log by user, without those of spectators, which older versions put there."""

    lines_around: int = 0
    """The number of lines in the log that were not said in the running game."""

    muted: frozenset[str] = frozenset()
    arrivals: tuple[str, ...] = ()
    """The users who sit at the table, in the order in which they sat down."""

    kicked: frozenset[str] = frozenset()
    """Users whom the host has removed; they cannot sit down here again."""

    taken_back: int = 0
    """Answers that were undone and not given again. Until they are, the clock of the first of them runs on."""

    has_commentary: bool | None = None
    """What players have agreed to in the game, or ended, about commentators; None: the settings count."""

    commentary_key: str | None = None
    """The key of the commentators' link; None until the host asks for it."""

    next: tuple[str, str] | None = None
    entry_at: int | None = None
    """The time of the last log entry that was applied, in milliseconds since 1970."""

    continued: events.ContinuedFrom | None = None
    """The step of another game from which this one goes on, if any."""

    imported: str | None = None
    """The table in the file from which this log was imported, if it was."""

    has_adviser: bool = False
    """A bot plays this game well enough to give hints. This is not in the log; the table core sets it."""

    people: SeatedPeople = NOBODY_KNOWN
    """Handles, and who was deleted. This is not in the log either."""

    @property
    def game(self) -> Game[Any]:
        return game_named(self.settings.game)

    @property
    def origin(self) -> str | None:
        """Return where the game comes from: `table:step`, or "file" if it was imported; None if it began here."""
        if self.imported is not None:
            return "file"
        return None if self.continued is None else f"{self.continued.table}:{self.continued.step}"

    @property
    def chain_id(self) -> str:
        """Return the id that commitments and the public chain hold: that in the file, if the log was imported."""
        return self.id if self.imported is None else self.imported

    def is_importer(self, user: str) -> bool:
        """Return whether a user imported the log of this table, at which nobody has sat."""
        return self.imported is not None and user == self.host

    def seat_of(self, user: str) -> Seat | None:
        """Return the seat of a user, or None."""
        for seat, chair in enumerate(self.chairs):
            if chair.user == user:
                return seat
        return None

    def players(self) -> list[Seat]:
        """Return the seats of the people who play, also where a bot stands in; who has resigned does not."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.user is not None and not chair.resigned]

    @property
    def delay(self) -> Delay:
        """Return the delay of this table's delayed views, whether there are any or not."""
        return self.settings.delayed_view or DEFAULT_DELAY

    @property
    def commentary(self) -> Delay | None:
        """Return the delay with which commentators see all hands; None if they see nothing."""
        is_on = self.settings.delayed_view is not None if self.has_commentary is None else self.has_commentary
        return self.delay if is_on else None

    @property
    def delays_spectators(self) -> bool:
        """Return whether spectators see the table with the delay; before the game there is nothing to delay."""
        return self.settings.spectators_delayed and self.phase != "open"

    @property
    def allows_hints(self) -> bool:
        """Return whether people may ask for hints."""
        hints = self.settings.hints
        return self.has_adviser and (hints == "all" or (hints == "alone" and len(self.players()) == 1))

    @property
    def seals_on_devices(self) -> bool:
        """Return whether sealed answers can stay on devices; without commitments there would be no proof of them."""
        return self.settings.sealed_on_devices and self.exchange is not None

    @property
    def kept(self) -> frozenset[Seat]:
        """Return the seats whose devices keep the sealed answers to the open decision."""
        if not self.settings.sealed_on_devices:
            return NO_SEATS
        return frozenset(seat for seat, seal in self.seals.items() if seal.salt is None)

    def deciding(self, play: Play) -> tuple[Seat, ...]:
        """Return the seats that have not answered the open decision of a play; what devices keep are answers too."""
        kept = self.kept
        return tuple(seat for seat in play.awaited if seat not in kept) if kept else play.awaited

    def awaited(self) -> tuple[Seat, ...]:
        """Return the seats whose answers the running game waits for."""
        is_running = self.phase == "running" and not self.paused
        return self.deciding(self.play) if is_running and self.play is not None else ()

    def thinkers(self) -> tuple[Seat, ...]:
        """Return the awaited seats for which people decide; bots have no clock."""
        return tuple(seat for seat in self.awaited() if self.chairs[seat].player is None)

    def timed(self) -> tuple[Seat, ...]:
        """Return the seats of people whose clocks run, as everybody may know: who has answered may be a secret."""
        if self.settings.show_decided or self.play is None or self.play.decision is None:
            return self.thinkers()
        if self.phase != "running" or self.paused or self.is_opening:
            return ()
        return tuple(seat for seat in self.play.decision.prompts if self.chairs[seat].player is None)

    def rhythms_of_seats(self) -> list[Rhythm | None]:
        """Return the latest rhythm of the person of each seat."""
        return [self.rhythms.get(chair.user) if chair.user is not None else None for chair in self.chairs]

    def after(self, new_events: Sequence[Event], played: Play | None, at: int | None = None) -> TableState:
        """Return a copy of the table with the events of a log entry applied.

        Without the time `at` of the entry, the clocks of a game by the day stay as they are.
        """
        twin = copy(self)
        twin.chairs, twin.votes = list(self.chairs), dict(self.votes)
        twin.talk = {room: lines.copy() for room, lines in self.talk.items()}
        twin.lines_of = dict(self.lines_of)
        twin.apply(new_events, played, at)
        return twin

    def apply(self, new_events: Sequence[Event], played: Play | None = None, at: int | None = None) -> None:
        """Apply the events of a log entry of the time `at`. `played` is the play after them, if it is already known."""
        self.entry_at = at
        before, had_taken_back = self.play, self.taken_back
        step: list[Event] = []
        for event in new_events:
            reduce = REDUCERS.by_event.get(type(event))
            if reduce is None:
                step.append(event)
            else:
                reduce(self, event)
        if played is not None:
            self.play = played
        elif self.play is not None:
            self.play = self.play.advance(step) if step else self.play
        elif step or (self.continued is not None and self.phase == "running"):
            self.play = self._first_play(step)
        if before is not None and self.play is not None and self.play.number != before.number:
            self.taken_back = answers_taken_back(self.taken_back, step, self.play)
        if self.phase == "running" and self.play is not None and self.play.decision is None:
            self.phase = "over"
        if self.day_clocks is not None and at is not None:
            if before is not None and self.play is not None and opens_anew(before, self.play, step, had_taken_back):
                self.day_clocks = self.day_clocks.opened(self.rhythms_of_seats())
            self.day_clocks = self.day_clocks.going_on(self.thinkers(), self.timed(), at)

    def _first_play(self, step: Sequence[Event]) -> Play:
        if self.continued is not None:
            return resumed(self.game, unpack_steps(self.settings.game, self.continued.steps), step)
        return replay(self.game, [step], asks_forced=self.asks_forced)


def opens_anew(before: Play, after: Play, step: Sequence[Event], had_taken_back: int) -> bool:
    """Return whether a step opens a decision with a fresh clock.

    A decision that was undone keeps its clock; otherwise undoing and answering again would stop any clock.
    """
    if after.number == before.number or Undone in map(type, step):
        return False
    return not had_taken_back or not after.past


def answers_taken_back(count: int, step: Sequence[Event], after: Play) -> int:
    """Return the number of undone answers after a step that opened another decision."""
    if Undone in map(type, step):
        return count + 1
    # When nothing can be undone, the turn has passed on.
    return max(0, count - 1) if after.past else 0


def opened(event: events.TableOpened) -> TableState:
    """Return the table that its first event describes."""
    settings = TableSettings.model_validate_json(event.settings)
    return TableState(
        id=event.table,
        settings=settings,
        opener=event.host,
        host=event.host,
        key=event.key,
        secret=event.secret,
        created=event.created,
        chairs=[Chair() for _ in range(settings.seats)],
        rules_version=event.rules_version,
        asks_forced=event.rules_version < FORCED_SINCE_RULES_VERSION,
    )
