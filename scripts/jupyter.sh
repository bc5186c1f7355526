#!/usr/bin/env bash
# usage: scripts/jupyter.sh ARGUMENTS...
#
# Runs the Jupyter that scripts/setup.sh found or installed, with the checkout's own kernel folder.
set -euo pipefail
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ -s "$repo/.jupyter/command" ] || { echo "run scripts/setup.sh first" >&2; exit 1; }
jupyter=$(cat "$repo/.jupyter/command")

export JUPYTER_DATA_DIR="$repo/.jupyter/data"
# jupyter looks for its subcommands on PATH: its own folder goes first, before the shims of a version manager.
PATH="$(dirname "$jupyter"):$PATH"
exec "$jupyter" "$@"
