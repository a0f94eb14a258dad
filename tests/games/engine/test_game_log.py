"""Logs: what is written is read back, any damage is found and named by its line, and no text causes another error."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.engine.game import Game
from server.games.engine.game_log import DamagedLog, GameLog, GameLogWriter, plays, read_log, replay_log, write_log
from server.games.engine.options import read_options
from server.games.engine.play import Answered, Step, Undone, begin, replay
from server.games.investors import events
from server.games.registry import GAMES
from tests.games.playing import Record, play_out, sampled_options
from tests.games.toy_auction import AuctionClosed, Keep, PrizeTurned
from tests.games.toys import AUCTION, MOSAIC, TOYS

INVESTORS = GAMES["investors"]
ALL = {**GAMES, **TOYS}


def played(game: Game[Any], seed: int = 0) -> Record:
    rng = random.Random(seed)
    seats = rng.choice(game.seats)
    return play_out(game, seats, sampled_options(game, seats, rng), rng)


def steps_of(log: GameLog) -> list[list[object]]:
    return [list(step) for step in log.steps]


MOSAIC_STEPS = played(MOSAIC, 4).steps
MOSAIC_LOG = write_log(MOSAIC, MOSAIC_STEPS)
MOSAIC_LINES = MOSAIC_LOG.splitlines(keepends=True)


def complaint(text: str, games: dict[str, Game[Any]] = ALL) -> str:
    """Return the sentence with which a text is refused."""
    with pytest.raises(DamagedLog) as refusal:
        replay_log(read_log(text, games))
    sentence = str(refusal.value)
    assert re.fullmatch(r"[A-Z][^\n]*\.", sentence), sentence
    return sentence


def chained(*entries: object) -> str:
    """Return lines with these entries in a valid chain."""
    chain, text = "", ""
    for entry in entries:
        body = json.dumps(entry, separators=(",", ":"))[:-1]
        chain = sha256((chain + body).encode()).hexdigest()
        text += f'{body},"chain":"{chain}"}}\n'
    return text


HEADER = {"log": "sanfrancisco/1", "game": "mosaic", "rules": 1}


# What is written is read back


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("seed", range(5))
def test_a_log_gives_back_the_steps_and_leads_to_the_same_play(name: str, seed: int) -> None:
    record = played(ALL[name], seed)
    log = read_log(write_log(record.game, record.steps), ALL)
    assert (log.game, log.rules) == (record.game, record.game.rules_version)
    assert steps_of(log) == [list(step) for step in record.steps]
    assert replay_log(log) == record.last
    assert list(plays(log)) == record.plays


def test_the_log_of_a_game_under_way_is_read_like_any_other() -> None:
    for length in range(1, len(MOSAIC_STEPS) + 1):
        log = read_log(write_log(MOSAIC, MOSAIC_STEPS[:length]), ALL)
        assert replay_log(log) == replay(MOSAIC, MOSAIC_STEPS[:length])


def test_a_log_can_be_written_line_by_line() -> None:
    writer = GameLogWriter(MOSAIC)
    assert [writer.header, *map(writer.add, MOSAIC_STEPS)] == MOSAIC_LINES


def test_the_form_of_a_log_is_fixed() -> None:
    _, step = begin(MOSAIC, 1, read_options(MOSAIC.options, {"bag": "brick,brick,brick,slate"}), _NoDice())
    header = '{"log":"sanfrancisco/1","game":"mosaic","rules":1'
    first = '{"step":1,"events":[{"event":"row_laid","seats":1,"spots":2,'
    first += '"bag":["brick","brick","brick","slate"],"row":["brick","brick","brick"]}]'
    chain = sha256(header.encode()).hexdigest()
    next_chain = sha256((chain + first).encode()).hexdigest()
    assert write_log(MOSAIC, [step]) == f'{header},"chain":"{chain}"}}\n{first},"chain":"{next_chain}"}}\n'


class _NoDice:
    def shuffled(self, _: str, items: tuple[str, ...]) -> tuple[str, ...]:
        return items


# Damage


def test_every_changed_byte_is_found_and_named_by_its_line() -> None:
    content = MOSAIC_LOG.encode()
    rng = random.Random(1)
    for position, byte in enumerate(content):
        changed = bytes([byte ^ 1 << rng.randrange(8)])
        damaged = (content[:position] + changed + content[position + 1 :]).decode("ascii", "replace")
        line = content[:position].count(b"\n") + 1
        sentence = complaint(damaged)
        assert f"Line {line} " in sentence or (line == 1 and "The log has the form" in sentence), (position, sentence)


@given(st.integers(0, len(MOSAIC_LOG) - 1), st.integers(0, 8), st.text(max_size=8))
def test_any_piece_put_in_place_of_another_is_found(start: int, length: int, piece: str) -> None:
    damaged = MOSAIC_LOG[:start] + piece + MOSAIC_LOG[start + length :]
    try:
        log = read_log(damaged, ALL)
    except DamagedLog:
        return
    # Only whole steps at the end can be missing unnoticed: that is a game under way.
    assert MOSAIC_LOG.startswith(damaged)
    assert steps_of(log) == [list(step) for step in MOSAIC_STEPS[: len(log.steps)]]


def test_a_log_that_is_cut_anywhere_but_after_a_step_is_damaged() -> None:
    for length in range(len(MOSAIC_LOG)):
        cut = MOSAIC_LOG[:length]
        if cut.endswith("\n") and cut.count("\n") > 1:
            read_log(cut, ALL)
        else:
            complaint(cut)


def test_a_cut_line_is_named() -> None:
    assert complaint(MOSAIC_LOG[:-1]) == (
        f"Line {len(MOSAIC_LINES)} is damaged: it is cut short, for no line break ends it."
    )


def test_a_missing_line_is_found_where_it_is_missing() -> None:
    for missing in range(len(MOSAIC_LINES) - 1):
        lines = MOSAIC_LINES[:missing] + MOSAIC_LINES[missing + 1 :]
        assert f"Line {missing + 1} " in complaint("".join(lines))


def test_a_repeated_line_is_found_where_it_is_repeated() -> None:
    for repeated in range(len(MOSAIC_LINES)):
        lines = MOSAIC_LINES[: repeated + 1] + MOSAIC_LINES[repeated:]
        assert f"Line {repeated + 2} " in complaint("".join(lines))


def test_two_lines_that_changed_places_are_found_at_the_first_of_them() -> None:
    for place in range(len(MOSAIC_LINES) - 1):
        first, second = MOSAIC_LINES[place : place + 2]
        lines = [*MOSAIC_LINES[:place], second, first, *MOSAIC_LINES[place + 2 :]]
        assert f"Line {place + 1} " in complaint("".join(lines))


def test_a_step_of_another_game_that_fits_by_number_is_found_by_the_chain() -> None:
    other = write_log(MOSAIC, played(MOSAIC, 5).steps).splitlines(keepends=True)
    assert other[2] != MOSAIC_LINES[2]
    assert complaint("".join([*MOSAIC_LINES[:2], other[2], *MOSAIC_LINES[3:]])) == (
        "Line 3 is damaged: its text, or the lines before it, are not those that were chained."
    )


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("", "The log is empty."),
        ("\n", "Line 1 is damaged: it is not the header of a game's log."),
        ("[]\n", "Line 1 is damaged: it is not the header of a game's log."),
        ("hello\n", "Line 1 is damaged: it is not the header of a game's log."),
        ("[" * 100_000 + "\n", "Line 1 is damaged: it is not the header of a game's log."),
        ("9" * 10_000 + "\n", "Line 1 is damaged: it is not the header of a game's log."),
        ('{"log":3}\n', "Line 1 is damaged: it is not the header of a game's log."),
        ('{"log":"s/2"}\n', "The log has the form 's/2'; only 'sanfrancisco/1' can be read here."),
        ('{"log":"sanfrancisco/1"}\n', "Line 1 is damaged: it does not end with its chain."),
        (MOSAIC_LINES[0], "The log ends before the game begins: it has a header and no step."),
        (MOSAIC_LOG.replace("\n", "\r\n"), "Line 1 is damaged: it does not end with its chain."),
        (MOSAIC_LOG + "\n", f"Line {len(MOSAIC_LINES) + 1} is damaged: it is not a step of a game."),
        ("\ufeff" + MOSAIC_LOG, "Line 1 is damaged: it is not the header of a game's log."),
    ],
)
def test_what_is_no_log_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    assert complaint(text) == sentence


# Whole chains with senseless content


@pytest.mark.parametrize(
    "changed, sentence",
    [
        ({"game": "chess"}, "The log is of the game 'chess', which is unknown here; known are mosaic."),
        ({"rules": 2}, "The log follows version 2 of the rules of mosaic; known here: only version 1."),
        ({"rules": 0}, "The log follows version 0 of the rules of mosaic; known here: only version 1."),
        ({"rules": True}, "Line 1 is damaged: a header names a game and the version of its rules, and no more."),
        ({"game": ["mosaic"]}, "Line 1 is damaged: a header names a game and the version of its rules, and no more."),
        ({"seats": 4}, "Line 1 is damaged: a header names a game and the version of its rules, and no more."),
    ],
)
def test_a_header_that_cannot_be_followed_is_refused(changed: dict[str, object], sentence: str) -> None:
    assert complaint(chained(HEADER | changed), {"mosaic": MOSAIC}) == sentence


def test_a_log_from_before_a_change_of_the_rules_is_still_read() -> None:
    newer: dict[str, Game[Any]] = {"mosaic": replace(MOSAIC, rules_version=3)}
    assert read_log(MOSAIC_LOG, newer).rules == 1
    assert complaint(chained(HEADER | {"rules": 4}), newer) == (
        "The log follows version 4 of the rules of mosaic; known here: versions 1 to 3."
    )


@pytest.mark.parametrize(
    "entry, sentence",
    [
        ({"step": 1}, "Line 2 is damaged: it is not a step of a game."),
        ({"step": 1, "events": [], "more": 1}, "Line 2 is damaged: it is not a step of a game."),
        ({"step": 1, "events": []}, "Line 2 is damaged: a step is a list of at least one event."),
        ({"step": 1, "events": {}}, "Line 2 is damaged: a step is a list of at least one event."),
        ({"step": 2, "events": []}, "Line 2 is damaged or out of place: step 1 should stand there."),
        ({"step": True, "events": []}, "Line 2 is damaged or out of place: step 1 should stand there."),
        ({"step": [[]], "events": []}, "Line 2 is damaged or out of place: step 1 should stand there."),
        ({"step": 1, "events": [7]}, "Line 2 is damaged: an object is expected."),
        ({"step": 1, "events": [{"event": "rain"}]}, "Line 2 is damaged: unknown event 'rain'."),
        ({"step": 1, "events": [{"do": "take_stone", "kind": "brick"}]}, "Line 2 is damaged: unknown event 'None'."),
        (
            {"step": 1, "events": [{"event": "stone_taken", "seat": "0", "kind": "brick"}]},
            "Line 2 is damaged: stone_taken.seat: '0' is not of the kind int.",
        ),
        (
            {"step": 1, "events": [{"event": "stone_taken", "seat": 0, "kind": "brick"}]},
            "Line 2 is damaged: it contradicts the rules or the lines before it.",
        ),
    ],
)
def test_a_step_that_says_nothing_sensible_is_refused(entry: object, sentence: str) -> None:
    assert complaint(chained(HEADER, entry)) == sentence


def test_values_nested_ever_deeper_are_refused_with_a_sentence() -> None:
    header = chained(HEADER | {"game": "investors"})
    # These depths pass the recursion limit of reading and, a few levels before, that of naming the place.
    for depth in (100, *range(700, 1_010), 20_000):
        command = '{"do":"pay_offer","cheques":[[' + "[" * depth + "]" * depth + "]]}"
        body = f'{{"step":1,"events":[{{"event":"answered","seat":0,"command":{command}}}]'
        chain = sha256((json.loads(header)["chain"] + body).encode()).hexdigest()
        assert "Line 2 is damaged" in complaint(f'{header}{body},"chain":"{chain}"}}\n')


@pytest.mark.parametrize(
    "game, steps, line",
    [
        (AUCTION, [[AuctionClosed("early")]], 2),
        (AUCTION, [[Answered(0, Keep())]], 2),
        (MOSAIC, [MOSAIC_STEPS[0], [Undone(0)]], 3),
        (MOSAIC, [*MOSAIC_STEPS, [Undone(0)]], len(MOSAIC_STEPS) + 2),
        (MOSAIC, [MOSAIC_STEPS[0], MOSAIC_STEPS[0]], 3),
        (INVESTORS, [[events.RightWaived(0)]], 2),
        (INVESTORS, [[events.TenderDrawn(0, "free beer", binding=False)]], 2),
    ],
)
def test_events_that_no_rule_could_follow_are_damage_and_not_a_bug(
    game: Game[Any], steps: list[Step], line: int
) -> None:
    assert f"Line {line} " in complaint(write_log(game, steps))


def test_nothing_happens_after_the_end_of_a_game() -> None:
    steps = played(AUCTION).steps
    assert complaint(write_log(AUCTION, [*steps, [PrizeTurned(1)]])) == (
        f"Line {len(steps) + 2} is damaged: it goes on after the end of the game."
    )


@pytest.mark.parametrize("name", ALL)
def test_a_log_with_a_whole_chain_and_any_wrong_value_is_replayed_or_refused(name: str) -> None:
    rng = random.Random(9)
    header, *steps = map(json.loads, write_log(ALL[name], played(ALL[name], 2).steps[:100]).splitlines())
    for _ in range(150):
        entries = json.loads(json.dumps([header, *steps]))
        for entry in entries:
            del entry["chain"]
        spoil(rng.choice(entries[1:])["events"], rng)
        try:
            replay_log(read_log(chained(*entries), ALL))
        except DamagedLog:
            continue


def spoil(value: Any, rng: random.Random) -> None:
    """Put something else in place of one value somewhere in a list or an object."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        return
    key = rng.choice(keys)
    if isinstance(value[key], (dict, list)) and value[key] and rng.random() < 0.8:
        spoil(value[key], rng)
    else:
        value[key] = rng.choice((None, True, -1, 0, 3, 7, 99, "", "brick", "hall", "park", [], [1], {}))
