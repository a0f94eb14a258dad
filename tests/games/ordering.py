"""Random standing orders, for tests that run on every game."""

from __future__ import annotations

import random
from typing import Any

from server.games.engine.game import Game
from server.games.engine.options import Limit, Pick
from server.games.engine.orders import PREPARED, OrderKind
from server.games.engine.play import Play
from server.games.engine.serialization import to_json


def kinds_of(game: Game[Any]) -> tuple[OrderKind, ...]:
    return () if game.orders is None else game.orders.kinds


def random_values(kind: OrderKind, play: Play, rng: random.Random) -> dict[str, Any] | None:
    """Return values for the fields of an order; None if nothing can be prepared for the open decision."""
    if kind.name == PREPARED:
        return _prepared(kind, play, rng)
    values: dict[str, Any] = {}
    for field in kind.fields:
        if isinstance(field, Pick):
            values[field.name] = rng.choice(field.values)
        elif isinstance(field, Limit):
            values[field.name] = rng.choice((field.default, rng.randint(field.minimum, field.maximum)))
    return values


def _prepared(kind: OrderKind, play: Play, rng: random.Random) -> dict[str, Any] | None:
    about = kind.fields[0]
    assert isinstance(about, Pick)
    if play.decision is None or play.decision.kind not in about.values:
        return None
    prompt = rng.choice(list(play.decision.prompts.values()))
    return {"about": play.decision.kind, "command": to_json(prompt.sample(rng))}


def random_order(game: Game[Any], play: Play, rng: random.Random, names: tuple[str, ...] = ()) -> dict[str, Any] | None:
    """Return a random order as a client sends it, of one of these kinds if any are named."""
    kinds = [kind for kind in kinds_of(game) if not names or kind.name in names]
    if not kinds or game.orders is None:
        return None
    kind = rng.choice(kinds)
    values = random_values(kind, play, rng)
    until = rng.choice(("once", "changed", *(("period",) if game.orders.period else ())))
    return None if values is None else {"kind": kind.name, "values": values, "until": until}
