# Candor: make explains itself. The two commands are `make run` and `make test`.
.DEFAULT_GOAL := help
SHELL := /bin/bash
GO ?= go
NPM ?= npm
export GO
GOFLAGS_TEST ?= -count=1 -trimpath
WEB_SOURCES := $(shell find customer-web/src customer-web/public templates locales/customer -type f -not -name '*_templ.go' 2>/dev/null) customer-web/index.html customer-web/vite.config.ts package-lock.json
GO_SOURCES := $(shell find app admin templates migrations locales customer-web/embed.go -name '*.go' -o -name '*.sql' -o -name '*.json' 2>/dev/null) go.mod go.sum
# One PostgreSQL serves a whole test run and ends with it.
TESTPOSTGRES := $(GO) run ./app/platform/dbtest/cmd/testpostgres
# The harnesses name it in the line that they print.
export COMMIT := $(shell git rev-parse --short HEAD 2>/dev/null)

.PHONY: help run demo sandbox live build test test-go test-web check-web unit-web test-e2e journeys race model triggers two-days race-battery guess enumeration redemptions mutants chaos chaos-smoke siege siege-smoke smoke two-servers lint format generate verify bench bench-web shots clean

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: build ## build and run the whole product on http://localhost:8080
	@bin/candor serve

demo: build ## run it with example traders, cases and staff, in the data folder var/demo
	@CANDOR_DATA_DIR=$${CANDOR_DATA_DIR:-./var/demo} bin/candor demo

sandbox: ## a provider that moves no money, for third-party, over-the-counter and crypto deposits and payouts (docs/providers.md)
	@$(GO) run ./app/cmd/sandbox

live: node_modules/.installed ## run with reload: Go and templ on change, the trader app through Vite on http://localhost:5173
	@node customer-web/scripts/live.mjs

build: bin/candor ## build bin/candor with the web app in it

bin/candor: customer-web/dist/index.html $(GO_SOURCES)
	@mkdir -p bin
	$(GO) build -ldflags='-s -w' -o bin/candor ./app/cmd/candor

customer-web/dist/index.html: node_modules/.installed $(WEB_SOURCES)
	$(NPM) run --silent build
	@touch $@

node_modules/.installed: package.json package-lock.json
	$(NPM) ci
	@touch $@

# What each part of a test run took, in seconds, longest first at the end of `make test`.
export TEST_TIMES := $(CURDIR)/bin/test-times
timed = @mkdir -p bin; began=$$(date +%s); set -o pipefail; $(2); code=$$?; printf '%s\t%s\n' $$(($$(date +%s) - began)) '$(1)' >>$(TEST_TIMES); exit $$code

# The smoke runs count and measure no times, and wait more than they compute: the unit tests take what they leave. The journeys have the machine alone, as their
# markets move while a browser is slow.
test: ## all tests: Go, web unit, browser journeys, a server killed under load, one under attack; prints the time of each part
	@mkdir -p bin; rm -f $(TEST_TIMES); began=$$(date +%s); code=0; \
		for parts in test-go check-web '-j2 unit-web smoke' test-e2e; do $(MAKE) --no-print-directory $$parts || code=$$?; done; \
		printf '\nseconds\tpart\n%s\tall of it\n' $$(($$(date +%s) - began)); sort -rn $(TEST_TIMES) | head -40; \
		[ $$code -eq 0 ] && echo "all tests passed"; exit $$code

# The whole program's tests wait more than they compute: they begin first, so that others run beside them to the end. Tests have memory: collecting garbage less
# often saves a tenth of their time.
test-go: node_modules/.installed ## Go tests on their own PostgreSQL; PKG=withdrawal runs the packages whose path ends with it
	$(call timed,test-go,GOGC=400 $(TESTPOSTGRES) $(GO) test $(GOFLAGS_TEST) -timeout=30m $(if $(PKG),$$($(GO) list ./... | grep -E '(^|/)$(PKG)(desk|view)?$$'),./app/systemtest ./...) | tee bin/test-go.log)
	@awk '$$1 == "ok" && $$3 + 0 >= 5 { sub("candor/", "", $$2); printf "%d\tgo %s\n", $$3, $$2 }' bin/test-go.log >>$(TEST_TIMES)

WEB_TYPES := { $(NPM) run --silent typecheck && $(NPM) run --silent lint; }
WEB_BUILD := $(NPM) run --silent build

