"""Transcripts that a dishonest server could publish, each with the findings that give it away.

The server can rebuild everything in a transcript, so most frauds come with a public chain that fits them. A verifier
that has no finding here cannot see the fraud from the transcript alone; a head that somebody noted shows it too.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

from protocol.commitments import (
    Contribution,
    answer_commitment,
    base64url,
    canonical_json,
    chain_next,
    chain_start,
    game_seed,
    seed_commitment,
    server_commitment,
    server_salt,
)
from server.fairness.transcript import transcript_of
from server.games.engine.dice import Dice
from tests.fairness.played_tables import PlayedTable

Transcript = dict[str, Any]
Event = dict[str, Any]

OTHER_SEED = bytes(range(100, 132))


DEVICES = "devices"
"""A game of Investors with sealed answers that stayed on devices."""

NUMBERS = {"investors": 8, "builders": 2, DEVICES: 11}
"""Games with what frauds are about: a void exchange, bots, changed answers, shuffles of the bank; steps taken back;
sealed answers that were replaced, opened and not opened."""


@cache
def honest(title: str) -> PlayedTable:
    """Return a table with an honest game."""
    is_kept = title == DEVICES
    name = "investors" if is_kept else title
    table = PlayedTable(NUMBERS[title], name, seats=4, show_decided=True, sealed_on_devices=is_kept)
    table.begin(people=3, contributors=3, is_late=not is_kept)
    table.play()
    return table


def honest_transcript(title: str = "investors") -> Transcript:
    """Return a copy of its transcript."""
    return copy.deepcopy(_honest_transcript(title))


@cache
def _honest_transcript(title: str) -> Transcript:
    return transcript_of(honest(title).export())


# -- tools of the trade ---------------------------------------------------------------------------------------


class Record:
    """The public lines of a transcript, to be changed."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.lines: list[dict[str, Any]] = [json.loads(line) for line in transcript["lines"]]

    def place(self, kind: str, nth: int = 0, **fields: Any) -> tuple[int, int]:
        """Return the line and the place in it of an event of this kind."""
        found = [
            (line, place)
            for line, content in enumerate(self.lines)
            for place, event in enumerate(content["events"])
            if event["event"] == kind and fields.items() <= event.items()
        ]
        return found[nth]

    def event(self, kind: str, nth: int = 0, **fields: Any) -> Event:
        line, place = self.place(kind, nth, **fields)
        event: Event = self.lines[line]["events"][place]
        return event

    def remove(self, kind: str, nth: int = 0, **fields: Any) -> Event:
        line, place = self.place(kind, nth, **fields)
        event: Event = self.lines[line]["events"].pop(place)
        return event

    @property
    def setup(self) -> dict[str, Any]:
        setup: dict[str, Any] = next(line["setup"] for line in self.lines if "setup" in line)
        return setup

    def rebuild(self) -> None:
        """Write the lines with their numbers, and the head that follows from them."""
        head = chain_start(self.transcript["table"])
        self.transcript["lines"] = []
        for number, line in enumerate((line for line in self.lines if line["events"]), 1):
            text = json.dumps({**line, "line": number}, ensure_ascii=False, separators=(",", ":"))
            head = chain_next(head, text.encode())
            self.transcript["lines"].append(text)
        self.transcript["head"] = base64url(head)


def reseed(transcript: Transcript, record: Record) -> None:
    """Compute the seed of the game and its digest again from what the transcript has."""
    opened, identities = {}, {}
    for line in record.lines:
        for event in line["events"]:
            if event.get("game") == transcript["game"]:
                if event["event"] == "seed_opened":
                    opened[event["seat"]] = bytes.fromhex(event["seed"])
                elif event["event"] == "seed_committed":
                    identities[event["seat"]] = event["identity"]
    setup = record.setup
    seats = [
        Contribution(identities[seat], opened[seat]) if seat in opened else Contribution()
        for seat in range(len(setup["bots"]))
    ]
    deck = (transcript["title"], str(len(seats)), canonical_json(setup["options"]))
    server_seed = bytes.fromhex(transcript["server_seed"])
    seed = game_seed(server_seed, transcript["table"], transcript["game"], str(transcript["rules"]), deck, seats)
    transcript["game_seed"] = seed.hex()
    record.event("game_started")["digest"] = sha256(seed).hexdigest()


def sealed(transcript: Transcript, **wanted: Any) -> dict[str, Any]:
    """Return the first opening with these values, of a decision with more than one seat."""
    opening: dict[str, Any] = next(each for each in transcript["openings"] if wanted.items() <= each.items())
    return opening


