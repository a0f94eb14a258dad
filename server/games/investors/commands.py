"""What a seat may ask for. The prompt of the moment says which of these, and with what."""

from __future__ import annotations

from dataclasses import dataclass

from server.games.engine.prompts import Command


@dataclass(frozen=True, slots=True)
class LayTile(Command):
    """Lay the drawn tile on an empty space (RULES 2.4)."""

    space: int


@dataclass(frozen=True, slots=True)
class AcceptTender(Command):
    """Hold the tender on the drawn card (RULES 3.1)."""


@dataclass(frozen=True, slots=True)
class RejectTender(Command):
    """Lay the drawn card aside for a binding replacement (RULES 3.1)."""


@dataclass(frozen=True, slots=True)
class PlayInfluence(Command):
    """Seal an influence card (RULES 4.1)."""

    card: int


@dataclass(frozen=True, slots=True)
class Abstain(Command):
    """Take no part in the tender of an action card (RULES 7.4)."""


@dataclass(frozen=True, slots=True)
class RaiseBid(Command):
    """Add cheques to one's open bid so that it is the highest (RULES 4.3)."""

    cheques: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PassBid(Command):
    """Leave the auction for good and take the bid back (RULES 4.3)."""


@dataclass(frozen=True, slots=True)
class ChooseOption(Command):
    """Seal an option tile (RULES 4.5)."""

    option: str


@dataclass(frozen=True, slots=True)
class PayCheque(Command):
    """Pay for an option that nobody else chose (RULES 4.6)."""

    cheque: int


@dataclass(frozen=True, slots=True)
class BidCheques(Command):
    """Seal up to five cheques for an option that several chose (RULES 4.7)."""

    cheques: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MakeOffer(Command):
    """Propose who of those on one option invests and what the others get for it (RULES 10.1)."""

    investor: int
    amounts: tuple[int, ...]
    draws: tuple[int, ...]
    avoid: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PassOffer(Command):
    """Make no offer (RULES 10.1)."""


@dataclass(frozen=True, slots=True)
class AcceptOffer(Command):
    """Agree to the open offer (RULES 10.2)."""


@dataclass(frozen=True, slots=True)
class DeclineOffer(Command):
    """Let the open offer fall (RULES 10.2)."""


@dataclass(frozen=True, slots=True)
class PayOffer(Command):
    """Pay as agreed and so take the right: a list of cheques for each of the others (RULES 10.3)."""

    cheques: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class PlaceStick(Command):
    """Invest on a street; `lift` names the own stick to be used when the supply is empty (RULES 5.1, 8.2, 8.3)."""

    street: int
    lift: int | None = None


@dataclass(frozen=True, slots=True)
class Waive(Command):
    """Do not use a right that was won (RULES 5.1, 8.1)."""


@dataclass(frozen=True, slots=True)
class MoveStick(Command):
    """Shift a stick from one street to another (RULES 8.5)."""

    move: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SwapSticks(Command):
    """Exchange two sticks (RULES 8.6)."""

    sticks: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ReplaceStick(Command):
    """Put an own stick in another's place (RULES 8.7)."""

    street: int
    lift: int | None = None


@dataclass(frozen=True, slots=True)
class ClaimSubsidy(Command):
    """Say what one takes as subsidy, and which own sticks are removed for it (RULES 9.1, 9.2)."""

    mode: str
    sticks: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class DrawCheque(Command):
    """Draw one more cheque from the bank (RULES 9.3)."""


@dataclass(frozen=True, slots=True)
class StopDrawing(Command):
    """Keep what was drawn (RULES 9.3)."""


COMMANDS: tuple[type[Command], ...] = (
    LayTile,
    AcceptTender,
    RejectTender,
    PlayInfluence,
    Abstain,
    RaiseBid,
    PassBid,
    ChooseOption,
    PayCheque,
    BidCheques,
    MakeOffer,
    PassOffer,
    AcceptOffer,
    DeclineOffer,
    PayOffer,
    PlaceStick,
    Waive,
    MoveStick,
    SwapSticks,
    ReplaceStick,
    ClaimSubsidy,
    DrawCheque,
    StopDrawing,
)
