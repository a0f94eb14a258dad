"""The log of a game as text: a header, then one JSON line for each step, in a hash chain.

    {"log":"sanfrancisco/1","game":"investors","rules":1,"chain":"5e0c…"}
    {"step":1,"events":[{"event":"game_begun",…}],"chain":"91d4…"}

The chain of a line is the SHA-256 of the chain before it and of the line's text up to `,"chain"`. A changed byte and a
missing, repeated or misplaced line are found and reported by line number. A log without its last lines is the log of a
game under way; an incomplete line is damage.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, TypeVar

from server.games.engine.events import Event
from server.games.engine.frozen import frozen
from server.games.engine.game import Game
from server.games.engine.play import PLAY_EVENTS, Play, Step, replay
from server.games.engine.serialization import BadJson, JsonReader, Serializable, to_json
from server.games.registry import GAMES

T = TypeVar("T")

FORM: Final = "sanfrancisco/1"
NO_CHAIN: Final = ""
"""The chain before the first line."""

_LINE: Final = re.compile(r'(\{.*),"chain":"([0-9a-f]{64})"\}')


class DamagedLog(ValueError):
    """A text is not a log that can be read and replayed; the message is a sentence with the reason and the line."""


@frozen
class GameLog:
    """A game as a list of steps, with at least the step that set it up."""

    game: Game[Any]
    rules: int
    """The version of the rules that the game was played by; its events replay under any later one."""

    steps: tuple[Step, ...]


class GameLogWriter:
    """A writer of one log. The caller stores the header, then the lines in the order in which they are returned."""

    def __init__(self, game: Game[Any]) -> None:
        self._chain = NO_CHAIN
        self._step = 0
        self.header = self._line({"log": FORM, "game": game.name, "rules": game.rules_version})

    def add(self, step: Step) -> str:
        """Return the line of the next step."""
        self._step += 1
        return self._line({"step": self._step, "events": [to_json(event) for event in step]})

    def _line(self, entry: dict[str, Any]) -> str:
        line, self._chain = chained_line(entry, self._chain)
        return line


def write_log(game: Game[Any], steps: Iterable[Step]) -> str:
    """Return the whole log of a game."""
    writer = GameLogWriter(game)
    return writer.header + "".join(map(writer.add, steps))


def read_log(text: str, games: Mapping[str, Game[Any]] = GAMES) -> GameLog:
    """Return the log that a text holds, with its chain checked; raise `DamagedLog` for any other text.

    Whether the rules accept the events is checked by `plays`.
    """
    *lines, rest = text.split("\n")
    if rest:
        raise DamagedLog(f"Line {len(lines) + 1} is damaged: it is cut short, for no line break ends it.")
    if not lines:
        raise DamagedLog("The log is empty.")
    game, rules, chain = _read_header(lines[0], games)
    reader = _reader((*game.events, *PLAY_EVENTS, *game.commands))
    steps = []
    for number, line in enumerate(lines[1:], 1):
        step, chain = _read_step(line, number, chain, reader)
        steps.append(step)
    if not steps:
        raise DamagedLog("The log ends before the game begins: it has a header and no step.")
    return GameLog(game, rules, tuple(steps))


def plays(log: GameLog) -> Iterator[Play]:
    """Yield the play after each step; raise `DamagedLog` at a step that the rules cannot apply."""
    play: Play | None = None
    for number, step in enumerate(log.steps, 1):
        if play is not None and play.decision is None:
            raise DamagedLog(f"Line {line_of(number)} is damaged: it goes on after the end of the game.")
        play = made_of_step(number, _after, log.game, play, step)
        yield play


def replay_log(log: GameLog) -> Play:
    """Return the play that a log leads to; raise `DamagedLog` if the rules cannot apply it."""
    *_, last = plays(log)
    return last


def made_of_step(number: int, make: Callable[..., T], *given: Any) -> T:
    """Return the result of a function; turn any exception into a `DamagedLog` that names the line of the step.

    For functions of the rules on events from outside: a chain proves that a log is whole, not that it makes sense.
    """
    try:
        return make(*given)
    except Exception as error:
        # Reducers do not check events, so a senseless event can raise any exception.
        sentence = f"Line {line_of(number)} is damaged: it contradicts the rules or the lines before it."
        raise DamagedLog(sentence) from error


def line_of(step: int) -> int:
    """Return the number of the line that holds a step; both count from 1, and the header is line 1."""
    return step + 1


@lru_cache(maxsize=16)
def _reader(kinds: tuple[type[Serializable], ...]) -> JsonReader:
    # A reader resolves the type hints of each class at its first use, which takes longer than reading a whole game.
    return JsonReader(kinds)


def _after(game: Game[Any], play: Play | None, step: Step) -> Play:
    return replay(game, [step]) if play is None else play.advance(step)


def chained_line(entry: dict[str, Any], before: str) -> tuple[str, str]:
    """Return an entry as a line of the chain, and the chain after it."""
    body = json.dumps(entry, separators=(",", ":"))[:-1]
    chain = _link(before, body)
    return f'{body},"chain":"{chain}"}}\n', chain


def _link(chain: str, body: str) -> str:
    return hashlib.sha256((chain + body).encode("utf-8", "surrogatepass")).hexdigest()


def _read_header(line: str, games: Mapping[str, Game[Any]]) -> tuple[Game[Any], int, str]:
    entry = json_object(line)
    form = None if entry is None else entry.get("log")
    if entry is None or not isinstance(form, str):
        raise DamagedLog("Line 1 is damaged: it is not the header of a game's log.")
    if form != FORM:
        raise DamagedLog(f"The log has the form {form[:40]!r}; only {FORM!r} can be read here.")
    chain = checked_chain(line, 1, NO_CHAIN)
    name, rules = entry.get("game"), entry.get("rules")
    if entry.keys() != {"log", "game", "rules", "chain"} or type(name) is not str or type(rules) is not int:
        raise DamagedLog("Line 1 is damaged: a header names a game and the version of its rules, and no more.")
    if name not in games:
        raise DamagedLog(f"The log is of the game {name[:40]!r}, which is unknown here; known are {', '.join(games)}.")
    game = games[name]
    if not 1 <= rules <= game.rules_version:
        known = f"versions 1 to {game.rules_version}" if game.rules_version > 1 else "only version 1"
        raise DamagedLog(f"The log follows version {rules} of the rules of {name}; known here: {known}.")
    return game, rules, chain


def _read_step(line: str, number: int, chain: str, reader: JsonReader) -> tuple[Step, str]:
    at = line_of(number)
    entry = json_object(line)
    if entry is None or entry.keys() != {"step", "events", "chain"}:
        raise DamagedLog(f"Line {at} is damaged: it is not a step of a game.")
    if type(entry["step"]) is not int or entry["step"] != number:
        raise DamagedLog(f"Line {at} is damaged or out of place: step {number} should stand there.")
    chain = checked_chain(line, at, chain)
    events = entry["events"]
    if not isinstance(events, list) or not events:
        raise DamagedLog(f"Line {at} is damaged: a step is a list of at least one event.")
    try:
        return [_read_event(event, reader) for event in events], chain
    except BadJson as reason:
        raise DamagedLog(f"Line {at} is damaged: {reason}.") from None
    except RecursionError:
        raise DamagedLog(f"Line {at} is damaged: it is nested too deeply.") from None


def _read_event(json_value: object, reader: JsonReader) -> Event:
    event = reader.read("event", json_value)
    assert isinstance(event, Event)
    return event


def json_object(line: str) -> dict[str, Any] | None:
    """Return the object that a line holds, or None if it holds anything else."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def checked_chain(line: str, at: int, before: str) -> str:
    """Return the chain of a line; raise `DamagedLog` if it does not follow from its text and the chain before it."""
    form = _LINE.fullmatch(line)
    if form is None:
        raise DamagedLog(f"Line {at} is damaged: it does not end with its chain.")
    body, claimed = form.groups()
    if _link(before, body) != claimed:
        raise DamagedLog(f"Line {at} is damaged: its text, or the lines before it, are not those that were chained.")
    return str(claimed)
