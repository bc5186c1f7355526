#!/usr/bin/env bash
# usage: scripts/lab.sh [PLACE [ARGUMENTS...]]   open the notebooks, or another place, in the browser
#        scripts/lab.sh --front                  print which front end that is
#
# A place is a folder, a notebook file, which may lie anywhere, or the name of a notebook of the checkout without .ipynb. The front
# end is JupyterLab or, where that is not installed, the classic Notebook. Arguments go to Jupyter.
set -euo pipefail
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

front=lab
"$repo/scripts/jupyter.sh" lab --version >/dev/null 2>&1 || front=notebook
if [ "${1:-}" = --front ]; then
	echo "$front"
	exit
fi

place=${1:-$repo/notebooks}
shift $(($# > 0))
if [ ! -e "$place" ]; then
	[ -f "$repo/notebooks/$place.ipynb" ] || { echo "there is no $place, and no notebooks/$place.ipynb" >&2; exit 1; }
	place=$repo/notebooks/$place.ipynb
fi
if [ "$front" = lab ]; then
	# Before its first cell GoNB answers only questions for its kernel_info, which by default count as silence: JupyterLab
	# would show the kernel as unknown.
	set -- --MappingKernelManager.untracked_message_types=comm_msg "$@"
fi
if [ "$(id -u)" = 0 ]; then set -- --allow-root "$@"; fi
exec "$repo/scripts/jupyter.sh" "$front" "$@" "$place"
