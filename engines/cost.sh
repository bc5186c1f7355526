#!/bin/bash
# usage: engines/cost.sh [CELLS]
#
# Measures what cells without work (two labels, five examples) cost on this machine: the bytes of their lines and of a store, and the
# time to send them through crank sweep cell, to keep them, to list the store and to show the table.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
n=${1:-1000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
CGO_ENABLED=0 go build -o "$folder/crank" ./cmd/crank
cd "$folder"
echo '{"methods": [{"method": "empty", "Lambda": 1}], "sets": [{"name": "p", "planted": {"N": 2, "D": 2}, "train": 5, "test": 5}], "seeds": '"$n"'}' >spec.json

# took runs a command and tells the milliseconds of each cell, by the clock and of the processor.
took() {
	local what=$1 TIMEFORMAT='%R %U %S'
	shift
	{ time "$@" >out 2>err; } 2>time || { cat err >&2; exit 1; }
	awk -v what="$what" -v n="$n" '{ printf "%-34s %8.3f ms a cell, %8.3f ms of the processor\n", what, 1000 * $1 / n, 1000 * ($2 + $3) / n }' time
}
each() { awk -v what="$1" -v n="$n" -v bytes="$2" 'BEGIN { printf "%-34s %8.0f bytes a cell\n", what, bytes / n }'; }

echo "$n cells"
took 'sweep cells' ./crank sweep cells -o cells.jsonl spec.json
each 'line of a cell' "$(wc -c <cells.jsonl)"
took 'sweep cell' ./crank sweep cell -store off -workers 1 <cells.jsonl
each 'line of a result' "$(wc -c <out)"
mv out results.jsonl
took 'sweep cell -apart' ./crank sweep cell -apart -store off -workers 1 <cells.jsonl
took 'sweep show -lines' ./crank sweep show -lines results.jsonl -o table.csv spec.json
took 'sweep run, with a store' ./crank sweep run -store store -workers 1 -o table.csv spec.json
each 'store' "$(find store -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')"
each 'store, in blocks of its disk' "$(du -s --block-size=1 store | cut -f1)"
took 'sweep run, all cells kept' ./crank sweep run -store store -workers 1 -o table.csv spec.json
took 'sweep show' ./crank sweep show -store store -workers 1 -o table.csv spec.json
took 'store, which lists all files' ./crank store -store store
