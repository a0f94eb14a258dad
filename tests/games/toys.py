"""The toy games: small games for tests of plays, contracts and secrets. Tests derive broken copies of them."""

from tests.games.toy_auction import AUCTION
from tests.games.toy_mosaic import MOSAIC

TOYS = {toy.name: toy for toy in (AUCTION, MOSAIC)}
