"""Names that look alike, and Unicode's data behind it."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import re
import string
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from server.text import BadText, clean_name
from server.text import confusables as generated
from server.text.confusables import CONFUSABLES
from server.text.lookalikes import look_alike, lookalike_keys, marked, reserved_name, skeleton
from server.tools.confusables import module

NAME = "Foggy Pelican"

ATTACKS = {
    "Cyrillic letters": "F\u043eggy \u0420\u0435l\u0456\u0441\u0430n",
    "a Greek omicron": "F\u03bfggy Pelican",
    "full-width letters": "\uff26\uff4f\uff47\uff47\uff59 \uff30\uff45\uff4c\uff49\uff43\uff41\uff4e",
    "mathematical letters": "\U0001d4d5\U0001d4f8\U0001d4f0\U0001d4f0\U0001d502 \U0001d4dfelican",
    "a capital I for an l": "Foggy PeIican",
    "a one for an l": "Foggy Pe1ican",
    "a zero for an o": "F0ggy Pelican",
    "a bar for an l": "Foggy Pe|ican",
    "another case": "FOGGY pelican",
    "an accent": "Foggy Pelic\u00e1n",
    "a combining mark": "Foggy Pelican\u0323",
    "an overlay": "Foggy P\u0338elican",
    "a zero-width joiner": "Foggy\u200d Pelican",
    "a zero-width space": "Foggy Pel\u200bican",
    "a soft hyphen": "Foggy Pel\u00adican",
    "a trailing dot": "Foggy Pelican.",
    "trailing spaces": "Foggy Pelican  ",
    "a wide space": "Foggy\u3000Pelican",
    "no space": "FoggyPelican",
    "an apostrophe": "Foggy Pelican\u2019",
    "a Cherokee letter": "Foggy \u13e2elican",
    "an Armenian letter": "F\u0585ggy Pelican",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_name_looks_like_its_imitation(attack: str) -> None:
    assert ATTACKS[attack] != NAME
    assert look_alike(NAME, ATTACKS[attack])
    try:
        accepted = clean_name(ATTACKS[attack])
    except BadText:
        return
    assert marked(accepted, [NAME]) != accepted


@pytest.mark.parametrize(
    "one, other", [("modern", "rnodern"), ("Marie", "Rnarie"), ("\u041d\u0418\u041a\u0410", "\u043d\u0438\u043a\u0430")]
)
def test_letters_that_look_like_two_and_other_scripts_in_another_case(one: str, other: str) -> None:
    assert look_alike(one, other)


@pytest.mark.parametrize(
    "one, other",
    [
        ("Ann", "Ben"),
        ("Ada", "Ada 2"),
        ("Ada", "Adam"),
        ("Mia", "Nia"),
        ("Foggy Pelican", "Foggy Pelican (2)"),
        ("\u0915\u0940", "\u0915\u0941"),  # Hindi vowel signs
        ("\u5c71\u7530", "\u5c71\u672c"),
        ("Ada \U0001f309", "Ada \U0001f308"),
        ("!", "?"),
        ("...", "...."),
    ],
)
def test_names_that_people_can_tell_apart_do_not_look_alike(one: str, other: str) -> None:
    assert not look_alike(one, other)


def test_every_letter_looks_like_itself_in_the_other_case() -> None:
    for letter in string.ascii_lowercase:
        assert look_alike(letter, letter.upper()), letter


def test_a_key_is_never_empty() -> None:
    for point in ("a", "1", ".", "-", "\u0295", "\u02e4", "\u00b8", "\u0384", "\u3078", "\U0001f309", "\u0301a"):
        assert all(lookalike_keys(point)), point


def test_a_name_gets_the_first_number_that_is_free() -> None:
    assert marked("Ada", ["Ben", "Cleo"]) == "Ada"
    assert marked("Ada", ["\u0410da"]) == "Ada (2)"
    assert marked("Ada", ["ADA", "Ada 2", "ada (3)"]) == "Ada (4)"


RESERVED, FILLERS = ("Server", "San Francisco Tables", "Admin"), ("The", "Team")


@pytest.mark.parametrize(
    "name",
    [
        "Server",
        "SERVER",
        "Server 2",
        "7 Server",
        "[Server]",
        "S e r v e r",
        "\u0405\u0435rv\u0435r",
        "Adm1n",
        "the Server",
        "Server-Admin",
        "Admin Team",
        "san francisco tab1es",
        "Server \U0001f309",
        "Server\u00b2",
    ],
)
def test_a_reserved_name_is_recognized_in_disguise(name: str) -> None:
    assert reserved_name(name, RESERVED, FILLERS) is not None


@pytest.mark.parametrize("name", ["Severin", "Observer", "Ada of the Server", "The Team", "12", "\U0001f309", "..."])
def test_other_names_are_not_reserved(name: str) -> None:
    assert reserved_name(name, RESERVED, FILLERS) is None


# -- the data -------------------------------------------------------------------------------------------------


def test_skeletons_follow_the_data() -> None:
    assert skeleton("m") == "rn"
    assert skeleton("\u0430\u03bf\u0585") == "aoo"
    assert skeleton("I1|") == "lll"
    assert len(CONFUSABLES) > 3_000


def test_the_data_is_what_the_generator_writes_for_it() -> None:
    """Check it with the original if `UNICODE_CONFUSABLES` names it, else with a file made of the data itself."""
    written = Path(generated.__file__).read_text("utf-8")
    path = os.environ.get("UNICODE_CONFUSABLES")
    if path is not None:
        lines = Path(path).read_text("utf-8-sig").splitlines()
    else:
        version = re.search(r"Unicode (\d+\.\d+)", written)
        assert version is not None
        rows = [
            f"{ord(source):04X} ;\t{' '.join(f'{ord(point):04X}' for point in text)} ;\tMA\t# ( {source} )"
            for source, text in CONFUSABLES.items()
        ]
        lines = [f"# Version: {version[1]}.0", "", *rows]
    assert module(lines) == written


def icu_skeleton() -> Callable[[str], str] | None:
    """Return the function of the ICU library, if this machine has one."""
    name = ctypes.util.find_library("icui18n")
    if name is None:
        return None
    library, version = ctypes.CDLL(name), name.rpartition(".")[2]
    try:
        open_checker, get = library[f"uspoof_open_{version}"], library[f"uspoof_getSkeletonUTF8_{version}"]
    except AttributeError:
        return None
    open_checker.restype = ctypes.c_void_p
    error = ctypes.c_int(0)
    checker = ctypes.c_void_p(open_checker(ctypes.byref(error)))

    def of(text: str) -> str:
        given, found = text.encode(), ctypes.create_string_buffer(512)
        size = get(checker, 0, given, len(given), found, 512, ctypes.byref(error))
        assert error.value <= 0
        return found.raw[:size].decode()

    return of


def test_skeletons_are_those_of_the_icu_library() -> None:
    """Compare with an implementation by others; its data may be some versions of Unicode older or newer."""
    of = icu_skeleton()
    if of is None:
        pytest.skip("this machine has no ICU library")
    points = [*CONFUSABLES, *map(chr, range(0x21, 0x3000, 7))]
    texts = {unicodedata.normalize("NFKC", point) for point in points if unicodedata.category(point)[0] != "C"}
    differing = [text for text in texts if of(text) != skeleton(text)]
    assert len(texts) > 4_000
    assert len(differing) < len(texts) * 0.08
    for text in (NAME, "\u0405\u0435rv\u0435r", "\u03bfmicron", "IlI1|"):
        assert of(text) == skeleton(text)
