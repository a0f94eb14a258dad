"""Random names for guests who have not chosen one, made of sights of San Francisco."""

from __future__ import annotations

import secrets
from typing import Final

_QUALITIES: Final = """
    Amber Breezy Bright Brisk Busy Calm Cheerful Clever Cloudy Coastal Cosy Curious Daring Dawdling Drifting Drowsy
    Eager Early Foggy Gentle Golden Hasty Hidden Humming Jolly Late Lively Lofty Lucky Mellow Merry Misty Nimble Patient
    Proud Quick Quiet Rambling Restless Rolling Salty Sandy Sleepy Sly Steep Sunny Swift Tidal Wandering Windy Witty
"""

_LANDMARKS: Final = """
    Anchovy Architect Artichoke Avocet Bridge Burrito Cable-Car Clam Cormorant Coyote Crab Cypress Dahlia Egret
    Eucalyptus Ferry Foghorn Gardener Ginkgo Gull Harbour Heron Hill Hummingbird Jellyfish Lighthouse Magnolia
    Manzanita Mural Oyster Parrot Pelican Pier Pigeon Planner Plover Poppy Porpoise Raccoon Raven Redwood Salamander
    Sandpiper Schooner Seal Sea-Lion Skyline Sourdough Streetcar Surfer Terrace Trolley Whale
"""

QUALITIES: Final = tuple(_QUALITIES.split())
LANDMARKS: Final = tuple(_LANDMARKS.split())


def made_up_name() -> str:
    """Return a random name such as `Foggy Pelican`; names are not unique."""
    return f"{secrets.choice(QUALITIES)} {secrets.choice(LANDMARKS)}"