def seal_again(transcript: Transcript, record: Record, opening: dict[str, Any]) -> None:
    """Commit to what an opening says now, in the transcript and wherever the chain shows it."""
    before, place = opening["commitment"], (opening["decision"], opening["seat"], opening["attempt"])
    salt = bytes.fromhex(opening["salt"])
    commitment = answer_commitment(transcript["table"], transcript["game"], *place, opening["answer"], salt)
    opening["commitment"] = commitment
    for line in record.lines:
        for event in line["events"]:
            if event["event"] == "answer_sealed" and event["commitment"] == before:
                event["commitment"] = commitment
            for seal in event["seals"] if event["event"] == "openings_asked" else ():
                if seal["commitment"] == before:
                    seal["commitment"] = commitment
            for shown in event["openings"] if event["event"] == "answers_opened" else ():
                if shown["commitment"] == before:
                    shown["commitment"] = commitment
                    if "answer" in shown:
                        shown.update({name: opening[name] for name in ("salt", "answer", "by_server")})


def move_of(transcript: Transcript, opening: dict[str, Any]) -> dict[str, Any]:
    """Return the move of an opening."""
    place = {"decision": opening["decision"], "seat": opening["seat"], "command": opening["answer"]}
    move: dict[str, Any] = next(move for move in transcript["moves"] if place.items() <= move.items())
    return move


def other_answer(transcript: Transcript, opening: dict[str, Any]) -> str:
    """Return another answer that a seat gave to a decision of the same kind."""
    answers: list[str] = [
        each["answer"]
        for each in transcript["openings"]
        if each["answer"] is not None
        and json.loads(each["answer"])["do"] == json.loads(opening["answer"])["do"]
        and each["answer"] != opening["answer"]
    ]
    return answers[0]


def swap(values: list[Any], one: int = 0, other: int = 1) -> None:
    values[one], values[other] = values[other], values[one]


# -- the frauds -----------------------------------------------------------------------------------------------


class Fraud(NamedTuple):
    """A fraud, and the keys of the findings of Python and of JavaScript; None if that one cannot see it."""

    name: str
    commit: Callable[[Transcript, Record], None]
    python: str
    node: str | None
    is_rebuilt: bool
    title: str


FRAUDS: list[Fraud] = []

Commit = Callable[[Transcript, Record], None]


def fraud(
    python: str, node: str | None = "same", *, rebuilt: bool = True, title: str = "investors"
) -> Callable[[Commit], Commit]:
    """Register a fraud. Unless `rebuilt`, its chain stays what it is or what the fraud makes of it."""

    def register(commit: Commit) -> Commit:
        FRAUDS.append(Fraud(commit.__name__, commit, python, python if node == "same" else node, rebuilt, title))
        return commit

    return register


def committed(each: Fraud) -> Transcript:
    """Return the honest transcript after a fraud."""
    transcript = honest_transcript(each.title)
    record = Record(transcript)
    each.commit(transcript, record)
    if each.is_rebuilt:
        record.rebuild()
    # As from a file.
    read: Transcript = json.loads(json.dumps(transcript))
    return read


# Lines that are changed without the chain, as somebody would who is not the server.


@fraud("chain_head_differs", rebuilt=False)
def a_changed_line(transcript: Transcript, record: Record) -> None:
    place, _ = record.place("answers_opened")
    transcript["lines"][place] = transcript["lines"][place].replace('"attempt":0', '"attempt":1', 1)


@fraud("chain_line_misplaced", rebuilt=False)
def a_removed_line(transcript: Transcript, record: Record) -> None:
    del transcript["lines"][40]


@fraud("chain_line_misplaced", rebuilt=False)
def a_duplicated_line(transcript: Transcript, record: Record) -> None:
    transcript["lines"].insert(40, transcript["lines"][40])


@fraud("chain_line_misplaced", rebuilt=False)
def two_reordered_lines(transcript: Transcript, record: Record) -> None:
    swap(transcript["lines"], 40, 41)


@fraud("chain_head_differs", rebuilt=False)
def a_missing_end(transcript: Transcript, record: Record) -> None:
    transcript["lines"].pop()


@fraud("chain_head_differs", rebuilt=False)
def another_head(transcript: Transcript, record: Record) -> None:
    transcript["head"] = transcript["head"][:-2] + "AA"


@fraud("chain_head_differs", rebuilt=False)
def the_chain_of_another_table(transcript: Transcript, record: Record) -> None:
    transcript["table"] = "another"


