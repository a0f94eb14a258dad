"""The losses of the leading opponent, which a bot with the style `spoiler` counts as gains."""

from __future__ import annotations

from server.bots.builders.evaluation import Evaluation


def of_permit(evaluation: Evaluation, permit: int) -> float:
    """Return the value of taking a permit that the leading opponent could use."""
    rival = evaluation.rival
    if rival is None:
        return 0.0
    state, seat = rival.state, rival.seat
    held, front, built = state.permits[seat], state.front[seat], state.built(seat)
    gain = rival.hand((*held, permit), front, built) - rival.hand(held, front, built)
    return evaluation.weights.spoil * max(0.0, gain)


def of_goal(evaluation: Evaluation, goal: str) -> float:
    """Return the value of taking a goal that would bring the leading opponent points."""
    rival = evaluation.rival
    return 0.0 if rival is None else evaluation.weights.spoil * rival.goal(goal)


def of_plot(evaluation: Evaluation, plot: int) -> float:
    """Return the value of building on a plot that the permits of the leading opponent open."""
    rival = evaluation.rival
    if rival is None or not rival.reach >> plot & 1:
        return 0.0
    ((worth, _),) = rival.best_plots(1 << plot, 1) or [(0.0, plot)]
    return evaluation.weights.spoil * max(0.0, worth)
