"""The coach: analyses of finished games."""
