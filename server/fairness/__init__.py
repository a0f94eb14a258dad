"""Transcripts of finished games, and their verification, as `docs/fairness.md` describes them."""