@fraud("chain_line_unreadable", rebuilt=False)
def an_unreadable_line(transcript: Transcript, record: Record) -> None:
    transcript["lines"][40] = transcript["lines"][40][:-1]


# The seeds.


@fraud("seeds_commitment_server")
def another_server_seed(transcript: Transcript, record: Record) -> None:
    transcript["server_seed"] = OTHER_SEED.hex()
    reseed(transcript, record)


@fraud("seeds_order")
def a_server_seed_chosen_after_the_bytes_of_the_seats(transcript: Transcript, record: Record) -> None:
    line, _ = record.place("seed_opened", -1)
    drawn = record.remove("server_seed_drawn", -1)
    transcript["server_seed"] = OTHER_SEED.hex()
    drawn["commitment"] = server_commitment(transcript["table"], transcript["game"], OTHER_SEED)
    record.lines[line]["events"].insert(1, drawn)
    reseed(transcript, record)


@fraud("draw_differs")
def a_server_seed_chosen_again(transcript: Transcript, record: Record) -> None:
    transcript["server_seed"] = OTHER_SEED.hex()
    commitment = server_commitment(transcript["table"], transcript["game"], OTHER_SEED)
    record.event("server_seed_drawn", -1)["commitment"] = commitment
    reseed(transcript, record)


@fraud("seeds_commitment_seat")
def other_bytes_of_a_seat(transcript: Transcript, record: Record) -> None:
    record.event("seed_opened", -1)["seed"] = OTHER_SEED.hex()
    reseed(transcript, record)


@fraud("draw_differs")
def other_bytes_of_a_seat_with_their_commitment(transcript: Transcript, record: Record) -> None:
    opened = record.event("seed_opened", -1)
    opened["seed"] = OTHER_SEED.hex()
    given = record.event("seed_committed", -1, seat=opened["seat"])
    place = (transcript["table"], transcript["game"], opened["seat"], given["identity"])
    given["commitment"] = seed_commitment(*place, OTHER_SEED)
    reseed(transcript, record)


@fraud("seeds_not_opened")
def a_dropped_opening(transcript: Transcript, record: Record) -> None:
    record.remove("seed_opened", -1)
    reseed(transcript, record)


@fraud("seeds_game_seed")
def a_dropped_contribution(transcript: Transcript, record: Record) -> None:
    seat = record.remove("seed_opened", -1)["seat"]
    record.remove("seed_committed", -1, seat=seat)


@fraud("draw_differs")
def a_dropped_contribution_with_its_seed(transcript: Transcript, record: Record) -> None:
    a_dropped_contribution(transcript, record)
    reseed(transcript, record)


@fraud("seeds_order")
def a_commitment_after_others_have_opened(transcript: Transcript, record: Record) -> None:
    seat = record.event("seed_opened", -1)["seat"]
    given = record.remove("seed_committed", -1, seat=seat)
    line, _ = record.place("seed_opened", -1)
    record.lines[line]["events"].insert(0, given)


@fraud("seeds_order")
def an_opening_before_all_have_committed(transcript: Transcript, record: Record) -> None:
    given = record.remove("seed_opened", -2)
    line, place = record.place("seeds_closed", -1)
    record.lines[line]["events"].insert(place, given)


@fraud("seeds_commitment_server")
def a_void_exchange_with_another_seed(transcript: Transcript, record: Record) -> None:
    record.event("seeds_voided")["seed"] = OTHER_SEED.hex()


@fraud("seeds_voided")
def a_void_exchange_that_blames_another_seat(transcript: Transcript, record: Record) -> None:
    record.event("seeds_voided")["late"] = [record.event("seed_opened", game=1)["seat"]]


@fraud("seeds_order")
def a_hidden_void_exchange(transcript: Transcript, record: Record) -> None:
    line, _ = record.place("seeds_voided")
    drawn = record.event("server_seed_drawn", 1)
    record.lines[: line + 1] = [{"events": [drawn]}]


@fraud("seeds_game")
def a_hidden_count_of_exchanges(transcript: Transcript, record: Record) -> None:
    transcript["void_games"] = 0


@fraud("seeds_digest")
def another_digest_at_the_start(transcript: Transcript, record: Record) -> None:
    record.event("game_started")["digest"] = sha256(OTHER_SEED).hexdigest()


@fraud("seeds_missing")
def a_start_that_is_not_recorded(transcript: Transcript, record: Record) -> None:
    line, _ = record.place("game_started")
    record.remove("game_started")
    del record.lines[line]["setup"]


