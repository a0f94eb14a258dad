"""The analysis of a finished game: what each decision cost, and how the chances of all seats changed.

Method. Every decision with a real choice is judged from the view of its seat alone: positions that agree with the view
are sampled, each answer is played on from the same positions with the same luck, and results are compared trial by
trial. There are three stages:

1. Screening: a few short trials of many answers to every decision. They are quick, and say where to look.
2. Shortlisting: what looks like a mistake is played on to the end of the game, the given answer and the best other one.
3. Confirmation: what still looks like one gets many fresh trials to the end. Only these count. Fresh trials do not know
   why the decision was chosen, so their interval is right although the worst of many was picked. The error is divided
   among all confirmations of a seat (Bonferroni), so with a probability of 95 % none of its sound decisions is blamed.

A mistake counts if the interval of its cost lies above 0 and the cost is one in a hundred games at least. Trials use
random sources that follow from step and seat alone: the same game has the same analysis, and the analysis of a seat
does not depend on what the seat could not know. Intervals tell how much of a number is luck of the trials. They say
nothing about the way in which games are played on, which is that of the bots.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from server.bots.judges import JUDGES
from server.bots.strategy import Judge, Question, Reason
from server.bots.win_probability import share_of_win
from server.coach.decisions import Decided, Moment, PlayedGame
from server.coach.reasons import reason_of
from server.coach.statistics import USUAL_ERROR, Estimate, chance, estimate, mean_of, standard_error
from server.coach.tenders import Tender, bidding_summary, tenders_of
from server.games.engine.game import Seat, view_of
from server.games.engine.prompts import Command
from server.games.engine.serialization import to_json

VERSION: Final = 1
"""The version of the method; analyses by earlier ones are made anew."""

MAX_POINTS: Final = 3
MAX_ROWS: Final = 60
"""Rows of chances; of a longer game some are left out."""

OnProgress = Callable[[int, int], None]
"""Gets how many parts of the work are done, and how many there are."""


class NotAnalysable(ValueError):
    """A game cannot be analysed: nobody had a decision in it, or it has no judge."""


class Effort(NamedTuple):
    """The number of trials."""

    screening: int = 10
    """Short trials of each answer to every decision."""

    shortlist: int = 6
    """Decisions of one seat that are played on to the end at most, those that seem to cost most."""

    shortlisting: int = 30
    """Trials of the two answers to each of these."""

    confirmed: int = 3
    """Decisions of one seat that are confirmed at most, those that still seem to cost most."""

    confirming: int = 160
    """Trials of the two answers to each of these."""

    chances: int = 40
    """Trials for a row of chances."""


USUAL_EFFORT: Final = Effort()

EFFORTS: Final[Mapping[str, Effort]] = {
    "investors": Effort(shortlist=8, shortlisting=40, confirming=300, chances=60),
}
"""By game, where it is not the usual one: Investors is played on quickly, and needs more trials for its luck."""

MIN_COST: Final = 0.01
"""The chance that a mistake costs at least: less is as good as the best answer."""

_SUSPICION: Final = 1.0
"""The standard errors by which another answer must be better before it is confirmed."""


class Judged(NamedTuple):
    """A decision with what it cost, as far as that was confirmed."""

    decided: Decided
    quality: str
    """`good`, `close` or `poor`."""

    better: Command | None = None
    chance: Estimate | None = None
    better_chance: Estimate | None = None
    cost: Estimate | None = None
    effects: tuple[float, ...] = ()
    """The difference to the chances after the better answer, by seat."""


Trials = tuple[tuple[float, ...], ...]
"""The results of trials of one answer, by trial and seat."""


class _Suspect(NamedTuple):
    decided: Decided
    better: Command
    cost: float


def analyse(
    game: PlayedGame, effort: Effort | None = None, on_progress: OnProgress = lambda done, of: None
) -> dict[str, Any]:
    """Return the findings as JSON, as PROTOCOL.md describes them; raise `NotAnalysable`."""
    effort = effort or EFFORTS.get(game.game.name, USUAL_EFFORT)
    judge = JUDGES.get(game.game.name)
    if judge is None or not game.decisions:
        raise NotAnalysable("nobody had a decision to make in this game")
    rows = _row_moments(game)
    tried = (effort.shortlist + effort.confirmed) * game.seats
    progress = _Progress(len(game.decisions) + len(rows) + tried, on_progress)
    chances = [_row(judge, game, moment, effort.chances) for moment in progress.over(rows)]
    by_seat = [[one for one in game.decisions if one.seat == seat] for seat in range(game.seats)]
    judged = [judged_decisions(judge, decisions, effort, progress) for decisions in by_seat]
    progress.finish()
    tenders = tenders_of(game)
    return {
        "game": game.game.name,
        "version": VERSION,
        "trials": effort.confirming,
        "chances": chances,
        "seats": [_seat(game, seat, judged, tenders, chances) for seat in range(game.seats)],
        "tenders": [tender.to_json() for tender in tenders],
    }


class _Progress:
    """Counts the parts of the work that are done."""

    def __init__(self, of: int, on_progress: OnProgress) -> None:
        self._done, self._of, self._on_progress = 0, of, on_progress
        on_progress(0, of)

    def over(self, parts: Sequence[Any], expected: int | None = None) -> Iterator[Any]:
        """Yield parts of the work, and count each when it is done; those that were expected and are not there, too."""
        for part in parts:
            yield part
            self._add(1)
        if expected is not None:
            self._add(expected - len(parts))

    def finish(self) -> None:
        self._add(self._of - self._done)

    def _add(self, number: int) -> None:
        if number:
            self._done += number
            self._on_progress(self._done, self._of)


# -- decisions --------------------------------------------------------------------------------------------------------


def judged_decisions(
    judge: Judge, decisions: Sequence[Decided], effort: Effort, progress: _Progress | None = None
) -> list[Judged]:
    """Return the decisions of one seat with what they cost, in their order."""
    progress = progress or _Progress(0, lambda done, of: None)
    qualities: dict[int, Judged] = {}
    suspects: list[_Suspect] = []
    for decided in progress.over(decisions):
        screened = _screened(judge, decided, effort.screening)
        qualities[id(decided)] = screened if isinstance(screened, Judged) else Judged(decided, "close")
        suspects += [screened] if isinstance(screened, _Suspect) else []
    shortlist: list[_Suspect] = []
    for suspect in progress.over(_worst(suspects, effort.shortlist), effort.shortlist):
        played, better = _to_end(judge, "shortlisting", suspect, effort.shortlisting)
        quality, cost = _first_quality(played, better, suspect.decided.seat)
        qualities[id(suspect.decided)] = Judged(suspect.decided, quality or "close")
        shortlist += [suspect._replace(cost=cost)] if quality is None else []
    confirmed = _worst(shortlist, effort.confirmed)
    for suspect in progress.over(confirmed, effort.confirmed):
        # Bonferroni: the probability to blame any of these wrongly is that of one usual interval.
        error = USUAL_ERROR / len(confirmed)
        qualities[id(suspect.decided)] = _confirmed(judge, suspect, effort.confirming, error)
    return [qualities[id(decided)] for decided in decisions]


def _worst(suspects: Sequence[_Suspect], number: int) -> list[_Suspect]:
    return sorted(suspects, key=lambda suspect: -suspect.cost)[:number]


def _screened(judge: Judge, decided: Decided, trials: int) -> Judged | _Suspect:
    rng = _rng("screening", decided)
    answers = judge.alternatives(decided.question, decided.command, rng)
    if len(answers) == 1:
        return Judged(decided, "good")
    played, *others = judge.judge(decided.question, answers, rng, trials).chances
    costs = [mean_of(_costs(played, other, decided.seat)) for other in others]
    best = max(range(len(others)), key=costs.__getitem__)
    quality, cost = _first_quality(played, others[best], decided.seat)
    return _Suspect(decided, answers[1 + best], cost) if quality is None else Judged(decided, quality)


def _first_quality(played: Trials, better: Trials, seat: Seat) -> tuple[str | None, float]:
    """Return the quality after a few trials, None for what looks like a mistake; and what it seems to cost."""
    costs = _costs(played, better, seat)
    cost = mean_of(costs)
    if cost < MIN_COST:
        return "good", cost
    return ("close" if cost < _SUSPICION * standard_error(costs) else None), cost


def _confirmed(judge: Judge, suspect: _Suspect, trials: int, error: float) -> Judged:
    decided, seat = suspect.decided, suspect.decided.seat
    played, better = _to_end(judge, "confirming", suspect, trials)
    cost = estimate(_costs(played, better, seat), error)
    quality = "good" if cost.value < MIN_COST else "poor" if cost.low > 0 else "close"
    effects = tuple(-mean_of(_costs(played, better, other)) for other in range(len(played[0])))
    own_chance, better_chance = (chance([trial[seat] for trial in one]) for one in (played, better))
    return Judged(decided, quality, suspect.better, own_chance, better_chance, cost, effects)


def _to_end(judge: Judge, purpose: str, suspect: _Suspect, trials: int) -> tuple[Trials, ...]:
    """Return the trials of the given answer and of the better one, played on to the end of the game."""
    decided = suspect.decided
    answers, rng = (decided.command, suspect.better), _rng(purpose, decided)
    return judge.judge(decided.question, answers, rng, trials, to_end=True).chances


def _costs(played: Trials, better: Trials, seat: Seat) -> list[float]:
    """Return what an answer cost a seat, trial by trial."""
    return [other[seat] - own[seat] for own, other in zip(played, better, strict=True)]


def _rng(purpose: str, decided: Decided) -> Random:
    return Random(f"{VERSION}/{purpose}/{decided.step}/{decided.seat}")  # noqa: S311 - nothing depends on its secrecy


# -- chances ----------------------------------------------------------------------------------------------------------


def _row_moments(game: PlayedGame) -> list[Moment]:
    """Return the first moment of each stage, and the last moment of the game."""
    first, *rest = game.moments
    found, stage = [first], _stage(first)
    for moment in rest[:-1]:
        if _stage(moment) != stage:
            found.append(moment)
            stage = _stage(moment)
    spacing = math.ceil(len(found) / (MAX_ROWS - 1))
    return [*found[::spacing], *rest[-1:]]


def _stage(moment: Moment) -> dict[str, int]:
    return moment.play.game.progress(moment.play.state)


def _row(judge: Judge, game: PlayedGame, moment: Moment, trials: int) -> dict[str, Any]:
    """Return the chances of all seats after a step.

    Every seat contributes as many trials from its own view, so no trial knows more than one seat did.
    """
    play = moment.play
    outcome = play.game.outcome(play.state)
    row: dict[str, Any] = {"step": moment.step, "stage": _stage(moment)}
    if outcome is not None:
        shares = [share_of_win(outcome, seat) for seat in range(game.seats)]
        return {**row, "seats": [_thousandths(Estimate(share, share, share)) for share in shares]}
    assert play.decision is not None
    prompt = next(iter(play.decision.prompts.values()))
    found: list[tuple[float, ...]] = []
    for seat in range(game.seats):
        view = view_of(play.game, play.state, seat)
        question = Question(play.game.name, game.options, seat, view, play.decision.kind, prompt)
        rng = Random(f"{VERSION}/chances/{moment.step}/{seat}")  # noqa: S311
        found += judge.chances(question, rng, max(2, trials // game.seats))
    return {
        **row,
        "seats": [_thousandths(chance([trial[seat] for trial in found])) for seat in range(game.seats)],
    }


# -- findings ---------------------------------------------------------------------------------------------------------


def _seat(
    game: PlayedGame,
    seat: Seat,
    judged: Sequence[Sequence[Judged]],
    tenders: Sequence[Tender],
    chances: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    own = judged[seat]
    qualities = [one.quality for one in own]
    poor = [one for one in own if one.quality == "poor"]
    worst = sorted(poor, key=lambda one: -(one.cost or _NO_COST).value)[:MAX_POINTS]
    skill = -_thousandth(math.fsum((one.cost or _NO_COST).value for one in poor))
    others = _thousandth(
        math.fsum(one.effects[seat] for other in judged if other is not own for one in other if one.quality == "poor")
    )
    change = chances[-1]["seats"][seat][0] - chances[0]["seats"][seat][0]
    bidding = bidding_summary(tenders, seat) if game.game.name == "investors" else _NO_BIDDING
    return {
        "decisions": {
            "judged": len(own),
            **{quality: qualities.count(quality) for quality in ("good", "close", "poor")},
        },
        "points": [_point(one, tenders) for one in sorted(worst, key=lambda one: one.decided.step)],
        "summary": {**bidding, "skill": skill, "others": others, "luck": change - skill - others},
    }


_NO_COST: Final = Estimate(0.0, 0.0, 0.0)
_NO_BIDDING: Final = {"bids": None, "bids_won": None, "too_many": None, "overpaid_in": None}


def _point(judged: Judged, tenders: Sequence[Tender]) -> dict[str, Any]:
    decided, better = judged.decided, judged.better
    assert better is not None
    assert judged.chance is not None
    assert judged.better_chance is not None
    assert judged.cost is not None
    tender = next((one for one in tenders if one.step == decided.step), None)
    reason = reason_of(decided, better, tender)
    return {
        "step": decided.step,
        "stage": dict(decided.stage),
        "kind": decided.question.kind,
        "played": to_json(decided.command),
        "better": to_json(better),
        "chance": _thousandths(judged.chance),
        "better_chance": _thousandths(judged.better_chance),
        "cost": _thousandths(judged.cost),
        "reason": None if reason is None else _reason(reason),
    }


def _reason(reason: Reason) -> dict[str, Any]:
    return {"key": reason.key, "values": dict(reason.values)}


def _thousandths(found: Estimate) -> list[int]:
    return [_thousandth(part) for part in found]


def _thousandth(part: float) -> int:
    """Return a part of 1 in thousandths: messages hold whole numbers only."""
    return round(part * 1000)
