# The two commands of the README, and the small ones they are made of. Needs make and Python 3.11 or newer.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: site test check docs golden pictures bench clean

site: $(VENV)/.site
	$(BIN)/toolkit validate data/
	$(BIN)/toolkit build-site data/ --out public/

test: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/toolkit schema --check
	$(BIN)/python -m pytest -n 2

docs: $(VENV)/.test
	$(BIN)/toolkit schema
	$(BIN)/python docs/make.py

golden: $(VENV)/.test
	GOLDEN=write $(BIN)/python -m pytest -q tests/site/test_golden.py

pictures: $(VENV)/.test
	PICTURES=write $(BIN)/python -m pytest -q tests/site/test_journey.py

bench: $(VENV)/.site
	$(BIN)/pip install --quiet --editable '.[bench]'
	-npm install --silent --no-fund --no-audit --prefix build/benchmarks/node @11ty/eleventy@3
	$(BIN)/python -m benchmarks

$(VENV)/bin/pip:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.site: $(VENV)/bin/pip pyproject.toml
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/.test: $(VENV)/bin/pip pyproject.toml
	$(BIN)/pip install --quiet --editable '.[evaluation,dask,dev]'
	touch $@ $(VENV)/.site

clean:
	rm -rf $(VENV) build public
