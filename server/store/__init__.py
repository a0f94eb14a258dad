"""The durable log of every table, and key-value pairs beside it."""
