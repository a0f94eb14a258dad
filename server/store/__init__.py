"""The durable log of every table, and the small records beside it."""
