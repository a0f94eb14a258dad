"""Toy games that each break one promise of the contract, and the complaint of the contract suite about each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, replace
from functools import partial
from itertools import count
from typing import Any, Final

from server.games.engine.events import EVERYBODY, Event, Seat, depends_on_viewer
from server.games.engine.frozen import frozen
from server.games.engine.game import Answers, Decision, Game, no_progress, ranked
from server.games.engine.options import Limit
from server.games.engine.prompts import Choice, Command, OneOf, Prompt, Rng, Unfit, Value
from server.games.engine.reducers import Reducers
from server.games.engine.serialization import Json
from server.games.engine.step_builder import StepBuilder
from tests.games.derived import (
    Resolve,
    with_decisions,
    with_outcome,
    with_prompts,
    with_resolve,
    with_shown,
    with_view,
)
from tests.games.toy_auction import (
    AUCTION,
    AuctionState,
    Bid,
    Bidding,
    BidsRevealed,
    Claiming,
    Closed,
    Sit,
    bids_of,
    deal,
)
from tests.games.toy_mosaic import MOSAIC, MosaicState, StoneTaken, TakeStone, Taking, TurnEnded, take_one_of

# -- states ---------------------------------------------------------------------------------------------------


def changes_its_state_when_asked(state: AuctionState) -> dict[str, Json]:
    state.reshuffles += 1
    return AUCTION.public_view(state)


class SortsItsRow(MosaicState):
    """A state that changes when it is copied."""

    def copy(self) -> MosaicState:
        self.row = tuple(sorted(self.row))
        return super().copy()


def shows_a_prize_that_is_taken(state: AuctionState, view: dict[str, Json]) -> dict[str, Json]:
    """Fail where no prize lies there although the game goes on, as it is between two events of a step."""
    assert state.prize is not None or isinstance(state.stage, Closed)
    return view


def sorts_its_row(event: Any) -> SortsItsRow:
    state = MOSAIC.reducers.first(event)
    return SortsItsRow(state.bag, state.row, state.boards)


def with_reducers(game: Game[Any], first: Callable[[Any], Any]) -> Game[Any]:
    """Return the game with another reducer of the first event."""
    reducers: Reducers[Any] = Reducers()
    reducers.by_event, reducers.first_event, reducers.first = game.reducers.by_event, game.reducers.first_event, first
    return replace(game, reducers=reducers)


def does_more_than_it_tells(step: StepBuilder[AuctionState], answers: Answers, resolve: Resolve) -> None:
    resolve(step, answers)
    step.state.discards = ()


# -- decisions ------------------------------------------------------------------------------------------------


def awaits_nobody(state: AuctionState, decision: Decision) -> Decision:
    return Decision("bid", {}, sealed=True) if state.round > 2 else decision


def asks_seat_7(state: MosaicState, decision: Decision) -> Decision:
    return decision._replace(prompts=dict.fromkeys((7,), *decision.prompts.values()))


def resolves_seat_7(step: StepBuilder[MosaicState], answers: Answers, resolve: Resolve) -> None:
    resolve(step, {step.state.seat: answers[7]})


def is_undoable(state: MosaicState, decision: Decision) -> Decision:
    return decision._replace(undoable=True)


def in_the_order_of_hashes(state: MosaicState, decision: Decision) -> Decision:
    return take_one_of(state, tuple(set(state.row))) if isinstance(state.stage, Taking) else decision


UNSORTED: Final = with_decisions(MOSAIC, in_the_order_of_hashes)
"""A game that offers its kinds in the order of their hashes."""

# -- prompts --------------------------------------------------------------------------------------------------


@frozen
class OneOfByAnother:
    """A space that does what `OneOf` does. Nothing can be derived from `OneOf` itself where it is compiled."""

    values: tuple[Value, ...]

    def read(self, answer: object) -> Any:
        return OneOf(self.values).read(answer)

    def sample(self, rng: Rng) -> Value:
        return OneOf(self.values).sample(rng)

    def to_json(self) -> Json:
        return OneOf(self.values).to_json()


class DescribesTooLittle(OneOfByAnother):
    def to_json(self) -> Json:
        return {"one_of": list(self.values[:-1])}


class ReadsTooMuch(OneOfByAnother):
    def read(self, answer: object) -> Any:
        return answer if answer == 10**9 else super().read(answer)


class ReadsTooLittle(OneOfByAnother):
    def read(self, answer: object) -> Any:
        if answer == min(self.values):
            raise Unfit("not this one")
        return super().read(answer)


def with_bids_from(space: type[OneOfByAnother]) -> Game[Any]:
    """Return an auction whose prompts describe something else than they admit."""

    def misdescribed(state: AuctionState, seat: Seat, prompt: Prompt) -> Prompt:
        hand = state.hands[seat]
        bid = (Choice(Bid, {"card": space(hand)}),) if hand else ()
        return Prompt((Choice(Sit), *bid), Sit())

    return with_prompts(AUCTION, "bid", misdescribed)


# -- events ---------------------------------------------------------------------------------------------------


def tells_nothing(step: StepBuilder[MosaicState], answers: Answers, resolve: Resolve) -> None:
    resolve(step, answers)
    step.events.clear()


@frozen
class StoneTakenAway(StoneTaken):
    kind: int  # though it is given a string


@frozen
class NumberedTurnEnded(TurnEnded):
    visible_to = depends_on_viewer(lambda event, viewer: {"event": event.name, "by_seat": {0: 1}})


@frozen
class RenamedTurnEnded(TurnEnded):
    visible_to = depends_on_viewer(lambda event, viewer: {"event": "something"})


@frozen
class FalselySharedTurnEnded(TurnEnded):
    visible_to = EVERYBODY._replace(show=lambda event, viewer: {"event": event.name, "viewer": viewer})


@frozen
class SilentTurnEnded(TurnEnded):
    sentence = ""


def tells(kind: type[Event], instead_of: type[Event]) -> Game[Any]:
    """Return a Mosaic that tells events of another kind, which it declares."""

    def told(step: StepBuilder[MosaicState], answers: Answers, resolve: Resolve) -> None:
        resolve(step, answers)
        step.events = [kind(*astuple(event)) if type(event) is instead_of else event for event in step.events]

    reducers: Reducers[Any] = Reducers()
    reducers.by_event = {**MOSAIC.reducers.by_event, kind: MOSAIC.reducers.by_event[instead_of]}
    reducers.first_event, reducers.first = MOSAIC.reducers.first_event, MOSAIC.reducers.first
    return replace(with_resolve(MOSAIC, told), events=(*MOSAIC.events, kind), reducers=reducers)


def prefers_the_last_answer(step: StepBuilder[AuctionState], answers: Answers, resolve: Resolve) -> None:
    if isinstance(step.state.stage, Bidding):
        step.emit(BidsRevealed(bids_of(answers), list(answers)[-1]))
    else:
        resolve(step, answers)


def never_ends(step: StepBuilder[AuctionState], answers: Answers, resolve: Resolve) -> None:
    if isinstance(step.state.stage, Claiming):
        step.state.stage = Bidding()
    step.emit(BidsRevealed((None,) * len(step.state.hands), None))


def with_a_counter() -> Game[Any]:
    """Return a Mosaic whose refills depend on a counter outside its state."""
    counter = count()

    def counted(step: StepBuilder[MosaicState], answers: Answers, resolve: Resolve) -> None:
        resolve(step, answers)
        if isinstance(step.events[-1], TurnEnded):
            refill = ("brick", "slate")[next(counter) % 2]
            step.events = [TurnEnded(step.events[-1].seat, refill)]
            step.state.row = (*step.state.row[:-1], refill)

    return with_resolve(MOSAIC, counted)


# -- outcomes -------------------------------------------------------------------------------------------------


def impatient(state: AuctionState) -> Any:
    return AUCTION.outcome(state if state.round < 3 else replace(state, stage=Closed("impatience")))


BROKEN: dict[str, tuple[Game[Any], str]] = {
    "does not say that it seals": (replace(AUCTION, seals_answers=False), "is sealed, as the game does not say"),
    "does not say how far it is": (replace(AUCTION, progress=no_progress), "the game does not say how far it is"),
    "says in words how far it is": (
        replace(AUCTION, progress=lambda state: {"round": str(state.round)}),  # type: ignore[arg-type, return-value]
        "the progress round is '1'",
    ),
    "changes its state when asked": (
        replace(AUCTION, public_view=changes_its_state_when_asked),
        "a state was changed after it had been handed out",
    ),
    "has no view between two events": (
        with_view(AUCTION, shows_a_prize_that_is_taken),
        "no view can be made after",
    ),
    "changes the state it is given": (
        with_reducers(MOSAIC, sorts_its_row),
        "a state was changed after it had been handed out|another log",
    ),
    "falls back to what is illegal": (
        with_prompts(AUCTION, "bid", lambda state, seat, prompt: prompt._replace(fallback=Bid(99))),
        "is sampled or the fallback, but Refused",
    ),
    "awaits nobody": (with_decisions(AUCTION, awaits_nobody), "nobody is awaited though the game is not over"),
    "awaits somebody after the end": (
        replace(AUCTION, outcome=impatient),
        "there is an outcome while somebody is awaited",
    ),
    "asks a seat that does not exist": (
        with_resolve(with_decisions(MOSAIC, asks_seat_7), resolves_seat_7),
        r"asks the seats \[7\]",
    ),
    "offers nothing": (
        with_prompts(AUCTION, "prize", lambda state, seat, prompt: prompt._replace(choices=())),
        "prize offers nothing",
    ),
    "asks several seats in the open": (
        with_decisions(AUCTION, lambda state, decision: decision._replace(sealed=False)),
        "at once, but not sealed",
    ),
    "does more than it tells": (with_resolve(AUCTION, does_more_than_it_tells), "another state"),
    "tells nothing": (with_resolve(MOSAIC, tells_nothing), "left no trace in the log"),
    "tells what is not declared": (
        replace(MOSAIC, events=tuple(event for event in MOSAIC.events if event is not TurnEnded)),
        "turn_ended is not among the events",
    ),
    "tells what cannot be read back": (tells(StoneTakenAway, instead_of=StoneTaken), "cannot be read back"),
    "prefers the last answer": (
        with_resolve(AUCTION, prefers_the_last_answer),
        "another order of sealed answers|the order of sealed answers",
    ),
    "shows a float": (
        with_shown(AUCTION, average=lambda state: sum(state.discards) / 2),
        "view of None is not plain: it.game.average is the float",
    ),
    "shows a tuple": (
        with_view(MOSAIC, lambda state, view: view | {"row": state.row}),
        "view of None is not plain: it.game.row is the tuple",
    ),
    "shows numbers as keys": (tells(NumberedTurnEnded, instead_of=TurnEnded), "has the key 0, which is no text"),
    "shows events under another name": (tells(RenamedTurnEnded, instead_of=TurnEnded), "is shown as"),
    "shows differently what it declares the same": (
        tells(FalselySharedTurnEnded, instead_of=TurnEnded),
        "is not the same for 0",
    ),
    "never ends": (with_resolve(AUCTION, never_ends), "has not ended after"),
    "counts": (with_a_counter(), "the same seed and the same answers lead to another log"),
    "describes too little": (with_bids_from(DescribesTooLittle), "is legal, but not described|was not refused"),
    "reads too much": (with_bids_from(ReadsTooMuch), "was not refused"),
    "reads too little": (
        with_bids_from(ReadsTooLittle),
        "a legal answer was refused|is sampled or the fallback, but Refused",
    ),
    "seals what is not declared": (
        replace(AUCTION, commands=tuple(command for command in AUCTION.commands if command is not Sit)),
        "cannot be read back: answered.command: unknown do 'sit'|sit is not among the commands",
    ),
    "offers what is not declared": (
        replace(MOSAIC, commands=tuple(command for command in MOSAIC.commands if command is not TakeStone)),
        "take_stone is not among the commands",
    ),
    "adds up to something else": (
        with_outcome(MOSAIC, scores=lambda outcome: tuple(score + 1 for score in outcome.scores)),
        "does not add up",
    ),
    "puts the worst first": (
        with_outcome(AUCTION, places=lambda outcome: tuple(1 + max(outcome.places) - at for at in outcome.places)),
        "gives the places",
    ),
    "leaves a place out": (
        with_outcome(MOSAIC, places=lambda outcome: tuple(1 + place for place in outcome.places)),
        "leave out or repeat",
    ),
    "breaks ties in silence": (
        with_outcome(
            replace(AUCTION, set_up=partial(deal, cards=(5,) * 24)),
            places=lambda outcome: ranked([(score, -seat) for seat, score in enumerate(outcome.scores)]),
        ),
        "no tie-break is named",
    ),
    "takes back another's step": (
        replace(with_decisions(MOSAIC, is_undoable), seats=range(2, 4)),
        "could take back a step of seat",
    ),
    "takes back what the dice said": (
        replace(with_decisions(MOSAIC, is_undoable), seats=range(1, 2)),
        "told of the dice",
    ),
    "has no sentence": (tells(SilentTurnEnded, instead_of=TurnEnded), "has no sentence"),
}


def event_class(name: str, **declared: Any) -> type[Event]:
    return type(name, (Event,), declared)


def with_event(event: type[Event]) -> Game[Any]:
    return replace(MOSAIC, events=(*MOSAIC.events, event))


TOLD: Final = {"visible_to": EVERYBODY, "sentence": "It happened."}

FALSELY_DECLARED: dict[str, tuple[Game[Any], str]] = {
    "two events of one name": (
        replace(AUCTION, events=(*AUCTION.events, event_class("Sat", **TOLD), event_class("Sat", **TOLD))),
        "have the same name",
    ),
    "a command with a field of its tag": (
        replace(MOSAIC, commands=(*MOSAIC.commands, type("Do", (Command,), {"__match_args__": ("do",)}))),
        "hides its own name",
    ),
    "a default that does not fit": (
        replace(AUCTION, options=(Limit("hand", "cards in a hand", 1, 4, 5),)),
        "the default of hand does not fit it",
    ),
    "an event without visibility": (
        with_event(event_class("Whispered", sentence="It happened.")),
        "whispered does not declare who may see it",
    ),
    "an event without a sentence": (
        with_event(event_class("Muttered", visible_to=EVERYBODY)),
        "muttered has no sentence",
    ),
    "an event without a reducer": (with_event(event_class("Ignored", **TOLD)), "ignored has no reducer"),
}
