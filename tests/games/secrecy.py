"""No viewer is shown anything that depends on a secret (non-interference).

Two plays that differ only in secrets go on side by side with the same answers. A separate specification, the `Secrets`
of a game, says what each event may tell a viewer. While both plays may tell the viewer the same, every byte that the
viewer gets must be the same too: views, prompts, shown events, refusals, their order and their size.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NoReturn, Protocol, TypeVar

from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.events import Event, Viewer
from server.games.engine.game import Game
from server.games.engine.play import Answered, Play, Step, Undone, begin, play_view, plays_between
from server.games.engine.prompts import Command
from server.games.engine.serialization import Json, to_json
from tests.games.described import near_misses
from tests.games.playing import Bias, Move, accepted, by_chance, moved, sampled_options
from tests.games.wire import encoded

T = TypeVar("T")

PAIR_CHANCE = 0.05
"""The probability of a pair at a position, once there were enough pairs of its kind."""

KIND_SHARE, TWINS_OF_THE_RARE = 0.03, 4
"""The share of all pairs for each kind of position and of secret event before sampling is left to chance, and the
number of pairs per position until then."""

BEGINNINGS = 5
"""The number of times that a game is begun again with dice that are partly the same."""

STEPS_TOGETHER = 8
"""The maximum number of steps that the two plays of a pair are compared for."""

OWN_WAY_SEALED, OWN_WAY_OPEN = 0.5, 0.1
"""The probabilities that another seat answers differently in one of the plays, which must not show while sealed."""

ASKS_FORCED = 0.5
"""The probability of a game in which forced seats are asked."""

TRIES = 5
"""The number of samples in search of an answer of the same kind where the same answer is not legal."""


class Secrets(Protocol):
    """The specification of secrets of one game, written independently of the game's own view."""

    def scrambled(self, play: Play, viewer: Viewer, rng: random.Random) -> Play:
        """Return a play that differs only in what the viewer may not know."""
        ...

    def learned(self, event: Event, viewer: Viewer) -> object:
        """Return all that an event may tell the viewer; None if not even that it happened."""
        ...


@dataclass(frozen=True)
class Window:
    """The two functions through which a viewer learns anything: views and shown events."""

    view: Callable[[Play, Viewer], dict[str, Json]] = play_view
    shown: Callable[[Event, Viewer], dict[str, Json] | None] = Event.shown_to


WINDOW = Window()


class Leak(AssertionError):
    """A viewer was shown something that depends on a secret."""


@dataclass
class Tally:
    """Counts of what was compared, so that a search that compares nothing is noticed."""

    pairs: int = 0
    steps: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    shown: dict[tuple[Viewer, str], Json] = field(default_factory=dict, repr=False)
    """The first shown form of an event, by viewer and by what it may tell."""


def search(game: Game[Any], secrets: Secrets, seed: str, pairs: int, window: Window = WINDOW) -> Tally:
    """Compare this number of pairs and return the counts; raise `Leak` for the first pair that differs visibly."""
    searched = Search(game, secrets, window, enough=pairs * KIND_SHARE)
    for number in count():
        try:
            _search_a_game(searched, random.Random(f"{seed}/{number}"), pairs)
        except Leak as leak:
            leak.add_note(f"in the game number {number} of the seed {seed!r}")
            raise
        if searched.tally.pairs >= pairs:
            break
    return searched.tally


# -- pairs ----------------------------------------------------------------------------------------------------


@dataclass
class Search:
    """A search under way. `enough` is the number of pairs wanted of each kind of position."""

    game: Game[Any]
    secrets: Secrets
    window: Window
    enough: float
    tally: Tally = field(default_factory=Tally)

    def learned(self, event: Event, viewer: Viewer) -> object:
        """Return what an event of a play may tell the viewer; sealed answers are alike in all games."""
        if isinstance(event, Answered):
            return (event.name, event.seat, event.command if event.seat == viewer else None)
        return event if isinstance(event, Undone) else self.secrets.learned(event, viewer)

    def shown(self, event: Event, viewer: Viewer) -> dict[str, Json] | None:
        return self.window.shown(event, viewer)


@dataclass
class Pair:
    """Two plays that must look the same to the viewer, and the next move of the left one."""

    search: Search
    viewer: Viewer
    left: Play
    right: Play
    left_dice: Dice
    right_dice: Dice
    planned: Move | None = None


class SplicedDice(Dice):
    """Dice that follow one seed for some labels and another seed for the rest.

    A game begun with them often has the same public parts, such as a layout, and different secrets, such as a deck.
    """

    __slots__ = ("_other", "_salt")

    def __init__(self, seed: bytes, other: Dice, salt: str) -> None:
        super().__init__(seed)
        self._other = other
        self._salt = salt

    def _words(self, label: str) -> Iterator[int]:
        follows_other = random.Random(f"{self._salt}/{label}").random() < 0.5
        return self._other._words(label) if follows_other else super()._words(label)


def _search_a_game(search: Search, rng: random.Random, pairs: int) -> None:
    """Play a biased random game and compare pairs that branch off it, at the beginning and at sampled positions."""
    for pair in _pairs_of_a_game(search, rng):
        _follow(pair, rng)
        if search.tally.pairs >= pairs:
            return


