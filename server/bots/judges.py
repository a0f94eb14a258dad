"""The judges of each game, which compare answers for the analysis of finished games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from server.bots.builders.judge import BuildersJudge
from server.bots.investors.judge import InvestorsJudge
from server.bots.planners.judge import PlannersJudge
from server.bots.strategy import Judge

JUDGES: Final[Mapping[str, Judge]] = {
    "investors": InvestorsJudge(),
    "planners": PlannersJudge(),
    "builders": BuildersJudge(),
}
"""By game. A game that is not listed cannot be analysed."""
