#!/usr/bin/env bash
# usage: scripts/html.sh [OUT NOTEBOOK...]
#
# Makes pages of the notebooks in build/html, or of the given ones in the folder OUT, with the Jupyter that scripts/setup.sh found.
# Formulas become MathML by math-core, a package for Python that is used from where it is installed; else it is put into build/mathml.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

find_python() {
	local p
	for p in build/mathml/bin/python "$(dirname "$(cat .jupyter/command)")/python3" python3; do
		if "$p" -c 'import math_core' >/dev/null 2>&1; then
			printf '%s\n' "$p"
			return 0
		fi
	done
	return 1
}

install_mathml() {
	local p
	for p in python3 /usr/bin/python3 "$(dirname "$(cat .jupyter/command)")/python3"; do
		if "$p" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1; then
			echo "html: installing math-core into build/mathml"
			"$p" -m venv --clear build/mathml &&
				build/mathml/bin/python -m pip install --quiet --disable-pip-version-check -r scripts/pages/requirements.txt && return 0
		fi
	done
	return 1
}

out=${1:-build/html}
shift $(($# > 0))
if [ $# = 0 ]; then set -- notebooks/*.ipynb; fi
python=$(find_python) || { install_mathml && python=$(find_python); } ||
	{ echo "html: no Python 3.10 with pip; install math-core for python3 yourself (scripts/pages/requirements.txt)" >&2; exit 1; }
go run ./internal/makepages -jupyter scripts/jupyter.sh -python "$python" -out "$out" "$@"
echo "html: $out/index.html"
