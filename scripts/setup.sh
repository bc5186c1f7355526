#!/usr/bin/env bash
# usage: scripts/setup.sh [kernel|lab]
#
# Sets up what the notebooks need, inside this checkout, and says what it does. Run it as often as you like: what is there
# already is kept.
#   kernel  (default) the GoNB kernel, and a Jupyter that can execute notebooks
#   lab     the same with completion (gopls), and a Jupyter that can be opened in a browser
#
# Jupyter is the one that $JUPYTER names, or the first that works of .venv, PATH and /usr/bin. If none does, it is installed with
# pip into .venv, or, where Python has no pip, as Debian's packages. JUPYTER_FROM=pip or JUPYTER_FROM=apt allows only that way.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
repo=$PWD
want=${1:-kernel}

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: %s\n' "$*" >&2; exit 1; }

case $want in kernel | lab) ;; *) die "usage: scripts/setup.sh [kernel|lab]" ;; esac
command -v go >/dev/null || die "no go on PATH; install Go from https://go.dev/dl"

# build_tools builds the programs of tools/go.mod that the kernel runs.
build_tools() {
	local tools=(github.com/janpfeifer/gonb golang.org/x/tools/cmd/goimports)
	if [ "$want" = lab ]; then tools+=(golang.org/x/tools/gopls); fi
	mkdir -p bin
	if [ ! -x bin/gonb ]; then say "building the kernel into bin/ (a minute or two the first time)"; fi
	go -C tools build -o "$repo/bin/" "${tools[@]}"
}

# build_library compiles what notebooks import, so that the first cell does not wait for it.
build_library() { go build ./...; }

# json_string prints its argument as a JSON string.
json_string() { printf '"%s"' "$(printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g')"; }

# install_kernel writes the kernel's description into the checkout's own Jupyter folder. --raw_error puts the compiler's words
# into the notebook. GOWORK and GOFLAGS keep a user's own settings from breaking the first cell, and cells link a third faster without
# symbols. The file comes whole under a name of its own, as two set-ups may run at a time.
install_kernel() {
	local dir=.jupyter/data/kernels/gonb go_dir
	go_dir=$(cd "$(dirname "$(command -v go)")" && pwd)
	mkdir -p "$dir"
	cat >"$dir/kernel.json.$$" <<-JSON
		{
		 "argv": [$(json_string "$repo/bin/gonb"), "--kernel", "{connection_file}", "--logtostderr", "--raw_error"],
		 "display_name": "Go (gonb)",
		 "language": "go",
		 "interrupt_mode": "message",
		 "env": {
		  "PATH": $(json_string "$repo/bin:$go_dir:\${PATH}"),
		  "GOWORK": "",
		  "GOFLAGS": "-mod=readonly -ldflags=-s"
		 }
		}
	JSON
	mv "$dir/kernel.json.$$" "$dir/kernel.json"
}

# works tells whether the given jupyter can do what is wanted. jupyter looks for its subcommands on PATH, so its own folder goes
# first, before the shims of a version manager.
works() {
	[ -x "$1" ] || return 1
	local path
	path="$(dirname "$1"):$PATH"
	PATH=$path "$1" nbconvert --version >/dev/null 2>&1 || return 1
	if [ "$want" = lab ]; then
		PATH=$path "$1" lab --version >/dev/null 2>&1 || PATH=$path "$1" notebook --version >/dev/null 2>&1 || return 1
	fi
}

# use remembers the jupyter that scripts/jupyter.sh is to run.
use() {
	mkdir -p .jupyter
	printf '%s\n' "$1" >.jupyter/command.$$
	mv .jupyter/command.$$ .jupyter/command
	say "Jupyter: $1"
}

find_jupyter() {
	local j
	if [ -n "${JUPYTER:-}" ]; then
		works "$JUPYTER" || die "JUPYTER=$JUPYTER cannot do what is needed"
		use "$JUPYTER"
		return 0
	fi
	for j in "$repo/.venv/bin/jupyter" "$(command -v jupyter || true)" /usr/bin/jupyter; do
		case ${JUPYTER_FROM:-}:$j in
		pip:"$repo"/.venv/* | apt:/usr/bin/*) ;;
		pip:* | apt:*) continue ;;
		esac
		if works "$j"; then
			use "$j"
			return 0
		fi
	done
	return 1
}

# python_with_venv prints a Python that is new enough for tools/requirements.txt and can make a virtual environment with pip.
python_with_venv() {
	local p
	for p in python3 /usr/bin/python3 python; do
		if "$p" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1; then
			printf '%s\n' "$p"
			return 0
		fi
	done
	return 1
}

install_with_pip() {
	local python
	if [ "${JUPYTER_FROM:-pip}" != pip ]; then return 1; fi
	if ! python=$(python_with_venv); then
		say "no Python 3.10 or newer with venv and pip"
		return 1
	fi
	say "installing Jupyter into .venv with pip (tools/requirements.txt, about 260 MB)"
	if ! { "$python" -m venv --clear .venv &&
		.venv/bin/python -m pip install --quiet --disable-pip-version-check -r tools/requirements.txt; }; then
		say "that did not work"
		rm -rf .venv
		return 1
	fi
}

install_with_apt() {
	local sudo=() packages=(jupyter-core jupyter-nbconvert jupyter-notebook)
	if [ "${JUPYTER_FROM:-apt}" != apt ]; then return 1; fi
	if ! command -v apt-get >/dev/null; then
		say "no apt-get"
		return 1
	fi
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null || { say "Debian's packages need root, and there is no sudo"; return 1; }
		sudo=(sudo)
	fi
	say "installing Debian's packages ${packages[*]}"
	# ${a[@]+"${a[@]}"} is an empty array's safe expansion in the older bash that still comes with some systems.
	local install=(${sudo[@]+"${sudo[@]}"} env DEBIAN_FRONTEND=noninteractive
		apt-get install --quiet --quiet --yes --no-install-recommends "${packages[@]}")
	"${install[@]}" >/dev/null 2>&1 || { ${sudo[@]+"${sudo[@]}"} apt-get update --quiet --quiet && "${install[@]}" >/dev/null; }
}

build_tools
build_library
install_kernel
find_jupyter || { install_with_pip && find_jupyter; } || { install_with_apt && find_jupyter; } ||
	die "no Jupyter: install it yourself (https://jupyter.org/install) or name its command in JUPYTER"
