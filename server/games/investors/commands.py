"""The commands of a seat. The prompt of a decision says which of them are legal, and with which values."""

from __future__ import annotations

from server.games.engine.frozen import frozen
from server.games.engine.prompts import Command


class InvestorsCommand(Command, family=True):
    """A command of Investors."""

    __slots__ = ()


@frozen
class LayTile(InvestorsCommand):
    """Lay the drawn tile on an empty space (RULES 2.4)."""

    space: int


@frozen
class AcceptTender(InvestorsCommand):
    """Hold the tender on the drawn card (RULES 3.1)."""


@frozen
class RejectTender(InvestorsCommand):
    """Lay the drawn card aside for a binding replacement (RULES 3.1)."""


@frozen
class PlayInfluence(InvestorsCommand):
    """Seal an influence card (RULES 4.1)."""

    revealed = True
    card: int


@frozen
class Abstain(InvestorsCommand):
    """Take no part in the tender of an action card (RULES 7.4)."""

    revealed = True


@frozen
class RaiseBid(InvestorsCommand):
    """Add cheques to one's open bid so that it is the highest (RULES 4.3)."""

    cheques: tuple[int, ...]


@frozen
class PassBid(InvestorsCommand):
    """Leave the auction for good and take the bid back (RULES 4.3)."""


@frozen
class ChooseOption(InvestorsCommand):
    """Seal an option tile (RULES 4.5)."""

    revealed = True
    option: str


@frozen
class PayCheque(InvestorsCommand):
    """Pay for an option that nobody else chose (RULES 4.6)."""

    cheque: int


@frozen
class BidCheques(InvestorsCommand):
    """Seal up to five cheques for an option that several chose (RULES 4.7)."""

    revealed = True
    cheques: tuple[int, ...]


@frozen
class MakeOffer(InvestorsCommand):
    """Propose who of those on one option invests and what the others get for it (RULES 10.1)."""

    investor: int
    amounts: tuple[int, ...]
    draws: tuple[int, ...]
    avoid: tuple[int, ...]


@frozen
class PassOffer(InvestorsCommand):
    """Make no offer (RULES 10.1)."""


@frozen
class AcceptOffer(InvestorsCommand):
    """Agree to the open offer (RULES 10.2)."""

    revealed = True


@frozen
class DeclineOffer(InvestorsCommand):
    """Let the open offer fall (RULES 10.2)."""

    revealed = True


@frozen
class PayOffer(InvestorsCommand):
    """Pay as agreed and so take the right: a list of cheques for each of the others (RULES 10.3)."""

    cheques: tuple[tuple[int, ...], ...]


@frozen
class PlaceStick(InvestorsCommand):
    """Invest on a street; `lift` names the own stick to be used when the supply is empty (RULES 5.1, 8.2, 8.3)."""

    street: int
    lift: int | None = None


@frozen
class Waive(InvestorsCommand):
    """Do not use a right that was won (RULES 5.1, 8.1)."""


@frozen
class MoveStick(InvestorsCommand):
    """Shift a stick from one street to another (RULES 8.5)."""

    move: tuple[int, int]


@frozen
class SwapSticks(InvestorsCommand):
    """Exchange two sticks (RULES 8.6)."""

    sticks: tuple[int, int]


@frozen
class ReplaceStick(InvestorsCommand):
    """Put an own stick in another's place (RULES 8.7)."""

    street: int
    lift: int | None = None


@frozen
class ClaimSubsidy(InvestorsCommand):
    """Say what one takes as subsidy, and which own sticks are removed for it (RULES 9.1, 9.2)."""

    mode: str
    sticks: tuple[int, ...] | None = None


@frozen
class DrawCheque(InvestorsCommand):
    """Draw one more cheque from the bank (RULES 9.3)."""


@frozen
class StopDrawing(InvestorsCommand):
    """Keep what was drawn (RULES 9.3)."""
