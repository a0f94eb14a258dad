"""Win probabilities: exact when a game is over, else a softmax over the expected results of all seats."""

from __future__ import annotations

import math
from collections.abc import Sequence

from server.games.engine.game import Outcome, Seat


def share_of_win(outcome: Outcome, seat: Seat) -> float:
    """Return 1 for the only winner, a fraction for each of several, and 0 for all others."""
    return 1 / len(outcome.winners) if seat in outcome.winners else 0.0


def softmax(scores: Sequence[float], seat: Seat, temperature: float) -> float:
    """Return a seat's part in the softmax of scores; the higher the temperature, the less a lead says."""
    highest = max(scores)
    weights = [math.exp((score - highest) / temperature) for score in scores]
    return weights[seat] / sum(weights)
