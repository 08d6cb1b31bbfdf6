#!/bin/sh
# browser.sh VENV: a Chromium for the tests, from the system or, where it packages none, from Playwright.
# RIDGEPOINT_CHROMIUM names one that is already there.
set -eu

venv=$1
here=$(dirname "$0")

runs() { "$1" --version >/dev/null 2>&1; }

if [ -n "${RIDGEPOINT_CHROMIUM:-}" ]; then
    runs "$RIDGEPOINT_CHROMIUM" && exit 0
    printf '%s\n' "RIDGEPOINT_CHROMIUM is $RIDGEPOINT_CHROMIUM, which does not run: name a Chromium that does." >&2
    exit 1
fi
if runs chromium || runs google-chrome; then exit 0; fi
if grep -q '^ID=ubuntu' /etc/os-release 2>/dev/null; then
    # Ubuntu's package is a stub that asks for a snap, which no container runs.
    "$venv/bin/playwright" install chromium $([ "$(id -u)" = 0 ] && echo --with-deps) && exit 0
    printf '%s\n' "Playwright could not install its Chromium: install one, and name it with RIDGEPOINT_CHROMIUM." >&2
    exit 1
fi
sh "$here/system.sh" chromium "tests in a browser"
