#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kills.sh UETCONFORM: every violator is caught, and of the packet delivery requirements that can be
# seen on the wire each is killed, a freedom, or deferred with its reason: none is merely tested.
# kills.sh UETCONFORM every N: each Nth violator is caught.
set -eu
uetconform=$1
[ "${2:-all}" != every ] || exec "$uetconform" selftest --every "$3"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
"$uetconform" selftest --json kills.json
"$uetconform" coverage --area PDS --selftest kills.json --list >list
if grep -E '^PDS-[0-9]+ +[A-Z ]+[0-9.]+ +(tested|untested) ' list; then
    echo "$(basename "$0"): these have no violator that is caught, and covered.csv does not say why" >&2
    exit 1
fi
if grep 'says covered.csv, although' list; then
    echo "$(basename "$0"): covered.csv is out of date" >&2
    exit 1
fi
