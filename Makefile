# make play   the virtual board in a browser      make play ARGS="--board 2x12 --no-browser --port 8080"
# make test   every test, on CPython, MicroPython and in Chromium
# make format / make lint   ruff

.PHONY: play test lint format clean
VENV := .venv
BIN := $(VENV)/bin
REQUIREMENTS := $(wildcard requirements/*.txt lib/requirements.txt)

play: $(VENV)/play-ready
	@$(BIN)/python -m simulator $(ARGS)

test: $(VENV)/test-ready lint
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pytest -n 2 $(ARGS)

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
