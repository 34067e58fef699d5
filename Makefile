# make demo   sets up and runs the main job on the shipped models
# make test   sets up and passes the tests, with what Python compiles kept beside its libraries,
#             and more of sympy's results than its 1,000, since tests derive the same models
# make coverage   the tests with branches counted
# make benchmark  numbers beside a peer in the same run; make record: whether one got worse
# make site       the documentation, to be opened at build/site/html/index.html
# make campaign   searches for hours for what is wrong, silent or dies; goes on where it stopped

PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
FLOOR  ?= 95
CACHED ?= 100000
READY   = $(VENV)/ready

.PHONY: demo test coverage lint benchmark record site campaign clean

demo: $(READY)
	mkdir -p demo
	$(BIN)/freebody models
	$(BIN)/freebody derive three_link_arm --method all
	$(BIN)/freebody check
	$(BIN)/freebody check three_link_arm --format html -o demo/three_link_arm.html
	$(BIN)/freebody simulate three_link_arm -o demo/arm.csv --plot demo/arm.png --animate demo/arm.gif
	$(BIN)/freebody generate three_link_arm --target c -o demo/arm.c
	$(BIN)/freebody derive rolling_disc --method all
	$(BIN)/freebody simulate four_bar --plot demo/four_bar.png --animate demo/four_bar.gif
	$(BIN)/freebody linearize acrobot --search 20
	$(BIN)/python examples/euler_drift.py demo/euler_drift.png
	$(BIN)/python examples/optimal_reach.py demo/optimal_reach.png
	$(BIN)/python examples/reach.py demo/reach.png
	$(BIN)/python examples/gait.py demo/gait.png
	$(BIN)/freebody inverse leg_sagittal demo/gait_angles.csv --force foot=demo/gait_plate.csv \
	    -o demo/torques.csv --plot demo/torques.png
	$(BIN)/freebody muscles two_link_muscles --excite elbow_flexor="0.3*exp(-5*t)" \
	    --excite shoulder_flexor=0.15 --duration 1 --plot demo/muscles.png
	@echo "Look at the pictures and the report in demo/."

test: $(READY)
	PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(abspath $(VENV))/bytecode \
	    SYMPY_CACHE_SIZE=$(CACHED) $(BIN)/pytest -n auto --dist worksteal

coverage: $(READY)
	SYMPY_CACHE_SIZE=$(CACHED) $(BIN)/pytest -n auto --dist worksteal --cov=freebody --cov-branch \
	    --cov-report=term:skip-covered --cov-fail-under=$(FLOOR)

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

benchmark: $(READY)
	for file in $(filter-out benchmarks/record.py benchmarks/pages.py,$(wildcard benchmarks/*.py)); do \
	    $(BIN)/python $$file || exit 1; done

record: $(READY)
	$(BIN)/python benchmarks/record.py

site: $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[docs]'
	$(BIN)/python -m website

campaign: $(READY)
	cd tests && ../$(BIN)/python -m campaign

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(READY)

clean:
	rm -rf $(VENV) demo build dist
