# `make demo` and `make test` set everything up by themselves: a .venv here, gapsmith and its tools in it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Two more than there are processors: a third of a test's time goes into waiting for a terminal or another process.
WORKERS := $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 2)')
# The tests start the program many times: what is compiled is kept.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo docs test test-full test-fast gates audit check format lint types contracts bench clean help

help:
	@echo "make demo    the whole pipeline on two small sets, offline, in ./demo"
	@echo "make test    the tests"
	@echo "make test-full  the long ones: damaged banks, banks taken away at every moment, recordings, the wheel"
	@echo "make test-fast  some of them, for while you work: no processes, no models"
	@echo "make gates   format, lint, types, import contracts"
	@echo "make audit   what is known against the installed packages, where a database can be reached"
	@echo "make check   all of these, and make test"
	@echo "make format  rewrite the files in the project's format"
	@echo "make docs    the documentation as a site, in build/site"
	@echo "make bench   speed, as ratios measured in one run"

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "gapsmith needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { \
	  echo "Could not make $(VENV). On Debian and Ubuntu: apt install python3-venv"; exit 2; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(STAMP)

demo: $(STAMP)
	$(BIN)/gapsmith demo

test: $(STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not full"

test-full: $(STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m full

test-fast: $(STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m fast

gates: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# A database that cannot be reached is said, and fails nothing.
audit: $(STAMP)
	$(BIN)/python -m tools.audit

check: gates audit test

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(STAMP)
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/mypy

contracts: $(STAMP)
	$(BIN)/lint-imports

docs: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	$(BIN)/python -m tools.site

bench: $(STAMP)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
