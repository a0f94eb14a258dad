"""The city as a small drawing for lists of finished games: who has built on which plot."""

from __future__ import annotations

from server.games.builders.city import plots_of
from server.games.builders.components import GRIDS
from server.games.builders.state import State
from server.games.engine.serialization import Json


def city(state: State) -> dict[str, Json]:
    """Return a character for each plot, in the order of the view: the seat that has built there, or `r` for rubble."""
    plots = ["."] * len(state.city.plots)
    for plot in plots_of(state.ruins):
        plots[plot] = "r"
    for seat, built in enumerate(state.buildings):
        for plot in plots_of(built):
            plots[plot] = str(seat)
    return {"grid": list(GRIDS[state.seats]), "plots": "".join(plots)}
