"""The commands about bots: arena, bot."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence
from typing import Any, Final
from urllib.error import URLError
from urllib.parse import parse_qs, urlsplit

from server.bots.registry import RANDOM, STRENGTHS, read_style, strategy_of
from server.bots.strategy import Style
from server.cli.arguments import (
    BadRequest,
    Commands,
    add_command,
    pair,
    parsed_options,
    positive,
    seconds,
    whole,
    words,
)
from server.games.registry import GAMES, game_named
from server.tools.progress import Progress


def _alternatives(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


_STRENGTHS: Final = _alternatives((*STRENGTHS, RANDOM))


def _arena(args: argparse.Namespace) -> None:
    from server.tools.arena import Match, play_match, read_entrant
    from server.tools.arena_report import report, report_lines

    game = game_named(args.game)
    options = parsed_options(game, len(args.seats), args.option)
    for entrant in args.seats:
        strategy_of(game.name, read_entrant(entrant).strength)
    match = Match(game.name, options, args.seats, args.seed)
    games = match.whole_deals(args.games)
    progress = Progress(sys.stderr, games, "games")
    results = []
    for result in play_match(match, games, min(args.jobs, games)):
        results.append(result)
        progress.advance(len(results))
    progress.clear()
    reported = report(match, results)
    print(json.dumps(reported.to_json()) if args.json else "\n".join(report_lines(reported)))


def _bot(args: argparse.Namespace) -> None:
    from protocol.client import Client, RequestRefused, TurnedAway, guest_token, socket_url
    from server.bots.remote_player import BotPlayer, play_table

    link = urlsplit(args.url)
    if link.scheme not in ("http", "https") or not link.netloc:
        raise BadRequest(f"--url must look like http://127.0.0.1:8000, not {args.url!r}.")
    http = f"{link.scheme}://{link.netloc}"
    table = args.table or link.path.removeprefix("/t/").strip("/")
    key = args.key or next(iter(parse_qs(link.fragment).get("k", ())), None)
    bot = BotPlayer(args.strength, read_style(args.strength, args.style))
    if not table:
        raise BadRequest("The table is missing: give --table, or the invite link of a table as --url.")

    async def run() -> None:
        token = args.token or await asyncio.to_thread(guest_token, http)
        async with Client(socket_url(http), token) as client:
            await client.unless_turned_away(play(client))

    async def play(client: Client) -> None:
        if args.name is not None:
            await client.request("set_name", name=args.name)
        watched = await client.watch(table, key)
        await play_table(client, watched, bot, args.pause, lambda text: print(text, flush=True))
        print(_result(watched.view))

    try:
        asyncio.run(run())
    except (RequestRefused, TurnedAway) as refused:
        raise BadRequest(str(refused)) from None
    except URLError as error:
        raise BadRequest(f"Cannot reach a server at {http}: {error.reason}.") from None


def _result(view: dict[str, Any]) -> str:
    outcome = view["play"]["outcome"] if view["play"] is not None else None
    if outcome is None or view["mine"] is None:
        return "The game has ended without a result."
    place, score = outcome["places"][view["mine"]], outcome["scores"][view["mine"]]
    return f"Place {place} of {len(outcome['places'])} with {score / outcome.get('per_point', 1):g} points."


def add_arena(commands: Commands) -> None:
    parser = add_command(
        commands,
        "arena",
        _arena,
        "Let bots play each other, each deal with every seating of them, and print the results.",
        epilog="Intervals are 95 % confidence intervals over deals, since the games of one deal depend\n"
        "on each other; a shared first place is a shared win; times are processor time per\n"
        "decision. A style is added to its strength with a colon, as in hard:cautious; the styles\n"
        f"are {', '.join(Style)}.",
    )
    parser.add_argument("game", metavar="GAME", help=f"the game: {', '.join(GAMES)}")
    parser.add_argument(
        "--seats",
        metavar="STRENGTH[:STYLE],...",
        type=words,
        required=True,
        help=f"comma-separated strengths, one for each seat: {_STRENGTHS}",
    )
    parser.add_argument(
        "--games",
        metavar="N",
        type=positive,
        default=100,
        help="number of games, rounded up to whole deals (default: 100)",
    )
    parser.add_argument("--seed", metavar="S", type=whole, default=0, help="random seed, a whole number (default: 0)")
    parser.add_argument(
        "--option", metavar="KEY=VALUE", type=pair, action="append", default=[], help="set an option of the game"
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=positive,
        default=os.cpu_count() or 1,
        help="number of processes (default: one per core)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_bot(commands: Commands) -> None:
    parser = add_command(
        commands,
        "bot",
        _bot,
        "Take a seat at a table of a running server as an ordinary user, and play until the game is over.",
        epilog="The game begins when the host starts it; the bot is always ready.",
    )
    parser.add_argument("--url", metavar="URL", required=True, help="URL of the server, or the invite link of a table")
    parser.add_argument("--table", metavar="TABLE", help="id of the table, as in its address")
    parser.add_argument("--key", metavar="KEY", help="key of a private table, as in its invite link")
    parser.add_argument(
        "--strength",
        metavar="STRENGTH",
        choices=(*STRENGTHS, RANDOM),
        default="normal",
        help=f"{_STRENGTHS} (default: normal)",
    )
    parser.add_argument(
        "--style",
        metavar="STYLE",
        choices=tuple(Style),
        help=f"{_alternatives(tuple(Style))} (default: none)",
    )
    parser.add_argument("--name", metavar="NAME", help="name that others see (default: a random one)")
    parser.add_argument("--token", metavar="TOKEN", help="play as the user of this token (default: a new guest)")
    parser.add_argument(
        "--pause",
        metavar="SECONDS",
        type=seconds,
        default=0.8,
        help="minimum time for a decision (default: 0.8)",
    )