@fraud("seeds_game_seed")
def another_identity(transcript: Transcript, record: Record) -> None:
    transcript["game_seed"] = OTHER_SEED.hex()


# Settings.


@fraud("seeds_game_seed")
def changed_options(transcript: Transcript, record: Record) -> None:
    options = record.setup["options"]
    name = next(name for name, value in options.items() if isinstance(value, bool))
    options[name] = not options[name]


@fraud("seeds_game_seed")
def another_seat(transcript: Transcript, record: Record) -> None:
    record.setup["bots"].append("normal")


@fraud("seeds_game_seed")
def other_rules(transcript: Transcript, record: Record) -> None:
    transcript["rules"] = record.setup["rules"] = 1


@fraud("seeds_setup")
def another_title(transcript: Transcript, record: Record) -> None:
    transcript["title"] = "planners"


@fraud("seeds_order")
def another_setup_before_the_start(transcript: Transcript, record: Record) -> None:
    record.lines[0]["setup"] = {**record.setup, "bots": [None] * 4, "show_decided": False}


# Shuffles and draws.


@fraud("draw_differs")
def another_deck(transcript: Transcript, record: Record) -> None:
    shuffle = next(draw for draw in transcript["draws"] if draw["label"] == "tender/0")
    shuffle["order"] = list(Dice(OTHER_SEED).shuffled("tender/0", shuffle["items"]))


@fraud("draw_differs")
def a_swapped_card(transcript: Transcript, record: Record) -> None:
    order = next(draw for draw in transcript["draws"] if draw["label"] == "action")["order"]
    other = next(place for place, card in enumerate(order) if card != order[0])
    swap(order, 0, other)


@fraud("rules_draws", None)
def a_subsidy_draw_that_was_rolled_again(transcript: Transcript, record: Record) -> None:
    shuffle = next(draw for draw in transcript["draws"] if draw["label"].startswith("bank/"))
    shuffle["label"] += "/again"
    shuffle["order"] = list(Dice(bytes.fromhex(transcript["game_seed"])).shuffled(shuffle["label"], shuffle["items"]))


@fraud("rules_draws", None)
def a_shuffle_of_other_cards(transcript: Transcript, record: Record) -> None:
    shuffle = next(draw for draw in transcript["draws"] if draw["label"] == "action")
    swap(shuffle["items"], 0, -1)
    dice = Dice(bytes.fromhex(transcript["game_seed"]))
    shuffle["order"] = list(dice.shuffled("action", shuffle["items"]))


@fraud("rules_draws", None)
def a_draw_that_is_not_listed(transcript: Transcript, record: Record) -> None:
    transcript["draws"].pop()


# Sealed answers.


@fraud("answer_commitment", rebuilt=False)
def a_changed_bid(transcript: Transcript, record: Record) -> None:
    opening = sealed(transcript, attempt=0, by_server=False)
    opening["answer"] = other_answer(transcript, opening)


@fraud("answer_commitment")
def a_changed_bid_in_the_chain_too(transcript: Transcript, record: Record) -> None:
    opening = sealed(transcript, attempt=0, by_server=False)
    before, after = opening["answer"], other_answer(transcript, opening)
    move_of(transcript, opening)["command"] = after
    shown = record.event("answers_opened", decision=opening["decision"])["openings"]
    for each in shown:
        if each["commitment"] == opening["commitment"] and "answer" in each:
            each["answer"] = after
    opening["answer"] = after
    assert before != after


@fraud("answer_unknown", rebuilt=False)
def a_changed_bid_with_another_commitment(transcript: Transcript, record: Record) -> None:
    opening = sealed(transcript, attempt=0, by_server=False)
    opening["answer"] = other_answer(transcript, opening)
    seal_again(transcript, Record(transcript), opening)


@fraud("answer_move")
def a_bid_that_was_not_played(transcript: Transcript, record: Record) -> None:
    opening = sealed(transcript, attempt=0, by_server=False)
    opening["answer"] = other_answer(transcript, opening)
    seal_again(transcript, record, opening)


@fraud("rules_", None)
def a_bid_that_was_changed_everywhere(transcript: Transcript, record: Record) -> None:
    opening = _decisive(transcript)
    move = move_of(transcript, opening)
    opening["answer"] = other_answer(transcript, opening)
    move["command"] = opening["answer"]
    seal_again(transcript, record, opening)


