"""The protocol between the server and its clients: messages, encodings, patches and codes.

It imports nothing from the server, so that a client written in Python can use it alone.
"""
