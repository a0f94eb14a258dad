"""The command line: its output, and one sentence with exit code 2 for every error of the user."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from server.cli import main
from server.games.registry import GAMES
from tests.games.engine.test_game_log import chained

SIMULATE = ("simulate", "investors", "--players", "4", "--seed", "7")


def run(
    *arguments: str, stdin: bytes | None = None, hash_seed: str = "random", **more: object
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in its own process with its own hash seed and with buffered output."""
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONWARNINGS": "error", "PYTHONUNBUFFERED": ""}
    command = [sys.executable, "-m", "server", *arguments]
    streams: dict[str, object] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "input": stdin} | more
    return subprocess.run(command, env=environment, check=False, **streams)


@pytest.fixture(scope="module")
def log_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    assert main([*SIMULATE, "--logs", str(folder)]) == 0
    (path,) = folder.iterdir()
    return path


# simulate


def test_the_same_seed_prints_the_same_bytes_whatever_the_hashes() -> None:
    for form in ((), ("--json",)):
        first, second = (run(*SIMULATE, "--games", "3", *form, hash_seed=seed) for seed in ("1", "2"))
        assert first.returncode == second.returncode == 0
        assert first.stdout == second.stdout
        assert len(first.stdout.splitlines()) == (3 if form else 4)


def test_the_logs_of_the_same_seed_are_the_same_bytes_whatever_the_hashes(tmp_path: Path) -> None:
    contents = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        assert run(*SIMULATE, "--games", "2", "--logs", str(folder), hash_seed=seed).returncode == 0
        contents.append([path.read_bytes() for path in sorted(folder.iterdir())])
    assert contents[0] == contents[1]
    assert len(contents[0]) == 2


def test_another_seed_plays_other_games(capsys: pytest.CaptureFixture[str]) -> None:
    printed = set()
    for seed in ("1", "2", "-1"):
        assert main(["simulate", "investors", "--games", "2", "--seed", seed]) == 0
        printed.add(capsys.readouterr().out)
    assert len(printed) == 3


def test_without_a_terminal_only_the_speed_is_printed_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SIMULATE, "--games", "2"]) == 0
    error = capsys.readouterr().err
    number = r"[\d,]+(\.\d+)?"
    speed = (
        rf"2 games with {number} decisions in {number} seconds: {number} games and {number} decisions per second\.\n"
    )
    assert re.fullmatch(speed, error)


def test_json_prints_one_object_per_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SIMULATE, "--games", "3", "--json"]) == 0
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [result["number"] for result in results] == [1, 2, 3]
    for result in results:
        assert len(result["scores"]) == len(result["places"]) == 4
        assert result["reason"]
        assert result["rounds"] > 0
        assert result["decisions"] > 0


def test_options_are_passed_to_the_game(tmp_path: Path) -> None:
    arguments = ["--option", "layout=players", "--option", "influence_cap=40", "--logs", str(tmp_path)]
    assert main([*SIMULATE, *arguments]) == 0
    (path,) = tmp_path.iterdir()
    begun = json.loads(path.read_text().splitlines()[1])["events"][0]
    assert begun["influence_cap"] == 40
    assert None in begun["layout"]


# show


