# make test    everything that must hold, set up on a fresh Debian machine
# make bench   the figures of doc/performance.md, ratios against peers or limits
# make sphere-check   the long form of the sphere's guarantee, some ten minutes

GO   ?= go
LINT := .cache/golangci-lint
LOG  := .cache/test.log

.PHONY: test setup format vet lint tests noasm bench sphere-check fuzz generate clean

test: setup format vet lint tests noasm

# The race detector needs a C compiler; nothing else does.
setup:
	@mkdir -p .cache
	@command -v gcc >/dev/null || { apt-get update -qq && apt-get install -y -qq gcc libc6-dev; }

format:
	@out=$$(gofmt -l .); test -z "$$out" || { echo "gofmt would change:"; echo "$$out"; exit 1; }

vet:
	$(GO) vet ./...
	GOARCH=arm64 $(GO) vet ./...
	GOOS=windows $(GO) vet ./...

# The linter is built from a module of its own, so that the product's
# dependencies stay few; .golangci.yml holds the direction of imports.
$(LINT): tools/go.mod tools/go.sum
	@mkdir -p .cache
	$(GO) build -modfile=tools/go.mod -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

lint: $(LINT)
	$(LINT) run ./...

# What is skipped is named at the end.
tests:
	@mkdir -p .cache
	@$(GO) test -race -timeout 30m -v ./... > $(LOG) 2>&1; code=$$?; \
	  if [ $$code -ne 0 ]; then grep -E '^(---|\s+---) FAIL|^(FAIL|panic)|_test.go:[0-9]+:|\.go:[0-9]+ ' $(LOG) | tail -n 60; fi; \
	  grep -E '^(ok|FAIL|\?)\s' $(LOG); \
	  grep -A1 -E -- '--- SKIP' $(LOG) | sed 's/^/skipped: /' || true; \
	  exit $$code

noasm:
	$(GO) test -tags noasm ./vec ./sphere

bench:
	$(GO) test -run '^$$' -bench 'Score' ./logic
	$(GO) test -run '^$$' -bench 'SQO' -benchtime 5000x ./sphere
	$(GO) test -run '^$$' -bench . -benchtime 20x -timeout 60m ./vec

sphere-check:
	$(GO) test -run 'AgainstRSGD' -v -timeout 120m ./sphere -instances 10000 | grep -E 'instances:|--- (PASS|FAIL)|^(ok|FAIL)'

# Each target for half a minute.
fuzz:
	@for target in $$(grep -rhoE '^func Fuzz\w+' --include='*_test.go' . | awk '{print $$2}'); do \
	  package=./$$(dirname $$(grep -rlE "^func $$target\(" --include='*_test.go' . | head -n1 | sed 's|^\./||')); \
	  echo "$$package $$target"; $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime 30s $$package | tail -n 1 || exit 1; \
	done

generate:
	$(GO) generate ./...

clean:
	rm -rf .cache bin
