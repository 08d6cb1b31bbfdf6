#!/bin/sh
# system.sh PACKAGE REASON: installs a package of the system where that is possible, or says what to install.
set -eu

package=$1
reason=$2

by_hand() {
    printf '%s\n' "The system's package $package is missing ($reason): install it, for example with: apt-get install $package" >&2
    exit 1
}

[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || by_hand
printf '%s\n' "Installing the system's package $package ($reason)."
log=build/apt.log
mkdir -p build
export DEBIAN_FRONTEND=noninteractive
# The lists may be missing or old; a failed update alone is no reason to give up.
apt-get update >"$log" 2>&1 </dev/null || true
if [ "$package" = postgresql ] && [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    # The tests start a server of their own: no cluster should start with the machine on our account.
    mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
fi
apt-get install --yes --no-install-recommends -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confold "$package" >>"$log" 2>&1 </dev/null || {
    tail -n 5 "$log" >&2
    by_hand
}