test-web: check-web unit-web ## types, lint, build and unit tests of the trader app

check-web: node_modules/.installed ## types, lint and build of the trader app
	$(call timed,check-web,{ $(WEB_TYPES) & types=$$!; $(WEB_BUILD); built=$$?; wait $$types && [ $$built -eq 0 ]; })
	@touch customer-web/dist/index.html

unit-web: node_modules/.installed ## unit tests of the trader app
	$(call timed,unit-web,nice -n 10 $(NPM) run --silent test)

test-e2e: build ## journeys in a real browser
	$(call timed,test-e2e,node customer-web/e2e/run.mjs)

journeys: build ## a trader's journey at six widths in every language of the app
	@JOURNEYS=all node customer-web/e2e/run.mjs widths

race: node_modules/.installed ## Go tests with the race detector, shuffled
	$(TESTPOSTGRES) $(GO) test -race -shuffle=on -timeout=60m $(GOFLAGS_TEST) ./...

model: ## a million random operations in a hundred seeds: compares the engine with an independent model of the rules
	CANDOR_MODEL_STEPS=12000 $(TESTPOSTGRES) $(GO) test $(GOFLAGS_TEST) -timeout=20m -run='TestModel$$' -v ./app/trading/engine

triggers: ## 2,500,000 quotes over random accounts: compares the trigger books and bands with a full scan
	CANDOR_TRIGGER_TICKS=2500000 $(GO) test $(GOFLAGS_TEST) -timeout=20m -run='TestBooksSayWhatAFullScanSays$$' -v ./app/trading/trigger

two-days: node_modules/.installed ## two recorded days (../shared/market-data) with 1,000 scripted accounts: compares engine and model, then runs candor verify
	CANDOR_TWO_DAYS=$${ACCOUNTS:-1000} $(TESTPOSTGRES) $(GO) test $(GOFLAGS_TEST) -timeout=60m -run='TestTwoDays$$' -v ./app/trading/engine

race-battery: node_modules/.installed ## each money action by eight callers at once, 300 times, with eight keys and with one (docs/faults.md)
	@set -o pipefail; RACE_TRIALS=300 $(TESTPOSTGRES) $(GO) test $(GOFLAGS_TEST) -v -timeout 90m -run '^TestRace$$' ./app/systemtest/ | grep -E '^(\{|---|    ---|FAIL|ok|panic)|_test.go'

guess: node_modules/.installed ## 10,000 guesses of codes, payment passwords and log-ins, from fifty forged sources (docs/faults.md)
	@set -o pipefail; GUESSES=$${GUESSES:-10000} $(TESTPOSTGRES) $(GO) test $(GOFLAGS_TEST) -v -timeout 60m -run '^TestGuess$$' ./app/systemtest/ | grep -E '^(\{|---|    ---|FAIL|ok|panic)|_test.go'

enumeration: node_modules/.installed ## who is a customer: 500 calls about accounts that there are, and 500 about others, of each kind; the medians are compared (docs/faults.md)
	@set -o pipefail; ENUMERATION=$${ENUMERATION:-500} $(TESTPOSTGRES) $(GO) test $(GOFLAGS_TEST) -v -timeout 60m -run '^TestEnumeration$$' ./app/systemtest/ | grep -E '^(\{|---|    ---|FAIL|ok|panic)|_test.go|Error:'

redemptions: node_modules/.installed ## every secret of traders and staff that works once, redeemed 100 times at once, 100 times (docs/faults.md)
	@set -o pipefail; REDEMPTIONS=$${REDEMPTIONS:-100} $(TESTPOSTGRES) $(GO) test $(GOFLAGS_TEST) -v -timeout 60m -run '^TestRedemptions$$' ./app/trader/ ./app/staff/ | grep -E '"goal"|^(---|    ---|FAIL|ok|panic)|_test.go'

mutants: node_modules/.installed ## plant faults about money, prices and proof; the tests must catch each within a minute (FAULT=name plants one)
	@$(GO) run ./app/platform/dbtest/cmd/mutants $(FAULT)