def _pairs_of_a_game(search: Search, rng: random.Random) -> Iterator[Pair]:
    seats = rng.choice(search.game.seats)
    options = sampled_options(search.game, seats, rng)
    dice = Dice(rng.randbytes(SEED_BYTES))
    # Where forced seats are asked, every decision that could be skipped is open for a comparison.
    asks_forced = rng.random() < ASKS_FORCED
    play, step = begin(search.game, seats, options, dice, asks_forced=asks_forced)
    viewers = (None, *range(seats))
    for _ in range(BEGINNINGS):
        spliced = SplicedDice(rng.randbytes(SEED_BYTES), dice, str(rng.random()))
        twin, twin_step = begin(search.game, seats, options, spliced, asks_forced=asks_forced)
        pair = Pair(search, rng.choice(viewers), play, twin, dice, spliced)
        if _tell_the_same(pair, (None, None), (step, twin_step)):
            yield pair
    bias = Bias(rng)
    while play.decision is not None:
        move = bias(play, rng)
        following, step = accepted(moved(play, move, dice))
        viewer = rng.choice(viewers)
        _compare_with_earlier(search, step, viewer)
        for _ in range(_pair_count(search, play.decision.kind, step, viewer, rng)):
            other_dice = rng.choice((dice, Dice(rng.randbytes(SEED_BYTES))))
            yield Pair(search, viewer, play, search.secrets.scrambled(play, viewer, rng), dice, other_dice, move)
        play = following


def _pair_count(search: Search, kind: str, step: Step, viewer: Viewer, rng: random.Random) -> int:
    """Return the number of pairs for a position: several if its decision or a secret event after it is rare."""
    kinds = {kind, *(event.name for event in step if search.learned(event, viewer) != event)}
    is_rare = any(search.tally.kinds[kind] < search.enough for kind in kinds)
    pairs = TWINS_OF_THE_RARE if is_rare else int(rng.random() < PAIR_CHANCE)
    for kind in kinds:
        search.tally.kinds[kind] += pairs
    return pairs


def _follow(pair: Pair, rng: random.Random) -> None:
    """Advance and compare both plays while they may tell the viewer the same."""
    tally = pair.search.tally
    tally.pairs += 1
    _compare_positions(pair, rng)
    for _ in range(STEPS_TOGETHER):
        if pair.left.decision is None or not _step(pair, rng):
            return
        tally.steps += 1
        _compare_positions(pair, rng)


def _step(pair: Pair, rng: random.Random) -> bool:
    """Advance both plays by a step; return whether they can still be compared."""
    moves = _moves(pair, rng)
    if moves is None:
        return False
    before = pair.left.state, pair.right.state
    pair.left, left_step = accepted(moved(pair.left, moves[0], pair.left_dice))
    pair.right, right_step = accepted(moved(pair.right, moves[1], pair.right_dice))
    return _tell_the_same(pair, before, (left_step, right_step))


def _moves(pair: Pair, rng: random.Random) -> tuple[Move | None, Move | None] | None:
    """Return the moves in the two plays, or None if the plays cannot go on with the same kind of move."""
    move, pair.planned = pair.planned or by_chance(pair.left, rng), None
    if move is None:
        return (None, None) if pair.right.past else None
    answer = _answer_there(pair, move, rng)
    return None if answer is None else (move, (move[0], answer))


def _answer_there(pair: Pair, move: Move, rng: random.Random) -> Command | None:
    """Return the seat's answer in the right play: the same, a random one, or one of the same kind."""
    assert pair.right.decision is not None
    seat, command = move
    prompt = pair.right.decision.prompts[seat]
    own_way = OWN_WAY_SEALED if pair.right.decision.sealed else OWN_WAY_OPEN
    if seat != pair.viewer and rng.random() < own_way:
        return prompt.sample(rng)
    if prompt.admit(command) is None:
        return command
    if seat == pair.viewer:
        _fail(pair.search.game, seat, f"the answer {command} is legal in one of them only")
    samples = (prompt.sample(rng) for _ in range(TRIES))
    return next((sample for sample in samples if type(sample) is type(command)), None)


# -- comparing ------------------------------------------------------------------------------------------------


def _tell_the_same(pair: Pair, before: tuple[Any, Any], steps: tuple[Step, Step]) -> bool:
    """Return whether two steps may tell the viewer the same; if so, compare what they show, event by event.

    The plays of the pair are those after the steps; `before` are the states before them.
    """
    left, right = steps
    if _told(pair, left) != _told(pair, right):
        return False
    _compare_in(pair, "events", _shown(pair, left), _shown(pair, right))
    plays = pair.left, pair.right
    views = [_views_between(pair, *each) for each in zip(before, steps, plays, strict=True)]
    _compare_in(pair, "views between events", *views)
    return True


def _views_between(pair: Pair, before: Any, step: Step, after: Play) -> list[dict[str, Json]]:
    """Return the views after the events of a step that the viewer is shown, but for those that are the last."""
    shown = [pair.search.shown(event, pair.viewer) for event in step]
    plays = plays_between(before, step, after)
    view = pair.search.window.view
    return [
        view(play, pair.viewer)
        for play, event in zip(plays, shown, strict=True)
        if play is not after and event is not None
    ]


