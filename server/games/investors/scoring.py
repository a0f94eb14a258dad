"""The result (RULES 11)."""

from __future__ import annotations

from server.games.engine.game import Outcome, ranked
from server.games.investors.components import PRESTIGE
from server.games.investors.state import Over, State


def outcome(state: State) -> Outcome | None:
    """Return the result of a finished game: prestige, then sticks on the board, then a shared place (RULES 11.2)."""
    if not isinstance(state.stage, Over):
        return None
    laid = [len(state.sticks_of(seat)) for seat in range(state.settings.seats)]
    scores = tuple(state.prestige)
    places = ranked(list(zip(scores, laid, strict=True)))
    tie_break = "sticks_on_board" if len(set(scores)) < len(scores) else None
    return Outcome(state.stage.reason, scores, places, tie_break, tuple(_breakdown(state)))


def _breakdown(state: State) -> list[dict[str, int]]:
    parts: list[dict[str, int]] = [{} for _ in range(state.settings.seats)]
    for kind, owner in zip(state.layout, state.rebuilt, strict=True):
        if owner >= 0:
            assert kind is not None
            parts[owner][kind] = parts[owner].get(kind, 0) + PRESTIGE[kind]
    for seat, bonus in enumerate(state.bonus):
        if bonus:
            parts[seat]["bonus"] = bonus
    return parts
