"""What a process does first that works beside the server for minutes at most: it gives way, and has limits."""

from __future__ import annotations

import os
import resource
import signal


def begin_background_process(max_seconds: int, max_memory_bytes: int, niceness: int) -> None:
    """Limit the processor time and the memory of this process, and lower its priority."""
    resource.setrlimit(resource.RLIMIT_CPU, (max_seconds, max_seconds))
    resource.setrlimit(resource.RLIMIT_AS, (max_memory_bytes, max_memory_bytes))
    # Signals to the process group are for the server, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(niceness)
