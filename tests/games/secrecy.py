"""No viewer is shown anything that depends on what the viewer may not know.

Two plays that differ only in secrets go on side by side with the same answers. As long as both tell the viewer the
same by a separate list of what may be told, every byte that the viewer gets must be the same too: views, prompts,
shown events, refusals, their order and their size. What may be told is said per game, by its `Secrets`.
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
from server.games.engine.play import Answered, Play, Step, Undone, begin, play_view
from server.games.engine.prompts import Command
from server.games.engine.serialization import Json, to_json
from tests.games.described import near_misses
from tests.games.playing import Mood, Move, accepted, by_chance, moved, sampled_options
from tests.games.wire import encoded

T = TypeVar("T")

PAIR_CHANCE = 0.05
"""How often a position of a game gives rise to a pair, once there were enough pairs of its kind."""

KIND_SHARE, TWINS_OF_THE_RARE = 0.03, 4
"""The share of all pairs that every kind of position and every kind of secret event gets before chance decides, and
how many pairs a position gives rise to until then."""

BEGINNINGS = 5
"""How often a game is begun a second time, with dice that are partly the same."""

STEPS_TOGETHER = 8
"""How far the two plays of a pair go on together at most."""

OWN_WAY_SEALED, OWN_WAY_OPEN = 0.5, 0.1
"""How often another seat goes its own way in one of the two plays. While an answer is sealed nobody may notice."""

TRIES = 5
"""How often another seat looks for an answer of the same kind where the same answer is not legal."""


class Secrets(Protocol):
    """What is secret in one game. Written apart from the game's own view, so that an error in one shows."""

    def scrambled(self, play: Play, viewer: Viewer, rng: random.Random) -> Play:
        """Give a play that differs only in what the viewer may not know."""
        ...

    def learned(self, event: Event, viewer: Viewer) -> object:
        """Give all that an event may tell the viewer; None if not even that it happened."""
        ...


@dataclass(frozen=True)
class Window:
    """All that leaves the rules towards a viewer."""

    view: Callable[[Play, Viewer], dict[str, Json]] = play_view
    shown: Callable[[Event, Viewer], dict[str, Json] | None] = Event.shown_to


WINDOW = Window()


class Leak(AssertionError):
    """A viewer was shown something that depends on a secret."""


@dataclass
class Tally:
    """How much was compared, so that a search that compares nothing is noticed."""

    pairs: int = 0
    steps: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    shown: dict[tuple[Viewer, str], Json] = field(default_factory=dict, repr=False)
    """How each viewer was first shown an event that may tell just this."""


def search(game: Game[Any], secrets: Secrets, seed: str, pairs: int, window: Window = WINDOW) -> Tally:
    """Compare so many pairs of plays and give what was done; raise `Leak` for the first that can be told apart."""
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
    """What is searched, and what was done so far. Of each kind of position, this many pairs are enough."""

    game: Game[Any]
    secrets: Secrets
    window: Window
    enough: float
    tally: Tally = field(default_factory=Tally)

    def learned(self, event: Event, viewer: Viewer) -> object:
        """Give what an event of a play may tell the viewer; sealed answers are alike in all games."""
        if isinstance(event, Answered):
            return (event.name, event.seat, event.command if event.seat == viewer else None)
        return event if isinstance(event, Undone) else self.secrets.learned(event, viewer)

    def shown(self, event: Event, viewer: Viewer) -> dict[str, Json] | None:
        return self.window.shown(event, viewer)


@dataclass
class Pair:
    """Two plays that the viewer must not be able to tell apart, and what is to happen next in the left one."""

    search: Search
    viewer: Viewer
    left: Play
    right: Play
    left_dice: Dice
    right_dice: Dice
    planned: Move | None = None


