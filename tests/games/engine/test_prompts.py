"""Prompts: what is described, what is sampled and what is accepted are the same."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.engine.frozen import frozen
from server.games.engine.prompts import (
    Amounts,
    Choice,
    Command,
    OneOf,
    Pair,
    Payable,
    Prompt,
    Shares,
    SomeOf,
    Space,
    Unfit,
)
from server.games.engine.serialization import to_json, value_to_json
from server.games.engine.shares import can_cover, covering_shares
from server.model import Refused
from tests.games.described import NONSENSE, describes, near_misses, space_describes
from tests.games.wire import WIRES, assert_travels

# -- spaces ---------------------------------------------------------------------------------------------------

small = st.integers(-3, 12)
words = st.sampled_from(["villa", "market", "edge", "7"])
values = st.lists(small | words, min_size=1, max_size=6).map(tuple)
cheques = st.lists(st.sampled_from([10, 20, 30, 50, 100]), max_size=6).map(tuple)


@st.composite
def some_ofs(draw: st.DrawFn) -> SomeOf:
    if draw(st.booleans()):
        listed = draw(values)
        least = draw(st.integers(0, len(listed)))
        return SomeOf(listed, least, draw(st.integers(least, len(listed) + 2)))
    numbers = draw(cheques.filter(bool))
    most = draw(st.integers(1, len(numbers)))
    richest = sum(sorted(numbers)[-most:])
    return SomeOf(numbers, draw(st.integers(0, most)), most, above=draw(st.integers(-1, richest - 1)))


@st.composite
def amounts(draw: st.DrawFn) -> Amounts:
    step = draw(st.sampled_from([1, 5, 10]))
    most = draw(st.dictionaries(st.integers(0, 4), st.integers(0, 40), max_size=4))
    reachable = sum(limit - limit % step for limit in most.values())
    return Amounts(most, step, draw(st.integers(0, reachable)))


@st.composite
def shares(draw: st.DrawFn) -> Shares:
    numbers = draw(cheques)
    owners = draw(st.lists(st.integers(0, 2), min_size=len(numbers), max_size=len(numbers)))
    given_out = [sum(number for number, owner in zip(numbers, owners, strict=True) if owner == key) for key in range(3)]
    dues = [draw(st.integers(0, total)) for total in given_out[: draw(st.integers(0, 3))]]
    given_away = sum(owner < len(dues) for owner in owners)
    return Shares(numbers, dict(enumerate(dues)), draw(st.integers(given_away, len(numbers) + 1)))


@st.composite
def offers(draw: st.DrawFn) -> Prompt:
    numbers = draw(cheques.filter(bool))
    keys = range(draw(st.integers(1, 3)))
    spaces = {
        "amounts": Amounts(dict.fromkeys(keys, sum(numbers)), 10),
        "draws": Amounts(dict.fromkeys(keys, len(numbers))),
    }
    return Prompt((Choice(Offer, spaces, Payable(numbers)),), Waive())


spaces = st.one_of(
    values.map(OneOf),
    some_ofs(),
    st.dictionaries(small | words, values, min_size=1, max_size=4).map(Pair),
    amounts(),
    shares(),
)
answers = st.recursive(
    st.none() | st.booleans() | small | words | st.floats(),
    lambda parts: st.lists(parts, max_size=4),
    max_leaves=6,
)


def accepts(space: Space, answer: object) -> bool:
    try:
        space.read(answer)
    except Unfit as reason:
        assert str(reason)  # noqa: PT017 - whether it is refused is what is being asked
        return False
    return True


@given(spaces, st.randoms())
def test_whatever_a_space_samples_it_reads(space: Space, rng: random.Random) -> None:
    for _ in range(5):
        sampled = space.sample(rng)
        assert space.read(sampled) == sampled
        for wire in WIRES:
            read = space.read(wire(value_to_json(sampled)))
            assert read == sampled
            assert type(read) is type(sampled)


@given(spaces)
def test_a_space_describes_itself_in_plain_values(space: Space) -> None:
    assert_travels(space.to_json(), "a space")


def test_a_space_never_offers_more_than_there_is() -> None:
    assert SomeOf((10, 20)).to_json() == {"some_of": [10, 20], "least": 0, "most": 2}


@given(spaces, answers)
def test_a_space_accepts_what_it_describes_and_nothing_else(space: Space, answer: object) -> None:
    assert accepts(space, answer) == space_describes(space.to_json(), answer)


@given(spaces, st.randoms())
def test_a_space_is_as_exact_about_what_is_almost_right(space: Space, rng: random.Random) -> None:
    sampled = {"do": "this", "with": value_to_json(space.sample(rng))}
    for changed in near_misses(sampled, ()):
        if isinstance(changed, dict) and "with" in changed:
            assert accepts(space, changed["with"]) == space_describes(space.to_json(), changed["with"]), changed


@pytest.mark.parametrize("space", [OneOf((1, 2, 3)), SomeOf((1, 2, 3)), Pair({1: (1, 2)}), Amounts({0: 5})])
def test_true_is_not_one(space: Space) -> None:
    assert not any(accepts(space, answer) for answer in (True, [True], [True, 1], [1, True]))


def test_a_number_is_not_the_text_that_looks_like_it() -> None:
    assert OneOf((1, "1")).read("1") == "1"
    assert OneOf((1, "1")).read(1) == 1
    assert not accepts(OneOf((1,)), "1")
    assert not accepts(Pair({1: (2,)}), ["1", 2])


@pytest.mark.parametrize(
    "space, answer, reason",
    [
        (OneOf((1, 2)), 3, "3 is not possible; possible now: 1, 2"),
        (OneOf(("villa",)), "v" * 50, f'"{"v" * 40}" is not possible; possible now: villa'),
        (OneOf(tuple(range(20))), 20, "possible now: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 8 more"),
        (SomeOf((10, 20)), 10, "a list is expected"),
        (SomeOf((10, 20), 1, 1), [], "choose 1, not 0"),
        (SomeOf((10, 20, 30), 1, 2), [10, 20, 30], "choose 1 to 2, not 3"),
        (SomeOf((10, 20)), [10, 10], "10 is not among what you may choose from"),
        (SomeOf((10, 20, 30), above=40), [10, 30], "40 is not enough; more than 40 is needed"),
        (Pair({1: (2,)}), [1], "a pair is expected"),
        (Pair({1: (2,)}), [2, 2], "2 is not possible; possible now: 1"),
        (Pair({1: (2,)}), [1, 1], "1 is not possible; possible now: 2"),
        (Amounts({0: 50, 2: 20}, 10), [10], "a list of 2 numbers is expected"),
        (Amounts({0: 50, 2: 20}, 10), [10, 30], "30 is not a number from 0 to 20 in steps of 10"),
        (Amounts({0: 50, 2: 20}, 10), [15, 0], "15 is not a number from 0 to 50 in steps of 10"),
        (Amounts({0: 50, 2: 20}, 10, 30), [10, 10], "20 in all is not enough; at least 30 is needed"),
        (Shares((10, 20), {1: 5}), [[10], []], "1 lists are expected"),
        (Shares((10, 20), {1: 5}), [10], "a list of lists is expected"),
        (Shares((10, 20), {1: 5}), [[30]], "30 is not among what you may choose from"),
        (Shares((10, 20), {1: 5, 2: 5}), [[10], [10]], "10 is not among what you may choose from"),
        (Shares((10, 20), {1: 15}), [[10]], "10 is less than the 15 that is due"),
        (Shares((10, 20), {1: 15, 2: 0}), [[20], [10]], "nothing is due to one of them"),
        (Shares((10, 20), {1: 15}, 1), [[10, 20]], "choose 0 to 1, not 2"),
    ],
)
def test_a_refusal_says_what_is_wrong(space: Space, answer: object, reason: str) -> None:
    with pytest.raises(Unfit) as refusal:
        space.read(answer)
    assert reason in str(refusal.value)


def test_sampling_reaches_every_answer() -> None:
    rng = random.Random(1)
    for space in (OneOf((1, 2, 3)), SomeOf((1, 2), 0, 2), Pair({1: (2, 3), 4: (5,)}), Amounts({0: 2, 1: 1})):
        legal = {answer for answer in _candidates() if accepts(space, answer)}
        assert {space.sample(rng) for _ in range(300)} == legal


def _candidates() -> list[object]:
    numbers = range(6)
    return [*numbers, (), *((one,) for one in numbers), *product(numbers, numbers)]


def test_a_sample_takes_just_enough_when_only_the_best_will_do() -> None:
    best = SomeOf((10, 10, 40, 50, 90), 0, 2, above=139)
    assert {tuple(sorted(best.sample(random.Random(seed)))) for seed in range(50)} == {(50, 90)}


# -- shares ---------------------------------------------------------------------------------------------------


def all_shares(numbers: Sequence[int], dues: Sequence[int]) -> list[tuple[int, list[int]]]:
    """Return how many numbers each distribution uses that covers every due, and its sums."""
    ways = []
    for owners in product(range(len(dues) + 1), repeat=len(numbers)):
        sums = [sum(n for n, o in zip(numbers, owners, strict=True) if o == key) for key in range(len(dues))]
        if all(total >= due for total, due in zip(sums, dues, strict=True)):
            ways.append((sum(owner < len(dues) for owner in owners), sums))
    return ways


@given(st.lists(st.integers(1, 12), max_size=6), st.lists(st.integers(0, 15), max_size=3))
def test_shares_are_found_exactly_when_there_are_any(numbers: list[int], dues: list[int]) -> None:
    found = covering_shares(numbers, dues)
    ways = all_shares(numbers, dues)
    assert (found is not None) == bool(ways)
    if found is not None:
        assert Shares(tuple(numbers), dict(enumerate(dues))).read(found) == found
        if dues:
            assert sum(found[0]) == min(sums[0] for _, sums in ways)


def test_the_first_due_takes_more_than_it_needs_where_the_others_could_not_be_paid_otherwise() -> None:
    # Three small cheques would cover 30 exactly, but leave one cheque for two seats.
    assert covering_shares((10, 10, 10, 40), (30, 10, 10)) == ((40,), (10,), (10,))


@given(st.lists(st.integers(1, 12), max_size=6), st.lists(st.integers(0, 15), max_size=3), st.integers(0, 6))
def test_so_many_numbers_cover_the_dues_exactly_when_there_is_a_way(
    numbers: list[int], dues: list[int], maximum: int
) -> None:
    found = covering_shares(numbers, dues, maximum)
    fewest = min((used for used, _ in all_shares(numbers, dues)), default=None)
    is_possible = fewest is not None and fewest <= maximum
    assert (found is not None) == can_cover(numbers, dues, maximum) == is_possible
    if found is not None:
        assert Shares(tuple(numbers), dict(enumerate(dues)), maximum).read(found) == found


def test_nothing_can_be_covered_by_fewer_than_no_numbers() -> None:
    assert can_cover((10,), (), 0)
    assert not can_cover((10,), (), -1)


@pytest.mark.parametrize("dues", [(1_160,), (500, 900), (10, 580, 730), (425, 430, 435, 440)])
def test_a_large_hand_is_shared_out_at_once(dues: tuple[int, ...]) -> None:
    # The cheques of three seats: an exhaustive search would take hours.
    hand = (10, 10, 20, 20, 30, 40, 50, 60, 70, 80, 90, 100) * 3
    found = covering_shares(hand, dues)
    assert found is not None
    assert Shares(hand, dict(enumerate(dues))).read(found) == found


def test_nothing_is_handed_out_where_nothing_is_due() -> None:
    assert covering_shares((10, 20), ()) == ()
    assert covering_shares((10, 20), (0, 15)) == ((), (20,))


# -- prompts --------------------------------------------------------------------------------------------------


@frozen
class PlaceStick(Command):
    street: int
    lifted: int | None = None


@frozen
class BidCheques(Command):
    cheques: tuple[int, ...]


@frozen
class Waive(Command):
    pass


@frozen
class Protest(Command):
    pass


@frozen
class Offer(Command):
    amounts: tuple[int, ...]
    draws: tuple[int, ...]


# The same command in two ways: onto a free street, or with a stick that is lifted somewhere else.
PROMPT = Prompt(
    (
        Choice(PlaceStick, {"street": OneOf((3, 5))}),
        Choice(PlaceStick, {"street": OneOf((7,)), "lifted": OneOf((1, 2))}),
        Choice(BidCheques, {"cheques": SomeOf((10, 20, 20), 1, 2, above=20)}),
        Choice(Waive),
    ),
    Waive(),
)
NAMES = ("place_stick", "bid_cheques", "waive", "protest")


def test_a_prompt_describes_its_choices_and_its_fallback() -> None:
    assert PROMPT.to_json() == {
        "choices": [
            {"do": "place_stick", "street": {"one_of": [3, 5]}},
            {"do": "place_stick", "street": {"one_of": [7]}, "lifted": {"one_of": [1, 2]}},
            {"do": "bid_cheques", "cheques": {"some_of": [10, 20, 20], "least": 1, "most": 2, "above": 20}},
            {"do": "waive"},
        ],
        "fallback": {"do": "waive"},
    }
    assert_travels(PROMPT.to_json(), "a prompt")


@given(st.randoms())
def test_whatever_a_prompt_samples_it_admits_and_reads(rng: random.Random) -> None:
    command = PROMPT.sample(rng)
    assert PROMPT.admit(command) is None
    for wire in WIRES:
        assert PROMPT.read(wire(to_json(command))) == command


def test_sampling_uses_every_choice() -> None:
    rng = random.Random(2)
    sampled = {PROMPT.sample(rng) for _ in range(400)}
    assert {PlaceStick(3), PlaceStick(7, 1), PlaceStick(7, 2), BidCheques((20, 10)), Waive()} < sampled
    assert PlaceStick(3, 1) not in sampled


@given(st.randoms())
def test_a_prompt_reads_what_it_describes_and_nothing_else(rng: random.Random) -> None:
    command = to_json(PROMPT.sample(rng))
    for changed in near_misses(command, NAMES):
        read = PROMPT.read(changed)
        if describes(PROMPT.to_json(), changed):
            assert isinstance(read, Command)
            assert to_json(read) == changed
            assert PROMPT.admit(read) is None
        else:
            assert isinstance(read, Refused), changed
            assert_speaks(read)


# -- a condition on two fields -----------------------------------------------------------------------------------


@given(offers(), st.randoms())
def test_what_is_sampled_meets_the_condition(prompt: Prompt, rng: random.Random) -> None:
    command = prompt.sample(rng)
    assert prompt.admit(command) is None
    for wire in WIRES:
        assert prompt.read(wire(to_json(command))) == command


@given(offers(), st.data())
def test_a_prompt_admits_what_its_condition_describes(prompt: Prompt, data: st.DataObject) -> None:
    space = prompt.choices[0].spaces["draws"]
    assert isinstance(space, Amounts)
    keys = len(space.maximum)
    amounts = data.draw(st.lists(st.integers(0, 12), min_size=keys, max_size=keys))
    draws = data.draw(st.lists(st.integers(0, 3), min_size=keys, max_size=keys))
    command = Offer(tuple(amount * 10 for amount in amounts), tuple(draws))
    read = prompt.read(to_json(command))
    assert (prompt.admit(command) is None) == (read == command) == describes(prompt.to_json(), to_json(command))


def test_sampling_reaches_everything_that_can_be_promised() -> None:
    spaces = {"amounts": Amounts({0: 30, 1: 30}, 10), "draws": Amounts({0: 2, 1: 2})}
    prompt = Prompt((Choice(Offer, spaces, Payable((10, 20))),), Waive())
    numbers = list(product((0, 10, 20, 30), (0, 10, 20, 30), range(3), range(3)))
    offers = {Offer((one, other), (first, second)) for one, other, first, second in numbers}
    rng = random.Random(1)
    assert {prompt.sample(rng) for _ in range(1000)} == {offer for offer in offers if prompt.admit(offer) is None}


@pytest.mark.parametrize(
    "amounts, draws, reason",
    [
        ((0, 0), (0, 0), "Amounts and draws: nothing is promised."),
        ((20, 10), (0, 0), None),
        ((20, 20), (0, 0), "Amounts and draws: that is more than there is to give."),
        ((10, 0), (0, 1), None),
        ((10, 0), (1, 1), "Amounts and draws: that is more than there is to give."),
        ((30, 0), (0, 1), "Amounts and draws: that is more than there is to give."),
        ((0, 0), (1, 1), None),
    ],
)
def test_a_refused_promise_says_why(amounts: tuple[int, ...], draws: tuple[int, ...], reason: str | None) -> None:
    spaces = {"amounts": Amounts({0: 30, 1: 30}, 10), "draws": Amounts({0: 2, 1: 2})}
    prompt = Prompt((Choice(Offer, spaces, Payable((10, 20))),), Waive())
    for refusal in (prompt.admit(Offer(amounts, draws)), prompt.read(to_json(Offer(amounts, draws)))):
        assert (refusal.sentence if isinstance(refusal, Refused) else None) == reason


def assert_speaks(refusal: Refused) -> None:
    """Assert that a refusal has a code for programs and a sentence for people."""
    assert refusal.code in {"malformed_command", "not_offered", "illegal_choice"}
    assert re.fullmatch(r'["A-Z].*\.', refusal.sentence, re.DOTALL)


@pytest.mark.parametrize(
    "json_value, code, sentence",
    [
        (None, "malformed_command", 'A command is an object with a text under "do".'),
        ([], "malformed_command", 'A command is an object with a text under "do".'),
        ({}, "malformed_command", 'A command is an object with a text under "do".'),
        ({"do": 3}, "malformed_command", 'A command is an object with a text under "do".'),
        (
            {"do": "protest"},
            "not_offered",
            '"protest" is not possible now; possible now: place_stick, bid_cheques, waive.',
        ),
        ({"do": "waive", "street": 3}, "malformed_command", '"waive" needs nothing besides "do".'),
        ({"do": "bid_cheques"}, "malformed_command", '"bid_cheques" needs cheques besides "do".'),
        ({"do": "place_stick"}, "malformed_command", '"place_stick" needs street, lifted besides "do".'),
        ({"do": "place_stick", "street": 7, "lifted": None}, "illegal_choice", "Lifted: None is not possible; "),
        ({"do": "place_stick", "street": 7, "lifted": 3}, "illegal_choice", "Lifted: 3 is not possible; "),
        ({"do": "bid_cheques", "cheques": [20]}, "illegal_choice", "Cheques: 20 is not enough; more than 20 "),
        ({"do": "bid_cheques", "cheques": [30]}, "illegal_choice", "Cheques: 30 is not among what you may "),
    ],
)
def test_a_refusal_has_a_code_and_a_sentence(json_value: object, code: str, sentence: str) -> None:
    refusal = PROMPT.read(json_value)
    assert isinstance(refusal, Refused)
    assert refusal.code == code
    assert refusal.sentence.startswith(sentence)
    assert_speaks(refusal)


@pytest.mark.parametrize(
    "command, code",
    [
        (Protest(), "not_offered"),
        (PlaceStick(7), "illegal_choice"),
        (PlaceStick(3, 1), "illegal_choice"),
        (PlaceStick(4), "illegal_choice"),
        (BidCheques((20,)), "illegal_choice"),
        (BidCheques((10, 20, 20)), "illegal_choice"),
    ],
)
def test_a_command_that_is_not_described_is_not_admitted(command: Command, code: str) -> None:
    refusal = PROMPT.admit(command)
    assert refusal is not None
    assert refusal.code == code
    assert_speaks(refusal)


@pytest.mark.parametrize("answer", NONSENSE)
def test_a_prompt_with_one_way_only_refuses_nonsense(answer: object) -> None:
    prompt = Prompt((Choice(PlaceStick, {"street": OneOf((3,))}),), PlaceStick(3))
    assert isinstance(prompt.read({"do": "place_stick", "street": answer}), Refused)
    assert prompt.read({"do": "place_stick", "street": 3}) == PlaceStick(3)
