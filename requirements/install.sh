#!/bin/sh
# install.sh FOLDER LOCK: makes the virtual environment FOLDER hold exactly what LOCK says. Does nothing when it does.
# PYTHON names the interpreter; without it, the first of python3.11, 3.12, 3.13 and python3 that runs is taken.
set -eu

folder=$1
lock=$2
here=$(dirname "$0")

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

# Version managers put names on PATH that don't run, so a name proves nothing.
suits() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' >/dev/null 2>&1; }
makes_environments() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }

find_python() {
    python=
    without_venv=
    for candidate in ${PYTHON:-python3.11 python3.12 python3.13 python3 /usr/bin/python3}; do
        if suits "$candidate"; then
            if makes_environments "$candidate"; then
                python=$candidate
                return
            fi
            without_venv=${without_venv:-$candidate}
        fi
    done
    [ -n "$without_venv" ] || fail "No Python 3.11, 3.12 or 3.13 found${PYTHON:+ at PYTHON=$PYTHON}: install one (Debian, Ubuntu: apt-get install python3 python3-venv), or name it: make PYTHON=/path/to/python3.12."
    package=$("$without_venv" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    sh "$here/system.sh" "$package" "creating a virtual environment"
    makes_environments "$without_venv" || fail "$without_venv can't create virtual environments even with $package installed: name another Python with make PYTHON=..."
    python=$without_venv
}

wanted() {
    # Everything that decides what is installed: the locks (one may include another) and the interpreter.
    cat "$lock" "$(dirname "$lock")/$(sed -n 's/^-r //p' "$lock")" 2>/dev/null | sha256sum
    "$1" -c 'import sys; print(sys.version)' 2>&1
}

mkdir -p build
# Two commands at once: the second waits, and finds it done.
exec 9>"build/$(basename "$folder").lock"
flock 9

# An interpreter that is asked for by name must be the one that is there.
if [ -f "$folder/installed" ] && suits "$folder/bin/python" \
    && [ "$(wanted "${PYTHON:-$folder/bin/python}")" = "$(cat "$folder/installed")" ]; then
    exit 0
fi

find_python
count=$(cat "$lock" "$(dirname "$lock")/$(sed -n 's/^-r //p' "$lock")" 2>/dev/null | grep -c '==')
say "Installing $count packages into $folder with $("$python" --version 2>&1): a few minutes the first time."
"$python" -m venv --clear "$folder"
"$folder/bin/python" -m pip install --quiet --quiet --disable-pip-version-check --no-input --requirement "$lock" </dev/null \
    || fail "pip could not install $lock into $folder: its message above says why. Mend that and run the same command again."
wanted "$folder/bin/python" >"$folder/installed"
