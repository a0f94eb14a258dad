"""Replies as messages: on the wire, beside a log entry as the stored reply, and between workers.

Everywhere else a reply is a value (`server.model.Reply`), and nothing looks into its message.
"""

from __future__ import annotations

from typing import Any

import msgpack

from protocol.codec import pack
from server.model import Done, Refused, Reply
from server.store.api import Known, Reused
from server.tables.results import refused


def reply_message(request_id: str | None, reply: Reply) -> dict[str, Any]:
    """Return the message that carries a reply. The id is None for a refusal that answers no request."""
    if isinstance(reply, Refused):
        return {"type": "refused", "id": request_id, **refusal_fields(reply)}
    return {"type": "done", "id": request_id, "result": reply.result}


def refusal_fields(refusal: Refused) -> dict[str, Any]:
    """Return the fields of a refusal; most have no variant and no values."""
    fields: dict[str, Any] = {"code": refusal.code, "sentence": refusal.sentence}
    if refusal.variant:
        fields |= {"variant": refusal.variant, "values": dict(refusal.values)}
    return fields


def read_reply(message: dict[str, Any]) -> Reply:
    """Return the reply that a message from `reply_message` carries."""
    if message["type"] == "refused":
        variant, values = message.get("variant", ""), message.get("values", {})
        return Refused(message["code"], message["sentence"], variant, values)
    return Done(message["result"])


def pack_reply(request_id: str, reply: Reply) -> bytes:
    """Return the bytes of a reply that the store keeps under the idempotency key of its request."""
    packed: bytes = pack(reply_message(request_id, reply))
    return packed


def stored_reply(found: Known | Reused) -> Reply:
    """Return the reply to a request whose id was used before: the same again, or a refusal of a different request."""
    if isinstance(found, Reused):
        return refused("id_reused")
    return read_reply(msgpack.unpackb(found.answer))
