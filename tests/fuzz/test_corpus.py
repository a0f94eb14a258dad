"""Every input that a fuzzer has found interesting is still handled, without a fuzzer."""

from __future__ import annotations

import pytest

from tests.fuzz.__main__ import CORPUS, SHARES
from tests.fuzz.targets import TARGETS


def test_every_target_is_fuzzed_and_has_a_corpus() -> None:
    assert SHARES.keys() == TARGETS.keys() == {folder.name for folder in CORPUS.iterdir()}


@pytest.mark.parametrize("target", TARGETS)
def test_the_corpus_is_handled(target: str) -> None:
    inputs = sorted((CORPUS / target).iterdir())
    assert inputs
    for path in inputs:
        data = path.read_bytes()
        for size in {len(data), len(data) // 2, 1, 0}:
            TARGETS[target](data[:size])
