"""The files at the top of the project agree with each other."""

import os
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCK = (ROOT / "requirements.lock").read_text("utf-8")


def test_the_lock_file_pins_every_package_that_the_project_names() -> None:
    wanted = [
        *PROJECT["build-system"]["requires"],
        *PROJECT["project"]["dependencies"],
        *PROJECT["dependency-groups"]["dev"],
    ]
    names = {re.split(r"[^A-Za-z0-9._-]", requirement)[0] for requirement in wanted}
    assert names <= set(re.findall(r"^([a-z0-9-]+)==", LOCK, re.MULTILINE))


def test_the_lock_file_names_no_place_to_fetch_from() -> None:
    assert not re.search(r"--(extra-)?index-url|--find-links|://|^-e|^[./]", LOCK, re.MULTILINE)


def test_every_line_of_the_lock_file_is_a_comment_a_pin_or_a_hash() -> None:
    kinds = r" *#.*|[a-z0-9-]+==\S+( ; [^\\]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?"
    assert [line for line in LOCK.splitlines() if not re.fullmatch(kinds, line)] == []


def test_every_make_target_is_explained_and_named_as_phony() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):(?!=)", makefile, re.MULTILINE))
    explained = set(re.findall(r"^([a-z-]+):.*  ## \w", makefile, re.MULTILINE))
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None
    assert targets == explained == set(phony[1].split())


def test_scripts_can_be_started() -> None:
    scripts = [ROOT / ".ci/run", *(path for path in (ROOT / ".make").iterdir() if not path.suffix)]
    assert [script.name for script in scripts if not os.access(script, os.X_OK)] == []
