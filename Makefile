# Every stage of the pipeline as a target; `make help` lists them.

DATASET ?= demo
OPTIONS ?=
EXTRAS ?= test
PYTHON ?= python3
VENV ?= .venv
SCORES = metrics/$(basename $(notdir $(DATASET))).parquet
ANALYSIS = analysis/$(basename $(notdir $(DATASET)))/summary.json
SYSTEMS = analysis/$(basename $(notdir $(DATASET)))/systems.json
# Named after what was installed, so that other extras are installed too.
INSTALLED = $(VENV)/.installed-$(EXTRAS)
export RAINBOW_DATA

.DEFAULT_GOAL := help
.PHONY: help metrics analysis systems fit reports models fetch parser likelihood list doctor test published bench docs fuzz clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {sub(/:.*/, "", $$1); printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "DATASET=$(DATASET) (demo, sfhotel, sfrest, bagel, emnlp2017, e2e or a file), OPTIONS='...' goes to the command"

metrics: $(VENV)/.installed  ## compute every metric of DATASET into metrics/DATASET.parquet
	$(VENV)/bin/rainbow metrics "$(DATASET)" $(OPTIONS)

analysis: $(VENV)/.installed $(SCORES)  ## compare the metrics of DATASET with its ratings, into analysis/DATASET/
	$(VENV)/bin/rainbow analyse "$(DATASET)" $(OPTIONS)

systems: $(VENV)/.installed  ## compare the whole systems of DATASET, into analysis/DATASET/
	$(VENV)/bin/rainbow systems "$(DATASET)" $(OPTIONS)

fit: $(VENV)/.installed $(SCORES)  ## learn a better metric from DATASET's ratings, into models/
	$(VENV)/bin/rainbow fit "$(DATASET)" $(OPTIONS)

# Where only systems were compared there may be no ratings to analyse.
reports: $(VENV)/.installed  ## turn what was computed of DATASET into pages, reports/DATASET.html (-systems.html)
	@test -f "$(SYSTEMS)" || $(MAKE) --no-print-directory "$(ANALYSIS)"
	$(VENV)/bin/rainbow report "$(DATASET)" $(OPTIONS)

# An analysis that is there is taken as it is: `make analysis` makes it again.
$(ANALYSIS): | $(VENV)/.installed $(SCORES)
	$(VENV)/bin/rainbow analyse "$(DATASET)"

models: $(VENV)/.installed  ## train the models that come with the package anew (needs emnlp2017)
	$(VENV)/bin/python -m scripts.make_models

# Scores that are there are taken as they are: `make metrics` makes them again.
$(SCORES): | $(VENV)/.installed
	$(VENV)/bin/rainbow metrics "$(DATASET)"

fetch: $(VENV)/.installed  ## download DATASET into your cache
	$(VENV)/bin/rainbow fetch "$(DATASET)"

parser: $(VENV)/.installed  ## download the Stanford parser and LanguageTool (they need Java) into your cache
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --editable '.[parse]'
	$(VENV)/bin/rainbow fetch parser languagetool

likelihood: $(VENV)/.installed  ## install CTranslate2, download SmolLM2 and MiniLM (184 MB), for model="full" and OPTIONS='--metrics likelihood-input'
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --editable '.[likelihood]'
	$(VENV)/bin/rainbow fetch smollm2 minilm

list: $(VENV)/.installed  ## list every metric and what it needs
	$(VENV)/bin/rainbow list

doctor: $(VENV)/.installed  ## show what works on this machine
	$(VENV)/bin/rainbow doctor

test: $(INSTALLED)  ## run the tests and the static checks
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/pytest $(OPTIONS)

published: $(INSTALLED)  ## compute published tables and figures again, on all rows (RAINBOW_DATA; EXTRAS=test,parse,neural)
	$(VENV)/bin/pytest -m published -s -n 0 -o faulthandler_timeout=0 $(OPTIONS)

bench: $(VENV)/.installed  ## time RAINBOW beside other tools, into benchmarks/RESULTS.md
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(VENV)/bin/python -m benchmarks $(OPTIONS)

docs:  ## build the site from docs/, examples/ and the code, into docs/_build/html
	@$(MAKE) --no-print-directory $(VENV)/.installed-docs EXTRAS=docs
	@rm -rf docs/reference/python  # pages of names that are gone would be warnings
	$(VENV)/bin/python -m sphinx -E -b html -W --keep-going -j 2 -q -c docs . docs/_build/html

fuzz: $(VENV)/.installed  ## fuzz the compiled kernels under sanitizers, SECONDS each (needs Clang)
	PYTHON=$(VENV)/bin/python tests/fuzz/run.sh $(or $(SECONDS),600)

clean:  ## remove the virtual environment and caches (results stay)
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Installing compiles the kernels, so it is done again only when what it is made from is newer than the stamp.
SOURCES = pyproject.toml setup.py $(wildcard native/*)

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(SOURCES) | $(VENV)/bin/python
	@echo "installing, and compiling the kernels (a minute on one core) ..."
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(INSTALLED): $(SOURCES) | $(VENV)/bin/python
	@echo "installing with $(EXTRAS), and compiling the kernels (a minute on one core) ..."
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $(VENV)/.installed $@
