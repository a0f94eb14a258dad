"""The server with deals that follow from the settings and the name of a table alone, so that tests meet the same games.

The shuffle does not follow from the seeds that were exchanged, so pages that verify such a game find it wrong.
"""

from __future__ import annotations

import sys
from hashlib import sha256

from protocol.commitments import canonical_json
from server.cli import main
from server.tables import seating
from server.tables.seed_exchange import SeedExchange
from server.tables.state import TableState


def fixed_seed(state: TableState, exchange: SeedExchange) -> bytes:
    """Return the seed of a game, whatever the id of its table and the seeds of server and seats are."""
    settings = state.settings
    deal = [settings.game, len(state.chairs), dict(settings.options), settings.name, exchange.game]
    return sha256(canonical_json(deal).encode()).digest()


if __name__ == "__main__":
    seating.seed_of_game = fixed_seed
    sys.exit(main())
