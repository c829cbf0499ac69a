# Ring of Towers. `make serve` builds everything and serves it; `make test` checks everything.
# Needs Go 1.26.2 or newer, and make. npm only for what comes from npm: without it formulas
# stand as they were typed, programs are typed into a plain text field, and the checks that npm
# brings are left out.

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory

GO  ?= go
npm := $(shell command -v npm 2>/dev/null)

# What is built on the way stays out of sight; what a browser gets goes to web/dist.
scratch := .build
served  := web/dist/manifest.json
modules := web/node_modules/.package-lock.json
temml   := lessons/formula/dist/temml.js

# Folders are listed too: when a file goes away, theirs is the only date that changes.
sources = $(shell find $(1) \( -name node_modules -o -name dist -o -name e2e \) -prune -o \
            \( -type d -o -name '*.go' ! -name '*_test.go' \) -print)
generated := $(patsubst %.templ,%_templ.go,$(wildcard web/*.templ))
course    := $(shell find lessons/course)

entries := web/src/lesson.ts web/src/index.ts web/src/exercise.ts web/src/ring-worker.ts web/css/style.css
bundles := $(patsubst %.ts,$(scratch)/%.js,$(filter %.ts,$(notdir $(entries)))) $(scratch)/style.css
assets  := $(scratch)/ring.wasm $(bundles) web/src/mark.svg
editor  := $(scratch)/editor.js
esbuild  = $(GO) tool esbuild --bundle --minify --format=esm --target=es2022 --log-level=warning \
             --entry-names=[name] --outdir=$(scratch)

.PHONY: help serve build test bench generate clean

help: ## say what make can do here
	@sed -n 's/^\([a-z]*\):.*## /make \1|/p' Makefile | awk -F'|' '{ printf "  %-15s %s\n", $$1, $$2 }'

serve: build ## build everything and serve the lessons on 127.0.0.1:8080
	@exec bin/towers serve

build: bin/towers ## leave bin/towers, with everything it serves inside it

generate: ## write the Go of every template anew
	$(GO) tool templ generate -log-level=warn -path web

clean: ## remove everything that make has left here
	rm -rf bin $(scratch) web/node_modules $(temml)
	find web/dist -type f ! -name .gitignore -delete

# --- building -----------------------------------------------------------------------------

bin/towers: go.mod go.sum $(call sources,cmd lessons ring server web) $(generated) $(course) $(served)
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w' -o $@ ./cmd/towers

%_templ.go: %.templ
	cd $(@D) && $(GO) tool templ generate -log-level=warn -f $(<F)
	@touch $@

# The runtime is compiled without inlining: that saves 26 KB on the wire, and what has to be
# quick is not in it.
$(scratch)/ring.wasm: go.mod go.sum $(call sources,ring wasm)
	GOOS=wasip1 GOARCH=wasm $(GO) build -buildmode=c-shared -trimpath -ldflags='-s -w' \
	  -gcflags=runtime=-l -o $@ ./wasm

$(bundles) &: go.mod web/tsconfig.json $(wildcard web/src/*.ts web/css/*.css)
	$(esbuild) $(entries)
	@touch $(bundles)

# A page asks for the editor only where there is one: it is made of what comes from npm.
$(scratch)/editor.tried: go.mod web/tsconfig.json $(wildcard web/src/*.ts)
	@mkdir -p $(@D) && rm -f $(editor)
	if [ -d web/node_modules/@codemirror/view ]; then $(esbuild) web/src/editor.ts; fi
	@touch $@

$(served): $(assets) $(scratch)/editor.tried $(wildcard web/pack/*.go)
	$(GO) run ./web/pack -out web/dist $(assets) `ls $(editor) 2>/dev/null`
	@touch $@

# --- what comes from npm ------------------------------------------------------------------

# None of this may stop a build: without npm, or cut off from it, the pages are only plainer.
ifneq ($(npm),)
bin/towers: $(temml)
$(scratch)/editor.tried: $(modules)

$(temml): $(modules)
	@if [ -f web/node_modules/temml/dist/temml.min.js ]; then \
	  mkdir -p $(@D) && cp web/node_modules/temml/dist/temml.min.js $@; \
	else \
	  echo "npm could not fetch its packages: formulas are shown as TeX, and programs typed as plain text."; \
	fi

$(modules): web/package.json web/package-lock.json web/.npmrc
	@echo "npm ci"
	@cd web && if npm ci --no-audit --no-fund --loglevel=error; then touch node_modules/.package-lock.json; fi
else
.PHONY: plainer
bin/towers: | plainer

plainer:
	@[ -f $(temml) ] || echo "There is no npm here: formulas are shown as TeX, and programs typed as plain text."
endif

# --- checking -----------------------------------------------------------------------------

# The race detector is written in C; where no compiler is there, the tests run without it.
race := $(if $(shell command -v `$(GO) env CC` 2>/dev/null),-race,)

# Tests that check programs are about how long a program may run, and the browser's about how a
# page feels: they have the machine to themselves, and the race detector slows no program.
checking = ./server/check ./cmd/towers
others   = $$($(GO) list ./... | grep -v -e '/server/check$$' -e '/cmd/towers$$' -e '/web/e2e$$')

# The steps stand one after the other, quick ones first. What is generated is judged before
# anything can write it anew.
test: ## set up and run every check there is, a real browser included
	@$(MAKE) generated-is-fresh
	@$(MAKE) build browser
	@$(MAKE) gofmt vet staticcheck types modules-are-tidy
	$(if $(race),,@echo "There is no C compiler here, so the tests run without the race detector.")
	$(GO) test $(race) $(others)
	$(GO) test -p 1 -timeout 20m $(checking)
	$(GO) test $(race) -count=1 -v ./web/e2e

bench: build browser ## measure: placement, checks, the page in a browser, a class of two hundred
	$(GO) test -run '^$$' -bench . -benchtime 0.3s -benchmem $(others)
	$(GO) test -run '^$$' -bench 'Verdict|Cached|Lookups' -benchtime 20x ./server/check
	$(GO) test -run '^$$' -bench 'Types|TwoHundred' -benchtime 1x ./server/check
	$(GO) test -run '^$$' -bench . -benchtime 1x ./web/e2e
	$(GO) test -run '^$$' -bench . -benchtime 1x -timeout 30m ./cmd/towers
	bin/towers version

.PHONY: generated-is-fresh browser gofmt vet staticcheck types modules-are-tidy

generated-is-fresh:
	@$(GO) tool templ generate -check -log-level=error -path web || \
	  { echo "The Go of a template is stale: run 'make generate' and commit what it writes."; exit 1; }

# A file that cannot be parsed is a test's own: go vet names all others.
gofmt:
	@bad=$$(find cmd lessons ring server wasm web -name node_modules -prune -o -name '*.go' -print | \
	    xargs `$(GO) env GOROOT`/bin/gofmt -l 2>/dev/null); \
	  [ -z "$$bad" ] || { echo "gofmt -w is wanted by:"; echo "$$bad"; exit 1; }

vet:
	$(GO) vet ./...
	GOOS=wasip1 GOARCH=wasm $(GO) vet ./wasm

# In the WebAssembly nothing calls what is exported, and staticcheck does not know of exports.
staticcheck:
	$(GO) tool staticcheck ./...
	GOOS=wasip1 GOARCH=wasm `$(GO) tool -n staticcheck` -checks inherit,-U1000 ./wasm

types:
	$(if $(wildcard web/node_modules/.bin/tsc),web/node_modules/.bin/tsc --project web,@echo "Without npm the TypeScript is not type-checked.")

modules-are-tidy:
	$(GO) mod tidy -diff

# A browser is looked for as the tests do it. Where there is none and apt may install one, it does.
browser:
	@[ -n "$$TOWERS_BROWSER" ] && exit 0; \
	for name in chromium chromium-browser google-chrome chrome; do \
	  command -v $$name >/dev/null && exit 0; \
	done; \
	if command -v apt-get >/dev/null; then \
	  as=; [ "$$(id -u)" = 0 ] || as="sudo -n"; \
	  echo "apt-get install chromium"; \
	  $$as apt-get -qq update && \
	    $$as env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends \
	      chromium fonts-dejavu-core fonts-liberation >/dev/null && exit 0; \
	fi; \
	echo "No browser here, so its tests are left out: set TOWERS_BROWSER to a Chromium or Chrome."
