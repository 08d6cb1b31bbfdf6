# The house's commands. `make demo` and `make test` set up all that they need; a second run finds it done.
.DEFAULT_GOAL := help
SHELL := /bin/sh
.SUFFIXES:

VENV := .venv
LABENV := .labenv
BENCHENV := .benchenv
RUN := $(VENV)/bin/python
MANAGE := $(RUN) manage.py
export PYTHON

# A clone that was moved or a variable of another project must not leak in.
unexport PYTHONPATH PYTHONHOME DJANGO_SETTINGS_MODULE VIRTUAL_ENV

.PHONY: help
help:
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

.PHONY: demo
demo: venv labenv ## publish the bundled course, grade a notebook, serve it (ONCE=1: exit after the report)
	@$(MANAGE) demo $(if $(PORT),--port $(PORT)) $(if $(ONCE),--once)

.PHONY: test
test: venv labenv browser postgresql gvisor ## lint, types, contracts and all tests
	@$(RUN) -m tests.suites

.PHONY: quick
quick: venv ## lint, types, contracts and the tests that need no jail, browser or PostgreSQL
	@$(RUN) -m tests.suites --quick

.PHONY: serve
serve: venv ## the web server, with debug pages and restarts on change
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) runserver $(or $(PORT),8000)

.PHONY: worker
worker: venv labenv ## the broker, a worker and the periodic tasks
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) up broker worker beat

.PHONY: lint
lint: venv ## lint, types and import contracts
	@$(RUN) -m tests.suites lint types contracts

.PHONY: format
format: venv ## rewrite sources and templates as lint wants them
	@$(VENV)/bin/ruff check --fix --quiet . || true
	@$(VENV)/bin/ruff format .
	@find server/web/templates -name '*.html' -print0 | xargs -0 -r $(VENV)/bin/djade || true
	@$(VENV)/bin/djhtml --tabwidth 2 server/web/templates

.PHONY: bench
bench: venv labenv benchenv postgresql ## what grading adds to the cells, against other tools (QUICK=1, ONLY=small, build/bench.json)
	@$(RUN) -m tests.load.bench $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY)) $(if $(PAIRS),--pairs $(PAIRS))

.PHONY: hostile
hostile: venv labenv ## attacks on the grader, each with what it gained (ONLY=kind/name, SANDBOX=warm, FUZZ=seconds)
	@$(RUN) -m tests.hostile $(if $(ONLY),--only $(ONLY)) $(if $(SANDBOX),--sandbox $(SANDBOX)) $(if $(FUZZ),--fuzz $(FUZZ))

.PHONY: notebooks
notebooks: venv labenv ## grade notebooks as students hand them in, and print what each student sees (ONLY=magics/)
	@$(RUN) -m tests.notebooks $(ONLY)

.PHONY: chaos
chaos: venv labenv ## break everything while 300 notebooks are handed in (DB=postgresql, SEED=..., SUBMISSIONS=...)
	@$(RUN) -m tests.chaos --database $(or $(DB),sqlite) --submissions $(or $(SUBMISSIONS),300) \
		$(if $(SEED),--seed $(SEED)) --json build/chaos.json --keep-logs build/chaos.log

.PHONY: lock
lock: venv ## resolve the lists in requirements/ again (UPGRADE=1: to the newest)
	@UPGRADE=$(UPGRADE) $(RUN) requirements/lock.py

.PHONY: clean
clean: ## remove everything that commands made, data included; sources stay
	rm -rf $(VENV) $(LABENV) $(BENCHENV) build var .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

.PHONY: venv
venv:
	@sh requirements/install.sh $(VENV) requirements/test.txt

.PHONY: labenv
labenv:
	@sh requirements/install.sh $(LABENV) requirements/lab-test.txt

.PHONY: benchenv
benchenv:
	@sh requirements/install.sh $(BENCHENV) requirements/bench.txt

.PHONY: browser
browser: venv
	@sh requirements/browser.sh $(VENV)

.PHONY: postgresql
postgresql:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || initdb --version >/dev/null 2>&1 \
		|| sh requirements/system.sh postgresql "tests on PostgreSQL"

.PHONY: gvisor
gvisor:
	@command -v runsc >/dev/null 2>&1 || sh requirements/system.sh runsc "tests of jails on gVisor"
