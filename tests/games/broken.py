"""Toy games that each break one promise of the interface, and what the contract suite says to each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from server.games.engine.dice import Dice
from server.games.engine.game import Decision, Event, Outcome, Seat, Viewer
from server.games.engine.options import Limit
from server.games.engine.prompts import Choice, Command, OneOf, Prompt, Unfit
from server.games.engine.serialization import Json
from tests.games.toy_auction import Auction, AuctionState, Bid, BidsRevealed, Sit
from tests.games.toy_mosaic import Mosaic, MosaicState, StoneTaken, TakeStone, TurnEnded

Answers = Mapping[Seat, Command]


class ChangesItsStateWhenAsked(Auction):
    def public_view(self, state: AuctionState) -> dict[str, Json]:
        object.__setattr__(state, "reshuffles", state.reshuffles + 1)
        return super().public_view(state)


class ChangesTheStateItIsGiven(Mosaic):
    def apply(self, state: MosaicState | None, event: Event) -> MosaicState:
        if isinstance(event, StoneTaken):
            object.__setattr__(state, "row", tuple(sorted(state.row)))
        return super().apply(state, event)


class FallsBackToWhatIsIllegal(Auction):
    def bid_prompt(self, state: AuctionState, seat: Seat) -> Prompt:
        return super().bid_prompt(state, seat)._replace(fallback=Bid(99))


class AwaitsNobody(Auction):
    def decision(self, state: AuctionState) -> Decision | None:
        return Decision("bid", {}, sealed=True) if state.round > 2 else super().decision(state)


class AwaitsSomebodyAfterTheEnd(Auction):
    def outcome(self, state: AuctionState) -> Outcome | None:
        return super().outcome(state if state.round < 3 else replace(state, reason="impatience"))


class AsksASeatThatIsNotThere(Mosaic):
    def decision(self, state: MosaicState) -> Decision | None:
        decision = super().decision(state)
        return decision and decision._replace(prompts=dict.fromkeys((7,), *decision.prompts.values()))

    def resolve(self, state: MosaicState, answers: Answers, dice: Dice) -> tuple[MosaicState, list[Event]]:
        return super().resolve(state, {state.seat: answers[7]}, dice)


class OffersNothing(Auction):
    def prize_prompt(self, state: AuctionState, seat: Seat) -> Prompt:
        return super().prize_prompt(state, seat)._replace(choices=())


class AsksSeveralSeatsInTheOpen(Auction):
    def decision(self, state: AuctionState) -> Decision | None:
        decision = super().decision(state)
        return decision and decision._replace(sealed=False)


class DoesMoreThanItTells(Auction):
    def resolve(self, state: AuctionState, answers: Answers, dice: Dice) -> tuple[AuctionState, list[Event]]:
        state, events = super().resolve(state, answers, dice)
        return replace(state, discards=()), events


class TellsNothing(Mosaic):
    def resolve(self, state: MosaicState, answers: Answers, dice: Dice) -> tuple[MosaicState, list[Event]]:
        return super().resolve(state, answers, dice)[0], []


class TellsWhatIsNotDeclared(Mosaic):
    events = tuple(event for event in Mosaic.events if event is not TurnEnded)


@dataclass(frozen=True, slots=True)
class StoneTakenAway(StoneTaken):
    kind: int  # but a text is what it gets


class TellsWhatCannotBeReadBack(Mosaic):
    events = (*Mosaic.events, StoneTakenAway)

    def _followed(self, state: MosaicState, answer: Command, dice: Dice) -> Event:
        event = super()._followed(state, answer, dice)
        return StoneTakenAway(event.seat, event.kind) if isinstance(event, StoneTaken) else event


class PrefersWhoeverAnsweredLast(Auction):
    def resolve(self, state: AuctionState, answers: Answers, dice: Dice) -> tuple[AuctionState, list[Event]]:
        if state.winner is not None:
            return super().resolve(state, answers, dice)
        last = list(answers)[-1]
        event = BidsRevealed(tuple(self._bid(answers[seat]) for seat in sorted(answers)), last)
        return self.apply(state, event), [event]


class ShowsAFloat(Auction):
    def public_view(self, state: AuctionState) -> dict[str, Json]:
        return super().public_view(state) | {"average": sum(state.discards) / 2}


class ShowsATuple(Mosaic):
    def public_view(self, state: MosaicState) -> dict[str, Json]:
        return super().public_view(state) | {"row": state.row}


class ShowsNumbersAsKeys(Mosaic):
    def shown(self, event: Event, viewer: Viewer) -> dict[str, Json] | None:
        return {"event": event.name, "by_seat": {0: 1}}


class ShowsEventsUnderAnotherName(Mosaic):
    def shown(self, event: Event, viewer: Viewer) -> dict[str, Json] | None:
        return {"event": "something"}


class NeverEnds(Auction):
    def _next_round(self, story: Any, dice: Dice) -> None:
        story.tell(BidsRevealed((None,) * len(story.state.hands), None))


class Counts(Mosaic):
    counter = count()

    def _followed(self, state: MosaicState, answer: Command, dice: Dice) -> Event:
        event = super()._followed(state, answer, dice)
        if isinstance(event, TurnEnded):
            return TurnEnded(event.seat, ("brick", "slate")[next(self.counter) % 2])
        return event


class DescribesTooLittle(OneOf):
    def to_json(self) -> Json:
        return {"one_of": list(self.values[:-1])}


class ReadsTooMuch(OneOf):
    def read(self, answer: object) -> Any:
        return answer if answer == 10**9 else super().read(answer)


class ReadsTooLittle(OneOf):
    def read(self, answer: object) -> Any:
        if answer == min(self.values):
            raise Unfit("not this one")
        return super().read(answer)


class Misdescribed(Auction):
    """An auction whose prompts describe something else than they admit."""

    def __init__(self, space: type[OneOf]) -> None:
        self.space = space

    def bid_prompt(self, state: AuctionState, seat: Seat) -> Prompt:
        hand = state.hands[seat]
        bid = (Choice(Bid, {"card": self.space(hand)}),) if hand else ()
        return Prompt((Choice(Sit), *bid), Sit())


class SealsWhatIsNotDeclared(Auction):
    commands = tuple(command for command in Auction.commands if command is not Sit)


class OffersWhatIsNotDeclared(Mosaic):
    commands = tuple(command for command in Mosaic.commands if command is not TakeStone)


class AddsUpToSomethingElse(Mosaic):
    def outcome(self, state: MosaicState) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, scores=tuple(score + 1 for score in outcome.scores))


class PutsTheWorstFirst(Auction):
    def outcome(self, state: AuctionState) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, places=tuple(1 + max(outcome.places) - place for place in outcome.places))


class LeavesAPlaceOut(Mosaic):
    def outcome(self, state: MosaicState) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, places=tuple(1 + place for place in outcome.places))


class BreaksTiesInSilence(Auction):
    cards = (5,) * 24

    def outcome(self, state: AuctionState) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and replace(outcome, places=tuple(range(1, len(state.hands) + 1)))


class TakesBackAnothersStep(Mosaic):
    seats = range(2, 4)

    def decision(self, state: MosaicState) -> Decision | None:
        decision = super().decision(state)
        return decision and decision._replace(undoable=True)


class TakesBackWhatTheDiceSaid(TakesBackAnothersStep):
    seats = range(1, 2)


class Forgetful(Mosaic):
    """A game that cannot say how an event reads or how a position looks."""

    def describe(self, event: Event) -> str:
        return ""


class IllDefault(Auction):
    options = (Limit("hand", "cards in a hand", 1, 4, 5),)


class TwoOfAName(Auction):
    events = (*Auction.events, type("Sat", (Event,), {}), type("Sat", (Event,), {}))


class HidesItsOwnName(Mosaic):
    commands = (*Mosaic.commands, type("Do", (Command,), {"__match_args__": ("do",)}))


class Unsorted(Mosaic):
    """A game that offers its kinds in the order in which Python happens to hash them."""

    def decision(self, state: MosaicState) -> Decision | None:
        decision = super().decision(state)
        if decision is None or decision.kind != "take":
            return decision
        kinds = tuple(set(state.row))
        return Decision("take", {state.seat: Prompt((Choice(TakeStone, {"kind": OneOf(kinds)}),), TakeStone(kinds[0]))})


BROKEN: list[tuple[Any, str]] = [
    (ChangesItsStateWhenAsked(), "a state was changed after it had been handed out"),
    (ChangesTheStateItIsGiven(), "a state was changed after it had been handed out|another log"),
    (FallsBackToWhatIsIllegal(), "is sampled or the fallback, but Refused"),
    (AwaitsNobody(), "nobody is awaited though the game is not over"),
    (AwaitsSomebodyAfterTheEnd(), "there is an outcome while somebody is awaited"),
    (AsksASeatThatIsNotThere(), r"asks the seats \[7\]"),
    (OffersNothing(), "prize offers nothing"),
    (AsksSeveralSeatsInTheOpen(), "at once, but not sealed"),
    (DoesMoreThanItTells(), "another state"),
    (TellsNothing(), "left no trace in the log"),
    (TellsWhatIsNotDeclared(), "turn_ended is not among the events"),
    (TellsWhatCannotBeReadBack(), "cannot be read back"),
    (PrefersWhoeverAnsweredLast(), "another order of sealed answers|the order of sealed answers"),
    (ShowsAFloat(), "view of None is not plain: it.game.average is the float"),
    (ShowsATuple(), "view of None is not plain: it.game.row is the tuple"),
    (ShowsNumbersAsKeys(), "has the key 0, which is no text"),
    (ShowsEventsUnderAnotherName(), "is shown as"),
    (NeverEnds(), "has not ended after"),
    (Counts(), "the same seed and the same answers lead to another log"),
    (Misdescribed(DescribesTooLittle), "is legal, but not described"),
    (Misdescribed(ReadsTooMuch), "was not refused"),
    (Misdescribed(ReadsTooLittle), "a legal answer was refused|is sampled or the fallback, but Refused"),
    (SealsWhatIsNotDeclared(), "cannot be read back: answered.command: unknown do 'sit'"),
    (OffersWhatIsNotDeclared(), "take_stone is not among the commands"),
    (AddsUpToSomethingElse(), "does not add up"),
    (PutsTheWorstFirst(), "gives the places"),
    (LeavesAPlaceOut(), "leave out or repeat"),
    (BreaksTiesInSilence(), "no tie-break is named"),
    (TakesBackAnothersStep(), "could take back a step of seat"),
    (TakesBackWhatTheDiceSaid(), "told of the dice"),
    (Forgetful(), "has no sentence"),
]

FALSELY_DECLARED: list[tuple[Any, str]] = [
    (TwoOfAName(), "have the same name"),
    (HidesItsOwnName(), "hides its own name"),
    (IllDefault(), "the default of hand does not fit it"),
]
