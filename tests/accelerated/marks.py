"""A mark for tests that replace functions of modules that the accelerated build compiles, which cannot be replaced."""

from __future__ import annotations

import pytest

import server
from server.acceleration import PLAIN

plain_only = pytest.mark.skipif(server.BUILD.name != PLAIN, reason="replaces functions that are compiled in this build")
