"""A measurement, not a test: what one update costs a browser, from its arrival to the painted frame."""
