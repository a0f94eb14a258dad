"""The contract of every game, checked over whole games of random legal answers.

`check_game` plays one game and runs all checks of this module on it. A violation is an AssertionError that names the
broken promise. Nothing here knows any game: a new game is tested as soon as it is registered.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from server.games.engine.dice import SEED_BYTES, Dice
from server.games.engine.events import UNDECLARED, Event, Seat
from server.games.engine.game import Game
from server.games.engine.options import BadOption, Option
from server.games.engine.play import PLAY_EVENTS, Answered, Play, Step, play_view, plays_between, replay
from server.games.engine.prompts import Command, Prompt
from server.games.engine.serialization import BadJson, JsonReader, to_json
from server.model import Refused
from tests.games.described import describes, near_misses
from tests.games.playing import Bias, Options, Record, accepted, by_fallback, moved, play_out, sampled_options
from tests.games.wire import WIRES, assert_travels, encoded

LOOKS = 20
"""The number of positions of a game at which the expensive checks run."""

FORCED_SAMPLES = 5
"""The number of samples that must all be the one answer of a forced seat."""


def check_game(game: Game[Any], seats: int, options: Options, seed: str) -> None:
    """Play a game with a biased random player and check the whole contract."""
    try:
        _check_game(game, seats, options, seed)
    except AssertionError as broken:
        broken.add_note(f"in {game.name} with {seats} seats, the seed {seed!r} and the options {dict(options)}")
        raise


def _check_game(game: Game[Any], seats: int, options: Options, seed: str) -> None:
    record = play_out_with_bias(game, seats, options, seed)
    rng = random.Random(f"{seed}/looks")
    check_positions(record)
    check_steps(record)
    check_replay(record, rng)
    check_outcome(record)
    check_over(record)
    for index in record.sampled(rng, LOOKS):
        check_prompts(record, index, rng)
        check_refusals(record, index, rng)
        check_any_order(record, index, rng)
        check_what_is_shown(record, index)
        check_between_events(record, index)
    check_what_is_shown(record, len(record.plays) - 1)
    check_between_events(record, len(record.plays) - 1)
    check_undo(record)
    check_deterministic(record, options, seed)
    check_untouched(record)


def play_out_with_bias(game: Game[Any], seats: int, options: Options, seed: str) -> Record:
    return play_out(game, seats, options, random.Random(seed), Bias(random.Random(f"{seed}/bias")))


def check_positions(record: Record) -> None:
    """Check that seats are awaited exactly while the game is not over, and that decisions are well-formed."""
    for play in record.plays:
        decision = play.decision
        over = record.game.outcome(play.state) is not None
        assert (decision is None) == over, "there is an outcome while somebody is awaited, or neither"
        if decision is None:
            continue
        asked = sorted(decision.prompts)
        assert set(asked) <= set(range(record.seats)), f"{decision.kind} asks the seats {asked}"
        assert record.game.seals_answers or not decision.sealed, f"{decision.kind} is sealed, as the game does not say"
        assert decision.sealed or len(asked) == 1, f"{decision.kind} asks {asked} at once, but not sealed"
        assert not decision.undoable or len(asked) == 1, f"{decision.kind} asks {asked}, so none can go back"
        assert set(decision.forced) <= set(asked), f"{decision.kind} answers for seats that it does not ask"


def check_steps(record: Record) -> None:
    """Check that steps consist of declared events with sentences, and that each decision has its own number."""
    known = {*record.game.events, *PLAY_EVENTS}
    for before, _, after, step in record.transitions():
        assert step, "an answer left no trace in the log"
        went_on = any(not isinstance(event, Answered) for event in step)
        assert after.number - before.number == went_on, "numbers do not count decisions"
    for step in record.steps:
        for event in step:
            assert type(event) in known, f"{event.name} is not among the events of the game"
            if type(event) in record.game.events:
                assert record.game.describe(event).strip(), f"{event.name} has no sentence"
    assert record.game.draw(record.last.state).strip(), "the position has no drawing"


def check_replay(record: Record, rng: random.Random) -> None:
    """Check that a log leads to the same play: whole, step by step, cut anywhere, and read from both encodings."""
    game = record.game
    assert_same_play(replay(game, record.steps), record.last, "replaying the log")
    for before, _, after, step in record.transitions():
        assert_same_play(before.advance(step), after, "one step of the log")
    cut = rng.randrange(len(record.steps))
    assert_same_play(replay(game, record.steps[: cut + 1]), record.plays[cut], "replaying a part of the log")
    reader = JsonReader((*game.events, *game.commands, *PLAY_EVENTS))
    for wire in WIRES:
        steps = [[read_back(reader, wire, event) for event in step] for step in record.steps]
        assert_same_play(replay(game, steps), record.last, f"replaying a log {wire.__name__}")


def read_back(reader: JsonReader, wire: Callable[[object], object], event: Event) -> Any:
    written = to_json(event)
    try:
        read = reader.read("event", wire(written))
    except BadJson as reason:
        raise AssertionError(f"{written} cannot be read back: {reason}") from reason
    assert repr(read) == repr(event), f"{event} is read back as {read}"
    return read


def assert_same_play(one: Play, other: Play, what: str) -> None:
    for part in ("number", "state", "answers", "decision", "past"):
        left, right = getattr(one, part), getattr(other, part)
        assert left == right, f"{what} gives another {part}: {left!r} instead of {right!r}"


def check_outcome(record: Record) -> None:
    """Check that places follow from scores or a named tie-break, and that breakdowns add up to scores."""
    outcome = record.game.outcome(record.last.state)
    assert outcome is not None
    scores, places = outcome.scores, outcome.places
    assert len(scores) == len(places) == len(outcome.breakdown) == record.seats, "not every seat has a result"
    assert outcome.reason, "the game ended without a reason"
    for score, parts in zip(scores, outcome.breakdown, strict=True):
        assert sum(parts.values()) == score, f"{dict(parts)} does not add up to {score}"
    for one in range(record.seats):
        better = sum(place < places[one] for place in places)
        assert places[one] == 1 + better, f"the places {places} leave out or repeat one"
        for other in range(record.seats):
            assert scores[one] <= scores[other] or places[one] < places[other], f"{scores} gives the places {places}"
    best = {place for score, place in zip(scores, places, strict=True) if score == max(scores)}
    assert len(best) == 1 or outcome.tie_break, f"{scores} gives the places {places}, and no tie-break is named"


def check_over(record: Record) -> None:
    """Check that every command is refused when the game is over."""
    play = record.last
    for seat in range(record.seats):
        for command in (prompt.fallback for prompt in record.plays[0].decision.prompts.values()):
            assert_refused(play.answer(seat, play.number, command, record.dice), "game_over")
            assert_refused(play.read(seat, play.number, to_json(command)), "game_over")
        assert_refused(play.undo(seat, play.number), "game_over")


def check_prompts(record: Record, index: int, rng: random.Random) -> None:
    """Check that sampled commands and the fallback are legal, as commands and as JSON."""
    play = record.plays[index]
    assert play.decision is not None
    for seat, prompt in play.decision.prompts.items():
        for command in (prompt.fallback, prompt.sample(rng), prompt.sample(rng)):
            assert type(command) in record.game.commands, f"{command.name} is not among the commands of the game"
            assert prompt.admit(command) is None, f"{command} is sampled or the fallback, but {prompt.admit(command)}"
            json_value = to_json(command)
            assert describes(prompt.to_json(), json_value), (
                f"{command} is legal, but not described by {prompt.to_json()}"
            )
            for wire in WIRES:
                read = play.read(seat, play.number, wire(json_value))
                assert read == command, f"{command} {wire.__name__} is read as {read}"
            accepted(play.answer(seat, play.number, command, record.dice))
    check_forced(play, rng)


def check_forced(play: Play, rng: random.Random) -> None:
    """Check that a forced seat has one possible answer, and that the play has given it where others are asked."""
    assert play.decision is not None
    forced, prompts = play.decision.forced, play.decision.prompts
    for seat in forced:
        samples = {repr(prompts[seat].sample(rng)) for _ in range(FORCED_SAMPLES)}
        assert samples == {repr(prompts[seat].fallback)}, f"{play.decision.kind} forces seat {seat} to one of {samples}"
        is_given = seat in play.answers or len(forced) == len(prompts)
        assert is_given, f"{play.decision.kind} asks the forced seat {seat}"


def check_refusals(record: Record, index: int, rng: random.Random) -> None:
    """Check that commands outside the prompt, of other seats and for other decisions are refused."""
    play = record.plays[index]
    assert play.decision is not None
    prompts = play.decision.prompts
    sampled = {seat: prompt.sample(rng) for seat, prompt in prompts.items()}
    reader = JsonReader(record.game.commands)
    for seat in prompts:
        others = [to_json(command) for command in sampled.values()]
        names = [command.name for command in record.game.commands]
        for json_value in (*others, *near_misses(to_json(sampled[seat]), names)):
            check_judged(play, seat, json_value, reader, record.dice)
        for number in (play.number - 1, play.number + 1):
            assert_refused(play.read(seat, number, to_json(sampled[seat])), "stale_decision")
            assert_refused(play.answer(seat, number, sampled[seat], record.dice), "stale_decision")
    for seat in {-1, *range(record.seats + 1)} - prompts.keys():
        for command in sampled.values():
            assert_refused(play.read(seat, play.number, to_json(command)), "not_awaited")
            assert_refused(play.answer(seat, play.number, command, record.dice), "not_awaited")
            assert_refused(play.undo(seat, play.number), "not_awaited")


def check_judged(play: Play, seat: Seat, json_value: object, reader: JsonReader, dice: Dice) -> None:
    """Check that a command is legal exactly if the prompt describes it, as JSON and as a command."""
    assert play.decision is not None
    prompt: Prompt = play.decision.prompts[seat]
    legal = describes(prompt.to_json(), json_value)
    read = play.read(seat, play.number, json_value)
    if legal:
        assert isinstance(read, Command), f"{json_value} is described, but {read}"
        assert to_json(read) == json_value, f"{json_value} is read as {read}"
        return
    assert_refused(read)
    try:
        command: Any = reader.read("do", json_value)
    except BadJson:
        return
    if to_json(command) == json_value:
        assert_refused(play.answer(seat, play.number, command, dice))


def assert_refused(result: object, code: str | None = None) -> None:
    assert isinstance(result, Refused), f"{result} was not refused"
    assert re.fullmatch("[a-z_]+", result.code), f"{result.code!r} is no code"
    assert code is None or result.code == code, f"{result} should have the code {code}"
    assert re.fullmatch(r'["A-Z].*\.', result.sentence, re.DOTALL), f"{result.sentence!r} is no sentence"


def check_any_order(record: Record, index: int, rng: random.Random) -> None:
    """Check that the order of sealed answers, and changes before the last, do not change the result."""
    play = record.plays[index]
    assert play.decision is not None
    if not play.decision.sealed:
        return
    prompts = play.decision.prompts
    play = Play(play.game, play.state, play.decision, play.number, {}, play.past)
    final = {seat: prompt.sample(rng) for seat, prompt in prompts.items()}
    expected = sealed_in_order(play, final, sorted(prompts), record.dice)
    for order in (sorted(prompts, reverse=True), rng.sample(sorted(prompts), len(prompts))):
        unsure = play
        for seat in order[:-1]:
            unsure, _ = accepted(unsure.answer(seat, play.number, prompts[seat].sample(rng), record.dice))
        assert unsure.state is play.state, "a sealed answer changed the state before all were in"
        result = sealed_in_order(unsure, final, order, record.dice)
        assert_same_play(result[0], expected[0], "another order of sealed answers")
        assert result[1] == expected[1], f"the order of sealed answers changes what happens: {result[1]}"


def sealed_in_order(play: Play, answers: Mapping[Seat, Command], order: list[Seat], dice: Dice) -> tuple[Play, Step]:
    """Return the play after all answers, and the events of the game that followed the last."""
    step: Step = ()
    for seat in order:
        play, step = accepted(play.answer(seat, play.number, answers[seat], dice))
    return play, [event for event in step if not isinstance(event, Answered)]


def check_what_is_shown(record: Record, index: int) -> None:
    """Check that everything shown to any viewer survives both encodings unchanged."""
    check_progress(record, index)
    for viewer in record.viewers:
        assert_travels(play_view(record.plays[index], viewer), f"the view of {viewer}")
        for event in record.steps[index]:
            shown = event.shown_to(viewer)
            assert_travels(shown, f"{event.name} as shown to {viewer}")
            assert shown is None or shown.get("event") == event.name, f"{event.name} is shown as {shown}"
            if event.visible_to.is_same_for_all:
                assert shown == event.shown_to(None), f"{event.name} is not the same for {viewer}"


def check_between_events(record: Record, index: int) -> None:
    """Check that every viewer can look at each state between the events of a step, which are no decisions."""
    before = None if index == 0 else record.plays[index - 1].state
    step, after = record.steps[index], record.plays[index]
    plays = plays_between(before, step, after)
    assert len(plays) == len(step)
    assert plays[-1] is after, "the last event of a step does not lead to the play after it"
    for play, event in zip(plays, step, strict=True):
        if play is after:
            continue
        for viewer in record.viewers:
            try:
                view = play_view(play, viewer)
            except Exception as error:
                raise AssertionError(f"no view can be made after {event.name}: {error!r}") from error
            assert_travels(view, f"the view of {viewer} after {event.name}")
            assert view["decision"] is None


def check_progress(record: Record, index: int) -> None:
    """Check that the game says how far it is, in named numbers."""
    progress = record.game.progress(record.plays[index].state)
    assert progress, "the game does not say how far it is"
    assert_travels(progress, "the progress")
    for name, number in progress.items():
        assert re.fullmatch("[a-z_]+", name), f"{name!r} is no name of a number"
        assert type(number) is int, f"the progress {name} is {number!r}"
        assert number >= 0, f"the progress {name} is {number!r}"


def check_undo(record: Record) -> None:
    """Check that an undo leaves no trace, is of the seat's own step, and of a step that used no dice."""
    other_dice = Dice(bytes(SEED_BYTES))
    for before, move, after, step in record.transitions():
        if move is None or len(after.past) <= len(before.past):
            continue
        assert after.awaited == (move[0],), f"{after.awaited} could take back a step of seat {move[0]}"
        undone, _ = accepted(after.undo(move[0], after.number))
        assert (undone.state, undone.decision) == (before.state, before.decision), "a step taken back left a trace"
        again, step_again = accepted(moved(before, move, other_dice))
        assert (step_again, again.state) == (step, after.state), "a step that can be taken back told of the dice"


