#!/bin/sh
# Puts Python and the pinned packages into build/spark/venv, once for each version of requirements.txt. Ends with status 3 where
# this machine lacks Java, Python or a way to the packages, and says which.
set -eu
cd "$(dirname "$0")/../.."
venv=build/spark/venv

lacks() { echo "Spark: $*" >&2; exit 3; }

[ -r /proc/self/stat ] || lacks "the test needs Linux"
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
version=$("$java" -version 2>&1 | sed -n '1s/.*version "\([0-9]*\).*/\1/p') || true
[ "${version:-0}" -ge 17 ] || lacks "no Java 17 or newer; install one, on Debian with apt-get install openjdk-17-jre-headless, or name its folder in JAVA_HOME"

cmp -s engines/spark/requirements.txt "$venv/requirements.txt" && exit 0
for python in ${PYTHON:-python3 python3.13 python3.12 python3.11 python3.10}; do
	"$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || continue
	echo "Spark: installing engines/spark/requirements.txt into $venv (about 520 MB)"
	"$python" -m venv --clear "$venv"
	"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 -r engines/spark/requirements.txt ||
		lacks "pip cannot get engines/spark/requirements.txt"
	cp engines/spark/requirements.txt "$venv/requirements.txt"
	exit 0
done
lacks "no Python 3.10 or newer with venv and pip; PYTHON=/path/to/python names one"
