"""Dice: the published vectors, and the numbers that streams return."""

import hashlib
import struct
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.engine.dice import Dice, _below, digest, encode_parts

# The published vectors: every verifier, in any language, must return the same.
TABLE = "tbl-7f3a"
DECK = tuple(f"c{number:02}" for number in range(52))
GAME_SEED = bytes.fromhex("a6f497a3da4e456cc93d298c4dc43c51a3bf85d3692644c1bbc34a2c997490b9")


def test_the_deck_is_shuffled_as_published() -> None:
    deck = Dice(GAME_SEED).shuffled("deck/main", DECK)
    assert deck[:8] == ("c41", "c02", "c46", "c30", "c29", "c08", "c05", "c51")
    whole = hashlib.sha256(",".join(deck).encode()).hexdigest()
    assert whole == "01b7d3b7468732b1c72829a7acf6dc61fae1702053fe19eb7b8832d046ded451"


def test_a_sealed_bid_is_hashed_as_published() -> None:
    commitment = digest("pf1/bid", TABLE, "1", "3", "1", "0", "0000000017", b"\x44" * 16)
    assert commitment.hex() == "1d8f913797805afe59cfd13dfe26de650d842a510b95a30a34e43faf9311c7f3"


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_a_seed_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"32 bytes, not {length}"):
        Dice(bytes(length))


@given(st.lists(st.binary(max_size=8), max_size=5))
def test_encoded_parts_can_be_told_apart_again(parts: list[bytes]) -> None:
    encoded, found = encode_parts(*parts), []
    while encoded:
        (length,) = struct.unpack(">I", encoded[:4])
        found.append(encoded[4 : 4 + length])
        encoded = encoded[4 + length :]
    assert found == parts


def test_text_is_encoded_as_its_bytes() -> None:
    assert encode_parts("Löpmann") == encode_parts("Löpmann".encode())


def test_the_same_seed_and_label_give_the_same_numbers_whenever_they_are_asked_for() -> None:
    one, other = Dice(GAME_SEED), Dice(GAME_SEED)
    first = one.shuffled("bag", DECK)
    one.below("something else", 6)
    assert one.shuffled("bag", DECK) == first == other.shuffled("bag", DECK)
    assert one.below("die", 1000) == other.below("die", 1000)


def test_another_label_or_another_seed_gives_another_order() -> None:
    orders = {
        Dice(GAME_SEED).shuffled("bag/1", DECK),
        Dice(GAME_SEED).shuffled("bag/2", DECK),
        Dice(bytes(range(32))).shuffled("bag/1", DECK),
    }
    assert len(orders) == 3


@given(st.lists(st.integers(), max_size=40))
def test_a_shuffle_loses_and_adds_nothing(items: list[int]) -> None:
    before = items.copy()
    assert sorted(Dice(GAME_SEED).shuffled("bag", items)) == sorted(before)
    assert items == before


def test_a_word_that_would_favour_small_numbers_is_thrown_away() -> None:
    # 2**32 leaves 6 when divided by 10, so the last 6 words would make 0 to 5 a little more likely.
    last_fair = 2**32 - 7
    assert _below(iter([last_fair]), 10) == 9
    for unfair in range(last_fair + 1, 2**32):
        assert _below(iter([unfair, unfair, 3]), 10) == 3


def test_no_word_is_thrown_away_when_the_bound_divides_evenly() -> None:
    assert _below(iter([2**32 - 1]), 8) == 7
    assert _below(iter([2**32 - 1]), 2**32) == 2**32 - 1


@pytest.mark.parametrize("bound", [-1, 0, 2**32 + 1])
def test_a_bound_that_no_word_can_serve_is_a_bug_of_the_caller(bound: int) -> None:
    with pytest.raises(AssertionError):
        Dice(GAME_SEED).below("die", bound)


def chi_square(counts: Counter[object], cells: int) -> float:
    """Return the chi-square statistic of counts; about the number of cells for a fair source."""
    expected = counts.total() / cells
    assert len(counts) <= cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in counts) + (cells - len(counts)) * expected


# The seeds are fixed, so these give the same figure in every run. A fair source passes such a bound, twice the
# expected figure, with more certainty than anybody needs; a source that prefers something by a tenth does not.


def test_numbers_below_a_bound_come_up_alike() -> None:
    dice = Dice(GAME_SEED)
    counts: Counter[object] = Counter(dice.below(f"die/{throw}", 100) for throw in range(20_000))
    assert chi_square(counts, 100) < 200


def test_every_order_of_a_shuffle_comes_up_alike() -> None:
    dice = Dice(GAME_SEED)
    counts: Counter[object] = Counter(dice.shuffled(f"deck/{deal}", "abcd") for deal in range(6_000))
    assert set(counts) == set(permutations("abcd"))
    assert chi_square(counts, 24) < 48


def test_two_labels_tell_nothing_about_each_other() -> None:
    counts: Counter[object] = Counter()
    for game in range(10_000):
        dice = Dice(hashlib.sha256(str(game).encode()).digest())
        counts[dice.below("deck/1", 10), dice.below("deck/2", 10)] += 1
    assert chi_square(counts, 100) < 200
