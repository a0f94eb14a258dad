"""Frauds about sealed answers that stayed on devices until all had answered. Importing this module registers them."""

from __future__ import annotations

from typing import Any

from tests.fairness.frauds import (
    DEVICES,
    OTHER_SEED,
    Record,
    Transcript,
    fraud,
    move_of,
    other_answer,
    seal_again,
    sealed,
)


def late_seats(record: Record) -> set[tuple[int, int]]:
    """Return the decisions and seats of answers that were not opened in time."""
    events = [event for line in record.lines for event in line["events"] if event["event"] == "seals_not_opened"]
    return {(event["decision"], seat) for event in events for seat in event["seats"]}


def asked(record: Record) -> set[int]:
    """Return the decisions for which devices were asked, and of which all of them opened."""
    events = [event for line in record.lines for event in line["events"] if event["event"] == "openings_asked"]
    return {event["decision"] for event in events} - {decision for decision, _ in late_seats(record)}


def kept(transcript: Transcript, record: Record) -> dict[str, Any]:
    """Return an answer that a device kept, and opened as all others were, without having been changed."""
    moves = [(move["decision"], move["seat"]) for move in transcript["moves"] if move.get("sealed")]
    return next(
        each
        for each in transcript["openings"]
        if each["decision"] in asked(record)
        and each["answer"] is not None
        and moves.count((each["decision"], each["seat"])) == 1
        and sum(
            (each["decision"], each["seat"]) == (other["decision"], other["seat"]) for other in transcript["openings"]
        )
        == 1
    )


def close(opening: dict[str, Any]) -> None:
    """Leave an answer closed."""
    opening |= {"salt": None, "answer": None, "by_server": False}


def shown_opening(record: Record, opening: dict[str, Any]) -> dict[str, Any]:
    """Return an opening as the chain shows it."""
    openings = record.event("answers_opened", decision=opening["decision"])["openings"]
    return next(each for each in openings if each["seat"] == opening["seat"])


def fallback_of(transcript: Transcript, record: Record) -> dict[str, Any]:
    """Return the answer of the server for a seat that did not open its own."""
    decision, seat = min(late_seats(record))
    return sealed(transcript, decision=decision, seat=seat, by_server=True)


@fraud("seal_commitment", title=DEVICES)
def an_answer_that_was_changed_after_all_had_answered(transcript: Transcript, record: Record) -> None:
    opening = kept(transcript, record)
    move, seals = move_of(transcript, opening), record.event("openings_asked", decision=opening["decision"])["seals"]
    before = [dict(each) for each in seals]
    opening["answer"] = move["command"] = other_answer(transcript, opening)
    seal_again(transcript, record, opening)
    seals[:] = before


@fraud("seal_changed", title=DEVICES)
def a_seal_after_all_had_answered(transcript: Transcript, record: Record) -> None:
    opening = kept(transcript, record)
    event = record.remove("answer_sealed", decision=opening["decision"], seat=opening["seat"])
    line, place = record.place("openings_asked", decision=opening["decision"])
    record.lines[line]["events"].insert(place + 1, event)


@fraud("seal_unasked", title=DEVICES)
def a_demand_for_openings_that_is_left_out(transcript: Transcript, record: Record) -> None:
    record.remove("openings_asked", decision=kept(transcript, record)["decision"])


@fraud("seal_order", title=DEVICES)
def a_demand_for_openings_that_is_repeated(transcript: Transcript, record: Record) -> None:
    line, place = record.place("openings_asked")
    record.lines[line]["events"].insert(place, record.event("openings_asked"))


@fraud("seal_order", title=DEVICES)
def a_demand_for_openings_after_they_were_shown(transcript: Transcript, record: Record) -> None:
    event = record.remove("openings_asked")
    line, place = record.place("answers_opened", decision=event["decision"])
    record.lines[line]["events"].insert(place + 1, event)


@fraud("seal_commitment", title=DEVICES)
def a_demand_for_openings_of_another_decision(transcript: Transcript, record: Record) -> None:
    record.event("openings_asked")["decision"] += 1


@fraud("seal_commitment", title=DEVICES)
def a_commitment_that_is_missing_when_all_have_answered(transcript: Transcript, record: Record) -> None:
    record.event("openings_asked")["seals"].pop()


@fraud("seal_commitment", title=DEVICES)
def another_commitment_when_all_have_answered(transcript: Transcript, record: Record) -> None:
    seals = record.event("openings_asked")["seals"]
    seals[0]["commitment"] = seals[1]["commitment"]


@fraud("seal_commitment", title=DEVICES)
def an_earlier_commitment_when_all_have_answered(transcript: Transcript, record: Record) -> None:
    seal = next(
        seal
        for line in record.lines
        for event in line["events"]
        if event["event"] == "openings_asked"
        for seal in event["seals"]
        if seal["attempt"] > 0
    )
    opening = next(each for each in transcript["openings"] if each["commitment"] == seal["commitment"])
    place = {"decision": opening["decision"], "seat": opening["seat"], "attempt": seal["attempt"] - 1}
    earlier = sealed(transcript, **place)
    seal |= {"attempt": earlier["attempt"], "commitment": earlier["commitment"]}


