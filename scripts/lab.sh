#!/usr/bin/env bash
# usage: scripts/lab.sh [ARGUMENTS...]
#
# Opens the notebooks in JupyterLab or, where that is not installed, in the classic Notebook. Arguments go to Jupyter.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

front=lab
scripts/jupyter.sh lab --version >/dev/null 2>&1 || front=notebook
if [ "$(id -u)" = 0 ]; then set -- --allow-root "$@"; fi
exec scripts/jupyter.sh "$front" "$@" notebooks
