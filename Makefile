# Every target sets itself up: Python 3.11 or later with pip, make and a C++20 compiler suffice.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml CMakeLists.txt README.md $(shell find src -name '*.py' -o -name '*.pyi' -o -name '*.[ch]pp')
CORE := $(shell find src/core -name '*.[ch]pp')
# Built without isolation, so that the C++ objects are kept and only changed files are compiled.
BUILD_TOOLS := "scikit-build-core>=0.10" "nanobind>=2.2" cmake ninja
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test check golden-all golden-same lint format bench bench-grid bench-large docs sanitize \
	sanitize-threads clean

demo: $(VENV)/.installed
	@$(BIN)/sfumato reproduce

test: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --durations=10 tests
	$(BIN)/python -m pytest -q -n auto --doctest-modules --doctest-glob='*.md' --pyargs sfumato README.md docs

# What a change of structure must not break, in less than two minutes.
check: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q -n auto tests/test_architecture.py tests/golden

# The golden questions that take long, too: some minutes.
golden-all: $(VENV)/.test
	$(BIN)/python -m pytest -q -n auto tests/golden tests/golden/large_answers.py

# The same bits as at another commit: make golden-same REV=HEAD~3
REV ?= HEAD
golden-same: $(VENV)/.test
	PYTHONPATH=tests $(BIN)/python -m golden.same $(REV)

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run -Werror $(CORE)

format: $(VENV)/.lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CORE)

bench: $(VENV)/.test
	@$(BIN)/python -m benchmarks

# What default settings give over kinds, measures and sizes: half an hour at most.
bench-grid: $(VENV)/.test
	@$(BIN)/python -m benchmarks.grid

# Scans of files that are larger than memory should be: some minutes, and 3 GB in build/large.
bench-large: $(VENV)/.test
	@$(BIN)/python -m benchmarks.large

# Everything in the documentation is executed, and warnings are errors; no network is needed then.
docs: $(VENV)/.docs
	$(BIN)/python tools/readme_picture.py
	$(BIN)/python -m pytest -q --doctest-glob='*.md' README.md docs
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/sphinx-build -W --keep-going -q -b html -d build/doctrees docs build/html
	@echo "see build/html/index.html"

# The same tests against a core that stops at the first bad access or undefined operation.
sanitize: $(VENV)-sanitize-address,undefined/.installed
	LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	$(dir $<)bin/python -m pytest -q -p no:cacheprovider -n auto -m 'not slow' tests

# The searches that share their work among threads, against a core that stops at the first race.
# Folders whose tests load polars are left out: polars cannot start under this sanitizer.
sanitize-threads: $(VENV)-sanitize-thread/.installed
	LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libtsan.so)" TSAN_OPTIONS=halt_on_error=1 \
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
	$(dir $<)bin/python -m pytest -q -p no:cacheprovider -k threads \
	tests/algorithms tests/methods tests/laws tests/test_*.py

clean:
	rm -rf $(VENV) $(VENV)-sanitize-* build dist docs/api docs/auto_examples docs/sg_execution_times.rst

$(VENV)/.tools:
	@command -v $${CXX:-c++} >/dev/null || { echo "sfumato needs a C++20 compiler: install one (for instance g++) or set CXX."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "sfumato needs Python 3.11 or later: set PYTHON=python3.11 (found $$($(PYTHON) --version))."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip
	$(PIP) install $(BUILD_TOOLS)
	@touch $@

$(VENV)/.installed: $(VENV)/.tools $(SOURCES)
	$(PIP) install --no-build-isolation .
	@touch $@

$(VENV)/.test: $(VENV)/.installed
	$(PIP) install --group test
	@touch $@

$(VENV)/.lint: $(VENV)/.test
	$(PIP) install --group lint
	@touch $@

$(VENV)/.docs: $(VENV)/.test
	$(PIP) install --group docs
	@touch $@

$(VENV)-sanitize-%/.installed: $(SOURCES)
	$(PYTHON) -m venv $(dir $@)
	$(dir $@)bin/python -m pip --quiet install --upgrade pip
	$(dir $@)bin/python -m pip --quiet install $(BUILD_TOOLS)
	$(dir $@)bin/python -m pip --quiet install --no-build-isolation -C build-dir=build/sanitize-$* -C cmake.define.SFUMATO_SANITIZE=$* .
	$(dir $@)bin/python -m pip --quiet install --group test
	@touch $@
