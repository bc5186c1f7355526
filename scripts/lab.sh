#!/usr/bin/env bash
# usage: scripts/lab.sh [FOLDER [ARGUMENTS...]]   open the notebooks (or another folder) in the browser
#        scripts/lab.sh --front                   print which front end that is
#
# The front end is JupyterLab or, where that is not installed, the classic Notebook. Arguments go to Jupyter.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

front=lab
scripts/jupyter.sh lab --version >/dev/null 2>&1 || front=notebook
if [ "${1:-}" = --front ]; then
	echo "$front"
	exit
fi

folder=${1:-notebooks}
shift $(($# > 0))
if [ "$front" = lab ]; then
	# Before its first cell GoNB answers only questions for its kernel_info, which by default count as silence: JupyterLab
	# would show the kernel as unknown.
	set -- --MappingKernelManager.untracked_message_types=comm_msg "$@"
fi
if [ "$(id -u)" = 0 ]; then set -- --allow-root "$@"; fi
exec scripts/jupyter.sh "$front" "$@" "$folder"
