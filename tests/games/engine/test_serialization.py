"""Values are written as JSON, and only the JSON of a value is read back."""

from __future__ import annotations

import contextlib
import random
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.engine.frozen import frozen
from server.games.engine.serialization import (
    BadJson,
    JsonReader,
    Serializable,
    is_whole,
    to_json,
    value_to_json,
    wire_name,
)
from tests.games.wire import MAX_SIZE, WIRES, assert_travels, not_plain


class Sighting(Serializable):
    """The tagged base class of these tests."""

    __slots__ = ()
    tag: ClassVar[str | None] = "seen"


@frozen
class Corner(Serializable):
    """A value without a tag, which is always a part of another."""

    row: int
    name_of_corner: str | None


@frozen
class NothingSeen(Sighting):
    pass


@frozen
class StickSeen(Sighting):
    seat: int
    lying: bool
    colour: str
    owner: int | None
    streets: tuple[int, ...]
    ends: tuple[Corner, Corner]
    bids: tuple[tuple[int, ...] | None, ...]
    before: Sighting | None


KINDS = (NothingSeen, StickSeen)
READER = JsonReader(KINDS)

SEEN = StickSeen(
    seat=2,
    lying=True,
    colour="blue",
    owner=None,
    streets=(4, 0),
    ends=(Corner(1, None), Corner(2, "north")),
    bids=((10, 20), None, ()),
    before=NothingSeen(),
)
PLAIN = {
    "seen": "stick_seen",
    "seat": 2,
    "lying": True,
    "colour": "blue",
    "streets": [4, 0],
    "ends": [{"row": 1}, {"row": 2, "name_of_corner": "north"}],
    "bids": [[10, 20], None, []],
    "before": {"seen": "nothing_seen"},
}

numbers = st.integers(-MAX_SIZE, MAX_SIZE)
corners = st.builds(Corner, numbers, st.none() | st.text())
sightings = st.recursive(
    st.builds(NothingSeen),
    lambda earlier: st.builds(
        StickSeen,
        numbers,
        st.booleans(),
        st.text(),
        st.none() | numbers,
        st.lists(numbers).map(tuple),
        st.tuples(corners, corners),
        st.lists(st.none() | st.lists(numbers).map(tuple)).map(tuple),
        st.none() | earlier,
    ),
    max_leaves=3,
)
plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda parts: st.lists(parts) | st.dictionaries(st.text() | st.sampled_from(sorted(PLAIN)), parts),
    max_leaves=12,
)


def test_a_name_travels_in_lower_case_with_its_words_apart() -> None:
    assert wire_name(StickSeen) == StickSeen.name == "stick_seen"
    assert wire_name(Corner) == "corner"


def test_true_and_false_are_not_whole_numbers() -> None:
    assert is_whole(1)
    assert not any(is_whole(value) for value in (True, False, 1.0, "1", None))


def test_a_fact_is_written_with_its_name_and_without_what_is_none() -> None:
    assert to_json(SEEN) == PLAIN


def test_a_written_fact_is_read_back() -> None:
    assert READER.read("seen", PLAIN) == SEEN


@given(sightings)
def test_every_fact_survives_both_encodings(fact: Sighting) -> None:
    written = to_json(fact)
    assert_travels(written, "a fact")
    for wire in WIRES:
        read = READER.read("seen", wire(written))
        assert read == fact
        assert repr(read) == repr(fact)  # True == 1, but it is not what was written


def test_what_a_fact_cannot_hold_is_a_bug_of_its_maker() -> None:
    for value in (1.5, [1], {"a": 1}, {1}, b"bytes"):
        with pytest.raises(AssertionError):
            value_to_json(value)


