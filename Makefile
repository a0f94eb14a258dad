# One command to play, one to test. `make help` lists the rest.
#
# PYTHON   the Python (3.11 or newer) for .venv; default: the first one found
# ARGS     arguments for the server, pytest or the benchmarks, as in `make play ARGS="--port 9000"`,
#          `make test ARGS="-k investors"`, `make bench ARGS=--quick`
# KILLS    number of times that `make faults` kills servers, workers and Redis; KILL_SEED repeats the schedule of a run
# INDEX_KILLS  number of times that `make index-kills` kills servers and workers while games end
# CUTS     number of power cuts that `make cuts` simulates
# FAULTS   number of faults that `make chaos` injects into workers and Redis
# FAILOVERS  number of masters of Redis that `make chaos` kills, behind Sentinels and in a cluster
# FAULT_SCHEDULES  number of simulated clusters that `make chaos` tests
# TAKE_OVERS  number of workers that `make chaos` kills to measure how soon others take over
# DAMAGES  number of damaged database files that `make faults` opens and verifies
# PAIRS    number of pairs of servers, and of plays, that the secrecy tests compare for each game
# RUNS     number of executions of all targets of `make fuzz` together
# MINUTES  duration of `make soak`
# COMPARED number of games of each setting that `make test-accelerated` plays on both builds
# GAMES    number of games for each setting whose positions `make layout` measures, 5 if not given, and of games that
#          `make fair` plays and verifies, 1,000 if not given
# LANGUAGES  languages in which `make layout` looks at all pages and `make lessons` plays, separated by commas

PYTHON ?=
ARGS ?=
KILLS ?= 1000
KILL_SEED ?= 7
INDEX_KILLS ?= 200
CUTS ?= 10000
FAULTS ?= 200
FAILOVERS ?= 20
DAMAGES ?= 2000
FAULT_SCHEDULES ?= 500
TAKE_OVERS ?= 200
PAIRS ?= 3000
RUNS ?= 10000000
MINUTES ?= 120
GAMES ?=
LANGUAGES ?= en,de,it,pl
COMPARED ?= 2
BIN := .venv/bin

# The tests start hundreds of servers. Where the environment forbids bytecode files, each would compile all modules again.
export PYTHONDONTWRITEBYTECODE =

.DEFAULT_GOAL := help
.PHONY: help setup web play test check format faults index-kills cuts chaos vandals fuzz soak layout lessons by-ear games fair bench accelerate plain dist test-accelerated audit lock clean

help:  ## list these targets
	@sed -n 's/^\([a-z-]*\):.*  ## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

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
	(cd web && PATH="$$(../.make/node):$$PATH" npm run --silent check) & web=$$!; \
	    $(BIN)/mypy; python=$$?; wait $$web && exit $$python

format: setup  ## format the code, and fix what the linter can fix
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

faults: setup  ## kill servers, workers and Redis a thousand times during games, and search long for leaks of secrets
	KILLS=$(KILLS) KILL_SEED=$(KILL_SEED) DAMAGES=$(DAMAGES) SERVER_SECRECY_PAIRS=$(PAIRS) SECRECY_PAIRS=$(PAIRS) \
	    $(BIN)/pytest -s tests/faults tests/tools/test_damages.py tests/scenarios/test_secrecy.py \
	    tests/games/test_secrecy.py $(ARGS)

index-kills: setup  ## kill servers and workers hundreds of times while games end, and compare the index with the logs
	INDEX_KILLS=$(INDEX_KILLS) KILL_SEED=$(KILL_SEED) INDEX_ORDERS=500 $(BIN)/pytest -s tests/faults/test_index_kills.py \
	    tests/history/test_projection.py $(ARGS)

cuts: setup  ## cut the power of the disks of SQLite and Redis thousands of times, and step the clocks during games
	CUTS=$(CUTS) CLOCK_STEPS=500 REDIS_SERVER="$$(.make/redis)" $(BIN)/pytest -s tests/faults/test_power_cuts.py \
	    tests/faults/test_power_redis.py tests/faults/test_clock_steps.py $(ARGS)