def _told(pair: Pair, step: Step) -> list[object]:
    told = (pair.search.learned(event, pair.viewer) for event in step)
    return [fact for fact in told if fact is not None]


def _shown(pair: Pair, step: Step) -> list[Json]:
    shown = (pair.search.shown(event, pair.viewer) for event in step)
    return [event for event in shown if event is not None]


def _compare_with_earlier(search: Search, step: Step, viewer: Viewer) -> None:
    """Compare events with earlier ones that may tell the viewer the same, from any game."""
    for event in step:
        told, shown = search.learned(event, viewer), search.shown(event, viewer)
        earlier = None if told is None else search.tally.shown.setdefault((viewer, repr(told)), shown)
        _compare(search.game, viewer, event.name, earlier, shown)


def _compare_positions(pair: Pair, rng: random.Random) -> None:
    view = pair.search.window.view
    _compare_in(pair, "view", view(pair.left, pair.viewer), view(pair.right, pair.viewer))
    _compare_in(pair, "forced seats", *(_forced(play) for play in (pair.left, pair.right)))
    _compare_in(pair, "progress", *(play.game.progress(play.state) for play in (pair.left, pair.right)))
    for attempt in _attempts(pair.left, pair.viewer, rng):
        answers = (_answer(play, pair.viewer, attempt) for play in (pair.left, pair.right))
        _compare_in(pair, f"answer to {attempt}", *answers)


def _forced(play: Play) -> list[int]:
    """Return the seats for which the play answers, which everybody sees."""
    return [] if play.decision is None else sorted(play.decision.forced)


def _attempts(play: Play, viewer: Viewer, rng: random.Random) -> list[object]:
    """Return a few commands, most of them illegal, that the viewer could try in order to learn from the answer."""
    if play.decision is None or viewer not in play.decision.prompts:
        return []
    command = play.decision.prompts[viewer].sample(rng)
    return rng.sample(list(near_misses(to_json(command), [kind.name for kind in play.game.commands])), 3)


def _answer(play: Play, viewer: Viewer, attempt: object) -> Json:
    assert viewer is not None
    read = play.read(viewer, play.number, attempt)
    return to_json(read) if isinstance(read, Command) else [read.code, read.sentence]


def _compare_in(pair: Pair, what: str, left: object, right: object) -> None:
    _compare(pair.search.game, pair.viewer, what, left, right)


def _compare(game: Game[Any], viewer: Viewer, what: str, left: object, right: object) -> None:
    if encoded(left) != encoded(right):
        _fail(game, viewer, f"{what}{first_difference(left, right)}")


def _fail(game: Game[Any], viewer: Viewer, difference: str) -> NoReturn:
    who = "A spectator" if viewer is None else f"Seat {viewer}"
    raise Leak(f"{who} of {game.name} can tell two plays apart: {difference}")


def first_difference(left: object, right: object) -> str:
    """Return the path of the first difference of two values, and both parts."""
    if isinstance(left, dict) and isinstance(right, dict) and list(left) == list(right):
        parts = [(f".{key}", left[key], right[key]) for key in left]
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        parts = [(f"[{index}]", *both) for index, both in enumerate(zip(left, right, strict=True))]
    else:
        return f" is {left!r}, or {right!r}"
    return next(f"{at}{first_difference(one, other)}" for at, one, other in parts if encoded(one) != encoded(other))


# -- for those who write the secrets of a game ----------------------------------------------------------------


def rearranged(items: Sequence[T], rng: random.Random) -> list[T]:
    """Return the items in a random order, sorted, with two exchanged, or unchanged.

    Sorting finds leaks of an extreme, and exchanging two items finds leaks of a single item. The fewer items move, the
    longer two plays stay comparable.
    """
    order = list(items)
    match rng.choice(("shuffle", "up", "down", "swap", "leave", "leave")):
        case "shuffle":
            rng.shuffle(order)
        case "up":
            order.sort()
        case "down":
            order.sort(reverse=True)
        case "swap" if len(order) > 1:
            one, other = rng.sample(range(len(order)), 2)
            order[one], order[other] = order[other], order[one]
    return order


def dealt(items: Sequence[T], sizes: Sequence[int]) -> list[tuple[T, ...]]:
    """Return the items in piles of these sizes."""
    left = iter(items)
    return [tuple(next(left) for _ in range(size)) for size in sizes]


def with_secrets(play: Play, put: Callable[[Any], Any], viewer: Viewer, rng: random.Random) -> Play:
    """Return the play with other secrets in its states, and other sealed answers of all seats but the viewer."""
    state = put(play.state)
    decision = play.game.decision(state)
    assert decision is not None
    answers = {
        seat: command if seat == viewer else decision.prompts[seat].sample(rng)
        for seat, command in play.answers.items()
    }
    past = tuple(put(earlier) for earlier in play.past)
    return Play(play.game, state, decision, play.number, answers, past, play.asks_forced)
