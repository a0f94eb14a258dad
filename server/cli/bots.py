"""The commands about bots: arena, bot."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from typing import Any
from urllib.error import URLError
from urllib.parse import parse_qs, urlsplit

from server.bots.registry import RANDOM, STRENGTHS, strategy_of
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


def _arena(args: argparse.Namespace) -> None:
    from server.tools.arena import HEADER, Match, play_match, standing_line, standings

    game = game_named(args.game)
    options = parsed_options(game, len(args.seats), args.option)
    for strength in args.seats:
        strategy_of(game.name, strength)
    match = Match(game.name, options, args.seats, args.seed)
    progress = Progress(sys.stderr, args.games, "games")
    results = []
    for result in play_match(match, args.games, min(args.jobs, args.games)):
        results.append(result)
        progress.advance(len(results))
    progress.clear()
    standing = standings(match, results)
    if args.json:
        print(
            json.dumps(
                {
                    "game": game.name,
                    "games": args.games,
                    "seed": args.seed,
                    "standings": [line.to_json() for line in standing],
                }
            )
        )
    else:
        print("\n".join([HEADER, *map(standing_line, standing)]))


def _bot(args: argparse.Namespace) -> None:
    from protocol.client import Client, RequestRefused, TurnedAway, guest_token, socket_url
    from server.bots.remote_player import play_table

    link = urlsplit(args.url)
    if link.scheme not in ("http", "https") or not link.netloc:
        raise BadRequest(f"--url must look like http://127.0.0.1:8000, not {args.url!r}.")
    http = f"{link.scheme}://{link.netloc}"
    table = args.table or link.path.removeprefix("/t/").strip("/")
    key = args.key or next(iter(parse_qs(link.fragment).get("k", ())), None)
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
        await play_table(client, watched, args.strength, args.pause, lambda text: print(text, flush=True))
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
        "Let bots play each other, each strength in every seat, and print the results.",
        epilog="Intervals are 95 % confidence intervals; a shared first place is a shared win;\n"
        "times are processor time per decision.",
    )
    parser.add_argument("game", metavar="GAME", help=f"the game: {', '.join(GAMES)}")
    parser.add_argument(
        "--seats",
        metavar="STRENGTH,...",
        type=words,
        required=True,
        help="comma-separated strengths, one for each seat: easy, normal, hard or random",
    )
    parser.add_argument("--games", metavar="N", type=positive, default=100, help="number of games (default: 100)")
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
        help="easy, normal, hard or random (default: normal)",
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