def check_deterministic(record: Record, options: Options, seed: str) -> None:
    """Check that the same seed and the same answers lead to the same log."""
    again = play_out_with_bias(record.game, record.seats, options, seed)
    assert repr(again.steps) == repr(record.steps), "the same seed and the same answers lead to another log"


def check_untouched(record: Record) -> None:
    """Check that no play and no step was changed after it had been handed out."""
    for play, step, first_repr in zip(record.plays, record.steps, record.first_reprs, strict=True):
        assert repr((play, step)) == first_repr, "a state was changed after it had been handed out"


def check_fallbacks(game: Game[Any], seats: int, options: Options, seed: str) -> None:
    """Check that a game ends if the fallback is played for every seat."""
    check_outcome(play_out(game, seats, options, random.Random(seed), by_fallback))


def check_declarations(game: Game[Any]) -> None:
    """Check that names are unique, options travel, and every event declares visibility, sentence and reducer."""
    assert re.fullmatch("[a-z_]+", game.name), f"{game.name!r} is no name"
    assert game.rules_version >= 1, "the rules have no version"
    assert game.seats, "nobody can play"
    for option in game.options:
        assert_travels(option.to_json(), f"option {option.name}")
        assert fits(option, option.default), f"the default of {option.name} does not fit it"
    assert_all_differ([option.name for option in game.options])
    assert_all_differ([event.name for event in (*game.events, *PLAY_EVENTS)])
    assert_all_differ([command.name for command in game.commands])
    check_visibility((*game.events, *PLAY_EVENTS))
    for event in game.events:
        assert event.sentence, f"{event.name} has no sentence"
        assert game.reducers.reduces(event), f"{event.name} has no reducer"
    for fact in (*game.events, *game.commands):
        assert fact.tag not in fact.__match_args__, f"{fact.name} has a field that hides its own name"


def check_visibility(events: Iterable[type[Event]]) -> None:
    """Check that every event declares who may see what of it."""
    for event in events:
        assert event.visible_to is not UNDECLARED, f"{event.name} does not declare who may see it"


def fits(option: Option, value: object) -> bool:
    try:
        return option.read(value) == value
    except BadOption:
        return False


def assert_all_differ(names: list[str]) -> None:
    assert len(set(names)) == len(names), f"two of {sorted(names)} have the same name"


def fingerprint(game: Game[Any], seats: int, seed: str) -> str:
    """Return a hash of all events and views of one game, to compare with that of another process."""
    rng = random.Random(seed)
    record = play_out(game, seats, sampled_options(game, seats, rng), rng)
    told = hashlib.sha256()
    for play, step in zip(record.plays, record.steps, strict=True):
        told.update(encoded([to_json(event) for event in step]))
        for viewer in record.viewers:
            told.update(encoded(play_view(play, viewer)))
            told.update(encoded([event.shown_to(viewer) for event in step]))
    return told.hexdigest()
