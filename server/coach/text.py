"""The findings of an analysis as readable text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def findings_text(findings: Mapping[str, Any]) -> str:
    """Return the chances, the turning points, the tenders and the summary of a game as text."""
    lines = [f"{findings['game'].capitalize()}: {findings['trials']} trials of each answer that was confirmed."]
    lines += ["", *_titled("Chances to win, in per cent, after each step"), *_chances(findings)]
    for seat, found in enumerate(findings["seats"]):
        lines += ["", *_titled(f"Seat {seat}"), *_seat(found)]
    if findings["tenders"]:
        lines += ["", *_titled("Auctions by influence: card, what would have been enough, what it was worth")]
        lines += _tenders(findings["tenders"])
    return "\n".join([*lines, ""])


def _titled(title: str) -> tuple[str, str]:
    return title, "-" * len(title)


def _chances(findings: Mapping[str, Any]) -> list[str]:
    rows = [["step", "", *(f"seat {seat}" for seat in range(len(findings["seats"])))]]
    rows += [
        [str(row["step"]), _stage(row["stage"]), *(_interval(one) for one in row["seats"])]
        for row in findings["chances"]
    ]
    return _table(rows)


def _seat(found: Mapping[str, Any]) -> Iterator[str]:
    counts, summary = found["decisions"], found["summary"]
    yield (
        f"{counts['judged']} decisions: {counts['good']} good, {counts['close']} too close to call, "
        f"{counts['poor']} poor."
    )
    yield (
        f"Own mistakes {_percent(summary['skill'])}, mistakes of others {_percent(summary['others'])}, "
        f"luck {_percent(summary['luck'])}."
    )
    if summary["bids"] is not None:
        yield (
            f"{summary['bids']} bids of influence, {summary['bids_won']} won, "
            f"{summary['too_many']} influence too many; {summary['overpaid_in']} cost more than the right was worth."
        )
    for point in found["points"]:
        yield f"Step {point['step']} ({_stage(point['stage'])}): {_command(point['played'])}."
        yield f"    Better: {_command(point['better'])}."
        yield f"    {_interval(point['chance'])} instead of {_interval(point['better_chance'])}."
        yield f"    Cost: {_interval(point['cost'])}."
        if point["reason"] is not None:
            yield f"    {_reason(point['reason'])}"


def _reason(reason: Mapping[str, Any]) -> str:
    values = reason["values"]
    match reason["key"].rpartition(".")[2]:
        case "enough":
            return f"A {values['enough']} would have been enough; {values['spare']} influence were spent for nothing."
        case "tied":
            return f"Seat {values['other_seat']} played the same card, so neither won."
        case "short":
            return f"A {values['enough']} would have won, and the right was worth a {values['worth']}."
    return f"The right was worth a {values['worth']} at most."


def _tenders(tenders: Sequence[Mapping[str, Any]]) -> list[str]:
    rows = []
    for tender in tenders:
        about = tender["target"] or tender["action"] or ""
        bids = zip(tender["bids"], tender["outcome"], tender["enough"], tender["worth"], strict=True)
        cells = [f"{_number(bid)} {outcome} ({_number(enough)}, {worth})" for bid, outcome, enough, worth in bids]
        rows.append([str(tender["step"]), about.replace("_", " "), *cells])
    return _table(rows)


def _command(json_value: Mapping[str, Any]) -> str:
    given = [f"{name} {_value(value)}" for name, value in json_value.items() if name != "do" and value is not None]
    return ", ".join([json_value["do"].replace("_", " "), *given])


def _value(value: Any) -> str:
    if isinstance(value, list):
        return " and ".join(map(_value, value)) or "none"
    return str(value).replace("_", " ")


def _stage(stage: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in stage.items())


def _number(number: int | None) -> str:
    return "-" if number is None else str(number)


def _interval(found: Sequence[int]) -> str:
    value, low, high = found
    return _percent(value) if low == high else f"{_percent(value)} ({_percent(low)} to {_percent(high)})"


def _percent(thousandths: int) -> str:
    return f"{thousandths / 10:.1f} %"


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows with each column as wide as its widest cell, aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
