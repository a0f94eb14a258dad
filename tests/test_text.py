"""Sanitizing names and chat lines."""

import re
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from server.text import MAX_NAME_LENGTH, BadText, clean_line, clean_name, length

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
RAINBOW_FLAG = "\U0001f3f3\ufe0f\u200d\U0001f308"
FLAG_OF_FRANCE = "\U0001f1eb\U0001f1f7"
DARK_HAND = "\U0001f44b\U0001f3ff"
PERSIAN = "می\u200cخواهم"  # noqa: RUF001  a non-joiner keeps two letters apart
SINHALA = "ශ\u0dca\u200dරී"  # a virama and a joiner join two letters
SUSPECTS = [
    *("\u200b", "\u200c", "\u200d", "\u200e", "\u202e", "\u2066", "\u2069", "\u00ad", "\ufeff", "\u034f", "\u115f"),
    *("\u3164", "\u2800", "\ufe0f", "\ufe0e", "\U000e0041", "\U000e0100", "\ud800", "\udfff", "\ue000", "\uffff"),
    *("\x00", "\x1b", "\x7f", "\x85", "\n", "\t", " ", "\u00a0", "\u2028", "\u3000", "\u0301", "\u0323", "\u20e3"),
    *("e", "é", "1", "\u1100", "\u1161", "\u11a8", "ک", "\u0654", "\u09c7", "\u09be", "\u094d", "न"),
    *("\U0001f469", "\U0001f3ff", "\U0001f1eb", "❤", "\U0001fae8", "\U0001f308"),
]
suspicious_text = st.lists(st.one_of(st.sampled_from(SUSPECTS), st.characters()), max_size=40).map("".join)