chaos: setup  ## kill, freeze, stop and disconnect workers and Redis hundreds of times during games
	FAULTS=$(FAULTS) FAILOVERS=$(FAILOVERS) TAKE_OVERS=20 FAULT_SCHEDULES=$(FAULT_SCHEDULES) \
	    SERVER_SECRECY_PAIRS=$(PAIRS) $(BIN)/pytest -s \
	    tests/faults/test_chaos.py tests/faults/test_failover.py tests/cluster $(ARGS)
	$(BIN)/python -m tests.faults.take_overs --times $(TAKE_OVERS) --alarms 60 --freeze 1.5

fuzz: setup  ## fuzz everything that reads bytes from outside, guided by coverage
	@$(BIN)/python -c "import atheris" 2>/dev/null || $(BIN)/pip install --quiet atheris==3.0.0
	$(BIN)/python -m tests.fuzz --runs $(RUNS) $(ARGS)

soak: setup  ## run 500 tables with bots and 2,000 spectators for hours, and look for leaks
	$(BIN)/python -m tests.soak --minutes $(MINUTES) $(ARGS)

vandals: setup  ## measure the decisions of players beside hostile spectators; ARGS=--redis for a Redis
	$(BIN)/python -m tests.faults.hostile_spectators $(ARGS)

layout: setup  ## measure hundreds of positions of all games at every size of the window, in every language
	LAYOUT_GAMES=$(or $(GAMES),5) LAYOUT_LANGUAGES=$(LANGUAGES) $(BIN)/pytest tests/web/browser/test_layout.py \
	    tests/web/browser/test_languages.py $(ARGS)

lessons: setup  ## play every lesson in every language, to its end
	LESSON_LANGUAGES=$(LANGUAGES) $(BIN)/pytest tests/web/browser/test_whole_lessons.py $(ARGS)

fair: setup  ## play a thousand random games of all titles and options, and verify each in Python and in Node
	FAIR_GAMES=$(or $(GAMES),1000) PATH="$$(.make/node):$$PATH" $(BIN)/pytest --numprocesses auto --dist worksteal \
	    tests/fairness $(ARGS)

by-ear: setup  ## play a whole game of each title by keyboard, through the accessibility tree alone
	BY_EAR=1 $(BIN)/pytest -n 2 tests/web/browser/test_by_ear.py $(ARGS)

games: setup  ## play thousands of random games, ask bots, and play a whole game of each title in a browser by clicking
	ALL_GAMES=1 $(BIN)/pytest -n 2 tests/games tests/bots tests/web/browser/test_first_steps.py \
	    tests/web/browser/test_builders.py tests/web/browser/test_planners.py tests/web/browser/test_fairness.py $(ARGS)

bench: setup  ## run the benchmarks, also of other projects; figures go to .bench/results
	$(BIN)/python -m tests.bench $(ARGS)

accelerate: setup  ## compile rules, bots, tables and the codec into server/accelerated; ARGS=--remove as make plain
	$(BIN)/python .make/accelerate $(ARGS)

plain:  ## remove the accelerated build, so that everything runs from the source
	rm -rf server/accelerated

dist: setup  ## build the wheel into dist, accelerated where there is a C compiler
	$(BIN)/python .make/accelerate || [ $$? = 3 ]
	$(BIN)/python -m hatchling build -t wheel

test-accelerated: setup  ## compile into .accelerated, compare it with the source, and run the tests of behaviour on it
	$(BIN)/python .make/accelerate --into .accelerated
	$(BIN)/python -m tests.accelerated.compare --games $(COMPARED) --build .accelerated
	SANFRANCISCO_BUILD="$$PWD/.accelerated" PATH="$$(.make/node):$$PATH" $(BIN)/pytest --numprocesses auto --dist worksteal \
	    tests/accelerated tests/games tests/bots tests/tables tests/protocol tests/scenarios tests/tools $(ARGS)

audit: setup  ## look for known vulnerabilities in all packages, where the advisories can be reached
	@PATH="$$PATH:$$(.make/node)" $(BIN)/python .make/audit

lock: setup  ## resolve the newest versions of all packages and write requirements.lock
	.make/lock

clean:  ## remove .venv and all files that tools have created
	rm -rf .venv .audit .mypy_cache .ruff_cache .pytest_cache .hypothesis .bench .fuzz .accelerated server/accelerated build dist
	rm -rf web/node_modules web/dist web/dist-tests web/screenshots
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
