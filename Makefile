# make play   the virtual board in a browser      make play ARGS="--board 2x12 --no-browser --port 8080"
# make test   every test, on CPython, MicroPython and in Chromium
# make bench  how quick the engine is and what memory it takes      make bench ARGS="--json --peer FOLDER"
# make soak-engine   a million random turns on CPython, 20,000 on MicroPython; ARGS="--turns N"
# make format / make lint   ruff

.PHONY: play test bench soak-engine lint format clean
VENV := .venv
BIN := $(VENV)/bin
REQUIREMENTS := $(wildcard requirements/*.txt lib/requirements.txt)

play: $(VENV)/play-ready
	@$(BIN)/python -m simulator $(ARGS)

test: $(VENV)/test-ready lint
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pytest -n 2 $(ARGS)

bench: $(VENV)/test-ready
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tools.bench $(ARGS)

soak-engine: $(VENV)/test-ready
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tools.soak $(ARGS)

lint: $(VENV)/test-ready
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: $(VENV)/test-ready
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

$(VENV)/play-ready: $(REQUIREMENTS) tools/setup.sh
	@tools/setup.sh play
	@touch $@

$(VENV)/test-ready: $(REQUIREMENTS) tools/setup.sh
	@tools/setup.sh test
	@touch $@ $(VENV)/play-ready

clean:
	rm -rf $(VENV) dist .pytest_cache .ruff_cache .hypothesis
