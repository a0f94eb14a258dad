"""Measure what an update costs a browser: from its arrival to the painted frame, and the work of the main thread.

Recorded games are shown to Chromium through a real websocket. With `--against` the client of another revision is shown
the same messages, the two alternating, because only figures of one run can be compared on a busy machine.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, async_playwright

from tests.web.browser.conftest import FLAGS, find_browser
from tests.web.frames.playback import Playback
from tests.web.frames.recording import GAMES, record
from tests.web.frames.trace import CATEGORIES, KINDS, work_of
from tests.web.node import ROOT, WEB, run_node

SIZES: dict[str, dict[str, Any]] = {
    "1440x900": {"viewport": {"width": 1440, "height": 900}},
    "390x844": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
PAGE_SCRIPT = (Path(__file__).parent / "page.js").read_text("utf-8")
LONG_TASK = 50.0
RENDER_COUNTER = ROOT / "tests" / "web" / "render-counter.js"


@dataclass
class Figures:
    """What was measured of one build in one setting."""

    frames: list[float] = field(default_factory=list)
    first_views: list[float] = field(default_factory=list)
    tasks: list[float] = field(default_factory=list)
    """The processor time of each task; the wall time of a busy machine says little."""

    first_tasks: list[float] = field(default_factory=list)
    """The same until the first view was shown."""

    by_kind: Counter[str] = field(default_factory=Counter)
    rendered: dict[str, int] = field(default_factory=dict)
    touched: int = 0
    updates: int = 0


def build(folder: Path, revision: str | None) -> Path:
    """Build the client of a revision, or of the working tree, with a counter of renders; return its files."""
    source = WEB
    if revision is not None:
        source = folder / "source" / "web"
        archive = subprocess.run(
            ["git", "archive", revision, "web", "server/games"], cwd=ROOT, capture_output=True, check=True
        )
        source.parent.mkdir()
        subprocess.run(["tar", "-x", "-C", source.parent], input=archive.stdout, check=True)
        (source / "node_modules").symlink_to(WEB / "node_modules")
        shutil.copy(WEB / "build.mjs", source)
    files = folder / ("old" if revision else "new")
    run_node("node", str(source / "build.mjs"), f"--out={files}", f"--with={RENDER_COUNTER}")
    return files


async def measure(
    browser: Browser,
    files: Path,
    playback: Playback,
    options: dict[str, Any],
    rate: int,
    pause: float,
    figures: Figures,
) -> None:
    """Show a recording to a new page of a build, and add what it cost to the figures."""
    context = await browser.new_context(locale="en-US", **options)
    try:
        await context.add_init_script(PAGE_SCRIPT)
        playback.files = files
        await playback.answer_session(context)
        page = await context.new_page()
        client = await context.new_cdp_session(page)
        await client.send("Emulation.setCPUThrottlingRate", {"rate": rate})
        playback.painted.clear()
        await browser.start_tracing(page=page, categories=CATEGORIES)
        await page.goto(f"{playback.http}/t/{playback.recording.table}")
        await playback.until_painted()
        await page.locator(".bottom .decision-bar").wait_for()
        await page.evaluate("document.fonts.ready")
        await asyncio.sleep(1)
        figures.first_tasks += work_of(await browser.stop_tracing()).tasks
        figures.first_views += await page.evaluate("measured.firstViews")
        await page.evaluate("Object.assign(measured, { frames: [], touched: 0 }); rendered = {};")
        await browser.start_tracing(page=page, categories=CATEGORIES)
        for update in playback.recording.updates:
            await playback.show(update)
            await asyncio.sleep(pause)
        work = work_of(await browser.stop_tracing())
        measured = await page.evaluate("measured")
        figures.frames += measured["frames"]
        figures.touched += measured["touched"]
        figures.updates += len(playback.recording.updates)
        figures.tasks += work.tasks
        figures.by_kind += work.by_kind
        for name, count in (await page.evaluate("rendered")).items():
            figures.rendered[name] = figures.rendered.get(name, 0) + count
    finally:
        await context.close()


def row(name: str, figures: Figures) -> str:
    """Return the figures as a row of a Markdown table."""
    frames = sorted(figures.frames)
    long = [task for task in figures.tasks if task > LONG_TASK]
    cells = [
        name,
        f"{statistics.median(frames):.1f} / {frames[int(0.99 * (len(frames) - 1))]:.1f}",
        f"{max(figures.tasks):.0f} ({len(long)})",
        *(f"{figures.by_kind[kind] / figures.updates:.1f}" for kind in KINDS),
        f"{figures.by_kind.total() / figures.updates:.1f}",
        f"{sum(figures.rendered.values()) / figures.updates:.0f}",
        f"{figures.touched / figures.updates:.0f}",
        f"{statistics.median(figures.first_views):.0f} / {max(figures.first_tasks):.0f}",
    ]
    return f"| {' | '.join(cells)} |"


HEAD = (
    "| game, window, CPU slowed, client | frame p50 / p99 ms | longest task, CPU ms (above 50) "
    f"| {' | '.join(f'{kind} ms' for kind in KINDS)} | CPU ms an update | components rendered | nodes touched "
    "| first view: frame / longest task, CPU ms |\n"
    f"|{'---|' * (7 + len(KINDS))}"
)


async def run(args: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="frames-") as name:
        builds = {"new": build(Path(name), None)}
        if args.against:
            builds = {"old": build(Path(name), args.against), **builds}
        print(HEAD, flush=True)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=find_browser(), headless=True, chromium_sandbox=False, args=FLAGS
            )
            for game in args.games:
                recording = await record(game, args.updates)
                async with Playback(recording) as playback:
                    for size, rate in itertools.product(args.sizes, args.slow):
                        found = {build: Figures() for build in builds}
                        for turn in range(args.rounds):
                            # Each round begins with the other build.
                            for each in list(builds)[:: -1 if turn % 2 else 1]:
                                await measure(
                                    browser, builds[each], playback, SIZES[size], rate, args.pause / 1000, found[each]
                                )
                        for each, figures in found.items():
                            print(row(f"{game}, {size}, {rate}×, {each}", figures), flush=True)
                            if args.components:
                                most = sorted(figures.rendered.items(), key=lambda item: -item[1])[: args.components]
                                print(", ".join(f"{name} {count / figures.updates:.1f}" for name, count in most))
            await browser.close()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.web.frames", description=__doc__)
    parser.add_argument("--against", metavar="REVISION", help="also measure the client of this revision, alternating")
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument(
        "--slow", nargs="+", type=int, default=[1, 4], metavar="TIMES", help="how many times to slow down the CPU"
    )
    parser.add_argument("--updates", type=int, default=60, help="the updates of a recording (default: 60)")
    parser.add_argument("--rounds", type=int, default=2, help="how often each build is shown a recording (default: 2)")
    parser.add_argument(
        "--pause", type=float, default=150, metavar="MS", help="milliseconds between a frame and the next update"
    )
    parser.add_argument("--components", type=int, default=0, metavar="N", help="list the N components that render most")
    asyncio.run(run(parser.parse_args(arguments)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
