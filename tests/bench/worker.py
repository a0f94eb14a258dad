"""A contestant in its own process: each line of its input is a number of seconds to play, then it reports.

This end imports nothing but the standard library, for it also runs where this project is not installed. The other
end is in `processes.py`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable


def serve(play: Callable[[int], int]) -> None:
    """Call `play` with increasing numbers; it plays the game of that number and returns its number of decisions."""
    number = 0
    for line in sys.stdin:
        seconds, decisions = float(line), 0
        wall, cpu = time.perf_counter(), time.process_time()
        while time.process_time() - cpu < seconds:
            number += 1
            decisions += play(number)
        spent = (time.perf_counter() - wall, time.process_time() - cpu)
        print(json.dumps([decisions, *spent]), flush=True)
