# make demo   sets up and runs the main job on the shipped models
# make test   sets up and passes the tests

PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
READY   = $(VENV)/ready

.PHONY: demo test lint benchmark clean

demo: $(READY)
	$(BIN)/python -m freebody.demo

test: $(READY)
	$(BIN)/pytest -n auto

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

benchmark: $(READY)
	for file in benchmarks/*.py; do $(BIN)/python $$file || exit 1; done

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(READY)

clean:
	rm -rf $(VENV) demo build dist
