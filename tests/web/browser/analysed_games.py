"""Findings of the coach for games that were really played: the replies of a server that has analysed them.

The decisions and positions are those of the game, the judgements are made up, so that a page has all that it can show.
"""

from __future__ import annotations

from typing import Any

import msgpack
from playwright.async_api import Page, WebSocketRoute

from protocol.client import Client, socket_url
from tests.web.browser.conftest import RestartableServer

Json = dict[str, Any]

CERTAIN = 1000
"""Chances are in thousandths."""


async def findings_of(server: RestartableServer, table: str, token: str) -> Json:
    """Return findings for a finished game, with turning points of the first two seats."""
    async with Client(socket_url(server.http), token) as client:
        timeline = await client.request("get_timeline", table=table)
        last = timeline["last"]
        final = (await client.request("look_back", table=table, step=last, eyes="all"))["view"]
        seats = len(final["seats"])
        points = [await turning_points(client, table, timeline["steps"], seat) for seat in range(2)]
    game = final["table"]["game"]
    if game == "builders":
        # A random player seldom has a choice between plots.
        for own in points:
            own[-1] |= {
                "kind": "choose_plot",
                "played": {"do": "choose_plot", "plot": 0},
                "better": {"do": "choose_plot", "plot": 7},
            }
    return {
        "game": game,
        "version": 1,
        "trials": 24,
        "chances": list(chances(timeline["steps"], seats, final["play"]["outcome"]["winners"])),
        "seats": [seat_findings(game, points[seat] if seat < 2 else []) for seat in range(seats)],
        "tenders": [tender(step, seats) for step in timeline["steps"] if step["kind"] == "influence_tender"][:24],
    }


def chances(steps: list[Json], seats: int, winners: list[int]) -> Any:
    """Yield a row for each round, year or card: the winners rise slowly, with a dent in the middle."""
    sections = [
        step
        for before, step in zip([None, *steps], steps, strict=False)
        if not before or before["stage"] != step["stage"]
    ]
    rows = sections[:: max(1, len(sections) // 40)]
    for index, step in enumerate(rows):
        share = index / len(rows)
        values = [CERTAIN // seats + (1 if seat in winners else -1) * int(260 * share) for seat in range(seats)]
        values[0] += 90 if 0.3 < share < 0.5 else 0
        yield {
            "step": step["step"],
            "stage": step["stage"],
            "seats": [[max(20, value), max(0, value - 70), min(CERTAIN, value + 80)] for value in values],
        }
    won = CERTAIN // len(winners)
    yield {
        "step": steps[-1]["step"],
        "stage": steps[-1]["stage"],
        "seats": [[won] * 3 if seat in winners else [0, 0, 0] for seat in range(seats)],
    }


DRAWN = ("invest", "influence_tender", "place", "choose_plot", "act")
"""Kinds of decisions whose turning points are drawn or have reasons; they are preferred."""

PLACES = {"street", "placement", "plot"}
"""Fields of commands that name a place."""

MAX_TRIES = 6
"""The number of steps of a kind that are looked at for a decision with two answers."""


async def turning_points(client: Client, table: str, steps: list[Json], seat: int) -> list[Json]:
    """Return three decisions of a seat, of different kinds where there are such, each with another legal answer."""
    own = [step for step in steps[len(steps) // 4 :] if step["seat"] == seat]
    kinds = sorted({step["kind"] for step in own}, key=lambda kind: (kind not in DRAWN, kind))
    points: list[Json] = []
    for kind in kinds:
        for step in [step for step in own if step["kind"] == kind][:MAX_TRIES]:
            before = await client.request("look_back", table=table, step=step["step"] - 1, eyes=seat)
            decision = before["view"]["play"]["decision"]
            answers = list(two_answers(decision["prompt"])) if decision and decision.get("prompt") else []
            if len(answers) == 2:
                points.append(turning_point(step, *answers))
                break
        if len(points) == 3:
            break
    return sorted(points, key=lambda point: int(point["step"]))


def turning_point(step: Json, played: Json, better: Json) -> Json:
    reason = None
    if played["do"] == better["do"] == "play_influence":
        reason = {
            "key": "coach.reason.enough",
            "values": {"card": better["card"], "enough": better["card"], "spare": abs(played["card"] - better["card"])},
        }
    return {
        "step": step["step"],
        "stage": step["stage"],
        "kind": step["kind"],
        "played": played,
        "better": better,
        "chance": [310, 250, 370],
        "better_chance": [380, 310, 450],
        "cost": [70, 20, 120],
        "reason": reason,
    }


def two_answers(prompt: Json) -> Any:
    """Yield two commands that a prompt offers: another value of one choice, or two choices. Places come first."""
    for choice in sorted(prompt["choices"], key=lambda choice: not PLACES & set(choice)):
        fields = {name: space for name, space in choice.items() if name != "do"}
        if len(fields) == 1:
            [(name, space)] = fields.items()
            pairs = [[first, second] for first, seconds in space.get("pairs", ()) for second in seconds]
            values = space.get("one_of") or pairs
            if len(values) > 1:
                yield {"do": choice["do"], name: values[-1]}
                yield {"do": choice["do"], name: values[0]}
                return
    plain = [choice for choice in prompt["choices"] if set(choice) == {"do"}]
    yield from plain[:2]


def seat_findings(game: str, points: list[Json]) -> Json:
    has_bids = game == "investors"
    return {
        "decisions": {"judged": 40, "good": 34 - len(points), "close": 6, "poor": len(points)},
        "points": points,
        "summary": {
            "bids": 14 if has_bids else None,
            "bids_won": 9 if has_bids else None,
            "too_many": 11 if has_bids else None,
            "overpaid_in": 4 if has_bids else None,
            "skill": -70 * len(points),
            "others": 30,
            "luck": 50,
        },
    }


def tender(step: Json, seats: int) -> Json:
    """Return a tender with every outcome: won with too much, lost, tied."""
    outcomes = ["won", "lost", "tied", "tied", "abstained"]
    return {
        "step": step["step"],
        "stage": step["stage"],
        "target": ["market", "edge", "villa"][step["step"] % 3],
        "action": None,
        "rights": 2,
        "bids": [5 + step["step"] % 3, 2, 4, 4, None][:seats],
        "held": [9, 3, 8, 6, 4][:seats],
        "outcome": outcomes[:seats],
        "enough": [5, 5, 5, 5, None][:seats],
        "worth": [7, 6, 3, 6, 2][:seats],
    }


async def answer_with(page: Page, *replies: Json, by_table: dict[str, Json] | None = None) -> None:
    """Answer the requests for an analysis in place of the server: each reply once, and the last one from then on.

    A reply is the analysis, or a refusal with its `code`. Tables may have replies of their own.
    """
    pending = list(replies)

    def on_socket(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def on_message(message: str | bytes) -> None:
            request = msgpack.unpackb(message) if isinstance(message, bytes) else {}
            if request.get("type") != "analyse_game":
                server.send(message)
                return
            reply = (by_table or {}).get(request["table"]) or (pending.pop(0) if len(pending) > 1 else pending[0])
            body = {"type": "refused", **reply} if "code" in reply else {"type": "done", "result": {"analysis": reply}}
            socket.send(msgpack.packb({**body, "id": request["id"]}))

        socket.on_message(on_message)

    await page.route_web_socket("**/socket", on_socket)


def running(done: int) -> Json:
    return {"state": "running", "done": done, "of": 150, "ahead": 0, "findings": None}


def done(findings: Json) -> Json:
    return {"state": "done", "done": 150, "of": 150, "ahead": 0, "findings": findings}
