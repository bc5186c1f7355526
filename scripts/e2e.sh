#!/usr/bin/env bash
# usage: scripts/e2e.sh
#
# Starts the Jupyter that scripts/setup.sh found on a copy of the notebooks and drives it in Chromium, and then reads the pages that
# are made of them (see e2e/e2e.mjs).
# Screenshots and Jupyter's log go to build/e2e. Needs Node 20 or newer; Chromium and npm's playwright-core are installed when
# missing, the latter into scripts/e2e/node_modules.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
repo=$PWD
out=$repo/build/e2e

die() { printf 'e2e: %s\n' "$*" >&2; exit 1; }

# apt_install NAME installs a Debian package.
apt_install() {
	command -v apt-get >/dev/null || die "needs $1, and there is no apt-get to install it"
	local sudo=()
	if [ "$(id -u)" != 0 ]; then sudo=(sudo); fi
	echo "e2e: installing Debian's package $1"
	${sudo[@]+"${sudo[@]}"} apt-get update -qq
	${sudo[@]+"${sudo[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y "$1" >/dev/null
}

find_chromium() {
	local c
	for c in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
		if [ -n "$c" ] && command -v "$c"; then return 0; fi
	done
	return 1
}

command -v node >/dev/null && command -v npm >/dev/null || die "needs Node 20 or newer with npm (https://nodejs.org)"
node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || die "needs Node 20 or newer, this is $(node --version)"
CHROMIUM=$(find_chromium) || { apt_install chromium; CHROMIUM=$(find_chromium) || die "no Chromium; name its command in CHROMIUM"; }
export CHROMIUM
if [ ! -d scripts/e2e/node_modules/playwright-core ]; then
	echo "e2e: installing playwright-core into scripts/e2e/node_modules"
	(cd scripts/e2e && npm ci --ignore-scripts --no-audit --no-fund --silent)
fi

rm -rf "$out"
mkdir -p "$out/notebooks" "$out/screenshots" "$out/config" "$out/settings/@jupyterlab/notebook-extension" \
	"$out/settings/@jupyterlab/apputils-extension"
cp notebooks/*.ipynb scripts/e2e/*.ipynb "$out/notebooks/"
# A user's own settings stay out of it. All cells are drawn, also those out of sight, and JupyterLab asks for no news.
export JUPYTER_CONFIG_DIR=$out/config JUPYTERLAB_SETTINGS_DIR=$out/settings JUPYTER_RUNTIME_DIR=$out/runtime
echo '{"windowingMode": "none"}' >"$out/settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
echo '{"fetchNews": "false", "checkForUpdates": false}' >"$out/settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"

front=$(scripts/lab.sh --front)
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
token=crank-e2e
scripts/lab.sh "$out/notebooks" --no-browser --ip=127.0.0.1 --port="$port" \
	"--NotebookApp.token=$token" "--IdentityProvider.token=$token" >"$out/jupyter.log" 2>&1 </dev/null &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null || true' EXIT
for _ in $(seq 120); do
	if node -e 'fetch(process.argv[1]).catch(() => process.exit(1))' "http://127.0.0.1:$port/api"; then break; fi
	kill -0 $server 2>/dev/null || { cat "$out/jupyter.log" >&2; die "Jupyter did not start"; }
	sleep 0.5
done

echo "e2e: driving jupyter $front in $("$CHROMIUM" --version 2>/dev/null)"
node scripts/e2e/e2e.mjs "$front" "http://127.0.0.1:$port" "$token" "$out/notebooks" "$out/screenshots" "$repo/scripts/html.sh" ||
	die "failed; see build/e2e/screenshots and build/e2e/jupyter.log"
