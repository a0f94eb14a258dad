"""Python and JavaScript have the encodings of the vectors that they share."""

from __future__ import annotations

import json
from typing import Any

from protocol import commitments
from protocol.commitments import Contribution
from server.games.engine.dice import Dice
from tests.web.node import ROOT, run_node

VECTORS: dict[str, Any] = json.loads((ROOT / "protocol" / "fairness-vectors.json").read_text())
TABLE: str = VECTORS["table"]
SERVER_SEED = bytes.fromhex(VECTORS["server_seed"])


def test_javascript_has_the_encodings_of_the_vectors() -> None:
    run_node("node", "--test", "../tests/fairness/vectors.test.mjs")


def test_the_commitment_of_the_server() -> None:
    given = VECTORS["server_commitment"]
    assert commitments.server_commitment(TABLE, given["game"], SERVER_SEED) == given["commitment"]


def test_the_commitments_of_seats() -> None:
    for given in VECTORS["seed_commitments"]:
        fields = (given["game"], given["seat"], given["identity"], bytes.fromhex(given["seed"]))
        assert commitments.seed_commitment(TABLE, *fields) == given["commitment"]


def test_the_seeds_of_games() -> None:
    for given in VECTORS["game_seeds"]:
        seats = [Contribution(each["identity"], bytes.fromhex(each["seed"])) for each in given["seats"]]
        seed = commitments.game_seed(SERVER_SEED, TABLE, given["game"], given["rules"], given["deck"], seats)
        assert seed.hex() == given["seed"]


def test_shuffles_and_draws() -> None:
    for given in VECTORS["streams"]:
        dice = Dice(bytes.fromhex(given["seed"]))
        if "items" in given:
            assert dice.shuffled(given["label"], given["items"]) == tuple(given["order"])
        else:
            assert dice.below(given["label"], given["below"]) == given["value"]


def test_the_commitments_of_answers() -> None:
    for given in VECTORS["answers"]:
        assert commitments.canonical_json(given["command"]) == given["answer"]
        place = (given["game"], given["decision"], given["seat"], given["attempt"])
        made = commitments.answer_commitment(TABLE, *place, given["answer"], bytes.fromhex(given["salt"]))
        assert made == given["commitment"]


def test_the_salts_of_the_server() -> None:
    for given in VECTORS["server_salts"]:
        seed = bytes.fromhex(given["seed"])
        salt = commitments.server_salt(seed, given["decision"], given["seat"], given["attempt"])
        assert salt.hex() == given["salt"]


def test_the_chain() -> None:
    head = commitments.chain_start(TABLE)
    assert commitments.base64url(head) == VECTORS["chain"]["start"]
    for line, expected in zip(VECTORS["chain"]["lines"], VECTORS["chain"]["heads"], strict=True):
        head = commitments.chain_next(head, line.encode())
        assert commitments.base64url(head) == expected
