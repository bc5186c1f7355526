#!/bin/sh
# Makes sure that GLPK's header and library are there: by apt as root, else it says the command.
set -eu

works() {
	printf '#include <glpk.h>\nint main(void) { return glp_version() == 0; }\n' |
		"${CC:-cc}" -x c -o /dev/null - -lglpk 2>/dev/null
}

works && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	apt-get install -y -qq libglpk-dev >&2 || { apt-get update -qq && apt-get install -y -qq libglpk-dev; } >&2
	works && exit 0
fi
echo "The comparison with GLPK needs a C compiler and GLPK: on Debian, sudo apt-get install gcc libglpk-dev" >&2
exit 1