@pytest.mark.parametrize(
    "change, reason",
    [
        ({"seen": "stick_heard"}, "unknown seen 'stick_heard'"),
        ({"seen": None}, "unknown seen 'None'"),
        ({"seen": 3}, "unknown seen '3'"),
        ({"seen": ["stick_seen"]}, "unknown seen"),
        ({"seen": "corner"}, "unknown seen 'corner'"),
        ({"extra": 1}, "stick_seen has no field 'extra'"),
        ({"seat": True}, "stick_seen.seat: 'True' is not of the kind int"),
        ({"seat": 2.0}, "stick_seen.seat: '2.0' is not of the kind int"),
        ({"seat": "2"}, "stick_seen.seat: '2' is not of the kind int"),
        ({"seat": None}, "stick_seen.seat: 'None' is not of the kind int"),
        ({"lying": 1}, "stick_seen.lying: '1' is not of the kind bool"),
        ({"colour": 7}, "stick_seen.colour: '7' is not of the kind str"),
        ({"owner": "me"}, "stick_seen.owner: 'me' is of none of the 2 kinds that are possible"),
        ({"streets": 4}, "stick_seen.streets: a list is expected"),
        ({"streets": [4, "0"]}, "stick_seen.streets: '0' is not of the kind int"),
        ({"ends": [{"row": 1}]}, "stick_seen.ends: 2 values are expected, not 1"),
        ({"ends": [{"row": 1}, {"row": 2}, {"row": 3}]}, "stick_seen.ends: 2 values are expected, not 3"),
        ({"ends": [{"row": 1}, 2]}, "stick_seen.ends: corner is not an object"),
        ({"ends": [{"row": 1}, {}]}, "stick_seen.ends: corner.row: 'None' is not of the kind int"),
        ({"bids": [[10, None]]}, "is of none of the 2 kinds that are possible"),
        ({"before": {"seen": "corner"}}, "is of none of the 2 kinds that are possible"),
    ],
)
def test_what_no_fact_was_written_as_is_refused_with_the_place(change: dict[str, object], reason: str) -> None:
    with pytest.raises(BadJson) as refusal:
        READER.read("seen", {**PLAIN, **change})
    assert reason in str(refusal.value)


@pytest.mark.parametrize("field", sorted(PLAIN.keys() - {"seen", "before"}))
def test_a_field_that_is_missing_is_refused(field: str) -> None:
    with pytest.raises(BadJson):
        READER.read("seen", {name: value for name, value in PLAIN.items() if name != field})


@pytest.mark.parametrize("value", [None, [], "stick_seen", 3, ["seen", "nothing_seen"]])
def test_what_is_no_object_is_refused(value: object) -> None:
    with pytest.raises(BadJson, match="an object is expected"):
        READER.read("seen", value)


def test_keys_of_several_kinds_are_refused_like_any_unknown_field() -> None:
    with pytest.raises(BadJson, match="nothing_seen has no field"):
        READER.read("seen", {"seen": "nothing_seen", 1: 1, "extra": 1, None: 1})


def test_a_fact_of_another_family_is_not_read() -> None:
    with pytest.raises(BadJson, match="unknown heard"):
        READER.read("heard", {"heard": "nothing_seen"})


@given(plain_values)
def test_any_other_value_is_refused_and_never_breaks_the_reader(value: object) -> None:
    with contextlib.suppress(BadJson):
        assert isinstance(READER.read("seen", value), Sighting)


@given(sightings, plain_values, st.randoms())
def test_a_written_fact_with_one_value_exchanged_is_refused_or_reads_as_just_that(
    fact: Sighting, value: object, rng: random.Random
) -> None:
    written = to_json(fact)
    changed = {**written, rng.choice(sorted(written)): value}
    try:
        read = READER.read("seen", changed)
    except BadJson:
        return
    assert to_json(read) == {name: part for name, part in changed.items() if part is not None}


# The check that the other tests rely on.


@pytest.mark.parametrize(
    "value, complaint",
    [
        ({"a": [1, 2.0]}, "it.a[1] is the float 2.0"),
        ({"a": {3: "b"}}, "it.a has the key 3, which is no text"),
        ([(1,)], "it[0] is the tuple (1,)"),
        ({"a": {1}}, "it.a is the set {1}"),
        (2**53, "it is 9007199254740992, more than a browser can count to"),
        (b"a", "it is the bytes b'a'"),
    ],
)
def test_what_is_not_plain_is_found_wherever_it_is(value: object, complaint: str) -> None:
    assert not_plain(value) == complaint
    with pytest.raises(AssertionError):
        assert_travels(value, "a value")


def test_plain_values_are_left_alone() -> None:
    assert not_plain({"a": [None, True, -1, "text", {"b": []}]}) is None