def _decisive(transcript: Transcript) -> dict[str, Any]:
    """Return an opening that nothing was changed about."""
    changed = {(each["decision"], each["seat"]) for each in transcript["openings"] if each["attempt"] > 0}
    return next(
        each
        for each in transcript["openings"]
        if not each["by_server"] and (each["decision"], each["seat"]) not in changed
    )


@fraud("answer_unpublished")
def a_dropped_commitment(transcript: Transcript, record: Record) -> None:
    record.remove("answer_sealed", 3)


@fraud("answer_late")
def a_commitment_after_the_reveal(transcript: Transcript, record: Record) -> None:
    line, _ = record.place("answers_opened")
    event = record.remove("answer_sealed", decision=record.event("answers_opened")["decision"])
    record.lines[line]["events"].append(event)


@fraud("answer_salt")
def a_bot_whose_salt_is_from_another_stream(transcript: Transcript, record: Record) -> None:
    bot = record.setup["bots"].index(next(filter(None, record.setup["bots"])))
    opening = sealed(transcript, seat=bot)
    place = (opening["decision"], opening["seat"], opening["attempt"])
    opening["salt"] = server_salt(OTHER_SEED, *place).hex()
    seal_again(transcript, record, opening)


@fraud("answer_of_bot")
def a_bot_that_has_a_salt_of_its_own(transcript: Transcript, record: Record) -> None:
    bot = record.setup["bots"].index(next(filter(None, record.setup["bots"])))
    opening = sealed(transcript, seat=bot)
    opening["salt"], opening["by_server"] = OTHER_SEED[:16].hex(), False
    seal_again(transcript, record, opening)


@fraud("answer_")
def the_opening_of_another_seat(transcript: Transcript, record: Record) -> None:
    first = sealed(transcript, attempt=0)
    other = next(
        each
        for each in transcript["openings"]
        if each["decision"] == first["decision"] and each["seat"] != first["seat"]
    )
    for name in ("answer", "salt", "by_server", "commitment"):
        first[name], other[name] = other[name], first[name]


@fraud("answer_opening")
def the_opening_of_another_seat_in_the_chain(transcript: Transcript, record: Record) -> None:
    shown = record.event("answers_opened")["openings"]
    shown[0]["seat"], shown[1]["seat"] = shown[1]["seat"], shown[0]["seat"]


@fraud("answer_commitment")
def an_opening_with_another_salt(transcript: Transcript, record: Record) -> None:
    sealed(transcript, by_server=False)["salt"] = OTHER_SEED[:16].hex()


@fraud("answer_opening")
def an_opening_with_another_salt_in_the_chain(transcript: Transcript, record: Record) -> None:
    shown = next(
        shown
        for line in record.lines
        for event in line["events"]
        if event["event"] == "answers_opened"
        for shown in event["openings"]
        if "salt" in shown
    )
    shown["salt"] = OTHER_SEED[:16].hex()


@fraud("answer_opening")
def an_opening_that_is_left_out_of_the_chain(transcript: Transcript, record: Record) -> None:
    record.event("answers_opened", 1)["openings"].pop()


@fraud("answer_attempts")
def an_answer_that_is_left_out(transcript: Transcript, record: Record) -> None:
    again = sealed(transcript, attempt=1)
    transcript["openings"].remove(sealed(transcript, decision=again["decision"], seat=again["seat"], attempt=0))


@fraud("answer_")
def a_replaced_answer_that_is_left_out(transcript: Transcript, record: Record) -> None:
    again = sealed(transcript, attempt=1)
    transcript["openings"].remove(sealed(transcript, decision=again["decision"], seat=again["seat"], attempt=0))
    again["attempt"] = 0


@fraud("answer_not_opened")
def a_reveal_that_is_left_out(transcript: Transcript, record: Record) -> None:
    record.remove("answers_opened", 2)


@fraud("answer_reopened")
def a_reveal_that_is_repeated(transcript: Transcript, record: Record) -> None:
    line, _ = record.place("answers_opened", 2)
    record.lines[line]["events"].append(record.event("answers_opened", 2))


@fraud("answer_move")
def a_removed_sealed_move(transcript: Transcript, record: Record) -> None:
    transcript["moves"].remove(move_of(transcript, sealed(transcript, attempt=0, by_server=False)))


@fraud("answer_move")
def an_invented_sealed_move(transcript: Transcript, record: Record) -> None:
    move = move_of(transcript, sealed(transcript, attempt=0, by_server=False))
    transcript["moves"].insert(transcript["moves"].index(move), dict(move))


