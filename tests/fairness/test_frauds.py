"""Every planted fraud is found by every verifier that can see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.fairness.findings import Finding, result_of
from server.fairness.verify import verify
from tests.fairness import device_frauds
from tests.fairness.both import comparable, found_by_node, wrong_keys
from tests.fairness.frauds import FRAUDS, NUMBERS, Fraud, committed, honest, honest_transcript

MIN_FRAUDS = 85
assert device_frauds, "the module registers its frauds"


@pytest.fixture(scope="module")
def by_node(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Finding]]:
    """Return what JavaScript finds, by fraud; Node is started once."""
    transcripts = [committed(fraud) for fraud in FRAUDS]
    found = found_by_node(transcripts, tmp_path_factory.mktemp("frauds"))
    return {fraud.name: findings for fraud, findings in zip(FRAUDS, found, strict=True)}


def test_there_are_many_frauds() -> None:
    assert len({fraud.name for fraud in FRAUDS}) == len(FRAUDS) >= MIN_FRAUDS


@pytest.mark.parametrize("title", NUMBERS)
def test_an_honest_game_is_verified_by_both(title: str, tmp_path: Path) -> None:
    transcript = honest_transcript(title)
    findings = verify(transcript)
    assert wrong_keys(findings) == []
    assert result_of(findings) == "verified"
    [by_node] = found_by_node([transcript], tmp_path)
    assert comparable(by_node) == comparable(findings)


@pytest.mark.parametrize("fraud", FRAUDS, ids=lambda fraud: fraud.name)
def test_a_fraud_is_found_by_python(fraud: Fraud) -> None:
    findings = verify(committed(fraud))
    assert result_of(findings) == "wrong"
    assert any(key.startswith(fraud.python) for key in wrong_keys(findings)), [each.sentence for each in findings]


@pytest.mark.parametrize("fraud", FRAUDS, ids=lambda fraud: fraud.name)
def test_a_fraud_is_found_by_javascript_where_it_can_be(fraud: Fraud, by_node: dict[str, list[Finding]]) -> None:
    wrong = wrong_keys(by_node[fraud.name])
    if fraud.node is None:
        assert wrong == []
    else:
        assert any(key.startswith(fraud.node) for key in wrong)


@pytest.mark.parametrize("fraud", FRAUDS, ids=lambda fraud: fraud.name)
def test_both_find_the_same_up_to_the_rules(fraud: Fraud, by_node: dict[str, list[Finding]]) -> None:
    assert comparable(by_node[fraud.name]) == comparable(verify(committed(fraud)))


def test_who_noted_the_head_sees_every_fraud_in_the_record() -> None:
    seen = 0
    for fraud in FRAUDS:
        transcript, before = committed(fraud), honest_transcript(fraud.title)
        if transcript["lines"][: len(before["lines"])] == before["lines"]:
            # What somebody could note is unchanged.
            continue
        head = f"{honest(fraud.title).chain.shown()['line']}.{before['head']}"
        wrong = wrong_keys(verify(transcript, [head]))
        assert "head_missing" in wrong or wrong[0].startswith("chain_"), fraud.name
        seen += 1
    assert seen >= MIN_FRAUDS // 2
