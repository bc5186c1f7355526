# Every target sets up what it needs, inside this checkout, and can run again at once.
#   make test              format, static checks and all tests
#   make notebooks         execute all notebooks with the GoNB kernel into build/notebooks, and check them
#   make notebooks-update  the same, then write them with their outputs to notebooks/
#   make lab               open the notebooks in Jupyter; NB=FILE.ipynb opens that notebook, which may lie anywhere
#   make html              the notebooks as pages that need no network, in build/html, with an index
#   make e2e               drive Jupyter in a browser
#   make bench             Go benchmarks into build/bench.txt, as benchstat reads them; then the next two where their libraries are
#                          BENCH=PATTERN picks benchmarks, COUNT=N repeats them, PROFILE=1 adds profiles in build/;
#                          BENCH=Shards trains on large sets too, where they are, for minutes, and runs by its name only, as does
#                          BENCH=Spread, CRANK under 20 seeds and orders of the labels
#   make bench-glpk        inference against GLPK's simplex method, on the same problems
#   make bench-liblinear   training without pairs against liblinear, to the same gap
#   make bench-numpy       predictions against numpy's matrix product, in turn on one thread
#   make bench-svc         training and prediction with a kernel against scikit-learn's SVC, in turn on one thread
#   make bench-peers       tune what scikit-learn and others offer on the same splits, in Python, for 46 CPU minutes the first time;
#                          PEERS="scene yeast" does so on these sets alone, into build/peers/peers.json
#   make bench-tags        CRANK beside scikit-learn's LinearSVC on planted tags: five draws, in 5 CPU minutes
#   make bench-extra       two or three of these peers on Birds, Enron and Genbase, which CRANK_DATA or crank fetch has to have
#   make bench-many        LinearSVC, Omikuji, napkinXC and PECOS on 159 and 983 labels, and ours beside them, which CRANK_DATA or crank fetch has to have
#   make bench-table       the README's table from the results of make bench
#   make spark-test        sweeps on a real cluster of Apache Spark on this machine, parts of which are killed; needs Java 17 or newer
#   make mutate            put N=120 small slips into the code, one at a time, and list in build/mutants.txt those that no test notices;
#                          SEED=NUMBER draws others, PKG=PATTERNS only from these packages
# NB=NAME makes notebooks, notebooks-update and lab work on that notebook alone: make notebooks NB=00_start_here

NB ?= .*
BENCH ?= .
COUNT ?= 6
N ?= 120
SEED ?= 1
PKG ?= ./...
PEERS ?= scene emotions medical10 yeast
# The checks run notebooks through this command; without it, the tests that need Jupyter skip.
JUPYTER_COMMAND = "$$PWD/scripts/jupyter.sh"

.PHONY: help test lint vet notebooks notebooks-update known-notebook lab html e2e bench bench-glpk bench-liblinear bench-numpy bench-svc bench-peers bench-tags bench-extra bench-many bench-table spark-test mutate clean

help:
	@sed -n 's/^#   //p' Makefile

# Pure Go throughout, so that each package is compiled once; vet has run all that go test would vet. Collecting garbage less often takes a
# quarter of the time off the tests, each of which needs little memory, and a tenth off the checks.
test lint vet: export CGO_ENABLED = 0
test lint vet: export GOGC = 400

# The tests' files, thousands of small ones, go to memory where there is room, unless TMPDIR names a folder. The last static check, which
# keeps one processor busy where a large package has changed, runs beside the tests. Some of these wait for other processes: one package
# more than there are processors.
test: vet bin/staticcheck
	@bin/staticcheck ./... & checks=$$!; TMPDIR="$$(scripts/tmpdir.sh)" go test -vet=off -timeout 15m -p $$(($$(getconf _NPROCESSORS_ONLN) + 1)) ./...; tests=$$?; wait $$checks && exit $$tests

lint: vet bin/staticcheck
	bin/staticcheck ./...

vet:
	@files=$$(gofmt -s -l $$(git ls-files --cached --others --exclude-standard '*.go')); if [ -n "$$files" ]; then echo "gofmt -s -w these:"; echo "$$files"; exit 1; fi
	go mod tidy -diff
	go vet ./...

bin/staticcheck: tools/go.mod tools/go.sum
	@mkdir -p bin
	go -C tools build -o "$$PWD/bin/" honnef.co/go/tools/cmd/staticcheck
	@touch bin/staticcheck

notebooks: known-notebook
	@scripts/setup.sh kernel
	CRANK_JUPYTER=$(JUPYTER_COMMAND) go test -v -count=1 -timeout 60m -run 'Executed?$$/^$(NB)$$' $(if $(filter .*,$(NB)),./internal/nbcheck) ./notebooks

notebooks-update: known-notebook
	@scripts/setup.sh kernel
	CRANK_JUPYTER=$(JUPYTER_COMMAND) go test -v -count=1 -timeout 60m -run 'Execute$$/^$(NB)$$' ./notebooks -update

# A name with a slip in it would match no test, and none failing looks like success.
known-notebook:
	@if [ '$(NB)' != '.*' ] && [ ! -f 'notebooks/$(NB).ipynb' ]; then echo 'no notebooks/$(NB).ipynb'; exit 1; fi

