# One command to play, one to test. `make help` lists the rest.
#
# PYTHON   the Python (3.11 or newer) that .venv is made with; found by itself when not given
# ARGS     more arguments for pytest or the benchmarks, as in `make test ARGS="-k investors"`, `make bench ARGS=--quick`

PYTHON ?=
ARGS ?=
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help setup play test check format bench lock clean

help:  ## list these targets
	@sed -n 's/^\([a-z]*\):.*  ## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup:  ## make .venv with everything that is needed, unless it is there already
	@PYTHON="$(PYTHON)" .make/setup

play: setup  ## start what can be played
	@$(BIN)/sanfrancisco simulate investors --players 4 --games 20 --seed 7 && echo "Twenty games played by chance; live tables come next."

test: check  ## run all checks and all tests
	$(BIN)/pytest --numprocesses auto $(ARGS)

check: setup  ## check format, lint and types only
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: setup  ## put the code into its format, and mend what lint can mend
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: setup  ## measure, against other programs where there are any; figures also go to .bench/results
	$(BIN)/python -m tests.bench $(ARGS)

lock: setup  ## choose the newest versions of all packages and write requirements.lock
	.make/lock

clean:  ## remove .venv and everything that tools left behind
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .bench build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
