#!/bin/sh
# Makes sure that the header and library of GLPK and liblinear are there: by apt as root, else it says the command.
set -eu

works() {
	printf '#include <glpk.h>\n#include <linear.h>\nint main(void) { return glp_version() == 0 || liblinear_version == 0; }\n' |
		"${CC:-cc}" -x c -o /dev/null - -lglpk -llinear 2>/dev/null
}

works && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	apt-get install -y -qq libglpk-dev liblinear-dev >&2 ||
		{ apt-get update -qq && apt-get install -y -qq libglpk-dev liblinear-dev; } >&2
	works && exit 0
fi
echo "The comparisons need a C compiler, GLPK and liblinear: on Debian, sudo apt-get install gcc libglpk-dev liblinear-dev" >&2
exit 1