lab:
	@scripts/setup.sh lab
	@scripts/lab.sh "$${NB:-notebooks}"

html:
	@scripts/setup.sh kernel
	@scripts/html.sh
	CRANK_HTML="$$PWD/build/html" go test -v -count=1 -run 'TestExported' ./notebooks

e2e:
	@scripts/setup.sh lab
	@scripts/e2e.sh

# A goroutine that is made to yield looks busy to the profiler, so with PROFILE none is.
ifdef PROFILE
BENCH_ENV = GODEBUG=asyncpreemptoff=1
BENCH_FLAGS = -cpuprofile build/bench.cpu.prof -memprofile build/bench.mem.prof -o build/bench.test
endif

bench:
	@mkdir -p build
	$(BENCH_ENV) go test -timeout 0 -run '^$$' -bench '$(BENCH)' $(if $(findstring Shards,$(BENCH))$(findstring Spread,$(BENCH)),,-skip 'Shards|Spread') -benchmem -count $(COUNT) $(BENCH_FLAGS) ./crankpkg | tee build/bench.txt
	@! grep -q '^FAIL' build/bench.txt
ifdef PROFILE
	go tool pprof -top -nodecount 25 build/bench.test build/bench.cpu.prof
	go tool pprof -sample_index=alloc_space -top -nodecount 15 build/bench.test build/bench.mem.prof
else
	@if bench/setup.sh; then $(MAKE) --no-print-directory bench-glpk bench-liblinear; fi
endif

bench-glpk:
	@bench/setup.sh
	GOWORK=off go -C bench vet ./...
	GOWORK=off go -C bench test ./...
	GOWORK=off go -C bench run . -out ../notebooks/results/glpk.json

bench-liblinear:
	@bench/setup.sh
	GOWORK=off go -C bench run ./liblinear -out ../notebooks/results/liblinear.json

bench-numpy:
	@bench/venv.sh numpy 14 "75 MB"
	GOWORK=off go -C bench run ./numpy -out ../notebooks/results/numpy.json

bench-svc:
	@bench/venv.sh svc 13 "300 MB"
	GOWORK=off go -C bench run ./svc -out ../notebooks/results/svc.json

bench-peers:
	@bench/venv.sh peers 13 "400 MB"
	GOWORK=off go -C bench run ./peers/export -out ../build/peers/data $(PEERS)
	build/peers/venv/bin/python -W ignore -m unittest discover bench/peers
	build/peers/venv/bin/python bench/peers/peers.py --data build/peers/data --cells build/peers/cells \
		--out $(if $(filter file,$(origin PEERS)),notebooks/results,build/peers)/peers.json $(PEERS)

# Planted tags, with the one peer that the question is about.
TAGS := $(foreach seed,1 2 3 4 5,tags-$(seed))
bench-tags:
	@bench/venv.sh peers 13 "400 MB"
	GOWORK=off go -C bench run ./peers/export -out ../build/peers/data $(TAGS)
	build/peers/venv/bin/python bench/peers/peers.py --data build/peers/data --cells build/peers/cells --protocol split \
		--only "linear SVC" --scaling none --command "make bench-tags" --out notebooks/results/tags_peers.json $(TAGS)
	go run ./cmd/crank results -out notebooks/results tags

# Sets of 19 to 53 labels, with few peers and the scaling that suits their features: all of it would take hours.
EXTRA := birds enron genbase
bench-extra:
	@bench/venv.sh peers 13 "400 MB"
	GOWORK=off go -C bench run ./peers/export -out ../build/peers/data $(EXTRA)
	build/peers/venv/bin/python bench/peers/peers.py --data build/peers/data --cells build/peers/cells --protocol split \
		--only "relevance, linear SVC|extra trees for all labels|birds: binary relevance, Laplace SVC" --scaling none+relevance --command "make bench-extra" \
		--out notebooks/results/extra_peers.json $(EXTRA:birds=birds:zscore)

# Many labels: a linear SVC and libraries for such sets, and a fifth of the training examples held out.
MANY := bibtex delicious
bench-many:
	@bench/venv.sh many 12 "350 MB" bench/peers/many-requirements.txt bench/peers/many-libraries.txt
	GOWORK=off go -C bench run ./peers/export -out ../build/peers/data $(MANY)
	build/many/venv/bin/python -W ignore -m unittest discover -s bench/peers -p test_many.py
	build/many/venv/bin/python bench/peers/many.py --data build/peers/data --cells build/peers/cells --out notebooks/results/many_labels_peers.json $(MANY)
	go run ./cmd/crank results -out notebooks/results general-large many-labels

bench-table:
	@go run ./cmd/crank bench -out notebooks/results build/bench.txt

spark-test:
	@engines/spark/setup.sh
	CGO_ENABLED=0 go build -o build/spark/crank ./cmd/crank
	CRANK="$$PWD/build/spark/crank" build/spark/venv/bin/python -B engines/spark/test_sweep.py

mutate:
	go run ./internal/mutate -n $(N) -seed $(SEED) -memory 8 -equivalent internal/mutate/equivalent.txt $(PKG)

clean:
	rm -rf bin build .jupyter .venv scripts/e2e/node_modules