# Parameters: SEED, SEEDS, OPERATIONS, KILLS, DBSTOPS, READS.
chaos: node_modules/.installed ## kill the server 300 times and stop the database 30 times under load; nothing may be lost or doubled
	@SEEDS=$${SEEDS:-10} OPERATIONS=$${OPERATIONS:-250000} KILLS=$${KILLS:-300} DBSTOPS=$${DBSTOPS:-30} READS=$${READS:-1000} \
		$(GO) test $(GOFLAGS_TEST) -tags chaos -v -timeout 60m -run '^TestChaos$$' ./app/systemtest/

two-servers: node_modules/.installed ## two servers, one feed, 10,000 pending orders and protections, one of them killed again and again
	@$(GO) test $(GOFLAGS_TEST) -tags chaos -v -timeout 15m -run '^TestTwoServers$$' ./app/systemtest/

chaos-smoke: node_modules/.installed ## a short chaos run: 1,000 operations, 2 kills, 1 database stop
	$(call timed,chaos-smoke,SEEDS=1 OPERATIONS=1000 KILLS=2 DBSTOPS=1 READS=6 nice -n 5 $(GO) test $(GOFLAGS_TEST) -tags chaos -v -timeout 10m -run '^TestChaos$$' ./app/systemtest/)

siege: node_modules/.installed ## ten minutes of every attack at once from 2,000 sources, against a server with 500 honest traders (docs/faults.md)
	@SIEGE=$${SIEGE:-600} $(GO) test $(GOFLAGS_TEST) -tags chaos -v -timeout 20m -run '^TestSiege$$' ./app/systemtest/

smoke: ## the short siege, then the short chaos run
	@$(MAKE) --no-print-directory -j1 siege-smoke chaos-smoke

siege-smoke: node_modules/.installed ## a short siege that judges counts, not times
	$(call timed,siege-smoke,$(GO) test $(GOFLAGS_TEST) -tags chaos -v -timeout 10m -run '^TestSiege$$' ./app/systemtest/)

lint: node_modules/.installed bin/golangci-lint ## vet, staticcheck and friends, formatting, types
	bin/golangci-lint run ./...
	@test -z "$$(gofmt -l app admin templates migrations locales customer-web/embed.go)" || { gofmt -l app admin templates migrations locales; echo "run make format"; exit 1; }
	$(NPM) run --silent typecheck
	$(NPM) run --silent lint

# Built once and kept in bin/: its build takes minutes.
bin/golangci-lint:
	GOBIN=$(CURDIR)/bin $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

format: node_modules/.installed ## format everything
	gofmt -w app admin templates migrations locales customer-web/embed.go
	$(GO) tool templ fmt templates
	$(NPM) run --silent format

generate: node_modules/.installed ## regenerate code: the contract in Go and TypeScript, templates, the common passwords
	cd app/wire && $(GO) tool oapi-codegen -config oapi.yaml -o types.gen.go ../api/openapi.yaml
	cd app/api && $(GO) tool oapi-codegen -config oapi.yaml -o server.gen.go openapi.yaml
	$(NPM) run --silent generate:api
	node customer-web/scripts/common-passwords.mjs
	$(GO) tool templ generate -log-level error

verify: generate ## check that the generated code is committed
	@git diff --exit-code --stat -- app/wire/types.gen.go app/api/server.gen.go customer-web/src/api/schema.d.ts app/trader/common-passwords.txt '*_templ.go'

# Each alone: bin/candor bench NAME, or go test -run '^$$' -bench NAME -benchtime 1x and the package.
bench: build ## measure everything, as ratios to references in the same run
	bin/candor bench orders
	bin/candor bench stream
	bin/candor bench triggers
	bin/candor bench margin
	bin/candor bench lists
	bin/candor bench queues
	bin/candor bench search
	$(GO) test -run '^$$' -bench MoneyCore -benchtime 1x ./app/trading/sums
	$(GO) test -run '^$$' -bench Page -benchtime 1x ./templates/ui
	$(TESTPOSTGRES) $(GO) test -run '^$$' -bench Echo -benchtime 1x ./app/bench

bench-web: build ## measure the trader app in Chromium: how soon a first price shows, and how smooth 200 ticking quotes stay on a slow phone
	@node customer-web/bench/run.mjs

shots: build ## save screenshots of every screen of both apps in shots/ (LANG_CODE=en, WIDTHS=390,1440)
	@node customer-web/e2e/shots.mjs

clean: ## remove built and installed files; keeps the data in var/
	rm -rf bin node_modules shots
	node customer-web/scripts/clean-dist.mjs 2>/dev/null || true
