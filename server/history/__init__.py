"""Finished games: their index, ratings, profiles, rankings, and playing on from a moment of one."""
