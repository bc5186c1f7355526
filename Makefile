# Every target sets up what it needs, inside this checkout, and can run again at once.
#   make test              format, static checks and all tests
#   make notebooks         execute all notebooks with the GoNB kernel into build/notebooks, and check them
#   make notebooks-update  the same, then write them with their outputs to notebooks/
#   make lab               open the notebooks in Jupyter
#   make html              the notebooks as pages, in build/html
#   make e2e               drive Jupyter in a browser
#   make bench             benchmarks
# NB=NAME makes notebooks and notebooks-update work on that notebook alone: make notebooks NB=00_start_here

NB ?= .*
BENCH ?= .
# The checks run notebooks through this command; without it, the tests that need Jupyter skip.
JUPYTER_COMMAND = "$$PWD/scripts/jupyter.sh"

.PHONY: help test lint notebooks notebooks-update known-notebook lab html e2e bench clean

help:
	@sed -n 's/^#   //p' Makefile

test: lint
	go test -timeout 15m ./...

lint: bin/staticcheck
	@files=$$(gofmt -s -l $$(git ls-files --cached --others --exclude-standard '*.go')); if [ -n "$$files" ]; then echo "gofmt -s -w these:"; echo "$$files"; exit 1; fi
	go mod tidy -diff
	go vet ./...
	bin/staticcheck ./...

bin/staticcheck: tools/go.mod tools/go.sum
	@mkdir -p bin
	go -C tools build -o "$$PWD/bin/" honnef.co/go/tools/cmd/staticcheck
	@touch bin/staticcheck

notebooks: known-notebook
	@scripts/setup.sh kernel
	CRANK_JUPYTER=$(JUPYTER_COMMAND) go test -v -count=1 -timeout 60m -run 'Executed?$$/^$(NB)$$' ./internal/nbcheck ./notebooks

notebooks-update: known-notebook
	@scripts/setup.sh kernel
	CRANK_JUPYTER=$(JUPYTER_COMMAND) go test -v -count=1 -timeout 60m -run 'Execute$$/^$(NB)$$' ./notebooks -update

# A name with a slip in it would match no test, and none failing looks like success.
known-notebook:
	@if [ '$(NB)' != '.*' ] && [ ! -f 'notebooks/$(NB).ipynb' ]; then echo 'no notebooks/$(NB).ipynb'; exit 1; fi

lab:
	@scripts/setup.sh lab
	@scripts/lab.sh

html:
	@scripts/setup.sh kernel
	@mkdir -p build/html
	scripts/jupyter.sh nbconvert --to html --output-dir build/html notebooks/*.ipynb
	CRANK_HTML="$$PWD/build/html" go test -v -count=1 -run 'TestExported' ./notebooks

e2e:
	@scripts/setup.sh lab
	@scripts/e2e.sh

bench:
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./crankpkg

clean:
	rm -rf bin build .jupyter .venv scripts/e2e/node_modules
