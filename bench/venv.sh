#!/bin/sh
# Puts Python and the pinned packages of bench/NAME/requirements.txt into build/NAME/venv, once for each version of that file:
#
#	bench/venv.sh NAME MINOR SIZE [REQUIREMENTS [LIBRARIES]]
#
# Python is 3.11 to 3.MINOR; SIZE says how much comes. REQUIREMENTS is another file of packages. LIBRARIES has packages that may be missing:
# each is installed by itself, without what it would bring along, and one that cannot be is left out with a word.
set -eu
cd "$(dirname "$0")/.."
venv=build/$1/venv
wanted=${4:-bench/$1/requirements.txt}

libraries() {
	for library in $(grep -v '^#' "${1:-/dev/null}"); do
		"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --no-deps "$library" ||
			echo "setup: $library cannot be installed here (its message is above): what needs it is left out" >&2
	done
}

if cmp -s "$wanted" "$venv/requirements.txt"; then
	libraries "${5:-}"
	exit 0
fi
for python in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
	"$python" -c "import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, $2))" 2>/dev/null || continue
	echo "setup: installing $wanted into $venv (about $3)"
	"$python" -m venv --clear "$venv"
	"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --no-deps -r "$wanted"
	"$venv/bin/python" -m pip --disable-pip-version-check check
	cp "$wanted" "$venv/requirements.txt"
	libraries "${5:-}"
	exit 0
done
echo "$wanted needs Python 3.11 to 3.$2 with venv and pip; PYTHON=/path/to/python names one" >&2
exit 1
