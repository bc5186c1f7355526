#!/bin/sh
# Puts Python and the pinned packages into build/peers/venv, once for each version of requirements.txt.
set -eu
cd "$(dirname "$0")/../.."
venv=build/peers/venv
cmp -s bench/peers/requirements.txt "$venv/requirements.txt" && exit 0

for python in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
	"$python" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null || continue
	echo "setup: installing bench/peers/requirements.txt into $venv (about 400 MB)"
	"$python" -m venv --clear "$venv"
	"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --no-deps -r bench/peers/requirements.txt
	"$venv/bin/python" -m pip --disable-pip-version-check check
	cp bench/peers/requirements.txt "$venv/requirements.txt"
	exit 0
done
echo "The peers need Python 3.11 to 3.13 with venv and pip; PYTHON=/path/to/python names one" >&2
exit 1
