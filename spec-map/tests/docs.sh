#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A page of docs/ is what specc makes of the data.
#   docs.sh SPECC --doc|--states SPEC-MAP-DIR PAGE
set -eu
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
"$1" "$2" "$3" "$tmp"
diff -u "$4" "$tmp" | head -40
cmp -s "$4" "$tmp" || { echo "$4 is stale: ./dev docs" >&2; exit 1; }
