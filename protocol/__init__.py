"""The contract between the server and every client: messages, their encoding, and the codes of refusals.

It knows nothing of the server, so that a client written in Python can use it alone.
"""
