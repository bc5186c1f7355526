#!/bin/sh
# Puts Python and numpy into build/numpy/venv, once for each version of requirements.txt.
set -eu
cd "$(dirname "$0")/../.."
venv=build/numpy/venv
cmp -s bench/numpy/requirements.txt "$venv/requirements.txt" && exit 0

for python in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
	"$python" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null || continue
	echo "setup: installing numpy into $venv"
	"$python" -m venv --clear "$venv"
	"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --no-deps -r bench/numpy/requirements.txt
	cp bench/numpy/requirements.txt "$venv/requirements.txt"
	exit 0
done
echo "numpy needs Python 3.11 or later with venv and pip; PYTHON=/path/to/python names one" >&2
exit 1
