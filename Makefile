# One command to play, one to test. `make help` lists the rest.
#
# PYTHON   the Python (3.11 or newer) for .venv; default: the first one found
# ARGS     arguments for the server, pytest or the benchmarks, as in `make play ARGS="--port 9000"`,
#          `make test ARGS="-k investors"`, `make bench ARGS=--quick`
# KILLS    number of times that `make faults` kills the server
# FAULTS   number of faults that `make chaos` injects into workers and Redis
# FAULT_SCHEDULES  number of simulated clusters that `make chaos` tests
# DAMAGES  number of damaged database files that `make faults` opens and verifies
# PAIRS    number of pairs of servers, and of plays, that the secrecy tests compare for each game
# GAMES    number of games for each setting whose positions `make layout` measures

PYTHON ?=
ARGS ?=
KILLS ?= 300
FAULTS ?= 200
DAMAGES ?= 2000
FAULT_SCHEDULES ?= 500
PAIRS ?= 3000
GAMES ?= 5
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help setup web play test check format faults chaos layout bench lock clean

help:  ## list these targets
	@sed -n 's/^\([a-z]*\):.*  ## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup:  ## create .venv and web/dist with all dependencies, unless they are up to date
	@PYTHON="$(PYTHON)" .make/setup
	@.make/web

web: setup  ## build the web client into web/dist

play: setup  ## start the server, and open the page where there is a desktop
	@mkdir -p data
	@$(BIN)/sanfrancisco serve --open --database data/tables.sqlite3 --log-level warning $(ARGS)

test: check  ## run all checks and all tests
	@.make/chromium >/dev/null
	@.make/nginx >/dev/null
	PATH="$$(.make/node):$$PATH" $(BIN)/pytest --numprocesses auto --dist worksteal $(ARGS)

check: setup  ## check format, lint and types only
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	cd web && PATH="$$(../.make/node):$$PATH" npm run --silent check

format: setup  ## format the code, and fix what the linter can fix
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

faults: setup  ## kill the server hundreds of times during games, and search long for leaks of secrets
	KILLS=$(KILLS) DAMAGES=$(DAMAGES) SERVER_SECRECY_PAIRS=$(PAIRS) SECRECY_PAIRS=$(PAIRS) $(BIN)/pytest -s \
	    tests/faults tests/tools/test_damages.py tests/scenarios/test_secrecy.py tests/games/test_secrecy.py $(ARGS)

chaos: setup  ## kill, freeze, stop and disconnect workers and Redis hundreds of times during games
	FAULTS=$(FAULTS) TAKE_OVERS=20 FAULT_SCHEDULES=$(FAULT_SCHEDULES) SERVER_SECRECY_PAIRS=$(PAIRS) $(BIN)/pytest -s \
	    tests/faults/test_chaos.py tests/cluster $(ARGS)

layout: setup  ## measure hundreds of positions of all games at every size of the window
	LAYOUT_GAMES=$(GAMES) $(BIN)/pytest tests/web/browser/test_layout.py $(ARGS)

bench: setup  ## run the benchmarks, also of other projects; figures go to .bench/results
	$(BIN)/python -m tests.bench $(ARGS)

lock: setup  ## resolve the newest versions of all packages and write requirements.lock
	.make/lock

clean:  ## remove .venv and all files that tools have created
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .bench build dist
	rm -rf web/node_modules web/dist web/dist-tests web/screenshots
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