@pytest.mark.parametrize(
    "name",
    [
        *("Ada", "Zoë", "O’Brien-Ng", "Søren Å.", "李小龍", "김민준", "Nguyễn Thị Ánh", "ณัฐวุฒิ", "שָׁלוֹם", "x"),
        *(PERSIAN, SINHALA, FAMILY, RAINBOW_FLAG, FLAG_OF_FRANCE, DARK_HAND, "❤\ufe0f", "1\ufe0f\u20e3"),
        "\U0001fae8",  # an emoji that this Python may not know yet
    ],
)
def test_a_name_in_any_script_stays_as_it_is(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    "name, cleaned",
    [
        ("  Ada  ", "Ada"),
        ("Ada \t\n  King", "Ada King"),
        ("Ada\u00a0\u3000King\u2028", "Ada King"),
        ("Zoe\u0308", "Zoë"),
    ],
)
def test_white_space_is_collapsed_and_letters_are_composed(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned


@pytest.mark.parametrize(
    "name, reason",
    [
        *[(name, "at least one") for name in ("", "   ", "\n", "\u3000")],
        *[(name, "24 characters") for name in ("x" * 25, "é" * 25, "\u200d".join(["\U0001f469"] * 90))],
        *[(f"a{point}b", "control") for point in "\x00\x07\x1b\x7f\x9f"],
        *[(f"a{point}b", "direction") for point in "\u061c\u200e\u200f\u202a\u202e\u202c\u2066\u2068\u2069"],
        *[(f"a{point}b", "invisible") for point in "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0f\u3164\u2800"],
        *[(f"{point}", "invisible") for point in "\u200b\u200d\u3164\u115f\u2800\ufe0f\U000e0041"],
        *[(name, "invisible") for name in ("Ada\u200d", "\u200dAda", "\U0001f469\u200d", "❤\ufe0f\ufe0f")],
        *[(f"a{point}b", "not every device") for point in "\ud800\udfff\ue000\uffff\U0010ffff\u0378"],
        *[(name, "accents") for name in ("\u0301", "\u0301a", "a \u0301", "a" + "\u0316" * 5)],
    ],
)
def test_a_name_with_forbidden_characters_is_refused_with_the_reason(name: str, reason: str) -> None:
    with pytest.raises(BadText, match=rf"^A name .*{reason}.*\.$"):
        clean_name(name)


def test_a_name_may_have_24_characters_however_many_code_points_they_have() -> None:
    for character in ("x", "e\u0323\u0306", "\U0001f44b\U0001f3ff", FLAG_OF_FRANCE):
        assert length(clean_name(character * MAX_NAME_LENGTH)) == MAX_NAME_LENGTH
        with pytest.raises(BadText, match="24"):
            clean_name(character * (MAX_NAME_LENGTH + 1))


@pytest.mark.parametrize(
    "text, count",
    [
        *[("", 0), ("abc", 3), ("ห\u0e35\u0e49", 1), (FAMILY, 1), (RAINBOW_FLAG * 2, 2), (DARK_HAND, 1)],
        *[(FLAG_OF_FRANCE * 3, 3), ("\U0001f1eb", 1), ("\U0001f1ebx\U0001f1f7", 3), ("1\ufe0f\u20e3", 1)],
    ],
)
def test_characters_are_counted_as_a_reader_counts_them(text: str, count: int) -> None:
    assert length(text) == count


def test_a_line_loses_forbidden_characters_and_keeps_the_rest() -> None:
    assert clean_line(" gg \u202e\u200b  well\x07 played\ud800\r\n", 50) == "gg well played"
    assert clean_line("Z" + "\u0335" * 30 + "algo", 50) == "Z" + "\u0335" * 4 + "algo"
    assert clean_line(FAMILY + "\u200d and a\u200db", 9) == FAMILY + " and ab"


def test_an_empty_line_and_a_long_line_are_refused_with_a_sentence() -> None:
    with pytest.raises(BadText, match=r"^There is nothing to say in that message\.$"):
        clean_line(" \u200b\n", 10)
    with pytest.raises(BadText, match=r"^A message can have at most 10 characters\.$"):
        clean_line("x" * 11, 10)
    assert clean_line(" " + "x" * 10 + " ", 10) == "x" * 10


def assert_is_safe(text: str) -> None:
    """Check the properties of sanitized text, without using the code under test."""
    assert text == " ".join(text.split())
    assert unicodedata.is_normalized("NFC", text)
    text.encode("utf-8")
    categories = [unicodedata.category(point) for point in text]
    assert not {"Cc", "Cs", "Co", "Zl", "Zp"} & set(categories)
    assert {point for point, category in zip(text, categories, strict=True) if category == "Cf"} <= {"\u200c", "\u200d"}
    assert not any(joiner in text for joiner in ("\u200d\u200d", "\u200c\u200c", "\u200c\u200d", "\u200d\u200c"))
    assert text[0] not in "\u200c\u200d"
    assert text[-1] not in "\u200c\u200d"
    marks = "".join("m" if category.startswith("M") else "." for category in categories)
    assert "mmmmm" not in marks
    assert not marks.startswith("m")


def cleaned_or_refused(clean: Callable[[], str]) -> tuple[str | None, str]:
    try:
        return clean(), ""
    except BadText as refused:
        return None, str(refused)


@settings(max_examples=400)
@given(suspicious_text)
@example("e\u200b\u0301")
@example("\U0001f469\u200d\u200b\U0001f467")
@example("a\u0301\u200b \u0301 \u200d")
@example("\u1100\u200b\u1161")
def test_any_text_becomes_a_safe_name_or_is_refused_with_a_sentence(text: str) -> None:
    name, sentence = cleaned_or_refused(lambda: clean_name(text))
    if name is None:
        assert re.fullmatch(r"A name .*\.", sentence)
    else:
        assert_is_safe(name)
        assert 1 <= length(name) <= MAX_NAME_LENGTH
        assert clean_name(name) == name


@settings(max_examples=400)
@given(suspicious_text)
@example("e\u200b\u0301")
@example("\u09c7\u200b\u09be")
def test_any_text_becomes_a_safe_line_or_is_empty(text: str) -> None:
    line, sentence = cleaned_or_refused(lambda: clean_line(text, 40))
    if line is None:
        assert sentence == "There is nothing to say in that message."
    else:
        assert_is_safe(line)
        assert clean_line(line, 40) == line