@fraud("seal_not_opened", title=DEVICES)
def an_opening_that_is_dropped(transcript: Transcript, record: Record) -> None:
    opening = kept(transcript, record)
    transcript["moves"].remove(move_of(transcript, opening))
    for name in ("salt", "answer", "by_server"):
        shown_opening(record, opening).pop(name, None)
    close(opening)


@fraud("seal_late", title=DEVICES)
def a_seat_that_opened_and_is_named_beside_one_that_did_not(transcript: Transcript, record: Record) -> None:
    event = record.event("seals_not_opened")
    others = {each["seat"] for each in transcript["openings"] if each["decision"] == event["decision"]}
    event["seats"].append(min(others - set(event["seats"])))


@fraud("seal_late", title=DEVICES)
def a_seat_that_opened_and_is_said_not_to_have(transcript: Transcript, record: Record) -> None:
    opening = kept(transcript, record)
    line, place = record.place("answers_opened", decision=opening["decision"])
    event = {"event": "seals_not_opened", "decision": opening["decision"], "seats": [opening["seat"]]}
    record.lines[line]["events"].insert(place, event)


@fraud("rules_fallback", None, title=DEVICES)
def a_seat_that_opened_and_another_answer_is_played_for_it(transcript: Transcript, record: Record) -> None:
    opening = fallback_of(transcript, record)
    move = move_of(transcript, opening)
    opening["answer"] = move["command"] = other_answer(transcript, opening)
    seal_again(transcript, record, opening)


@fraud("seal_late", title=DEVICES)
def a_fallback_with_a_salt_of_somebodys_choice(transcript: Transcript, record: Record) -> None:
    opening = fallback_of(transcript, record)
    opening |= {"salt": OTHER_SEED[:16].hex(), "by_server": False}
    seal_again(transcript, record, opening)


@fraud("seal_commitment", title=DEVICES)
def a_seat_that_did_not_open_and_is_not_named(transcript: Transcript, record: Record) -> None:
    record.remove("seals_not_opened")


@fraud("seal_order", title=DEVICES)
def a_seat_that_is_named_before_it_is_late(transcript: Transcript, record: Record) -> None:
    event = record.remove("seals_not_opened")
    line, _ = record.place("openings_asked", decision=event["decision"])
    record.lines[line]["events"].append(event)


@fraud("seal_order", title=DEVICES)
def a_setting_that_is_hidden(transcript: Transcript, record: Record) -> None:
    del record.setup["sealed_on_devices"]


@fraud("seal_not_opened", title="investors")
def an_answer_that_stays_closed_where_none_may(transcript: Transcript, record: Record) -> None:
    again = sealed(transcript, attempt=1)
    opening = sealed(transcript, decision=again["decision"], seat=again["seat"], attempt=0)
    transcript["moves"].remove(move_of(transcript, opening))
    close(opening)


@fraud("answer_commitment", title=DEVICES)
def a_closed_answer_that_is_left_out(transcript: Transcript, record: Record) -> None:
    opening = next(each for each in transcript["openings"] if each["answer"] is None)
    place = opening["decision"], opening["seat"]
    transcript["openings"].remove(opening)
    for each in transcript["openings"]:
        if (each["decision"], each["seat"]) == place and each["attempt"] > opening["attempt"]:
            each["attempt"] -= 1


@fraud("answer_move", title=DEVICES)
def a_replaced_answer_that_is_closed_afterwards(transcript: Transcript, record: Record) -> None:
    opening = next(
        each
        for each in transcript["openings"]
        if each["answer"] is not None
        and not each["by_server"]
        and any(
            (other["decision"], other["seat"]) == (each["decision"], each["seat"])
            and other["attempt"] > each["attempt"]
            for other in transcript["openings"]
        )
    )
    close(opening)


@fraud("answer_of_bot", title=DEVICES)
def a_bot_that_keeps_its_answer(transcript: Transcript, record: Record) -> None:
    bot = record.setup["bots"].index(next(filter(None, record.setup["bots"])))
    close(sealed(transcript, seat=bot))


@fraud("answer_move", title=DEVICES)
def a_removed_move_of_a_device(transcript: Transcript, record: Record) -> None:
    decision, seat = min(late_seats(record))
    transcript["moves"].remove({"decision": decision, "seat": seat, "sealed": True})


@fraud("answer_", title=DEVICES)
def an_invented_move_of_a_device(transcript: Transcript, record: Record) -> None:
    move = next(move for move in transcript["moves"] if move.get("sealed"))
    transcript["moves"].insert(transcript["moves"].index(move), dict(move))


@fraud("form_unreadable", title=DEVICES)
def a_closed_answer_of_the_server(transcript: Transcript, record: Record) -> None:
    opening = fallback_of(transcript, record)
    close(opening)
    opening["by_server"] = True


@fraud("answer_commitment", title=DEVICES)
def another_opening_of_a_kept_answer(transcript: Transcript, record: Record) -> None:
    opening = kept(transcript, record)
    move = move_of(transcript, opening)
    opening["answer"] = move["command"] = other_answer(transcript, opening)
    shown = shown_opening(record, opening)
    if "answer" in shown:
        shown["answer"] = opening["answer"]
