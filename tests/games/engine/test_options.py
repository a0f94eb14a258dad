"""Options: values and texts that are accepted, and what is refused with a sentence."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.engine.options import BadOption, Cards, Flag, Limit, Option, Pick, read_options
from tests.games.wire import assert_travels

FLAG = Flag("open_hands", "everybody shows their hand")
LIMIT = Limit("cap", "the most that can be had", 10, 45, 30)
LIMIT_OR_NONE = Limit("last_round", "when to stop", 1, 8, None, none=True)
PICK = Pick("layout", "who lays the tiles", ("random", "players"), "random")
EACH = Pick("sides", "which side lies up", ("random", "A", "B"), "random", ("one", "other"))
CARDS = Cards("deck", "which cards are played", 3, {"two": 2, "move": 1, "swap": 1})
ALL: tuple[Option, ...] = (FLAG, LIMIT, LIMIT_OR_NONE, PICK, EACH, CARDS)


@pytest.mark.parametrize(
    "option, given_value, value",
    [
        (FLAG, True, True),
        (FLAG, False, False),
        (FLAG, "yes", True),
        (FLAG, "True", True),
        (FLAG, "ON", True),
        (FLAG, "1", True),
        (FLAG, "no", False),
        (FLAG, "false", False),
        (FLAG, "off", False),
        (FLAG, "0", False),
        (LIMIT, 10, 10),
        (LIMIT, 45, 45),
        (LIMIT, "30", 30),
        (LIMIT, "030", 30),
        (LIMIT_OR_NONE, None, None),
        (LIMIT_OR_NONE, "none", None),
        (LIMIT_OR_NONE, "8", 8),
        (PICK, "players", "players"),
        (EACH, "A", "A"),
        (EACH, ["A", "random"], ("A", "random")),
        (EACH, ("B", "A"), ("B", "A")),
        (EACH, "A, B", ("A", "B")),
        (EACH, ["B", "B"], "B"),
        (CARDS, [], ()),
        (CARDS, "", ()),
        (CARDS, ["two", "swap", "two"], ("two", "two", "swap")),
        (CARDS, ("move", "swap", "two"), ("two", "move", "swap")),
        (CARDS, "swap, two,two", ("two", "two", "swap")),
    ],
)
def test_a_fitting_value_is_read(option: Option, given_value: object, value: object) -> None:
    read = option.read(given_value)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    "option, given_value, sentence",
    [
        (FLAG, "maybe", "Option open_hands is yes or no, not 'maybe'."),
        (FLAG, "", "Option open_hands is yes or no, not ''."),
        (FLAG, 1, "Option open_hands is yes or no, not 1."),
        (FLAG, None, "Option open_hands is yes or no, not None."),
        (FLAG, [True], "Option open_hands is yes or no, not [True]."),
        (LIMIT, 9, "Option cap is a number from 10 to 45, not 9."),
        (LIMIT, 46, "Option cap is a number from 10 to 45, not 46."),
        (LIMIT, "46", "Option cap is a number from 10 to 45, not 46."),
        (LIMIT, True, "Option cap is a number from 10 to 45, not True."),
        (LIMIT, 30.0, "Option cap is a number from 10 to 45, not 30.0."),
        (LIMIT, "thirty", "Option cap is a number from 10 to 45, not 'thirty'."),
        (LIMIT, "٣٠", "Option cap is a number from 10 to 45, not '٣٠'."),
        (LIMIT, "-30", "Option cap is a number from 10 to 45, not '-30'."),
        (LIMIT, "9" * 5000, f"Option cap is a number from 10 to 45, not '{'9' * 5000}'."),
        (LIMIT, None, "Option cap is a number from 10 to 45, not None."),
        (LIMIT, "none", "Option cap is a number from 10 to 45, not 'none'."),
        (LIMIT_OR_NONE, 9, "Option last_round is a number from 1 to 8 or none, not 9."),
        (LIMIT_OR_NONE, True, "Option last_round is a number from 1 to 8 or none, not True."),
        (PICK, "guests", "Option layout is one of random, players, not 'guests'."),
        (PICK, 0, "Option layout is one of random, players, not 0."),
        (PICK, ["random"], "Option layout is one of random, players, not ['random']."),
        (EACH, "C", "Option sides is one of random, A, B, or 2 of them for one, other, not 'C'."),
        (EACH, ["A"], "Option sides is one of random, A, B, or 2 of them for one, other, not ['A']."),
        (EACH, ["A", []], "Option sides is one of random, A, B, or 2 of them for one, other, not ['A', []]."),
        (EACH, None, "Option sides is one of random, A, B, or 2 of them for one, other, not None."),
        (CARDS, ["two", "two"], "Option deck needs 3 cards, not 2."),
        (CARDS, "two,two,move,swap", "Option deck needs 3 cards, not 4."),
        (CARDS, ["move", "move", "two"], "Option deck: there are only 1 of move."),
        (CARDS, ["two", "two", "free"], "Option deck: there is no card 'free'; there are two, move, swap."),
        (CARDS, ["two", "two", 3], "Option deck: there is no card 3; there are two, move, swap."),
        (CARDS, ["two", "two", ["swap"]], "Option deck: there is no card ['swap']; there are two, move, swap."),
        (CARDS, 3, "Option deck is a list of cards, not 3."),
        (CARDS, None, "Option deck is a list of cards, not None."),
        (CARDS, {"two": 2}, "Option deck is a list of cards, not {'two': 2}."),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_a_sentence(
    option: Option, given_value: object, sentence: str
) -> None:
    with pytest.raises(BadOption) as refusal:
        option.read(given_value)
    assert str(refusal.value) == sentence


def test_what_is_not_given_takes_its_default() -> None:
    assert read_options(ALL, {}) == {
        "open_hands": False,
        "cap": 30,
        "last_round": None,
        "layout": "random",
        "sides": "random",
        "deck": (),
    }


def test_what_is_given_is_read_and_the_rest_takes_its_default() -> None:
    values = read_options(ALL, {"cap": "45", "open_hands": "yes"})
    assert (values["cap"], values["open_hands"], values["layout"]) == (45, True, "random")


def test_an_option_that_nobody_offers_is_refused_by_name() -> None:
    with pytest.raises(BadOption) as refusal:
        read_options(ALL, {"cap": 20, "colour": "blue"})
    expected = "There is no option 'colour'; there are cap, deck, last_round, layout, open_hands, sides."
    assert str(refusal.value) == expected


def test_one_value_that_does_not_fit_refuses_the_whole() -> None:
    with pytest.raises(BadOption, match="Option cap"):
        read_options(ALL, {"open_hands": True, "cap": 99})


@pytest.mark.parametrize("option", ALL, ids=lambda option: option.name)
def test_an_option_describes_itself_for_a_page(option: Option) -> None:
    described = option.to_json()
    assert_travels(described, f"option {option.name}")
    assert isinstance(described, dict)
    assert (described["name"], described["help"]) == (option.name, option.help)
    # The default in the description is a value that the option reads as its own default.
    assert option.read(described["default"]) == option.default


anything = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text() | st.integers())


@pytest.mark.parametrize("option", ALL, ids=lambda option: option.name)
@given(value=anything)
def test_any_value_is_read_for_good_or_refused(option: Option, value: object) -> None:
    with contextlib.suppress(BadOption):
        read = option.read(value)
        assert option.read(read) == read
