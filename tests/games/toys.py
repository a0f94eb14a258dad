"""The toy games: the smallest games that tests of plays, contracts or secrets need. Tests derive broken copies of them."""

from tests.games.toy_auction import AUCTION
from tests.games.toy_mosaic import MOSAIC

TOYS = {toy.name: toy for toy in (AUCTION, MOSAIC)}
