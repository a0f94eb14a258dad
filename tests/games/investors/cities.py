"""Cities that several tests need, drawn in full or as patches."""

from __future__ import annotations

from typing import Final

FULL_VILLAS: Final = """
    +-y-+-b-+-r-+-g-+-y-+
    y v y v b v r v g v y
    +-y-+-b-+-r-+-g-+-y-+
"""
"""All five villa districts are rebuilt, and no street around them is free."""

FULL_VILLAS_AND_RESIDENTIAL: Final = """
    +-y-+-y-+-b-+-b-+-r-+
    y v y v b v b v r v r
    +-g-+-g-+-g-+-g-+-g-+
    y r y r b r b r r r r
    +-y-+-y-+-b-+-b-+-r-+
"""
"""Ten rebuilt districts at the lower left corner of the city, around which no street is free."""

LOWER_LEFT: Final = (3, 0)

NEARLY_FULL: Final = """
    +-#-+-y-+-r-+-g-+-b-+-r-+-#-+
    # * # F g O y M r L y V # * #
    +-#-+-v-+-b-+-b-+-v-+-g-+-#-+
    v R b F r O y M g L b V r R v
    +-y-+-y-+-g-+-r-+-r-+-y-+-y-+
    b F g O r M y H b L v V b R v
    +-v-+-b-+-b-+-v-+-g-+-g-+-r-+
    g R r F y O g M y L b V y F v
    +-y-+-g-+-r-+-b-+-v-+-v-+-#-+
    g L v V b R y B r M y O # * #
    +-r-+-r-+-1-+-2-+-b-+-g-+-#-+
"""
"""Five seats; two streets at the lower edge are free, one of a residential district and one of the bank.

Nobody has a majority anywhere, and violet on the first and green on the second street do not change that.
"""

VILLA_NEARLY_DONE: Final = """
    +-y-+
    y V 1
    +-2-+
"""
"""Yellow needs one more stick to rebuild a villa district."""
