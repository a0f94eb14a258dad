"""The game that `docs/adding-a-game.md` builds can be played, and keeps the contract of every game."""

from __future__ import annotations

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from server.games.engine.game import Game
from tests.games.contract import check_declarations, check_fallbacks, check_game

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"


@pytest.fixture(scope="module")
def auction(tmp_path_factory: pytest.TempPathFactory) -> Game[Any]:
    """Return the game that the code on the page makes."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    path = tmp_path_factory.mktemp("page") / "adding_a_game.py"
    path.write_text("\n\n".join(blocks), "utf-8")
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    # Dataclasses and type hints look their module up by its name.
    module = sys.modules[path.stem] = module_from_spec(spec)
    spec.loader.exec_module(module)
    game: Game[Any] = module.AUCTION
    return game


def test_it_declares_what_every_game_declares(auction: Game[Any]) -> None:
    check_declarations(auction)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_keeps_the_contract(auction: Game[Any], seats: int) -> None:
    for seed in range(5):
        check_game(auction, seats, {}, str(seed))
    check_fallbacks(auction, seats, {}, "fallbacks")