@fraud("rules_forced", None)
def another_answer_of_a_seat_that_had_no_choice(transcript: Transcript, record: Record) -> None:
    played = {(move["decision"], move["seat"]) for move in transcript["moves"]}
    forced = (each for each in transcript["openings"] if (each["decision"], each["seat"]) not in played)
    opening = next(forced)
    opening["answer"] = other_answer(transcript, opening)
    seal_again(transcript, record, opening)


# Moves, and what they lead to.


@fraud("rules_", None)
def a_removed_move(transcript: Transcript, record: Record) -> None:
    transcript["moves"].remove(_open_move(transcript))


@fraud("rules_", None)
def a_changed_command_of_an_open_decision(transcript: Transcript, record: Record) -> None:
    move = _open_move(transcript)
    command = json.loads(move["command"])
    name = next(name for name in sorted(command) if name != "do")
    command[name] = command[name] + 1 if isinstance(command[name], int) else "nothing"
    move["command"] = canonical_json(command)


@fraud("rules_", None)
def a_move_of_another_seat(transcript: Transcript, record: Record) -> None:
    move = _open_move(transcript)
    move["seat"] = (move["seat"] + 1) % 4


@fraud("rules_", None, title="builders")
def an_undo_that_is_left_out(transcript: Transcript, record: Record) -> None:
    transcript["moves"].remove(next(move for move in transcript["moves"] if move.get("undo")))


def _open_move(transcript: Transcript) -> dict[str, Any]:
    """Return a move of an open decision that chooses something."""
    closed = {opening["decision"] for opening in transcript["openings"]}
    return next(
        move
        for move in transcript["moves"]
        if "command" in move and move["decision"] not in closed and len(json.loads(move["command"])) > 1
    )


@fraud("rules_line", None)
def a_swapped_card_in_the_chain(transcript: Transcript, record: Record) -> None:
    line, place = _of_game(record)
    event = record.lines[line]["events"][place]
    name = next(name for name, value in event.items() if isinstance(value, int) and not isinstance(value, bool))
    event[name] += 1


@fraud("rules_line", None)
def an_invented_event(transcript: Transcript, record: Record) -> None:
    line, place = _of_game(record)
    record.lines[line]["events"].insert(place, {"event": "everybody_pays", "amount": 10})


@fraud("rules_line", None)
def an_event_that_is_left_out(transcript: Transcript, record: Record) -> None:
    line, place = _of_game(record)
    del record.lines[line]["events"][place]


@fraud("rules_line", None)
def a_line_of_the_game_that_is_left_out(transcript: Transcript, record: Record) -> None:
    line, _ = _of_game(record, alone=True)
    del record.lines[line]


@fraud("rules_line", None)
def two_reordered_events(transcript: Transcript, record: Record) -> None:
    line = next(line for line in record.lines[20:] if len({*map(canonical_json, _game_events(line))}) > 1)
    events = line["events"]
    places = [place for place, event in enumerate(events) if event in _game_events(line)]
    other = next(place for place in places if events[place] != events[places[0]])
    swap(events, places[0], other)


@fraud("rules_unshown", None)
def an_end_that_is_left_out(transcript: Transcript, record: Record) -> None:
    while not _game_events(record.lines.pop()):
        pass


_AROUND = ("seed", "seat", "answer", "time_ran_out", "paused", "resumed", "resigned", "game_started", "server_seed")


def _game_events(line: dict[str, Any]) -> list[Event]:
    return [event for event in line["events"] if not event["event"].startswith(_AROUND)]


def _of_game(record: Record, *, alone: bool = False) -> tuple[int, int]:
    """Return the place of an event of the game with a number in it, in the middle of the game."""
    for number, line in enumerate(record.lines[20:], 20):
        found = _game_events(line)
        if found and not (alone and len(found) != len(line["events"])):
            for place, event in enumerate(line["events"]):
                if event in found and any(type(value) is int for value in event.values()):
                    return number, place
    raise AssertionError("the game has no such event")


@fraud("rules_outcome", None)
def a_forged_result(transcript: Transcript, record: Record) -> None:
    swap(transcript["outcome"]["scores"])
    transcript["outcome"]["scores"][0] += 1


@fraud("rules_outcome", None)
def a_hidden_result(transcript: Transcript, record: Record) -> None:
    transcript["outcome"] = None


@fraud("rules_unfinished", None)
def a_game_that_ends_too_early(transcript: Transcript, record: Record) -> None:
    record.lines.append({"events": [{"event": "abandoned"}]})
