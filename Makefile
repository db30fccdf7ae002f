# make play   the virtual board in a browser      make play ARGS="--board 2x12 --no-browser --port 8080"
# make test   every test, on CPython, MicroPython and in Chromium
# make bench  how quick the engine is and what memory it takes      make bench ARGS="--json --peer FOLDER"
# make soak   a month of visitors at the board, in virtual time (half an hour)      make soak ARGS="--days 2 --seed 7"
# make soak-engine   a million random turns on CPython, 20,000 on MicroPython; ARGS="--turns N"
# make arena   how strong the computer plays: any two players against each other      make arena ARGS="level3:ab3 --games 100"
# make tune   what the computer's evaluation should count, by games it plays against itself      make tune ARGS="--game lamlameta"
# make bundle   what goes onto a Pico's drive, checked, into dist/CIRCUITPY/      make bundle BOARD=2x12 SET="GEBETA_MODE=exhibit"
#               UF2=circuitpython.uf2: one file to flash, of firmware and drive      MPY_CROSS=path: compiled modules
# make deploy   that, and onto the mounted CIRCUITPY drive      make deploy TO=/path YES=1 ANYWAY=1
# make emulate UF2=circuitpython.uf2   the bundle on an emulated Pico      ARGS="lamlameta": one game; ARGS="--list"
# make format / make lint   ruff

.PHONY: play test bench soak soak-engine arena tune bundle deploy emulate lint format clean
VENV := .venv
BIN := $(VENV)/bin
REQUIREMENTS := $(wildcard requirements/*.txt lib/requirements.txt)
PICOSIM := tools/picosim/package-lock.json

play: $(VENV)/play-ready
	@$(BIN)/python -m simulator $(ARGS)

test: $(VENV)/test-ready lint
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pytest -n 2 $(ARGS)

bench: $(VENV)/test-ready
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tools.bench $(ARGS)

soak: $(VENV)/test-ready
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tools.soak_board $(ARGS)

soak-engine: $(VENV)/test-ready
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tools.soak $(ARGS)

arena: $(VENV)/test-ready
	@$(BIN)/python -m tools.arena $(ARGS)

tune: $(VENV)/test-ready
	@$(BIN)/python -m tools.tune $(ARGS)

# A variable given to make is in the environment of its commands: quotes and spaces come through as they are.
bundle: $(VENV)/bundle-ready
	@$(BIN)/python -m tools.bundle --board "$${BOARD:-3x6}" --set "$$SET" --mpy-cross "$$MPY_CROSS" --uf2 "$$UF2"

deploy: bundle
	@$(BIN)/python -m tools.deploy --to "$$TO" $(if $(YES),--yes) $(if $(ANYWAY),--anyway)

emulate: $(VENV)/emulate-ready
	@$(BIN)/python -m tools.emulate --uf2 "$$UF2" $(ARGS)

lint: $(VENV)/test-ready
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: $(VENV)/test-ready
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

$(VENV)/play-ready: $(REQUIREMENTS) tools/setup.sh
	@tools/setup.sh play
	@touch $@

$(VENV)/bundle-ready: $(REQUIREMENTS) tools/setup.sh
	@tools/setup.sh bundle
	@touch $@

$(VENV)/test-ready: $(REQUIREMENTS) $(PICOSIM) tools/setup.sh
	@tools/setup.sh test
	@touch $@ $(VENV)/play-ready $(VENV)/bundle-ready $(VENV)/emulate-ready

$(VENV)/emulate-ready: $(REQUIREMENTS) $(PICOSIM) tools/setup.sh
	@tools/setup.sh emulate
	@touch $@ $(VENV)/bundle-ready

clean:
	rm -rf $(VENV) dist tools/picosim/node_modules .pytest_cache .ruff_cache .hypothesis
