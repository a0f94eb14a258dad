"""Players for tests: one without a plan, and some with just enough of one to see every end of the game."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from server.games.dice import Dice
from server.games.game import Seat
from server.games.investors import city
from server.games.investors.commands import (
    Abstain,
    BidCheques,
    PassBid,
    PassOffer,
    PayCheque,
    PlaceStick,
    PlayInfluence,
    RaiseBid,
    Waive,
)
from server.games.investors.rules import Investors
from server.games.options import read_options
from server.games.play import Play, Step, begin
from server.games.prompt import Command, OneOf, Prompt, Refused, SomeOf

GAME = Investors()


class Player(Protocol):
    """Answers every prompt of a game; it may look at everything, for it is no opponent."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, luck: random.Random) -> Command: ...


class Uniform:
    """Takes any choice as gladly as any other: soon broke."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, luck: random.Random) -> Command:
        return prompt.sample(luck)


class Thrifty:
    """Bids little, waives nothing, and builds where its sticks already lie: often sees 1918."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, luck: random.Random) -> Command:
        spaces = {choice.command: choice.spaces for choice in prompt.choices}
        if PlayInfluence in spaces:
            return self._influence(spaces[PlayInfluence]["card"], may_abstain=Abstain in spaces, luck=luck)
        if PassBid in spaces:
            return self._bid(spaces[RaiseBid]["cheques"] if RaiseBid in spaces else None, luck)
        if BidCheques in spaces:
            cheques = spaces[BidCheques]["cheques"]
            assert isinstance(cheques, SomeOf)
            return BidCheques(tuple(sorted(cheques.values)[: luck.randrange(3)]))
        if PayCheque in spaces:
            cheque = spaces[PayCheque]["cheque"]
            assert isinstance(cheque, OneOf)
            return PayCheque(min(cheque.values))
        if PlaceStick in spaces:
            return self._place(play, seat, [prompt.sample(luck) for _ in range(8)])
        return self._rather_not_waive(prompt, luck)

    def _influence(self, cards: object, *, may_abstain: bool, luck: random.Random) -> Command:
        assert isinstance(cards, OneOf)
        if may_abstain and luck.randrange(3):
            return Abstain()
        return PlayInfluence(min(luck.choice(cards.values), luck.choice((0, 1, 1, 2, 3))))

    def _bid(self, cheques: object, luck: random.Random) -> Command:
        if not isinstance(cheques, SomeOf) or luck.randrange(2):
            return PassBid()
        values: list[int] = sorted(cheques.values)
        enough = next((value for value in values if value > (cheques.above or 0)), None)
        return PassBid() if enough is None or enough > 40 else RaiseBid((enough,))

    def _place(self, play: Play, seat: Seat, ideas: list[Command]) -> Command:
        placing = [idea for idea in ideas if isinstance(idea, PlaceStick)]
        if not placing:
            return ideas[0]
        return max(placing, key=lambda idea: _own_around(play, seat, idea.street))

    def _rather_not_waive(self, prompt: Prompt, luck: random.Random) -> Command:
        command = prompt.sample(luck)
        return prompt.sample(luck) if isinstance(command, (Waive, PassOffer)) else command


def _own_around(play: Play, seat: Seat, street: int) -> int:
    sticks = play.state.sticks
    return sum(
        sticks[other] == seat
        for district in city.DISTRICTS_OF[street]
        if play.state.rebuilt[district] < 0
        for other in city.STREETS_OF[district]
    )


class Game(NamedTuple):
    """A game as far as it was played."""

    play: Play
    steps: list[Step]
    options: Mapping[str, object]


def seed_bytes(seed: int) -> bytes:
    return seed.to_bytes(32, "big")


def played(player: Player, *, seats: int, seed: int, steps: int | None = None, **options: object) -> Game:
    """Play a game to its end, or only so many steps of it."""
    dice, luck = Dice(seed_bytes(seed)), random.Random(seed)
    play, step = begin(GAME, seats, read_options(GAME.options, options), dice)
    log = [step]
    while play.decision is not None and (steps is None or len(log) <= steps):
        seat = play.awaited[0]
        command = player.answer(play, seat, play.decision.prompts[seat], luck)
        result = play.answer(seat, play.number, command, dice)
        assert not isinstance(result, Refused), result
        play, step = result
        log.append(step)
    return Game(play, log, options)
