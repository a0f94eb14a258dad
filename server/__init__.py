"""The server of San Francisco Tables: rules, tables, storage, connections, and the app that joins them.

Every package below is a layer that may import only some of the others; ARCHITECTURE.md has the table, and
tests/test_layers.py holds the code to it.
"""
