# The first of these that is Python 3.11 or later; or say: make PYTHON=/path/to/python
PYTHON ?= $(shell for p in python3.11 python3 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
PY := $(VENV)/bin/python
ARGS ?=

.PHONY: run test lint format bench-cfi bench-app bench-intake bench-bella bench-mcce bench-prototypes clean
.DELETE_ON_ERROR:

run: $(VENV)/.run
	$(PY) -m streamlit run app.py $(ARGS)

test: $(VENV)/.dev
	$(PY) -m pytest -n auto -m "not browser" $(ARGS) || test $$? -eq 5  # 5: nothing was selected
	$(PY) -m pytest -m browser $(ARGS) || test $$? -eq 5

lint: $(VENV)/.dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

format: $(VENV)/.dev
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench-cfi: $(VENV)/.bench
	$(PY) -m benchmarks.cfi $(ARGS)

bench-app: $(VENV)/.bench
	$(PY) -m benchmarks.app $(ARGS)

bench-mcce: $(VENV)/.bench
	$(PY) -m benchmarks.mcce $(ARGS)

bench-prototypes: $(VENV)/.bench
	$(PY) -m benchmarks.prototypes $(ARGS)

bench-intake: $(VENV)/.bench
	$(PY) -m benchmarks.intake $(ARGS)

bench-bella: $(VENV)/.bench
	$(PY) -m benchmarks.bella $(ARGS)

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Some systems split ensurepip off: then the outer pip installs into the environment.
$(PY):
	@test -n "$(PYTHON)" || { echo "Flipside needs Python 3.11 or later; install it or say make PYTHON=..."; exit 1; }
	$(PYTHON) -m venv $(VENV) || $(PYTHON) -m venv --clear --without-pip $(VENV)

INSTALL = if $(PY) -c 'import pip' 2>/dev/null; then $(PY) -m pip install --disable-pip-version-check -r $< ; \
	else $(PYTHON) -m pip --python $(PY) install --disable-pip-version-check -r $< ; fi && touch $@

$(VENV)/.run: requirements.txt | $(PY)
	$(INSTALL)

$(VENV)/.dev: requirements-dev.txt requirements.txt | $(PY)
	$(INSTALL)

$(VENV)/.bench: requirements-bench.txt requirements-dev.txt requirements.txt | $(PY)
	$(INSTALL)
