"""The positions of the figures in the rules: small scenes, played on by the real rules, as the page gets them.

`python -m tests.web.rule_figures` writes them to web/src/rules/figures; a test fails when the files differ from this.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Final

from server.games.builders.commands import Build, ChoosePermit, TakeIncome, TakeMaterial
from server.games.engine.events import Event
from server.games.engine.play import Play, play_view
from tests.games.builders.scenes import Scene as BuildersScene
from tests.games.builders.scenes import permit
from tests.games.investors.scenes import Scene as InvestorsScene
from tests.games.planners.scenes import Scene as PlannersScene
from tests.web.node import WEB

FOLDER: Final = WEB / "src" / "rules" / "figures"

Figure = dict[str, Any]


def figure(rule: str, play: Play, viewer: int | None = None, events: Iterable[Event] = (), **more: Any) -> Figure:
    """Return the position of a figure as the page gets it from the server, and what else its drawing needs."""
    view = play_view(play, viewer)
    seen = [shown for event in events if (shown := event.shown_to(viewer)) is not None]
    return {"rule": rule, "mine": viewer, "play": view, **({"events": seen} if seen else {}), **more}


# -- Investors ----------------------------------------------------------------------------------------------------


def majority() -> Figure:
    """Return three districts: green has the majority in the left one, nobody in the others."""
    scene = InvestorsScene(
        """
        +-g-+-b-+-r-+
        1 M b F y L -
        +-y-+-y-+-r-+
        """,
        at=(1, 1),
    )
    scene.investing("g", "market").place("g", "1")
    return figure("5.2", scene.play, area=[8, 10])


def landmarks() -> Figure:
    """Return the bank beside a park with three sticks, and the town hall, for which three are not enough."""
    scene = InvestorsScene(
        """
        +-r-+   +-b-+-#-+
        r H r F b B # * #
        +---+   +-1-+-#-+
        """,
        at=(2, 3),
    )
    scene.acting("b", "free/influence").place("b", "1")
    return figure("5.3", scene.play, area=[17, 20])


def equal_cards() -> Figure:
    """Return the reveal of two nines, which drop out, and two lower cards, which win."""
    scene = InvestorsScene(tenders=["market/influence/2"])
    scene.accept()
    events = scene.influence(y=9, b=6, r=9, g=4)
    return figure("4.2", scene.play, events=events)


def opened_streets() -> Figure:
    """Return the streets that a tender for villas opens, also at the edge."""
    scene = InvestorsScene(
        """
        +-b-+-y-+
        | L | V #
        +---+-r-+
        """,
        at=(0, 4),
    )
    scene.investing("y", "villa")
    return figure("5.5", scene.play, 0)


# -- Planners -----------------------------------------------------------------------------------------------------


def columns() -> Figure:
    """Return columns of one, two and three cards, for a seat with one contract."""
    scene = PlannersScene(columns=("gray:2c", "blue:1s u2", "yellow:2t orange:0f green:1tc"), contracts={"y": 1})
    return figure("3.4", scene.play, 0)


def cable_cars() -> Figure:
    """Return a city with two cable cars, a square beside them, and two squares that are not."""
    scene = PlannersScene(
        """
        0q      2c      0q      .       .
        0q      1tc     .       .       .
        2c      .       .       .       .
        """,
        columns=("green:2t green:3", "", ""),
    )
    scene.take(1).place("green:2t", "green:3")
    return figure("5.3", scene.play)


def skyscraper() -> Figure:
    """Return a city in which a skyscraper was built, because the neighbours of its foundation count 8 together."""
    scene = PlannersScene(
        """
        2c      3       .       .       .
        3       0f      .       .       .
        3       .       .       .       .
        """,
        columns=("green:2c", "", ""),
    )
    scene.take(1).place("green:2c")
    return figure("5.6", scene.play)


def compasses() -> Figure:
    """Return a city with two compasses in one row."""
    scene = PlannersScene(
        """
        2c      2t      .       .       .
        3       .       .       .       .
        2t*     .       .       .       .
        """,
        columns=("orange:1tc", "", ""),
    )
    scene.take(1).place("orange:1tc")
    return figure("6.1", scene.play, 0)


# -- Builders -----------------------------------------------------------------------------------------------------

_CITY = """
    P6. Y2*   P1. Y5.   G4. Y2.
    R1. G4.   G6. P2o   R1. G5k
    P3. Y5.   Y3. R4.   P3. R6.

    G6. P1.   R3. G1*   R6. G2.
    R2. G3.   G5. R2.   Y4. P5.
    P5. Y4.   Y6. P4.   R3* Y1.
"""


def order_of_pawns() -> Figure:
    """Return an action card on which three pawns stand."""
    scene = BuildersScene(_CITY, card="A1")
    scene.done("o", "material", TakeMaterial()).done("k", "income", TakeIncome())
    scene.at("b", "dollar")
    return figure("3.2", scene.play, area=1)


def other_action() -> Figure:
    """Return an action card for the seat that stands on its income space and may pay for the other actions."""
    scene = BuildersScene(_CITY, card="A1").money(o=5).front(o=1).permits(o="Y5:LP")
    scene.at("o", "income")
    return figure("4.2", scene.play, 0, area=1)


def two_permits() -> Figure:
    """Return two permits and the plots that they open."""
    scene = BuildersScene(_CITY, card="A1").money(o=5).front(o=1).permits(o="Y5:LP G2:LP")
    scene.at("o", "build")
    scene.do("o", Build(), *(ChoosePermit(permit(name)) for name in ("Y5:LP", "G2:LP")))
    return figure("7.3", scene.play, 0, permits=[permit("Y5:LP"), permit("G2:LP")])


def development() -> Figure:
    """Return markers at the start of the development board, above it and to the right of it."""
    scene = BuildersScene(_CITY).marker(o=(0, 0), k=(0, 2), b=(3, 0))
    return figure("5.6", scene.play)


def pairs() -> Figure:
    """Return a city with three buildings of one seat side by side, and two across the street from them."""
    scene = BuildersScene(
        """
        P6. Y2.   P1o Y5.   G4. Y2.
        R1. G4o   G6o P2.   R1k G5k
        P3. Y5o   Y3o R4.   P3. R6.

        G6. P1.   R3. G1.   R6. G2.
        R2. G3.   G5. R2.   Y4. P5.
        P5. Y4.   Y6. P4.   R3. Y1.
        """
    )
    return figure("9.5", scene.play)


FIGURES: Final[dict[str, dict[str, Callable[[], Figure]]]] = {
    "investors": {
        "equal_cards": equal_cards,
        "majority": majority,
        "landmarks": landmarks,
        "opened_streets": opened_streets,
    },
    "planners": {"columns": columns, "cable_cars": cable_cars, "skyscraper": skyscraper, "compasses": compasses},
    "builders": {
        "order_of_pawns": order_of_pawns,
        "other_action": other_action,
        "development": development,
        "two_permits": two_permits,
        "pairs": pairs,
    },
}


def file_text(game: str) -> str:
    """Return the text of the file with the figures of a game: one line for each figure."""
    lines = [f"{json.dumps(name)}: {json.dumps(make(), ensure_ascii=False)}" for name, make in FIGURES[game].items()]
    return "{\n  " + ",\n  ".join(lines) + "\n}\n"


def write() -> None:
    """Write the files of all games."""
    FOLDER.mkdir(exist_ok=True)
    for game in FIGURES:
        (FOLDER / f"{game}.json").write_text(file_text(game), "utf-8")


if __name__ == "__main__":
    write()
