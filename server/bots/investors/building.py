"""Streets for sticks: investing, using action cards, and accepting or rejecting tender cards (RULES 3.1, 5, 8)."""

from __future__ import annotations

from random import Random
from typing import Final

from server.bots.investors.action_cards import Use, best_of, placements, uses
from server.bots.investors.districts import CODES
from server.bots.investors.evaluation import Evaluation
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

_BLOCK_THRESHOLD: Final = 0.15
"""By how much a rival's probability to rebuild must fall for the reason to be a block."""

_REJECT_MARGIN: Final = 0.1
"""By how much, in prestige, the mean card must be better for a card to be rejected."""


def invest(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Place a stick where the gain is highest, or waive where every stick would do harm."""
    return with_reason(evaluation, seat, best_of(placements(evaluation, streets_of(prompt), seat)))


def act(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Use an action card in the best way, or not at all."""
    return with_reason(evaluation, seat, best_of(action_uses(evaluation, seat, prompt)))


def action_uses(evaluation: Evaluation, seat: Seat, prompt: Prompt) -> list[Use]:
    """Return the best uses of the action card that the seat has won."""
    stage, action = evaluation.state.stage, evaluation.state.action
    assert isinstance(stage, Acting)
    assert action is not None
    if stage.first is not None:
        return placements(evaluation, streets_of(prompt), seat, keep=stage.first)
    return uses(evaluation, ACTION_CARDS[action].effect, seat)


def streets_of(prompt: Prompt) -> tuple[int, ...]:
    """Return the streets that a prompt opens for a stick."""
    space = prompt.choices[0].spaces["street"]
    assert isinstance(space, OneOf)
    return tuple(street for street in space.values if isinstance(street, int))


def with_reason(evaluation: Evaluation, seat: Seat, use: Use) -> BotChoice:
    """Return a use as a choice with its reason."""
    command = use.command
    if isinstance(command, PlaceStick):
        return BotChoice(command, _placement_reason(evaluation, seat, command.street))
    return BotChoice(command, _WAIVE if isinstance(command, Waive) else Reason(f"inv.hint.{command.name}"))


def _placement_reason(evaluation: Evaluation, seat: Seat, street: int) -> Reason:
    """Return the most important effect of a stick on a free street."""
    prestige, blocked, joined = 0, 0.0, False
    for district in DISTRICTS_OF[street]:
        tables, key = evaluation.districts[district], evaluation.keys[district]
        if tables.prize:
            before = tables.probabilities[key]
            after = tables.probabilities[key + CODES[seat] - CODES[FREE]]
            prestige += tables.prize if after[seat] == 1.0 else 0
            blocked = max(blocked, *(before[other] - after[other] for other in range(evaluation.seats)))
            joined = joined or any(evaluation.state.sticks[other] == seat for other in STREETS_OF[district])
    if prestige:
        return Reason("inv.hint.place_rebuild", {"street": street, "prestige": prestige})
    if blocked > _BLOCK_THRESHOLD:
        return Reason("inv.hint.place_block", {"street": street})
    return Reason("inv.hint.place_join" if joined else "inv.hint.place_begin", {"street": street})


def consider(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Reject a card when the mean of the other cards suits the seat better."""
    state = evaluation.state
    assert state.tender is not None
    advantages = _advantages(evaluation, seat)
    # The discarded cards count too: they make little difference, and the deck may be empty.
    others = [advantages[_target_and_rights(name)] for name in (*state.tender_deck, *state.tender_discard)]
    mean = sum(others) / len(others)
    return ACCEPT if advantages[_target_and_rights(state.tender)] + _REJECT_MARGIN >= mean else REJECT


def _target_and_rights(name: str) -> tuple[str, int]:
    card = TENDER_CARDS[name]
    return card.target, card.rights


def _advantages(evaluation: Evaluation, seat: Seat) -> dict[tuple[str, int], float]:
    """Return by how much a seat gains more than the others, by target and number of rights."""
    targets = (*ORDINARY_KINDS, EDGE, *OPTION_TILES)
    best = {target: [spot.gain for spot in evaluation.best_at(target)] for target in targets}
    rivalry = evaluation.weights.district.rivalry / (evaluation.seats - 1)
    edges = {target: own[seat] * (1 + rivalry) - rivalry * sum(own) for target, own in best.items()}
    options = sum(edges[option] for option in OPTION_TILES)
    shares = {rights: min(1.0, rights / evaluation.seats) for rights in range(1, 6)}
    found = {(target, rights): edges[target] * share for target in targets for rights, share in shares.items()}
    return found | {(OPTIONS, 3): options / evaluation.seats}


def lay(evaluation: Evaluation, seat: Seat, prompt: Prompt, rng: Random) -> BotChoice:
    """Lay a tile at random: nobody owns anything yet."""
    command = prompt.sample(rng)
    assert isinstance(command, LayTile)
    return BotChoice(command, Reason("inv.hint.lay_tile"))
