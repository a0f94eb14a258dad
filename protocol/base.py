"""What messages and requests have in common: their base classes, and the types of fields that several of them have."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

RequestId = Annotated[str, StringConstraints(strict=True, pattern=r"^[A-Za-z0-9_.:-]{1,64}$")]
TableId = Annotated[str, StringConstraints(strict=True, pattern=r"^[a-z0-9]{4,32}$")]
TableKey = Annotated[str, StringConstraints(strict=True, max_length=64)]
UserId = Annotated[str, StringConstraints(strict=True, pattern=r"^[a-z0-9]{1,64}$")]
Handle = Annotated[str, StringConstraints(strict=True, max_length=40)]
GameName = Annotated[str, StringConstraints(strict=True, max_length=40)]
SeatNumber = Annotated[int, Field(strict=True, ge=0, le=15)]
Language = Literal["en", "de", "it", "pl"]
Strength = Literal["easy", "normal", "hard", "expert", "random"]
Style = Literal["cautious", "greedy", "spoiler"]
StyleChoice = Literal[Style, "plain"]
"""A style of a bot; `plain` is none of them."""


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Request(Message):
    """A request of a client."""

    id: RequestId


class TableRequest(Request):
    """A request to one table."""

    table: TableId