def test_a_log_that_simulate_wrote_is_shown(log_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(log_path)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Investors, rules 3, ")
    assert "\nThe result\n" in text
    assert main(["show", str(log_path), "--step", "3"]) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("    3  ")


def test_a_log_is_read_from_standard_input(log_path: Path) -> None:
    from_file, from_stdin = run("show", str(log_path)), run("show", "-", stdin=log_path.read_bytes())
    assert from_stdin.returncode == 0
    assert from_stdin.stdout == from_file.stdout != b""


def test_the_log_of_an_unfinished_game_is_shown(log_path: Path) -> None:
    begun = b"".join(log_path.read_bytes().splitlines(keepends=True)[:5])
    shown = run("show", "-", stdin=begun)
    assert shown.returncode == 0
    assert shown.stdout.startswith(b"Investors, rules 3, 4 steps, not finished\n")


def test_a_character_that_cannot_be_encoded_is_escaped(tmp_path: Path) -> None:
    assert main([*SIMULATE, "--option", "layout=players", "--logs", str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    header, first = map(json.loads, path.read_text().splitlines()[:2])
    drawn = first["events"][-1]
    assert drawn["event"] == "tile_drawn"
    drawn["tile"] = "\ud800"
    del header["chain"], first["chain"]
    shown = run("show", "-", stdin=chained(header, first).encode())
    assert shown.returncode == 0
    assert rb"draws a \ud800 tile" in shown.stdout


def test_a_closed_pipe_is_not_an_error(log_path: Path) -> None:
    for arguments in (["show", str(log_path)], [*SIMULATE], [*SIMULATE, "--games", "99", "--json"]):
        reader, writer = os.pipe()
        os.close(reader)
        result = run(*arguments, stdout=writer)
        os.close(writer)
        assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_output_that_cannot_be_written_is_reported() -> None:
    with Path("/dev/full").open("wb") as full:
        result = run(*SIMULATE, stdout=full)
    assert result.returncode == 2
    assert result.stderr == b"sanfrancisco simulate: The output could not be written: No space left on device.\n"


# Bad input


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        ("--players 2", "Investors is for 3 to 5 players, not for 2."),
        ("--players 6", "Investors is for 3 to 5 players, not for 6."),
        ("--players -4", "Investors is for 3 to 5 players, not for -4."),
        ("--option layout=round", "Option layout is one of random, players, not 'round'."),
        ("--option move_axis_only=maybe", "Option move_axis_only is yes or no, not 'maybe'."),
        ("--option influence_cap=7", "Option influence_cap is a number from 30 to 99 or none, not 7."),
        ("--option action_cards=two/influence", "Option action_cards needs 12 cards, not 1."),
        ("--option layout=random --option layout=random", "Option layout is given twice."),
        ("--players 3 --option first_seat=4", "Option first_seat: with 3 players there is no seat 4."),
        ("--players four", "Argument --players: a whole number is needed, not 'four'"),
        ("--games 0", "Argument --games: a number from 1 is needed, not 0"),
        ("--games -2", "Argument --games: a number from 1 is needed, not -2"),
        ("--games 1e3", "Argument --games: a whole number is needed, not '1e3'"),
        ("--seed 1.5", "Argument --seed: a whole number is needed, not '1.5'"),
        ("--option layout", "Argument --option: an option is written KEY=VALUE, not 'layout'"),
        ("--option =random", "Argument --option: an option is written KEY=VALUE, not '=random'"),
    ],
)
def test_an_invalid_game_is_one_sentence_and_exit_code_2(
    arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code_of("simulate", "investors", *arguments.split()) == 2
    ending = "" if sentence.endswith(".") else "; see sanfrancisco simulate --help."
    assert capsys.readouterr() == ("", f"sanfrancisco simulate: {sentence}{ending}\n")


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        ("", "sanfrancisco: The following arguments are required: COMMAND; see sanfrancisco --help."),
        ("simulate chess", f"sanfrancisco simulate: There is no game 'chess'; there are {', '.join(GAMES)}."),
        ("show no/such/file", "sanfrancisco show: no/such/file cannot be read: No such file or directory."),
        ("show .", "sanfrancisco show: . cannot be read: Is a directory."),
        (
            "serve --bot-least-seconds 5",
            "sanfrancisco serve: --bot-max-seconds must be at least --bot-min-seconds.",
        ),
    ],
)
def test_an_invalid_command_is_one_sentence_and_exit_code_2(
    arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code_of(*arguments.split()) == 2
    assert capsys.readouterr() == ("", f"{sentence}\n")


def code_of(*arguments: str) -> int:
    """Return the exit code of the command, run in this process."""
    try:
        return main(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else -1


@pytest.mark.parametrize(
    "arguments",
    [
        "fly",
        "simulate",
        "simulate investors --fast",
        "simulate investors --seed",
        "simulate investors --option weather=fine",
        "simulate investors --gam 3",
        "show",
        "show one two",
    ],
)
def test_an_unknown_argument_is_one_line_and_exit_code_2(arguments: str) -> None:
    result = run(*arguments.split())
    assert (result.returncode, result.stdout) == (2, b"")
    assert re.fullmatch(rb"sanfrancisco[^\n]*\.\n", result.stderr)


def test_nothing_is_written_for_an_invalid_game(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    for wrong in (["--players", "9"], ["--option", "layout=round"], ["--option", "first_seat=4", "--players", "3"]):
        assert code_of("simulate", "investors", *wrong, "--logs", str(folder)) == 2
    assert list(tmp_path.iterdir()) == []


def test_existing_logs_are_never_overwritten(log_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = log_path.read_bytes()
    assert code_of(*SIMULATE, "--logs", str(log_path.parent)) == 2
    assert capsys.readouterr() == (
        "",
        f"sanfrancisco simulate: {log_path} exists already; logs never overwrite a file.\n",
    )
    assert log_path.read_bytes() == before


def test_an_unwritable_folder_is_reported_before_any_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of(*SIMULATE, "--logs", "/dev/null") == 2
    printed, error = capsys.readouterr()
    assert printed == ""
    assert re.fullmatch(r"sanfrancisco simulate: Logs cannot be written to /dev/null: [^\n]+\.\n", error)


@pytest.mark.parametrize(
    "old, new",
    [(b"investors", b"investorz"), (b'"seats":4', b'"seats":5'), (b"\n", b"\r\n"), (b'"', b"\xff")],
)
def test_a_damaged_log_is_one_sentence_and_nothing_else(log_path: Path, old: bytes, new: bytes) -> None:
    result = run("show", "-", stdin=log_path.read_bytes().replace(old, new, 1))
    assert (result.returncode, result.stdout) == (2, b"")
    assert re.fullmatch(rb"sanfrancisco show: Line [12] is damaged: [^\n]+\.\n", result.stderr)


def test_a_step_beyond_the_end_is_one_sentence(log_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of("show", str(log_path), "--step", "9999") == 2
    assert capsys.readouterr().err.endswith("; there is no step 9999.\n")


# Help


def test_the_help_of_simulate_explains_every_option_of_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of("simulate", "--help") == 0
    text = " ".join(capsys.readouterr().out.split())
    for game in GAMES.values():
        for option in game.options:
            assert f" {option.name}=" in text
            assert option.help in text
    assert "influence_cap=30..99|none The most influence a player can have. Default: none." in text


@pytest.mark.parametrize("command", ["", "simulate", "show"])
def test_every_command_has_help_that_fits_a_terminal(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of(*command.split(), "--help") == 0
    text, error = capsys.readouterr()
    assert text.startswith(f"usage: sanfrancisco {command}".rstrip())
    assert error == ""
    assert max(map(len, text.splitlines())) <= 80


def test_the_version_is_printed() -> None:
    result = run("--version")
    assert result.returncode == 0
    assert re.fullmatch(rb"sanfrancisco \d+\.\d+\.\d+ \((plain|accelerated)\b.*\)\n", result.stdout)


def test_the_installed_command_is_the_same_command() -> None:
    command = Path(sys.executable).with_name("sanfrancisco")
    assert subprocess.check_output([command, "--version"]) == run("--version").stdout
