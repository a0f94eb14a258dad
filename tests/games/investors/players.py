"""Players for tests, with just enough strategy to reach every end of the game."""

from __future__ import annotations

import random
from functools import partial

from server.games.engine.game import Seat
from server.games.engine.play import Play
from server.games.engine.prompts import Choice, Command, OneOf, Prompt, SomeOf
from server.games.investors import city
from server.games.investors.commands import (
    Abstain,
    BidCheques,
    ChooseOption,
    LayTile,
    PassBid,
    PayCheque,
    PlaceStick,
    PlayInfluence,
    RaiseBid,
    Waive,
)
from tests.games.investors import GAME
from tests.games.players import played_by


class Thrifty:
    """A player that bids little, waives nothing and builds where its sticks lie: its games often reach 1918."""

    def answer(self, play: Play, seat: Seat, prompt: Prompt, rng: random.Random) -> Command:
        spaces = {choice.command: choice.spaces for choice in prompt.choices}
        if PlayInfluence in spaces:
            return self._influence(spaces[PlayInfluence]["card"], may_abstain=Abstain in spaces, rng=rng)
        if PassBid in spaces:
            return self._bid(spaces[RaiseBid]["cheques"] if RaiseBid in spaces else None, rng)
        if BidCheques in spaces:
            cheques = spaces[BidCheques]["cheques"]
            assert isinstance(cheques, SomeOf)
            return BidCheques(tuple(sorted(cheques.values)[: rng.randrange(3)]))
        if PayCheque in spaces:
            cheque = spaces[PayCheque]["cheque"]
            assert isinstance(cheque, OneOf)
            return PayCheque(min(cheque.values))
        if PlaceStick in spaces:
            return self._place(play, seat, [prompt.sample(rng) for _ in range(8)])
        command = prompt.sample(rng)
        return prompt.sample(rng) if isinstance(command, Waive) else command

    def _influence(self, cards: object, *, may_abstain: bool, rng: random.Random) -> Command:
        assert isinstance(cards, OneOf)
        if may_abstain and rng.randrange(3):
            return Abstain()
        return PlayInfluence(min(rng.choice(cards.values), rng.choice((0, 1, 1, 2, 3))))

    def _bid(self, cheques: object, rng: random.Random) -> Command:
        if not isinstance(cheques, SomeOf) or rng.randrange(2):
            return PassBid()
        values: list[int] = sorted(cheques.values)
        enough = next((value for value in values if value > (cheques.above or 0)), None)
        return PassBid() if enough is None or enough > 40 else RaiseBid((enough,))

    def _place(self, play: Play, seat: Seat, ideas: list[Command]) -> Command:
        placing = [idea for idea in ideas if isinstance(idea, PlaceStick)]
        if not placing:
            return ideas[0]
        return max(placing, key=lambda idea: _own_around(play, seat, idea.street))


class Patient:
    """Seats that act together to fill the city and rebuild as little as they can: the streets run out before the years.

    All of them rank the seats alike, by their supplies, so that they need no words: the first in rank win, as cheaply
    as can be, and the others tie or pass. Parks are laid beside the town hall, whose other sides stay open to the last.
    """

    def answer(self, play: Play, seat: Seat, prompt: Prompt, rng: random.Random) -> Command:
        state = play.state
        rank = sorted(range(len(state.supply)), key=lambda other: (-state.supply[other], other)).index(seat)
        for choice in prompt.choices:
            spaces = choice.spaces
            if choice.command is PlayInfluence and state.action is None:
                return PlayInfluence(min(rank, state.stage.rights, state.influence[seat]))
            if choice.command is RaiseBid and state.action is None and rank == 0:
                return RaiseBid((min(state.hands[seat]),))
            if choice.command is ChooseOption:
                options = spaces["option"].values
                return ChooseOption(options[rank % len(options)])
            if choice.command is BidCheques:
                return BidCheques(state.hands[seat][:1] if self._leads(play, seat) else ())
            if choice.command is PlaceStick and state.action is None:
                return self._place(play, seat, choice)
            if choice.command is LayTile:
                return LayTile(min(spaces["space"].values, key=lambda space: self._crowds(space, state.stage.tile)))
        return prompt.fallback

    def _leads(self, play: Play, seat: Seat) -> bool:
        return seat == min(
            other for other, option in enumerate(play.state.options) if option == play.state.options[seat]
        )

    def _place(self, play: Play, seat: Seat, choice: Choice) -> Command:
        streets = choice.spaces["street"].values
        street = min(
            streets, key=lambda street: (_settles(play, seat, street), _own_around(play, seat, street), street)
        )
        lift = choice.spaces.get("lift")
        return PlaceStick(street) if lift is None else PlaceStick(street, lift.values[0])

    def _crowds(self, space: int, tile: str) -> tuple[bool, int]:
        beside_hall = space in city.NEIGHBOURS[city.MIDDLE]
        return beside_hall is not (tile == "park"), space


def _settles(play: Play, seat: Seat, street: int) -> int:
    """Return the number of districts a stick would rebuild."""
    state = play.state
    sticks = [seat if other == street else owner for other, owner in enumerate(state.sticks)]
    return sum(
        state.rebuilt[district] < 0 and city.holder(state.layout, sticks, district) is not None
        for district in city.DISTRICTS_OF[street]
    )


def _own_around(play: Play, seat: Seat, street: int) -> int:
    sticks = play.state.sticks
    return sum(
        sticks[other] == seat
        for district in city.DISTRICTS_OF[street]
        if play.state.rebuilt[district] < 0
        for other in city.STREETS_OF[district]
    )


played = partial(played_by, GAME)
