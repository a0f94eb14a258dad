"""Views to make patches between: made up by hypothesis, and those of real games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import strategies as st

from server.games.engine.game import Game, Viewer
from server.games.engine.options import read_options
from server.games.engine.play import play_view
from tests.games.playing import Record, play_out

# A place that holds true or false does not hold 0 or 1 (see `difference`): here, no place holds 0 or 1.
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1).filter(lambda number: number not in (0, 1))
KEYS = st.sampled_from(["round", "seats", "stage", "0", "", "constructor", "__proto__", "é"]) | st.text(max_size=3)
SCALARS = st.none() | st.booleans() | st.sampled_from([-1, 2, 3]) | NUMBERS | st.text(max_size=6)
VALUES = st.recursive(
    SCALARS, lambda parts: st.lists(parts, max_size=6) | st.dictionaries(KEYS, parts, max_size=5), max_leaves=20
)


@st.composite
def changed(draw: st.DrawFn, value: Any) -> Any:
    """Give a value that looks much like the given one."""
    if isinstance(value, dict) and draw(st.integers(0, 5)):
        changes = draw(st.dictionaries(st.sampled_from(sorted(value)), st.booleans(), max_size=3)) if value else {}
        after = {key: part for key, part in value.items() if changes.get(key, True)}
        after |= {key: draw(changed(value[key])) for key, stays in changes.items() if stays}
        return after | draw(st.dictionaries(KEYS, VALUES, max_size=1))
    if isinstance(value, list) and draw(st.integers(0, 5)):
        start, end = sorted((draw(st.integers(0, len(value))), draw(st.integers(0, len(value)))))
        middle = [draw(changed(part)) for part in value[start:end]] if draw(st.booleans()) else []
        return value[:start] + middle + value[end:] + draw(st.lists(VALUES, max_size=2))
    return draw(VALUES)


@st.composite
def histories(draw: st.DrawFn) -> list[Any]:
    """Give views of which each looks much like the one before."""
    views = [draw(VALUES)]
    for _ in range(draw(st.integers(1, 4))):
        views.append(draw(changed(views[-1])))
    return views


@cache
def random_game(game: Game[Any], seats: int, seed: str) -> Record:
    """Give a game of random legal answers with the options as they are when nobody chooses."""
    return play_out(game, seats, read_options(game.options, {}), random.Random(f"{seed}/{seats}"))


def audience_history(record: Record, viewer: Viewer) -> list[Any]:
    """Give what one audience saw, from the beginning to the end."""
    return [play_view(play, viewer) for play in record.plays]


def shown_steps(record: Record, viewer: Viewer) -> Iterator[list[Any]]:
    """Give the events that one audience saw, step by step after the set-up."""
    for step in record.steps[1:]:
        shown = (event.shown_to(viewer) for event in step)
        yield [fact for fact in shown if fact is not None]
