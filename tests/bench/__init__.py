"""Benchmarks: `make bench`, or `python -m tests.bench` with the names of some of them. No test asserts a time."""
