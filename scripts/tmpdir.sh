#!/bin/sh
# Prints a folder for temporary files: TMPDIR where that is set, else one in memory, where Linux has a gigabyte of room for them and lets
# programs run from there. Its name is always the same, as go test takes its results from before only where the environment is.
set -eu

if [ -n "${TMPDIR:-}" ]; then
	echo "$TMPDIR"
	exit
fi
memory=/dev/shm
if [ -w "$memory" ] && [ "$(df -Pk "$memory" | awk 'END { print $4 }')" -gt 1048576 ]; then
	program=$(mktemp "$memory/crank.XXXXXX")
	trap 'rm -f "$program"' EXIT
	printf '#!/bin/sh\n' > "$program"
	chmod +x "$program"
	if "$program" 2> /dev/null; then
		echo "$memory"
		exit
	fi
fi
echo /tmp
