"""A process that thinks: a question on each line of standard input, its answer on a line of standard output.

It ends when its input does, so that it cannot outlive the server. A strategy that never comes back cannot either: the
alarm of the system ends the process, whatever it is doing.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from server.bots.question import choice_to_json, read_question
from server.bots.registry import strategy_of
from server.bots.strategy import Strategy

NICENESS = 10
"""People's requests come first, however many bots think."""

READY = b'{"ready":true}\n'


def work(find: Callable[[str, str], Strategy] = strategy_of) -> None:
    """Answer questions until there are no more; `find` gives the strategy of a game and a strength."""
    # What a strategy prints must not be taken for an answer.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    # Who stops the server in a terminal, or with its whole group, stops the server; it lets go of us when it is done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with suppress(BrokenPipeError):
        answers.write(READY)
        for line in sys.stdin.buffer:
            request = json.loads(line)
            _set_alarm(request["deadline"])
            answer = _answer(find, request)
            _set_alarm(0)
            answers.write(json.dumps(answer).encode() + b"\n")


def _answer(find: Callable[[str, str], Strategy], request: dict[str, Any]) -> dict[str, Any]:
    try:
        question = read_question(request["question"])
        strategy = find(question.game, request["strength"])
        # Chance that anybody may guess: a bot has no secret but its seat's.
        rng = Random(request["seed"])  # noqa: S311
        chosen = strategy.choose(question, rng, request["seconds"])
        refusal = question.prompt.admit(chosen.command)
        return choice_to_json(chosen) if refusal is None else {"mistake": f"{chosen.command}: {refusal.sentence}"}
    except Exception:  # noqa: BLE001 - whatever it is, the table plays on and the server's log tells
        return {"mistake": traceback.format_exc()}


def _set_alarm(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    work()
