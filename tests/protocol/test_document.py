"""PROTOCOL.md agrees with the code, and its examples are valid messages."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from protocol.codec import SUBPROTOCOLS, Encoding, decode, encode, read_request
from protocol.codes import CLOSES, REFUSALS, Close
from protocol.messages import REPLIES, AnyReply, AnyRequest, RefusedMessage
from protocol.patch import patched
from tests.protocol.document import examples, filled, meet, messages, placeholders, sequences, table, text

STEPS = [(name, number, step) for name, steps in sequences().items() for number, step in enumerate(steps, 1)]


def types_of(union: Any) -> set[str]:
    return {get_args(model.model_fields["type"].annotation)[0] for model in get_args(get_args(union)[0])}


def assert_request(message: dict[str, Any], name: str) -> None:
    for encoding in Encoding:
        request = read_request(decode(encode(message, encoding), encoding))
        assert not isinstance(request, RefusedMessage), request.sentence
        assert request.type == name


def assert_reply(message: dict[str, Any], name: str) -> None:
    assert message["type"] == name
    for encoding in Encoding:
        assert decode(encode(message, encoding), encoding) == message
    reply = REPLIES.validate_python(message)
    if isinstance(reply, RefusedMessage):
        assert reply.code in REFUSALS


@pytest.mark.parametrize("name, message", messages("request"))
def test_an_example_of_a_request_is_valid(name: str, message: dict[str, Any]) -> None:
    assert_request(message, name)


@pytest.mark.parametrize("name, message", messages("reply"))
def test_an_example_of_a_reply_is_valid(name: str, message: dict[str, Any]) -> None:
    assert_reply(message, name)


def test_every_message_has_an_example() -> None:
    assert {name for name, _ in messages("request")} == types_of(AnyRequest)
    assert {name for name, _ in messages("reply")} == types_of(AnyReply)


def test_every_block_has_a_tag() -> None:
    tagged = [example for tag in ("request", "reply", "patch", "sequence") for example in examples(tag)]
    assert len(tagged) == text().count("```") // 2


def test_the_example_of_a_patch_leads_from_one_view_to_the_other() -> None:
    ((_, block),) = examples("patch")
    before, patch, after = json.loads(block)
    assert patched(before, patch) == after


# -- tables ---------------------------------------------------------------------------------------------------


def test_the_refusals_are_those_of_the_code_with_advice() -> None:
    rows = table("Code | Sentence")
    assert {code: sentence for code, sentence, _ in rows} == REFUSALS
    assert all(advice for *_, advice in rows)


def test_the_close_codes_are_those_of_the_code_with_advice() -> None:
    rows = table("Code | Name")
    assert {int(code): sentence for code, _, sentence, _ in rows} == CLOSES
    assert {int(code): name for code, name, _, _ in rows} == {code: code.name.lower() for code in Close}
    assert all(advice for *_, advice in rows)


def test_the_subprotocols_are_those_of_the_code() -> None:
    assert [name for name, *_ in table("Subprotocol")] == list(SUBPROTOCOLS)


# -- sequences ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name, number, step", STEPS)
def test_a_step_of_a_sequence_is_valid(name: str, number: int, step: list[Any]) -> None:
    match filled(step, placeholders()):
        case [str(), "sends", {"type": "paint"}]:
            pass  # deliberately unknown
        case [str(), "sends", message]:
            assert_request(message, message["type"])
        case [str(), "gets", message]:
            assert_reply(message, message["type"])
        case [str(), "posts", "/api/session", None]:
            pass
        case [str(), "posts", "/api/session/code", {"code": str()}]:
            pass
        case [str(), "posts", "/api/session/recovery", {"handle": str(), "code": str()}]:
            pass
        case [str(), "is answered", 403, {"code": str(), "sentence": str()}]:
            pass
        case [str(), "is answered", int(status), {"user": {"id": str()}}]:
            assert status == 200
        case [str(), "connects", str(subprotocol)]:
            assert (subprotocol in SUBPROTOCOLS) == (name != "old page")
        case [str(), "is closed", int(code)]:
            assert code in CLOSES
        case [str(), "hangs up"]:
            pass
        case _:
            pytest.fail(f"step {number} of {name} is none of the steps that the document explains: {step}")


@pytest.mark.parametrize("name", sequences())
def test_every_request_of_a_sequence_gets_one_reply(name: str) -> None:
    waiting: set[tuple[str, str]] = set()
    for who, verb, *rest in sequences()[name]:
        if verb == "sends":
            waiting.add((who, rest[0]["id"]))
        elif verb == "gets" and rest[0]["type"] in ("done", "refused"):
            assert (who, rest[0]["id"]) in waiting, f"{who} gets an answer to {rest[0]['id']}, which was not asked"
            waiting.remove((who, rest[0]["id"]))
    assert not waiting, f"{waiting} got no answer"


def test_the_sequences_that_a_client_needs_are_documented() -> None:
    needed = {"joining", "bidding", "reconnecting", "restarting", "watching", "second device", "program", "old page"}
    needed |= {"keeping a name", "looking back"}
    assert sequences().keys() == needed


# -- how sequences are read -----------------------------------------------------------------------------------


def test_a_placeholder_takes_the_first_value_and_keeps_it() -> None:
    met = meet({"table": "$table", "seats": ["$first", 2]}, {"table": "abcd", "seats": [1, 2], "more": 0}, {})
    assert met == {"$table": "abcd", "$first": 1}
    assert meet("$table", "abcd", met) == met
    assert meet("$table", "efgh", met) is None


@pytest.mark.parametrize(
    "shown, came",
    [({"a": 1}, {"b": 1}), ({"a": 1}, {"a": 2}), ({"a": 1}, {"a": True}), ([1], [1, 2]), ([], {}), ("a", None)],
)
def test_an_arrived_value_must_contain_the_example(shown: Any, came: Any) -> None:
    assert meet(shown, came, {}) is None


def test_an_unknown_placeholder_is_an_error() -> None:
    with pytest.raises(KeyError):
        filled({"table": "$unheard_of"}, placeholders())
