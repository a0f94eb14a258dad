"""What a handle may be."""

from __future__ import annotations

import string

import pytest

from server.model import Refused
from server.people.handles import clean_handle, handle_key
from server.text.lookalikes import lookalike_keys


@pytest.mark.parametrize(
    "typed, handle", [("ada", "ada"), (" Ada ", "ada"), ("A-d_4", "a-d_4"), ("abc" + "d" * 17, "abc" + "d" * 17)]
)
def test_a_handle_is_lowered_and_trimmed(typed: str, handle: str) -> None:
    assert clean_handle(typed) == handle


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "ab",
        "a" * 21,
        "4da",
        "_ada",
        "-ada",
        "ada lovelace",
        "äda",
        "ada\u0131",
        "a\u0064\u0430",
        "ada.",
        "\u212aada",
    ],
)
def test_other_characters_and_lengths_are_refused(typed: str) -> None:
    refusal = clean_handle(typed)
    assert isinstance(refusal, Refused)
    assert refusal.code == "bad_handle"


@pytest.mark.parametrize(
    "typed",
    ["admin", "Adm1n", "moderator", "host-2", "server", "former-player", "rankings", "guest7", "api"],
)
def test_reserved_names_and_those_that_look_like_them_are_refused(typed: str) -> None:
    refusal = clean_handle(typed)
    assert isinstance(refusal, Refused)
    assert (refusal.code, "reserved" in refusal.sentence) == ("bad_handle", True)


def test_a_word_beside_a_reserved_one_makes_another_handle() -> None:
    assert clean_handle("th3-system") == "th3-system"


def test_handles_that_look_alike_share_a_key_and_others_do_not() -> None:
    assert len({handle_key(each) for each in ("illinois", "lllinois", "i11inois", "il-lin_ois", "illin0is")}) == 1
    assert len({handle_key(each) for each in ("modern", "rnodern")}) == 1
    assert handle_key("ada") != handle_key("adam")
    assert handle_key("No handle") is None


def test_every_handle_has_one_key() -> None:
    for character in string.ascii_lowercase + string.digits + "_-":
        assert len(lookalike_keys(f"a{character}b")) == 1


@pytest.mark.parametrize("typed", ["fuck-you", "xx_fu-ck_xx", "Arsch1och", "nazi-88", "big-shit", "h1tler"])
def test_insults_are_refused(typed: str) -> None:
    refusal = clean_handle(typed)
    assert isinstance(refusal, Refused)
    assert (refusal.code, "insult" in refusal.sentence) == ("bad_handle", True)


@pytest.mark.parametrize("typed", ["scunthorpe", "ignazio", "grape", "shitake", "hurenberg", "dick-tracy", "cassandra"])
def test_names_that_hold_other_words_stay_names(typed: str) -> None:
    assert clean_handle(typed) == typed
