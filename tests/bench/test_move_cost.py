"""The cost of a move is measured with the code of two trees; no test checks a speed."""

from tests.bench.move_cost import ROOT, measure


def test_two_trees_play_the_same_moves() -> None:
    report = measure(ROOT, ("marks",), (1,), rounds=1, moves=20)
    assert [row[0] for row in report.rows[1:]] == ["marks, 1 spectators"]
    assert all(figures["old"] > 0 < figures["new"] for figures in report.figures.values())
