# Three commands on a machine that has only python3, pip and make:
#   make demo   runs the main job on a synthetic hospital
#   make test   checks style and types and runs every test, properties with a seeded few of their examples
# The thorough tests, which take long, and are run before a release:
#   make thorough       all of the following
#   make test-thorough  the same tests with every example, and the long ones; today's, or those of SEED=7
#   make matrix         tries every promise with every algorithm in every form
#   make bounds         runs every compiled loop with its indices checked
#   make attack         judges 5,000 releases of random tables by code of its own, plants what must be found, kills runs
# Options of the last three are given in ARGS, such as ARGS="--seed 7".
# After make test, instead of make test-thorough:
#   make test-more      only those of its tests of which it runs more
# With Chromium, when the look of the report or of the workbench has changed:
#   make pictures  takes the pictures of them in docs/pictures again
# And with the data that docs/how-to/benchmarks.md names:
#   make test-data runs the tests that want a real table
#   make bench     measures speed; options in ARGS, such as ARGS="--quick"
#   make experiments   computes the tables and figures of the papers again; ARGS="--quick" some points, ARGS="002 table5" one
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= 2
SEED ?= $(shell date +%Y%m%d)
PYTEST = $(BIN)/pytest -n $(WORKERS) --dist worksteal

# Tests start hundreds of processes, which would each translate every module anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: attack bench bounds demo experiments matrix pictures test test-data test-more test-thorough thorough clean

demo: $(VENV)/.installed
	$(BIN)/sfumato demo demo-hospital --force

# Types are checked beside the tests, which take longer, and are told of at the end. Of so many small tables each is
# faster in one thread; thorough runs leave that to polars.
test: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	mkdir -p build
	$(BIN)/mypy > build/types.txt 2>&1 & types=$$!; \
	POLARS_MAX_THREADS=1 $(PYTEST); tests=$$?; \
	wait $$types; types=$$?; cat build/types.txt; exit $$((tests || types))

test-data: $(VENV)/.installed-dev
	$(PYTEST) -m data --thorough --hypothesis-seed=$(SEED)

thorough: test-thorough matrix bounds attack

test-thorough: $(VENV)/.installed-dev
	$(PYTEST) --thorough --hypothesis-seed=$(SEED)

test-more: $(VENV)/.installed-dev
	$(PYTEST) --thorough --only-more --hypothesis-seed=$(SEED) $(ARGS)

matrix: $(VENV)/.installed
	$(BIN)/python -m sfumato.testing $(ARGS)

bounds: $(VENV)/.installed
	$(BIN)/python -m sfumato.testing.bounds --cache build/bounds $(ARGS)

attack: $(VENV)/.installed-dev
	$(BIN)/python -m tests.attack.run $(ARGS)
	$(BIN)/python -m tests.attack.planted --kills

pictures: $(VENV)/.installed-dev
	$(BIN)/python -m tests.docs.pictures

bench: $(VENV)/.installed
	$(BIN)/python -m benchmarks $(ARGS)

experiments: $(VENV)/.installed
	$(BIN)/python -m experiments $(ARGS)

# A Python without ensurepip makes an empty venv first, and lends it its own pip.
$(BIN)/python:
	$(PYTHON) -m venv $(VENV) || ( $(PYTHON) -m venv --clear --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python install pip )

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e .
	touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e ".[dev]"
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) demo-hospital build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
