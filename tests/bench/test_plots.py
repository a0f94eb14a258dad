"""The plots and the first lines of the document show the figures that were measured."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from tests.bench import document
from tests.bench.contestants import COLYSEUS, RAW, REAL, TRIVIAL
from tests.bench.plots import COST, DELIVERIES, Axis, plots, spread
from tests.bench.summary import FIRST, LAST, summary


def rounds(**figures: float) -> dict[str, Any]:
    return {"numbers": [0], **{name: [figure] for name, figure in figures.items()}}


HUMAN = {
    "few": {
        "tables": 200,
        "contestants": {
            REAL: rounds(microseconds_per_move=1_500, p50=2.0, p99=9.0),
            TRIVIAL: rounds(microseconds_per_move=900, p50=1.0, p99=5.0),
            COLYSEUS: rounds(microseconds_per_move=700, p50=1.0, p99=5.0),
        },
    },
    "many": {"tables": 2_000, "contestants": {REAL: rounds(microseconds_per_move=1_000, kib_per_table=120)}},
    "limit": {
        REAL: {
            "tables": 3_000,
            "open": 3_000,
            "tries": [
                {"tables": 3_000, "open_tables": 3_000, "is_carried": True, "microseconds_per_move": 800},
                {"tables": 4_000, "open_tables": 4_000, "is_carried": False, "microseconds_per_move": 700},
                {"tables": 6_000, "open_tables": 5_000, "is_carried": True, "microseconds_per_move": 600},
            ],
        }
    },
}
CROWD = {name: rounds(microseconds_per_delivery=cost) for name, cost in ((RAW, 6.6), (TRIVIAL, 7.3), (COLYSEUS, 12.6))}
TABLES = {"crowd": {"tables": 1, "spectators": 1_000, "contestants": CROWD}}


def drawn(name: str) -> ElementTree.Element:
    return ElementTree.fromstring(plots({"human": HUMAN, "tables": TABLES})[name])  # noqa: S314 - drawn here


def texts(plot: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in plot.iter("{http://www.w3.org/2000/svg}text")]


def circles(plot: ElementTree.Element, colour: str) -> list[tuple[float, float]]:
    found = plot.iter("{http://www.w3.org/2000/svg}circle")
    return [(float(one.attrib["cx"]), float(one.attrib["cy"])) for one in found if one.attrib["fill"] == colour]


def test_the_cost_of_a_move_is_drawn_by_tables_that_were_open_and_carried() -> None:
    plot = drawn(COST)
    assert {REAL, TRIVIAL, COLYSEUS} <= {*texts(plot)}
    assert RAW not in texts(plot)
    points = circles(plot, "#2f81f7")
    # One of the trivial game, and three of the real one: 200 tables, 2,000, and the limit.
    assert len(points) == 4
    (_, first), (_, second), (_, last) = sorted(points[-3:])
    assert first < second < last  # cheaper is lower on the page


def test_deliveries_are_drawn_by_viewers() -> None:
    assert {RAW, TRIVIAL, COLYSEUS} <= {*texts(drawn(DELIVERIES))}
    assert REAL not in texts(drawn(DELIVERIES))


def test_nothing_is_drawn_without_figures() -> None:
    assert plots({}) == {}


def test_a_logarithmic_axis_has_round_ticks_and_equal_steps() -> None:
    axis = Axis(200, 20_000, is_logarithmic=True)
    assert axis.ticks() == [200, 500, 1_000, 2_000, 5_000, 10_000, 20_000]
    assert axis.part(2_000) == pytest.approx(0.5)


def test_a_plain_axis_ends_at_a_round_value() -> None:
    assert Axis(0, 1.9).ticks() == pytest.approx([0, 0.5, 1.0, 1.5, 2.0])


def test_labels_do_not_overlap_and_stay_on_the_page() -> None:
    assert spread([10, 12, 50], distance=5, most=100) == [10, 15, 50]
    assert spread([90, 98, 99], distance=5, most=100) == [90, 95, 100]


def test_the_first_lines_have_a_sentence_for_each_figure() -> None:
    sentences = summary({"human": HUMAN, "tables": TABLES})
    assert sentences[: len(FIRST)] == [*FIRST]
    pace, others, limit, crowd, last = sentences[len(FIRST) :]
    assert pace.startswith("At 200 tables of four, a durable move of a real game takes 1.50 ms of one core and is on ")
    assert pace.endswith("all four screens after 2.0 ms (99 of 100 within 9 ms).")
    assert others.startswith("With a trivial game in memory, we take 0.90 ms; Colyseus, which neither judges nor")
    assert limit.startswith("One core carries 3,000 such tables, 12,000 people, at 70 % of its time, with 99 of 100")
    assert crowd.endswith("costs 7.3 µs each; raw uvloop, the lower bound, 6.6 µs; Colyseus 12.6 µs.")
    assert last == LAST


def test_tables_that_could_not_be_open_are_not_counted_as_such() -> None:
    (limit,) = summary({"human": {"limit": {REAL: {"tables": 6_000, "open": 4_970}}}})[len(FIRST) : -1]
    assert limit.startswith("One core carries the moves of 6,000 such tables (4,970 could be open) at 70 %")


def test_the_plots_of_the_document_are_those_that_are_drawn() -> None:
    text = document.DOCUMENT.read_text()
    for name in (COST, DELIVERIES):
        assert f"]({document.PLOTS.relative_to(document.ROOT)}/{name})" in text
    assert f"<!-- begin {document.SUMMARY} -->\n" in text
