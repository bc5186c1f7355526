#!/bin/sh
# Puts Python and the pinned packages of bench/NAME/requirements.txt into build/NAME/venv, once for each version of that file:
#
#	bench/venv.sh NAME MINOR SIZE
#
# Python is 3.11 to 3.MINOR; SIZE says how much comes.
set -eu
cd "$(dirname "$0")/.."
venv=build/$1/venv
wanted=bench/$1/requirements.txt
cmp -s "$wanted" "$venv/requirements.txt" && exit 0

for python in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
	"$python" -c "import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, $2))" 2>/dev/null || continue
	echo "setup: installing $wanted into $venv (about $3)"
	"$python" -m venv --clear "$venv"
	"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --no-deps -r "$wanted"
	"$venv/bin/python" -m pip --disable-pip-version-check check
	cp "$wanted" "$venv/requirements.txt"
	exit 0
done
echo "$wanted needs Python 3.11 to 3.$2 with venv and pip; PYTHON=/path/to/python names one" >&2
exit 1