class SplicedDice(Dice):
    """Dice that follow one seed for some labels and another seed for the rest.

    A game begun with them often has the same open parts, such as a layout, and other hidden ones, such as a deck.
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
    """Play a game in some mood and compare pairs that part from it: at the very beginning, and here and there."""
    for pair in _pairs_of_a_game(search, rng):
        _follow(pair, rng)
        if search.tally.pairs >= pairs:
            return


def _pairs_of_a_game(search: Search, rng: random.Random) -> Iterator[Pair]:
    seats = rng.choice(search.game.seats)
    options = sampled_options(search.game, seats, rng)
    dice = Dice(rng.randbytes(SEED_BYTES))
    play, step = begin(search.game, seats, options, dice)
    viewers = (None, *range(seats))
    for _ in range(BEGINNINGS):
        spliced = SplicedDice(rng.randbytes(SEED_BYTES), dice, str(rng.random()))
        twin, twin_step = begin(search.game, seats, options, spliced)
        pair = Pair(search, rng.choice(viewers), play, twin, dice, spliced)
        if _tell_the_same(pair, step, twin_step):
            yield pair
    mood = Mood(rng)
    while play.decision is not None:
        move = mood(play, rng)
        following, step = accepted(moved(play, move, dice))
        viewer = rng.choice(viewers)
        _compare_with_earlier(search, step, viewer)
        for _ in range(_pairs_wanted(search, play.decision.kind, step, viewer, rng)):
            other_dice = rng.choice((dice, Dice(rng.randbytes(SEED_BYTES))))
            yield Pair(search, viewer, play, search.secrets.scrambled(play, viewer, rng), dice, other_dice, move)
        play = following


def _pairs_wanted(search: Search, about: str, step: Step, viewer: Viewer, rng: random.Random) -> int:
    """Give how many pairs a position deserves: several if what is asked or what follows in secret is rare."""
    kinds = {about, *(event.name for event in step if search.learned(event, viewer) != event)}
    is_rare = any(search.tally.kinds[kind] < search.enough for kind in kinds)
    wanted = TWINS_OF_THE_RARE if is_rare else int(rng.random() < PAIR_CHANCE)
    for kind in kinds:
        search.tally.kinds[kind] += wanted
    return wanted


def _follow(pair: Pair, rng: random.Random) -> None:
    """Let both plays go on while they tell the viewer the same."""
    tally = pair.search.tally
    tally.pairs += 1
    _compare_positions(pair, rng)
    for _ in range(STEPS_TOGETHER):
        if pair.left.decision is None or not _step(pair, rng):
            return
        tally.steps += 1
        _compare_positions(pair, rng)


def _step(pair: Pair, rng: random.Random) -> bool:
    """Let both plays take a step; tell whether they can still be compared."""
    moves = _moves(pair, rng)
    if moves is None:
        return False
    pair.left, left_step = accepted(moved(pair.left, moves[0], pair.left_dice))
    pair.right, right_step = accepted(moved(pair.right, moves[1], pair.right_dice))
    return _tell_the_same(pair, left_step, right_step)


def _moves(pair: Pair, rng: random.Random) -> tuple[Move | None, Move | None] | None:
    """Give what is done in each of the two plays, or nothing if they cannot go on alike."""
    move, pair.planned = pair.planned or by_chance(pair.left, rng), None
    if move is None:
        return (None, None) if pair.right.past else None
    answer = _answer_there(pair, move, rng)
    return None if answer is None else (move, (move[0], answer))


def _answer_there(pair: Pair, move: Move, rng: random.Random) -> Command | None:
    """Give what the seat answers in the right play: the same, or its own, or what comes nearest."""
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


def _tell_the_same(pair: Pair, left: Step, right: Step) -> bool:
    """Tell whether two steps may tell the viewer the same; if so, what they show must be the same too."""
    if _told(pair, left) != _told(pair, right):
        return False
    _compare_in(pair, "events", _shown(pair, left), _shown(pair, right))
    return True


def _told(pair: Pair, step: Step) -> list[object]:
    told = (pair.search.learned(event, pair.viewer) for event in step)
    return [fact for fact in told if fact is not None]


def _shown(pair: Pair, step: Step) -> list[Json]:
    shown = (pair.search.shown(event, pair.viewer) for event in step)
    return [event for event in shown if event is not None]


def _compare_with_earlier(search: Search, step: Step, viewer: Viewer) -> None:
    """Events that may tell a viewer the same must look the same, from whatever games they are."""
    for event in step:
        told, shown = search.learned(event, viewer), search.shown(event, viewer)
        earlier = None if told is None else search.tally.shown.setdefault((viewer, repr(told)), shown)
        _compare(search.game, viewer, event.name, earlier, shown)


def _compare_positions(pair: Pair, rng: random.Random) -> None:
    view = pair.search.window.view
    _compare_in(pair, "view", view(pair.left, pair.viewer), view(pair.right, pair.viewer))
    for attempt in _attempts(pair.left, pair.viewer, rng):
        answers = (_answer(play, pair.viewer, attempt) for play in (pair.left, pair.right))
        _compare_in(pair, f"answer to {attempt}", *answers)


def _attempts(play: Play, viewer: Viewer, rng: random.Random) -> list[object]:
    """Give a few commands, most of them illegal, that the viewer could try in order to learn from the answer."""
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
    """Give where two values first differ, and how."""
    if isinstance(left, dict) and isinstance(right, dict) and list(left) == list(right):
        parts = [(f".{key}", left[key], right[key]) for key in left]
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        parts = [(f"[{index}]", *both) for index, both in enumerate(zip(left, right, strict=True))]
    else:
        return f" is {left!r}, or {right!r}"
    return next(f"{at}{first_difference(one, other)}" for at, one, other in parts if encoded(one) != encoded(other))


# -- for those who write the secrets of a game ----------------------------------------------------------------


def rearranged(items: Sequence[T], rng: random.Random) -> list[T]:
    """Give the items in another order: any, or one that shows leaks of a rare kind, or the one that they have.

    Sorting finds what depends on an extreme, and exchanging two finds what follows a single item about. The more
    stays as it is, the longer two plays go on alike.
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
    """Give the items in piles of these sizes."""
    left = iter(items)
    return [tuple(next(left) for _ in range(size)) for size in sizes]


def with_secrets(play: Play, put: Callable[[Any], Any], viewer: Viewer, rng: random.Random) -> Play:
    """Give the play with other secrets put into its states, and other sealed answers of all seats but the viewer."""
    state = put(play.state)
    decision = play.game.decision(state)
    assert decision is not None
    answers = {
        seat: command if seat == viewer else decision.prompts[seat].sample(rng)
        for seat, command in play.answers.items()
    }
    return Play(play.game, state, decision, play.number, answers, tuple(put(past) for past in play.past))
