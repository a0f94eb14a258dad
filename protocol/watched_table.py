"""What a client in Python knows of a table that it watches, and what it has to send there by itself.

That is what makes a game verifiable (`docs/fairness.md`): random bytes for the shuffle, commitments to sealed answers,
and the openings of those that stay here until all have answered.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import Any, NamedTuple

from protocol.commitments import SALT_BYTES, SEED_BYTES, answer_commitment, canonical_json, seed_commitment
from protocol.patch import patched

MAX_CHAT_LINES = 100
"""Chat lines of people without a seat that a client keeps."""

NAMES_HEAD = frozenset({"decide", "seal", "unseal", "undo", "vote", "resign"})
"""Requests that name the last head of the public chain that the client was shown."""


class Kept(NamedTuple):
    """A sealed answer that stays with its client until all seats have answered, and the salt of its commitment."""

    decision: int
    command: dict[str, Any]
    salt: str


class WatchedTable:
    """A table that a client watches, with the latest view of its user."""

    def __init__(self, table: str, key: str | None, *, delayed: bool = False) -> None:
        self.table = table
        self.key = key
        self.delayed = delayed
        """The view is that of commentators, and late."""

        self.view: dict[str, Any] = {}
        self.number: int | None = None
        self.stamp: str | None = None
        self.line = 0
        self.head: str | None = None
        """The public chain as far as it was shown; None at a table that is not verifiable."""

        self.seeds: dict[tuple[int, int], bytes] = {}
        """By the number of the seed exchange and the seat: the random bytes of this client."""

        self.kept: dict[str, Kept] = {}
        """By commitment: the sealed answers to the last sealed decision that stay here."""

        self.sent: set[str] = set()
        """The kinds of requests that this client has sent by itself and that have no reply yet."""

        self.presence: dict[str, Any] = {}
        self.chat: list[dict[str, Any]] = []
        """The last chat lines of people without a seat; those of players are under `talk` in the view."""

        self.predictions: dict[str, Any] | None = None
        """Whom the spectators expect to win; None for players of a running game."""

        self.changed = asyncio.Event()

    def apply(self, message: dict[str, Any]) -> bool:
        """Apply a message about this table; return False if its number shows that an update was missed."""
        match message["type"]:
            case "view":
                self.view, self.number, self.stamp = message["view"], message["number"], message["stamp"]
                self.chat = message.get("chat", [])
                self.predictions = message.get("predictions")
                self._shown(message)
            case "update":
                if self.number is None or message["number"] <= self.number:
                    return True
                if message["number"] != self.number + 1:
                    return False
                self.view = patched(self.view, message["patch"])
                self.number, self.stamp = message["number"], message["stamp"]
                self._shown(message)
            case "presence":
                self.presence = message
            case "predictions":
                self.predictions = {**(self.predictions or {}), "counts": message["counts"], "open": message["open"]}
            case "chat":
                self.chat = [*self.chat, *message["lines"]][-MAX_CHAT_LINES:]
        self.changed.set()
        return True

    def _shown(self, message: dict[str, Any]) -> None:
        self.line, self.head = message.get("line", 0), message.get("head")

    @property
    def _decision(self) -> dict[str, Any]:
        """Return the open decision; an empty one if there is none."""
        return (self.view.get("play") or {}).get("decision") or {}

    def due(self, user: str) -> dict[str, Any] | None:
        """Return the request that the table waits for from this user's client, unless it is on its way."""
        request = self._due_seed(user) or self._due_opening()
        return None if request is None or request["type"] in self.sent else request

    def _due_seed(self, user: str) -> dict[str, Any] | None:
        """Return the request that the seed exchange waits for."""
        fairness, seat = self.view["table"].get("fairness"), self.view["mine"]
        if self.view["table"]["phase"] != "open" or fairness is None or seat is None:
            return None
        game, stage = fairness["game"], fairness["stage"]
        seed = self.seeds.get((game, seat))
        if stage in ("waiting", "commit") and seat not in fairness["committed"]:
            # Another client of the same user may have committed; it also has the bytes then.
            seed = self.seeds.setdefault((game, seat), secrets.token_bytes(SEED_BYTES))
            commitment = seed_commitment(self.table, game, seat, user, seed)
            return {"type": "commit_seed", "table": self.table, "game": game, "commitment": commitment}
        if stage == "open" and seed is not None and seat in fairness["committed"] and seat not in fairness["opened"]:
            return {"type": "open_seed", "table": self.table, "game": game, "seed": seed.hex()}
        return None

    def _due_opening(self) -> dict[str, Any] | None:
        """Return the request that opens the sealed answer which this client keeps, once all have answered."""
        decision = self._decision
        if not decision.get("opening") or self.view["table"]["paused"] or decision.get("kept") not in self.kept:
            return None
        number, command, salt = self.kept[decision["kept"]]
        return {"type": "unseal", "table": self.table, "decision": number, "command": command, "salt": salt}

    def proven(self, kind: str, fields: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return a request to this table as it can be verified: with what was shown, and with a commitment.

        Where sealed answers stay on devices, `decide` becomes `seal`, and this client keeps the answer.
        """
        if self.head is None or kind not in NAMES_HEAD:
            return kind, fields
        fields = {"seen": f"{self.line}.{self.head}", **fields}
        decision = self._decision
        is_sealed = kind == "decide" and decision.get("number") == fields.get("decision") and "attempt" in decision
        if not is_sealed or "commitment" in fields:
            return kind, fields
        command, attempt, salt = fields["command"], decision["attempt"], secrets.token_bytes(SALT_BYTES)
        place = self.table, self.view["table"]["fairness"]["game"], decision["number"], self.view["mine"], attempt
        commitment = answer_commitment(*place, canonical_json(command), salt)
        if "opening" not in decision:
            return kind, {**fields, "commitment": commitment, "salt": salt.hex()}
        others = {other: kept for other, kept in self.kept.items() if kept.decision == decision["number"]}
        self.kept = {**others, commitment: Kept(decision["number"], command, salt.hex())}
        del fields["command"]
        return "seal", {**fields, "attempt": attempt, "commitment": commitment}

    @property
    def prompt(self) -> tuple[int, dict[str, Any]] | None:
        """Return the number and the prompt of the decision that the user has to make; None if there is none."""
        decision = self._decision
        if not decision or decision.get("opening") or self.view.get("mine") not in decision["awaited"]:
            return None
        return decision["number"], decision["prompt"]
