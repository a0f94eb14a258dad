"""Setting up the box, and the laying of the city by the players if the table chose that (RULES 2)."""

from __future__ import annotations

from collections.abc import Mapping

from server.games.engine.dice import Dice
from server.games.engine.game import Answers, Decision, Seat
from server.games.engine.options import OptionValue
from server.games.engine.prompts import Choice, OneOf, Prompt
from server.games.engine.step_builder import StepBuilder
from server.games.investors import city
from server.games.investors.commands import LayTile
from server.games.investors.components import ACTION_DECK, HALL, SUBSIDIES, TENDER_DECKS, TILES, YEARS
from server.games.investors.events import GameBegun, TileDrawn, TileExchanged, TileLaid, TileSetAside
from server.games.investors.rounds import begin_round
from server.games.investors.state import Laying, State, with_entry

Layout = tuple[str | None, ...]

_ONLY_THE_HALL: Layout = with_entry((None,) * city.DISTRICTS, city.MIDDLE, HALL)


def box_set_up(seats: int, options: Mapping[str, OptionValue], dice: Dice) -> GameBegun:
    """Return the first event: the shuffled decks, the city or the bag of its tiles, and the start seat."""
    first = options["first_seat"]
    laid_by_players = options["layout"] == "players"
    tender_deck = tuple(card.name for card in TENDER_DECKS[str(options["tender_deck"])])
    cap, offers, subsidies = options["influence_cap"], options["bargaining_offers"], options["subsidies"]
    assert cap is None or isinstance(cap, int)
    assert isinstance(offers, int)
    assert subsidies is None or isinstance(subsidies, int)
    return GameBegun(
        seats=seats,
        start_seat=dice.below("first_seat", seats) if first == "random" else int(str(first)),
        kind_tender_may_use_edge=bool(options["kind_tender_may_use_edge"]),
        move_axis_only=bool(options["move_axis_only"]),
        influence_cap=cap,
        bargaining_offers=offers,
        layout=_ONLY_THE_HALL if laid_by_players else random_layout(dice),
        bag=dice.shuffled("bag", TILES) if laid_by_players else (),
        tender_deck=dice.shuffled("tender/0", tender_deck),
        action_deck=dice.shuffled("action", _action_cards(options["action_cards"], subsidies, dice)),
        subsidies=subsidies,
        ends_when_spent=True,
    )


def _action_cards(chosen: OptionValue, subsidies: int | None, dice: Dice) -> tuple[str, ...]:
    """Return the action cards in the deck (RULES 2.7, 10.5, 10.6)."""
    assert isinstance(chosen, tuple)
    deck = tuple(card.name for card in ACTION_DECK)
    if chosen or subsidies is None:
        return chosen or deck
    others = tuple(name for name in deck if name not in SUBSIDIES)
    drawn = dice.shuffled("subsidies", SUBSIDIES)[:subsidies]
    return drawn + dice.shuffled("other_actions", others)[: YEARS - subsidies]


def open_game(step: StepBuilder[State]) -> None:
    """Emit the first draw, up to the first decision."""
    state = step.state
    if None in state.layout:
        _draw_tile(step, state.start_seat)
    else:
        begin_round(step)


def random_layout(dice: Dice) -> Layout:
    """Return a shuffled city, shuffled again until its parks do not crowd a landmark (RULES 2.3)."""
    tries = 0
    while True:
        tiles = dice.shuffled(f"layout/{tries}", TILES)
        layout = (*tiles[: city.MIDDLE], HALL, *tiles[city.MIDDLE :])
        if not city.parks_crowd(layout):
            return layout
        tries += 1


def lay_decision(state: State) -> Decision:
    stage = state.stage
    assert isinstance(stage, Laying)
    spaces = _spaces_for(state.layout, stage.tile)
    prompt = Prompt((Choice(LayTile, {"space": OneOf(spaces)}),), fallback=LayTile(spaces[0]))
    return Decision("lay_tile", {stage.seat: prompt}, forced=(stage.seat,) if len(spaces) == 1 else ())


def lay_resolved(step: StepBuilder[State], answers: Answers) -> None:
    stage = step.state.stage
    assert isinstance(stage, Laying)
    command = answers[stage.seat]
    assert isinstance(command, LayTile)
    step.emit(TileLaid(stage.seat, stage.tile, command.space))
    if None in step.state.layout:
        _draw_tile(step, step.state.clockwise(stage.seat)[1])
    else:
        begin_round(step)


def _draw_tile(step: StepBuilder[State], seat: Seat) -> None:
    # RULES 2.4: a tile that fits nowhere goes to the bottom of the bag; if no tile fits, a tile in the city makes room.
    state = step.state
    if not any(_spaces_for(state.layout, tile) for tile in state.bag):
        _exchange(step, seat)
        return
    tile = state.bag[-1]
    step.emit(TileDrawn(seat, tile))
    while not _spaces_for(state.layout, tile):
        step.emit(TileSetAside(tile))
        tile = state.bag[-1]
        step.emit(TileDrawn(seat, tile))


def _exchange(step: StepBuilder[State], seat: Seat) -> None:
    state = step.state
    tile = state.bag[-1]
    empty = [space for space, kind in enumerate(state.layout) if kind is None]
    laid = [space for space, kind in enumerate(state.layout) if kind not in (None, HALL)]
    ways = [
        (space, other)
        for space in laid
        for other in empty
        if not city.parks_crowd(with_entry(with_entry(state.layout, space, tile), other, state.layout[space]))
    ]
    space, other = ways[step.dice.below(f"exchange/{len(empty)}", len(ways))]
    step.emit(TileDrawn(seat, tile))
    step.emit(TileExchanged(tile, space, other))
    if None in state.layout:
        _draw_tile(step, state.clockwise(seat)[1])
    else:
        begin_round(step)


def _spaces_for(layout: Layout, tile: str) -> tuple[int, ...]:
    return tuple(
        space
        for space, kind in enumerate(layout)
        if kind is None and not city.parks_crowd(with_entry(layout, space, tile))
    )
