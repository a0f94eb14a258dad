"""The toy games: the smallest things that a test of plays, contracts or secrets needs. Tests break copies of them."""

from tests.games.toy_auction import Auction
from tests.games.toy_mosaic import Mosaic

AUCTION = Auction()
MOSAIC = Mosaic()
TOYS = {toy.name: toy for toy in (AUCTION, MOSAIC)}
