"""Where sticks go: investing, using action cards, and taking or refusing tender cards (RULES 3.1, 5, 8)."""

from __future__ import annotations

from random import Random
from typing import Final

from server.bots.investors.effects import Use, best_of, placings, uses
from server.bots.investors.evaluation import CODES
from server.bots.investors.prospects import Prospects
from server.bots.strategy import BotChoice, Reason
from server.games.engine.game import Seat
from server.games.engine.prompts import OneOf, Prompt
from server.games.investors.city import DISTRICTS_OF, FREE, STREETS_OF
from server.games.investors.commands import AcceptTender, LayTile, PlaceStick, RejectTender, Waive
from server.games.investors.components import ACTION_CARDS, EDGE, OPTION_TILES, OPTIONS, ORDINARY_KINDS, TENDER_CARDS
from server.games.investors.state import Acting

ACCEPT: Final = BotChoice(AcceptTender(), Reason("inv.hint.accept"))
REJECT: Final = BotChoice(RejectTender(), Reason("inv.hint.reject"))

_WAIVE: Final = Reason("inv.hint.waive")

_TELLING: Final = 0.15
"""How much less likely a rival's majority must become before one speaks of it."""

_PATIENCE: Final = 0.1
"""How much better, in prestige, the usual card must be before one is rejected."""


def invest(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Place where one gains most, or waive where every stick would do harm."""
    return explained(prospects, seat, best_of(placings(prospects, streets_of(prompt), seat)))


def act(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Use an action card in the best way, or not at all."""
    return explained(prospects, seat, best_of(action_uses(prospects, seat, prompt)))


def action_uses(prospects: Prospects, seat: Seat, prompt: Prompt) -> list[Use]:
    """Give the best uses of the action card that the seat has won."""
    stage, action = prospects.state.stage, prospects.state.action
    assert isinstance(stage, Acting)
    assert action is not None
    if stage.first is not None:
        return placings(prospects, streets_of(prompt), seat, keep=stage.first)
    return uses(prospects, ACTION_CARDS[action].effect, seat)


def streets_of(prompt: Prompt) -> tuple[int, ...]:
    """Give the streets that a prompt opens for a stick."""
    space = prompt.choices[0].spaces["street"]
    assert isinstance(space, OneOf)
    return tuple(street for street in space.values if isinstance(street, int))


def explained(prospects: Prospects, seat: Seat, use: Use) -> BotChoice:
    """Give a use with its reason."""
    command = use.command
    if isinstance(command, PlaceStick):
        return BotChoice(command, _why_there(prospects, seat, command.street))
    return BotChoice(command, _WAIVE if isinstance(command, Waive) else Reason(f"inv.hint.{command.name}"))


def _why_there(prospects: Prospects, seat: Seat, street: int) -> Reason:
    """Give what a stick on a free street does, the most telling first."""
    prestige, kept_off, joined = 0, 0.0, False
    for district in DISTRICTS_OF[street]:
        view, key = prospects.evaluations[district], prospects.keys[district]
        if view.prize:
            before = view.shares[key]
            after = view.shares[key + CODES[seat] - CODES[FREE]]
            prestige += view.prize if after[seat] == 1.0 else 0
            kept_off = max(kept_off, *(before[other] - after[other] for other in range(prospects.seats)))
            joined = joined or any(prospects.state.sticks[other] == seat for other in STREETS_OF[district])
    if prestige:
        return Reason("inv.hint.place_rebuild", {"street": street, "prestige": prestige})
    if kept_off > _TELLING:
        return Reason("inv.hint.place_block", {"street": street})
    return Reason("inv.hint.place_join" if joined else "inv.hint.place_begin", {"street": street})


def consider(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Reject a card when what usually comes suits the seat better."""
    state = prospects.state
    assert state.tender is not None
    advantages = _advantages(prospects, seat)
    # What was drawn lately makes little difference; and the deck may be empty.
    others = [advantages[_suit(name)] for name in (*state.tender_deck, *state.tender_discard)]
    usual = sum(others) / len(others)
    return ACCEPT if advantages[_suit(state.tender)] + _PATIENCE >= usual else REJECT


def _suit(name: str) -> tuple[str, int]:
    card = TENDER_CARDS[name]
    return card.target, card.rights


def _advantages(prospects: Prospects, seat: Seat) -> dict[tuple[str, int], float]:
    """Give, for every target and number of rights, by how much a seat is better off than the others together."""
    targets = (*ORDINARY_KINDS, EDGE, *OPTION_TILES)
    best = {target: [spot.gain for spot in prospects.best_at(target)] for target in targets}
    rivalry = prospects.weights.temper.rivalry / (prospects.seats - 1)
    edges = {target: own[seat] * (1 + rivalry) - rivalry * sum(own) for target, own in best.items()}
    options = sum(edges[option] for option in OPTION_TILES)
    shares = {rights: min(1.0, rights / prospects.seats) for rights in range(1, 6)}
    found = {(target, rights): edges[target] * share for target in targets for rights, share in shares.items()}
    return found | {(OPTIONS, 3): options / prospects.seats}


def lay(prospects: Prospects, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Lay a tile anywhere: nobody owns anything yet."""
    command = prompt.sample(rng)
    assert isinstance(command, LayTile)
    return BotChoice(command, Reason("inv.hint.lay_tile"))
