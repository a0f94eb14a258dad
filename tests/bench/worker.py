"""A contestant in a process of its own: it waits, plays for as long as a line of its input says, and reports.

This end imports nothing but the standard library, for it also runs where this project is not installed. The other
end is in `processes.py`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable


def serve(play: Callable[[int], int]) -> None:
    """Call `play` with ever new numbers; it plays the game of that number and gives how many decisions it took."""
    number = 0
    for line in sys.stdin:
        seconds, decisions = float(line), 0
        wall, cpu = time.perf_counter(), time.process_time()
        while time.process_time() - cpu < seconds:
            number += 1
            decisions += play(number)
        spent = (time.perf_counter() - wall, time.process_time() - cpu)
        print(json.dumps([decisions, *spent]), flush=True)
